// Every word of the pages, in one place and in plain English, so that translations can come later.
// What a game says is beside its rules (about.js and board.js).

const plural = new Intl.PluralRules("en");

/** @param {number} n @param {string} one @param {string} [other] */
export function count(n, one, other = `${one}s`) {
  return `${n} ${form(n, one, other)}`;
}

/** The word alone, as that many are called. @param {number} n @param {string} one @param {string} other */
function form(n, one, other) {
  return plural.select(n) === "one" ? one : other;
}

const joined = new Intl.ListFormat("en", { type: "conjunction" });

/** "Ann, Ben and Cleo". @param {string[]} words */
export function list(words) {
  // A comma before "and" is right where it is needed, and here it never is.
  return joined.format(words).replace(/, and /, " and ");
}

/** @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long ago, in as few words as possible. @param {number} ms */
export function ago(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return count(Math.floor(minutes / 60 / 24), "day");
}

/** A time as people say it. @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** How a seat's game ended, in a result list. @type {Record<string, string>} */
export const causes = {
  finished: "",
  "timed out": "timed out",
  left: "left",
  lost: "lost the connection",
  crashed: "crashed",
  disqualified: "disqualified",
  "never came": "never came",
};

export const words = {
  games: "Games",
  players: "Players",
  everywhere: "All pages",
  tournaments: "Tournaments",
  connectBot: "Connect a bot",
  theme: { light: "Change to light", dark: "Change to dark" },
  skip: "Skip to the page",
  home: {
    title: "Five games, one parlor.",
    lead: "Bots and people play at the same tables. Watch one, sit down, or send your own.",
    playing: (/** @type {number} */ n) => form(n, "table in play", "tables in play"),
    bots: (/** @type {number} */ n) => form(n, "bot here", "bots here"),
    people: (/** @type {number} */ n) => form(n, "person", "people"),
    playNow: "Play now",
    watch: "Watch",
    floor: "Being played",
    last: "The last game",
    results: "Newest results",
    bring: "Bring a bot",
    nothing: "Nobody is playing. Sit down, and a house bot will play with you.",
    anyLanguage: "Any language that can open a socket. This one plays a game of Gamba:",
    wires: "One JSON protocol over WebSocket plays every game:",
  },
  lobby: {
    tables: "Tables",
    inPlay: "In play",
    noTables: "No tables yet",
    noTablesHint: "Be the first. A house bot will sit down with you.",
    newTable: "New table",
    sitDown: "Sit down",
    watch: "Watch",
    allTournaments: "All tournaments",
    leaderboard: "Leaderboard",
    columns: ["", "Player", "Sure of", "", "Rating", "Games"],
    ranked: "Ranked by the left end of the bar: what we are sure of.",
    recent: "Recent games",
    connect: "Connect your bot",
    steps: {
      starter: "Start with the bot in the examples folder. Change choose(): that is your bot.",
      house: "Or speak JSON over WebSocket, the same for every game:",
      bot: "Or let a house bot play from your machine:",
      model: "A language model plays too. Its client (MCP) connects here:",
    },
    free: (/** @type {number} */ n) =>
      n === 1 ? "One seat free. Starts when it is taken." : `${n} seats free.`,
    brief: "Rules in brief",
    allRules: "All rules",
    noGames: "No games yet. The first one played will be listed here.",
    noRatings: "Nobody is rated yet. Rated games are those of tournaments and of open tables.",
  },
  replay: {
    seenBy: "Seen by",
    public: "Public",
    all: "All",
    moves: "Moves",
    download: "Download",
    frames: "Frames (JSON Lines)",
    file: "Replay file",
    share: "Copy link to this turn",
    copied: "Copied",
    play: "Play",
    stop: "Stop",
    first: "First turn",
    back: "One turn back",
    on: "One turn on",
    last: "Last turn",
    speed: "Speed",
    turn: "Turn",
    notShown: (/** @type {string} */ name, /** @type {string} */ why) =>
      `${name} cannot be shown: ${why}`,
    drop: "Drop a replay file anywhere on this page to see it.",
    open: "Open a replay file",
    openHint:
      "Files of parlor play --replays and of tournament run --out, and those you have downloaded here.",
    choose: "Choose a file",
    noReplay: "It is no replay of a game.",
    whichGame: "Frames do not say of which game they are. Drop them on a replay of that game.",
  },
  live: {
    live: "Live",
    replay: "Replay",
    watch: "Watch live",
    over: "Over",
    behind: (/** @type {string} */ turns) => `${turns} behind`,
    catchUp: "Catch up",
    away: (/** @type {string} */ time) =>
      `No connection. The board is as of ${time}. Trying again.`,
    retry: "Try now",
    waiting: "Waiting for players",
    delayed: "Being played, shown when it is over",
    delayedHint:
      "Then this page plays the whole game with everybody's cards open. Until then, nobody who watches can help a player.",
    shows: "You see what every player knows.",
    full: "You see every hand, live.",
    fullHint: "This table shows every hand to those who have an organiser's token.",
    showFull: "Show every hand",
    free: "free",
    fromStart: "Replay from the start",
  },
  copy: "Copy",
  rules: { title: (/** @type {string} */ game) => `Rules of ${game}` },
  play: {
    title: "Play",
    name: "Your name",
    against: "Play against",
    kinds: /** @type {Record<string, { title: string, hint: string }>} */ ({
      bots: { title: "House bots", hint: "The game begins at once." },
      link: { title: "A friend", hint: "You get a link to share." },
      anybody: { title: "Whoever comes", hint: "Sit down at the table that is filling up." },
    }),
    go: /** @type {Record<string, string>} */ ({
      bots: "Play now",
      link: "Open a table",
      anybody: "Sit down",
    }),
    bots: "House bots",
    bot: (/** @type {number} */ n) => `Bot ${n}`,
    level: (/** @type {number} */ level) => ["Beginner", "Decent", "Strong"][level - 1],
    time: "Time for each move",
    seconds: (/** @type {number} */ s) => (s < 60 ? `${s} seconds` : count(s / 60, "minute")),
    resigned: "You resigned.",
    left: (/** @type {string} */ table) => `You were playing at table ${table}.`,
    goBack: "Back to my seat",
    watchOn: "Watch the rest",
    more: "One more",
    fewer: "One fewer",
    players: (/** @type {number} */ n) => `${n} players`,
    invited: (/** @type {string} */ table) => `You are invited to table ${table}.`,
    share: "Send this link to your friend",
    leave: "Leave the table",
    resign: "Resign",
    really: "Give up this game?",
    yes: "Resign",
    no: "Play on",
    yourMove: "Your move",
    theirMove: "Waiting for the others",
    again: "Play again",
    toLobby: "Back to the tables",
    void: "There is no result.",
    won: "You win.",
    shared: "You win together.",
    placed: (/** @type {number} */ place, /** @type {number} */ points) =>
      `You are number ${place}, with ${count(points, "point")}.`,
  },
  /** A line of a list of results. */
  result: {
    won: "Won",
    shared: "Won together",
    lost: (/** @type {number | undefined} */ place, /** @type {number} */ of) =>
      place === undefined ? "No result" : of > 2 ? `Number ${place} of ${of}` : "Lost",
    against: "against",
    is: (/** @type {string} */ who, /** @type {string} */ what) => `${who} ${what}`,
  },
  errors: {
    title: "Something is wrong",
    noPage: "There is no such page",
    noPageHint: "The address may be mistyped. The games are on the first page.",
    noBoard: "This game has no board yet. parlor watch and parlor replay show it as text.",
    toGames: "All games",
    network: "The server does not answer. It may be starting; this page tries again.",
  },
};
