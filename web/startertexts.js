// The words of the page with starter bots.

export const starters = {
  title: "Starter bots",
  lead: "One file per game, no packages to install. Download one, run it, and change the function that chooses the moves.",
  games: "Download and run",
  language: "Language",
  languages: /** @type {[string, string][]} */ ([
    ["python", "Python"],
    ["node", "JavaScript"],
  ]),
  system: "System",
  systems: /** @type {[string, string][]} */ ([
    ["unix", "Linux, macOS"],
    ["windows", "Windows"],
  ]),
  protocol: "Protocol",
  rules: "Rules",
  name: "Your name",
  nameLabel: "Name",
  nameHint: "It is filled in on this page and in the files. In Labyrinth a name is a colour.",
  keys: "A name with a key is yours alone.",
  toConnect: "Claim one, or use the key you have.",
  all: "All at once",
  allAbout: "Every starter of a language in one archive.",
  library: "One library for every game",
  libraryAbout:
    "net.py is one file of Python without packages. A bot takes ten lines: a function that gets your view of the game and the legal moves, and returns one of them.",
  jsonProtocol: "The JSON protocol it speaks",
  next: "What next",
  links: /** @type {[string, string][]} */ ([
    ["/connect", "See what your bot sends and receives, live"],
    ["/docs/guides/test-your-bot", "Test your bot"],
    ["/docs/guides/debug-your-bot", "Find out why a move was rejected"],
    ["/docs", "All documentation"],
  ]),
};
