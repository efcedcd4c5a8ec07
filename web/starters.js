// Bots to start from, as the server offers them: their files, and the commands that fetch and run them.

/** @typedef {"python" | "node"} Language @typedef {"unix" | "windows"} System */

/** @param {string} game @param {Language} language */
export function fileOf(game, language) {
  return `${game.replaceAll("-", "_")}.${language === "python" ? "py" : "mjs"}`;
}

/** @returns {System} */
export function system() {
  return /windows/i.test(navigator.userAgent) ? "windows" : "unix";
}

/** The command that fetches a file. Windows has a curl, too, behind PowerShell's own. @param {string} file @param {System} on */
export function fetchCommand(file, on) {
  return `${on === "windows" ? "curl.exe" : "curl"} -O ${location.origin}/starters/${file}`;
}

/**
 * The command that runs a starter.
 * @param {{ game: string, language: Language, on: System, port: number | undefined, player: string }} what
 */
export function runCommand({ game, language, on, port, player }) {
  const python = on === "windows" ? "py" : "python3";
  const program = language === "python" ? python : "node";
  const where = `${location.hostname}${port ? ` ${port}` : ""}`;
  return `${program} ${fileOf(game, language)} ${where} ${player} --games 0`;
}
