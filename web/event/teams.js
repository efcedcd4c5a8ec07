// The list of teams as an organiser pastes it.

/** @typedef {{ name: string, display?: string, plays_as?: string, bot?: string, version?: string }} Team */

/** The columns in the order of files without a header, as the command line reads them too. @type {[keyof Team, string[]][]} */
const COLUMNS = [
  ["name", ["name"]],
  ["display", ["display", "display name"]],
  ["plays_as", ["plays as", "plays_as", "plays-as"]],
  ["bot", ["bot", "command"]],
  ["version", ["version"]],
];

/**
 * One team a line: name, display name, colour, `house:STRATEGY`, version. A header may put them in another
 * order; without one a line may leave some out. Empty lines and lines that begin with # are skipped;
 * quotes keep a comma. All lines are read; `wrong` is the first that cannot be.
 * @param {string} text
 * @returns {{ teams: Team[], wrong: string }}
 */
export function readTeams(text) {
  /** @type {Team[]} */
  const teams = [];
  const seen = new Set();
  let wrong = "";
  /** @type {(keyof Team | undefined)[] | null} */
  let header = null;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const cells = fields(line);
    if (teams.length === 0 && !header && cells[0].toLowerCase() === "name") {
      header = cells.map(columnOf);
      const unknown = cells.find((_, place) => header?.[place] === undefined);
      if (unknown !== undefined) wrong ||= `Line ${at + 1}: there is no column '${unknown}'.`;
      continue;
    }
    // A line that goes on where the header has ended is read as if there were none.
    const named = header && cells.length <= header.length;
    const team = named ? byHeader(cells, /** @type {any} */ (header)) : byOrder(cells);
    if (team.name === "") {
      wrong ||= `Line ${at + 1} has no name.`;
      continue;
    }
    const name = team.name.toLowerCase();
    if (seen.has(name)) wrong ||= `${team.name} is there twice: see line ${at + 1}.`;
    seen.add(name);
    teams.push(team);
  }
  return { teams, wrong };
}

/** @param {string} cell */
function columnOf(cell) {
  return COLUMNS.find(([, names]) => names.includes(cell.toLowerCase()))?.[0];
}

/** @param {string[]} cells @param {(keyof Team | undefined)[]} header @returns {Team} */
function byHeader(cells, header) {
  const isBot = (/** @type {string} */ cell) => cell.startsWith("house:");
  return tidy(
    Object.fromEntries(cells.map((cell, at) => [isBot(cell) ? "bot" : (header[at] ?? ""), cell])),
  );
}

/** Whole lines have all columns in their order; shorter ones what is there. @param {string[]} cells @returns {Team} */
function byOrder(cells) {
  if (cells.length >= 4) return byHeader(cells, [...COLUMNS.map(([column]) => column)]);
  const [name, ...rest] = cells;
  const bot = rest.find((each) => each.startsWith("house:"));
  const [display, colour] = rest.filter((each) => each !== bot);
  return tidy({ name, display, plays_as: colour, bot });
}

/** Without what is empty; of commands only house bots count here. @param {Record<string, string | undefined>} cells @returns {Team} */
function tidy({ name = "", display, plays_as, bot, version }) {
  /** @type {Team} */
  const team = { name };
  if (display && display !== name) team.display = display;
  if (plays_as) team.plays_as = plays_as;
  if (bot?.startsWith("house:")) team.bot = bot.slice("house:".length);
  if (version) team.version = version;
  return team;
}

/** Options of a game as they are typed, one KEY=VALUE a line. @param {string} text @returns {{ options: Record<string, unknown>, wrong: string }} */
export function readOptions(text) {
  /** @type {Record<string, unknown>} */
  const options = {};
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    const key = line.slice(0, at).trim();
    if (at < 0 || key === "")
      return { options, wrong: `'${line.trim()}' is not an option. Write one KEY=VALUE per line.` };
    options[key] = valueOf(line.slice(at + 1).trim());
  }
  return { options, wrong: "" };
}

/** A number, a list and so on, or else a word. @param {string} text */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
