// The words of the organiser's desk.

export const desk = {
  title: "Organiser's desk",
  signIn: "Sign in",
  signInLead: "Everything an organiser does, from the list of teams to the last result.",
  token: "Token",
  tokenHint:
    "The first token is in the file admin-token of the data folder. 'parlor tokens add ann --scope organise' creates one for another organiser. It is kept in this tab only, until you close it.",
  signOut: "Sign out",
  wrongToken: "This server does not know this token.",
  readOnly: "This token may only watch. Ask for one with the scope 'organise'.",
  all: "Your tournaments",
  none: "No tournaments yet. Fill in the form to create the first one.",
  make: "New tournament",
  game: "Game",
  id: "Name of the tournament",
  idHint: "Letters, digits, - _ and a full stop. It is part of the address.",
  format: "Format",
  formats: /** @type {[string, string][]} */ ([
    ["knockout", "Knockout"],
    ["round-robin", "Round-robin: everyone plays everyone"],
    ["swiss", "Swiss"],
    ["gauntlet", "Gauntlet: the first team meets all others"],
  ]),
  deals: "Cards",
  dealings: /** @type {[string, string][]} */ ([
    ["fresh", "New cards for every game"],
    ["repeat", "The same cards at all tables of a round; games are shown in full afterwards"],
  ]),
  bestOf: "Games that decide a pairing",
  seats: "Players at a table",
  clock: "Seconds for a move",
  pace: "Minimum seconds between turns, for an audience",
  noShow: "Seconds to join before a game is forfeited",
  rounds: "Rounds (0: as many as a knockout needs)",
  cycles: "How often each pair plays",
  challengers: "How many teams, from the top of the list, play all others",
  drawReplays: "How often a drawn game is replayed",
  more: "More settings",
  gameLimit: "Minutes for a whole game (0: no limit)",
  concurrency: "Games at the same time (0: no limit)",
  broadcast: "What spectators see",
  broadcasts: /** @type {[string, string][]} */ ([
    ["public", "What all players at the table know"],
    ["delayed", "Every hand, once the game is over"],
    ["full", "Every hand live, with an organiser's token"],
  ]),
  seed: "Seed for pairings, lots and cards (empty: random)",
  seedHint: "A number, or 64 hexadecimal digits. The same seed gives the same lots and cards.",
  rated: "Games count for the ratings",
  most: "Places",
  startsFull: "Start as soon as all places are taken",
  claimed: "Only players who have claimed their names may enter",
  set: "Options of the game",
  setExample: "strikes=5",
  setHint: "One KEY=VALUE per line. On this server:",
  tooFew: "At least two teams are needed. List them above, or let teams enter by themselves.",
  teams: "Teams",
  teamsHint:
    "One team per line: name, display name, and house:STRATEGY for a house bot. In Labyrinth a colour as third: ann, Ann's bot, red. With the version of its program: name, display name, colour, command, version.",
  upload: "Or take them from a file",
  keys: "Every team gets a key, so that no one else can play in its place",
  open: "Other teams may enter until it starts",
  create: "Create",
  slips: "Keys",
  slipsHint: "Shown once, now. Print them, or save them where only you can read them.",
  printSlips: "Print the keys",
  host: "Address on the slips",
  hostHint: "The address at which the teams' machines reach this server.",
  hostHere:
    "Other machines cannot reach this address. Type the one that 'parlor serve' prints, such as 192.168.1.20, and start the server with --bind 0.0.0.0.",
  ownKey: "the key of its claimed name",
  joinAs: "join as",
  startersAt: "Starter bots and docs:",
  start: "Start",
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel it",
  needs: "Needs you",
  nothing: "Nothing needs you.",
  notSeated: (/** @type {string} */ name) => `${name} has not joined its game`,
  notSeatedHint:
    "It forfeits the game if it does not join in time.",
  allAway: (/** @type {number} */ n, /** @type {number} */ of) =>
    `${n} of ${of} teams ${n === 1 ? "is" : "are"} not connected`,
  allAwayHint: "You can start anyway: a team that connects later plays from its next game.",
  teamsHere: (/** @type {number} */ here, /** @type {number} */ away) =>
    `${here} connected, ${away} not`,
  out: "out",
  noTrouble: "no errors",
  notJoined: "connected, has not joined",
  refused: (/** @type {string} */ time) => `refused, ${time}`,
  closed: (/** @type {string} */ time) => `its last connection, ${time}`,
  lastGame: (/** @type {number} */ round) => `its last game, round ${round}`,
  kick: "Close its connections",
  withdraw: "Withdraw",
  bringBack: "Bring back",
  ban: "Ban",
  add: "Enter a team",
  addGo: "Enter it",
  tables: "Running tables",
  pauseHint: "Pause lets running games finish and starts no new ones.",
  watch: "Watch",
  decide: "Decide",
  again: "Close and replay",
  done: "Log of actions",
  bans: "Bans",
  lift: "Lift",
  noBans: "No one is banned.",
  download: "Download",
  projector: "Open the projector",
  page: "Its page",
  actions: (/** @type {string} */ name) => `What to do with ${name}`,
  back: "Back",
  places: "Who has won?",
  draw: "No one: it is a draw",
  ask: {
    withdraw: (/** @type {string} */ name) => ({
      title: `Withdraw ${name}?`,
      about: `Its running game ends, and the other players win or continue. It forfeits its remaining games. You can bring it back while the tournament runs.`,
      go: "Withdraw",
    }),
    cancel: (/** @type {string} */ id) => ({
      title: `Cancel ${id}?`,
      about:
        "All its running games are closed without a result, and no new ones start. This cannot be undone.",
      go: "Cancel it",
    }),
    close: (/** @type {string} */ names) => ({
      title: "Close this table and play the game again?",
      about: `The game of ${names} ends without a result. A new table opens at once, with the same seats.`,
      go: "Close and replay",
    }),
    decide: (/** @type {string} */ names) => ({
      title: `Decide the pairing of ${names}?`,
      about:
        "Their running game is closed. Your decision counts like a result and cannot be undone.",
      go: "Decide",
    }),
    kick: (/** @type {string} */ name) => ({
      title: `Close the connections of ${name}?`,
      about: `${name} can connect again at once. In a running game its clock keeps running.`,
      go: "Close them",
    }),
    ban: (/** @type {string} */ name) => ({
      title: `Ban ${name}?`,
      about: `Its connections are closed, and no one can play as ${name} on this server, in any game, until you lift the ban. It forfeits what it misses.`,
      go: "Ban",
    }),
    start: (/** @type {string} */ id) => ({
      title: `Start ${id}?`,
      about: "The lots are drawn and the first tables open. Teams can no longer enter.",
      go: "Start",
    }),
  },
};

export const fleet = {
  title: "Servers",
  columns: ["Server", "Up for", "Hosts"],
  none: "no game at the moment",
  leaving: "(ends soon)",
  nobody: "no server hosts it at the moment",
  databaseAway: "The database does not answer. Games wait until it does.",
  /** @param {string} node @param {number} ms */
  asked: (node, ms) => `As ${node} sees them. The database answered within ${ms} ms.`,
  /** @param {number} ms */
  since: (ms) =>
    ms < 120_000
      ? `${Math.floor(ms / 1000)} s`
      : ms < 7_200_000
        ? `${Math.floor(ms / 60_000)} min`
        : `${Math.floor(ms / 3_600_000)} h`,
  /** @param {number} count @param {number} ms */
  taken: (count, ms) =>
    `taken over ${count === 1 ? "once" : `${count} times`}, players waited ${(ms / 1000).toFixed(1)} s`,
};
