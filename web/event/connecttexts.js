// The words of the page for bot authors.

import { count } from "../texts.js";

export const connect = {
  title: "Connect a bot",
  lead: "Any language that can open a socket. Claim a name, copy one line, and your bot sits down.",
  start: "Start it",
  game: "Game",
  language: "Language",
  languages: /** @type {[string, string][]} */ ([
    ["python", "Python"],
    ["node", "JavaScript"],
    ["other", "A house bot, to try it"],
  ]),
  loops:
    "The first line downloads a starter bot, the second runs it until you stop it. One function chooses the moves: change that one.",
  starters: "All starter bots, and archives",
  protocol: "The protocol of this game",
  jsonProtocol: "The JSON protocol",
  system: "System",
  house: "In any other language",
  houseAbout:
    "One JSON protocol over WebSocket plays every game. Or speak the game's own protocol at the ports listed here.",
  check: "Check",
  checkAbout:
    "Before an event, test your bot on your own machine: split messages, refused moves, lost connections. This needs the program parlor there.",
  checkMore: "What it tests",
  own: "A name of your own",
  ownAbout:
    "Without a key, anyone can play under your name. A claimed name is yours in every game on this server, and its key lets you watch what your bot sends and receives.",
  name: "Name",
  nameHint: "1 to 24 letters (a-z), digits, - _ or a full stop.",
  claim: "Claim it",
  once: "Your name and its key, shown once",
  showIt:
    "Your bot sends both as its name, with a colon between them. From now on, no one else can play as you. If you lose the key, the server's operator can issue a new one.",
  enter: "Enter an open tournament with it.",
  where: "Where games listen",
  /** Ports of a game's second protocol. @type {Record<string, string>} */
  others: {
    "labyrinth-course": "Labyrinth, course protocol",
    "sushi-go-sdk": "Sushi Go, later kit",
  },
  keyTitle: "You have a key already",
  keyAbout:
    "The key of your claimed name, or the one on your slip from the organiser. It is kept in this tab only, until you close it.",
  key: "Key",
  keyGo: "Show its messages",
  forget: "Forget the key",
  signedIn: (/** @type {string} */ name) => `Signed in as ${name}`,
  wire: {
    title: "Your bot's traffic",
    lead: "Everything it sends and receives, as it happens. Rejected lines are marked, with the rule they break.",
    lines: "Lines, the newest last",
    empty:
      "Nothing yet. Start your bot with its name and key: what it sends and receives appears here.",
    waiting: "No connection yet",
    waitsFor: (/** @type {string} */ tournament) => `waiting for its next game in ${tournament}`,
    live: "Live",
    all: "All",
    which: "Which lines",
    refused: (/** @type {number} */ n) => (n > 0 ? `Refused ${n}` : "Refused"),
    connection: "Connection",
    newest: "The newest connection",
    one: (/** @type {string} */ game, /** @type {number} */ conn, /** @type {string} */ time) =>
      `${game} ${conn}, ${time}`,
    at: (/** @type {string} */ table, /** @type {string} */ others) =>
      others ? `${table} with ${others}` : table,
    you: "you",
    server: "server",
    took: (/** @type {string} */ time) => `after ${time}`,
    connected: (/** @type {string} */ wire, /** @type {string} */ from) =>
      `Connected from ${from}, protocol ${wire}`,
    seated: (/** @type {string} */ table, /** @type {string} */ names) =>
      `At table ${table}: ${names}`,
    over: "The game is over",
    closed: (/** @type {string} */ why) => `Closed: ${why || "the connection ended"}`,
    late: (/** @type {number} */ turn, /** @type {string} */ clock) =>
      `No move came within ${clock} in turn ${turn}`,
    unsaid: "It was refused",
    page: "The protocol page says:",
    more: "More on the protocol page",
    noneRefused: "Nothing was refused.",
    silent: "The protocol has no answer for this, so only this page reports it.",
  },
  times: {
    title: "Time per move",
    none: "No moves yet.",
    noClock: "no limit",
    clock: (/** @type {string} */ time) => `limit ${time}`,
    moves: "Moves",
    half: "Median",
    slowest: "Slowest",
    late: "Too late",
    at: (/** @type {string} */ time, /** @type {number} */ turn) => `${time} in turn ${turn}`,
    axis: "one bar per move; each line is ten times the one below",
    spoken: (/** @type {number} */ n, /** @type {string} */ half, /** @type {number} */ late) =>
      `${count(n, "move")}, half of them within ${half}, ${late} too late`,
  },
  exam: {
    passed: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${of} passed`,
    wrong: "wrong",
    none: "does not apply",
    lines: "Lines",
    upload: (/** @type {string} */ name) =>
      `With --upload the result appears here. Put your key into the file ${name}.key first.`,
  },
};
