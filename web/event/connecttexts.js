// The words of the page for bot authors.

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
    "Run it in a copy of the project. Change choose(): that is your bot. It plays until you stop it.",
  house: "In any other language",
  houseAbout:
    "One JSON protocol over WebSocket plays every game. Or speak the game's own protocol at the ports listed here.",
  check: "Before an event",
  checkAbout:
    "Let your bot sit an exam on your own machine: split messages, refused moves, lost connections.",
  own: "A name of your own",
  ownAbout:
    "Without a key, anybody can play under your name. A claimed name is yours in every game of this server.",
  name: "Name",
  nameHint: "1 to 24 letters (a-z), digits, - _ or a full stop.",
  claim: "Claim it",
  once: "Your name and its key, shown once",
  showIt:
    "Your bot says both, with a colon between them, where it says its name. From now on nobody else can play as you. If you lose the key, whoever runs the server can give the name another one.",
  enter: "Enter an open tournament with it.",
  where: "Where games listen",
};
