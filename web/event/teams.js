// The list of teams as an organiser pastes it.

/** @typedef {{ name: string, display?: string, plays_as?: string, bot?: string }} Team */

/**
 * One team a line: name, display name, colour or `house:STRATEGY`. A header, empty lines and lines that
 * begin with # are skipped; quotes keep a comma.
 * @param {string} text
 * @returns {{ teams: Team[], wrong: string }}
 */
export function readTeams(text) {
  /** @type {Team[]} */
  const teams = [];
  const seen = new Set();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [name, ...rest] = fields(line);
    if (at === 0 && name.toLowerCase() === "name") continue;
    if (name === "") return { teams, wrong: `Line ${at + 1} has no name.` };
    if (seen.has(name.toLowerCase())) return { teams, wrong: `${name} is there twice.` };
    seen.add(name.toLowerCase());
    /** @type {Team} */
    const team = { name };
    const [display, third, fourth] = rest.filter((each) => !each.startsWith("house:"));
    const bot = rest.find((each) => each.startsWith("house:"));
    if (display && display !== name) team.display = display;
    if (third && !fourth) team.plays_as = third;
    if (bot) team.bot = bot.slice("house:".length);
    teams.push(team);
  }
  return { teams, wrong: "" };
}

/** @param {string} line @returns {string[]} */
function fields(line) {
  /** @type {string[]} */
  const found = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (char === '"' && quoted && line[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (char === '"') quoted = !quoted;
    else if ((char === "," || char === ";" || char === "\t") && !quoted) {
      found.push(field.trim());
      field = "";
    } else field += char;
  }
  return [...found, field.trim()];
}
