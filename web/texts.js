// Every word of the pages, in one place and in plain English. `languages/` has them in other languages.
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
  if (minutes < 1) return words.justNow;
  if (minutes < 60) return words.minutes(minutes);
  if (minutes < 48 * 60) return words.hours(Math.floor(minutes / 60));
  return words.days(Math.floor(minutes / 60 / 24));
}

/** A time as people say it. @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  return words.minutes(Math.round(ms / 60_000));
}

/** With a capital and a full stop. @param {string} text */
export function sentence(text) {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** "2nd". @param {number} n */
export function ordinal(n) {
  const ends = { one: "st", two: "nd", few: "rd" };
  return n + (ends[/** @type {"one"} */ (ordinals.select(n))] ?? "th");
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

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
  justNow: "just now",
  minutes: (/** @type {number} */ n) => `${n} min`,
  hours: (/** @type {number} */ n) => `${n} h`,
  days: (/** @type {number} */ n) => count(n, "day"),
  turns: (/** @type {number} */ n) => count(n, "turn"),
  tables: (/** @type {number} */ n) => count(n, "table"),
  /** Names or the like. */
  list,
  games: "Games",
  players: "Players",
  everywhere: "All pages",
  tournaments: "Tournaments",
  connectBot: "Connect a bot",
  docs: "Docs",
  documentation: "Documentation",
  starters: "Starter bots",
  theme: { light: "Change to light", dark: "Change to dark" },
  skip: "Skip to the page",
  home: {
    title: "Five games, one parlor.",
    lead: "Play at once, against friends or house bots. Nothing to install, no account.",
    playing: (/** @type {number} */ n) => form(n, "table in play", "tables in play"),
    bots: (/** @type {number} */ n) => form(n, "bot here", "bots here"),
    people: (/** @type {number} */ n) => form(n, "person", "people"),
    playNow: "Play now",
    watch: "Watch",
    floor: "Being played",
    last: "The last game",
    bring: "Bring a bot",
    nothing: "No one is playing right now. Be the first.",
    backTitle: (/** @type {string} */ title) => `Your game of ${title} may still be running.`,
    back: "Back to your game",
    anyLanguage: "Any language that can open a socket. These two lines play Gamba:",
    wires: "One JSON protocol over WebSocket plays every game:",
  },
  daily: {
    title: "Daily deal",
    same: "the same cards and bots for everyone",
    play: "Play the deal",
    line: (
      /** @type {string} */ title,
      /** @type {number} */ points,
      /** @type {number} */ rank,
      /** @type {number} */ of,
    ) => `Parlor daily · ${title} · ${count(points, "point")} · rank ${rank} of ${of}`,
  },
  lobby: {
    tables: "Tables",
    inPlay: "In play",
    inPlayNow: (/** @type {number} */ n) => `${count(n, "table")} in play`,
    noTables: "No tables yet",
    noTablesHint: "Be the first. A house bot will sit down with you.",
    newTable: "New table",
    sitDown: "Sit down",
    watch: "Watch",
    allTournaments: "All tournaments",
    leaderboard: "Leaderboard",
    columns: ["", "Player", "Rating", "", "Games"],
    ranked: "Players are ranked by the left end of the bar: the rating they almost certainly have.",
    recent: "Recent games",
    matches: "Recent tournament games",
    connect: "Connect your bot",
    steps: {
      starter: "Download a starter bot, run it, and change the function that chooses the moves:",
      more: "All starter bots",
      protocol: "The protocol, message by message",
      house: "Or speak JSON over WebSocket, the same for every game:",
      bot: "Or let a house bot play from your machine:",
      model: "A language model can play, too. Its MCP client connects here:",
    },
    free: (/** @type {number} */ n) =>
      n === 1 ? "One seat free. Starts when it is taken." : `${n} seats free.`,
    brief: "Rules in brief",
    allRules: "All rules",
    noGames: "No games yet. The first one played will be listed here.",
    noRatings: "No one is rated yet. Only games of tournaments and ladders are rated.",
  },
  replay: {
    seenBy: "Seen by",
    public: "Public",
    all: "All",
    moves: "Moves",
    download: "Download",
    frames: "Every position (JSON Lines)",
    file: "Replay file",
    share: "Copy link to this turn",
    copied: "Copied",
    play: "Play",
    stop: "Stop",
    first: "First turn",
    back: "One turn back",
    on: "One turn forward",
    last: "Last turn",
    speed: "Speed",
    turn: "Turn",
    notShown: (/** @type {string} */ name, /** @type {string} */ why) =>
      `${name} cannot be shown: ${why}`,
    drop: "Drop a replay file anywhere on this page to see it.",
    open: "Open a replay file",
    openHint:
      "A replay file that you have downloaded here, or that parlor play --replays or tournament run --out has written.",
    choose: "Choose a file",
    noReplay: "This is not a replay file.",
    whichGame: "A file of frames does not name its game. Drop it on a replay page of that game.",
  },
  review: {
    title: "Review",
    ask: "Review this game",
    next: "Next mistake",
    making: (/** @type {number} */ done, /** @type {number} */ all) =>
      all > 0 ? `Reviewing turn ${done} of ${all}` : "Waiting for the reviewer",
    broken: "The review was not finished. Try again later.",
    chance: "Win chance",
    chanceNote: "share of opponents beaten, in percent, with all cards open",
    player: "Player",
    regret: "Regret per decision",
    luck: "Luck",
    none: "No decision was found to be a slip or worse.",
    better: (/** @type {string} */ what, /** @type {string} */ value) => `${what} was ${value}`,
    judge: (/** @type {number} */ deals) =>
      `Each decision was tried in ${deals} deals of what its player could not see. House bots are the judge: they play every deal to the end.`,
    /** @type {Record<string, string>} */
    kinds: { best: "Best", fine: "Fine", slip: "Slip", mistake: "Mistake", blunder: "Blunder" },
  },
  live: {
    live: "Live",
    replay: "Replay",
    watch: "Watch live",
    over: "Over",
    resigned: "You resigned",
    out: "You are out",
    spectators: (/** @type {number} */ n) => `${count(n, "person watches", "people watch")}`,
    behind: (/** @type {string} */ turns) => `${turns} behind`,
    catchUp: "Catch up",
    away: (/** @type {string} */ time) =>
      `No connection. The board shows the position at ${time}. Trying again.`,
    retry: "Try now",
    waiting: "Waiting for players",
    delayed: "Being played, shown when it is over",
    delayedHint:
      "Then this page shows the whole game with all cards open. Until then, no spectator can help a player.",
    shows: "You see what every player knows.",
    full: "You see every hand, live.",
    fullHint: "This table shows every hand to anyone with an organiser's token.",
    showFull: "Show every hand",
    free: "free",
    fromStart: "Replay from the start",
  },
  copy: "Copy",
  rules: { contents: "Contents", title: (/** @type {string} */ game) => `Rules of ${game}` },
  play: {
    title: "Play",
    name: "Your name",
    settings: "Choose opponents and time",
    claimedAs: "You play under your claimed name ",
    notYou: "Change in settings",
    against: "Play against",
    kinds: /** @type {Record<string, { title: string, hint: string }>} */ ({
      bots: { title: "House bots", hint: "The game begins at once." },
      link: { title: "A friend", hint: "You get a link to share." },
      anybody: {
        title: "Anyone",
        hint: "Join the open table. People and bots may sit down with you.",
      },
    }),
    terms: (/** @type {number | null} */ seconds, /** @type {string[]} */ bots) => {
      const time =
        seconds === null ? "No time limit." : `${duration(seconds * 1000)} for each move.`;
      return bots.length > 0 ? `${time} If no one joins, you play against ${list(bots)}.` : time;
    },
    strategy: (/** @type {string} */ name, /** @type {string} */ level) =>
      `${name}, a ${level.toLowerCase()} bot`,
    go: /** @type {Record<string, string>} */ ({
      bots: "Play now",
      link: "Open a table",
      anybody: "Sit down",
    }),
    bots: "House bots",
    bot: (/** @type {number} */ n) => `Bot ${n}`,
    level: (/** @type {number} */ level) => ["Beginner", "Decent", "Strong"][level - 1],
    ofFive: (/** @type {string} */ name, /** @type {number} */ level) =>
      `${name}, level ${level} of 5`,
    otherBots: "Other bots",
    time: "Time for each move",
    seconds: (/** @type {number} */ s) => (s < 60 ? `${s} seconds` : count(s / 60, "minute")),
    resigned: "You resigned.",
    outOfTime: "Your time ran out, so you are out.",
    invitationOver: "That table is not open any more. You can open a new one here.",
    hurry: (/** @type {string} */ time) => `${time} left for your move`,
    orOut: "or you are out",
    hurryOut: (/** @type {string} */ time) => `${time} left. Without a move you are out.`,
    left: "You have left a game that may still be running.",
    goBack: "Back to my seat",
    watchOn: "Watch the rest",
    more: "One more",
    fewer: "One fewer",
    players: (/** @type {number} */ n) => `${n} players`,
    invited: (/** @type {string[]} */ names, /** @type {string} */ title) =>
      names.length > 0
        ? `${list(names)} ${form(names.length, "invites", "invite")} you to a game of ${title}.`
        : `You are invited to a game of ${title}.`,
    share: "Send this link to your friend",
    qr: "QR code of the link",
    onlyHere:
      "Only this machine can open that link. To play with other devices, start the server with --bind 0.0.0.0 and use the address it prints.",
    begins: (/** @type {string} */ when) => `The game begins ${when}.`,
    leave: "Leave the table",
    resign: "Resign",
    really: "Give up this game?",
    yes: "Resign",
    no: "Keep playing",
    yourMove: "Your move",
    theirMove: "Waiting for the others",
    again: "Play again",
    newGame: "New game",
    toLobby: "Back to the tables",
    void: "There is no result.",
    won: "You win!",
    shared: "You share the win!",
  },
  help: {
    title: "Rules and help",
    protocol: "Protocol",
    step: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${of}`,
    skip: "Skip",
    next: "Next",
    done: "Got it",
  },
  settings: {
    title: "Settings",
    close: "Close",
    nameHint:
      "Any letters. Enter a claimed name with its key, as in carla:pk_…; you are asked only once.",
    keyFile: "Or open the file of a claimed name",
    look: "Appearance",
    dark: "Dark",
    language: "Language",
    attention: "When it is my move",
    switches: {
      sound: "Play sounds",
      notify: "Show a notification while I look at another tab",
      vibrate: "Vibrate",
    },
    playsAs: "You play as ",
    claimedHint:
      "This browser keeps its key. The link and the file carry it to another device: keep them secret.",
    moveLink: "Copy link for another device",
    moveFile: "Save as a file",
    forget: "Forget it here",
  },
  /** The card at the end of a game, and after a round. */
  end: {
    lost: "You lost this one.",
    placed: (/** @type {number} */ place, /** @type {number} */ of) =>
      place === of ? `You came last of ${of}.` : `You came ${ordinal(place)} of ${of}.`,
    you: (/** @type {string} */ name) => `${name} (you)`,
    own: (/** @type {number} */ wins) => `you ${wins}`,
    series: (/** @type {number} */ own, /** @type {number} */ other) =>
      own === other
        ? `The score is ${own} : ${other}.`
        : own > other
          ? `You lead ${own} : ${other}.`
          : `You trail ${own} : ${other}.`,
    wins: (/** @type {number} */ games, /** @type {string} */ wins) =>
      `Wins in ${count(games, "game")}: ${wins}.`,
    review: "Review",
    share: "Share",
    shareText: (/** @type {string} */ headline) => `${headline} See the game:`,
    look: "Look at the board",
    result: "Result",
    nextRound: "Continue",
    round: (/** @type {number} */ n) => `Round ${n} is over`,
  },
  /** What players may show each other. @type {Record<string, string>} */
  reactions: {
    react: "React",
    hello: "Hello!",
    nice: "Nice!",
    wow: "Wow!",
    oops: "Oops!",
    thanks: "Thanks!",
    "good-game": "Good game!",
  },
  rematch: {
    ask: "Rematch",
    cancel: "Cancel",
    yes: "Play",
    no: "No",
    wants: (/** @type {string} */ names, /** @type {number} */ n) =>
      `${names} ${form(n, "wants", "want")} a rematch.`,
    waits: (/** @type {string} */ names) => `Waiting for ${names} to agree.`,
    left: (/** @type {string} */ names, /** @type {number} */ n) =>
      `${names} ${form(n, "has", "have")} left.`,
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
    title: "That did not work",
    noPage: "There is no such page",
    noPageHint: "The address may be mistyped. The games are on the first page.",
    noBoard: "This game has no board yet. parlor watch and parlor replay show it as text.",
    toGames: "All games",
    network: "The server does not answer. It may be starting; this page tries again.",
  },
};
