//! What can be typed.

mod agents;
mod bench;
mod check;
mod confinement;
mod connect;
mod data;
mod docs;
#[cfg(test)]
mod documents;
mod duration;
mod key;
mod labyrinth;
mod ladder;
mod matches;
mod names;
mod operate;
mod options;
mod play;
mod replay;
mod review;
mod serve;
mod shape;
#[cfg(test)]
mod tests;
mod tournament;
mod watching;

use std::path::PathBuf;

use clap::{FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use wire::Games;

pub use agents::McpArgs;
pub use bench::{
    AllArgs, BenchCommand, FleetBenchArgs, HostileArgs, IdleArgs, ReadingArgs, ReviewBenchArgs,
    SeatsArgs, SoakArgs, SpectatorArgs, StrategiesArgs, ViewersArgs, WireArgs,
};
pub use check::CheckArgs;
pub use confinement::{ConfinementArgs, Isolate, JailArgs};
pub use connect::ConnectArgs;
pub use data::{DataArgs, DataCommand};
pub use docs::{DocsArgs, LanguageName, StarterArgs};
pub use key::{read_key, told_to_everybody};
pub use labyrinth::LabyrinthCommand;
pub use ladder::{CreateLadderArgs, KeyArgs, LadderCommand};

pub use matches::{Deals, DesignName, MatchArgs, ModelName};
pub use names::{ClaimArgs, NameArgs, NamesArgs, NamesCommand, VersionArgs};
pub use operate::{
    AuditArgs, BansArgs, BansCommand, FleetArgs, FleetCommand, KickArgs, Target, TokensArgs,
    TokensCommand,
};
pub use options::{options, value, with_game};
pub use play::{BotArgs, PlayArgs};
pub use replay::ReplayArgs;
pub use review::ReviewArgs;
pub use serve::{Flags, SelfCheckArgs};
pub use shape::{OutputName, WELCOME, completions, manual};
pub use tournament::{
    CreateArgs, EntryName, ExportArgs, FormatName, PlanArgs, RatingMethod, RatingPer, RatingsArgs,
    RunArgs, StoredArgs, TournamentCommand, TournamentName,
};
pub use watching::{RemoteArgs, TablesArgs, WatchArgs};

/// One server for turn-based games that bots and people play over the network.
#[derive(Parser)]
#[command(name = "parlor", version = VERSION, subcommand_required = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What was typed; what cannot be read ends the program with a message. None: nothing at all.
    pub fn read(games: &Games) -> Option<Cli> {
        let typed: Vec<_> = std::env::args_os().collect();
        if typed.len() < 2 {
            return None;
        }
        let command = shape::of(games);
        let typed = shape::spelled(&command, typed);
        let mut matches = command.get_matches_from(typed);
        Some(Cli::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit()))
    }
}

/// The version, and what it was built from.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILT_FROM"), ")");

/// Where data is kept, if nothing else is said.
pub const DATA: &str = "./parlor-data";

#[derive(Subcommand)]
pub enum Command {
    /// Run the server with all games, until you stop it.
    #[command(after_help = "Examples:
  parlor serve
  parlor serve --ephemeral --port http=0 --port sushi-go=0
  parlor serve --bind 0.0.0.0 --set sushi-go.house_bots='[\"greedy\"]'

Settings come from the defaults, then --config FILE, then PARLOR_* variables, then flags; the last
one wins. PARLOR_PORT takes several NAME=PORT separated by commas, PARLOR_SET several
GAME.KEY=VALUE separated by semicolons. Unknown keys and PARLOR_* variables are refused.
PARLOR_LOG sets what is logged: a level, or levels by part, as in warn,server=debug.")]
    Serve(Flags),
    /// Print all settings with their values and comments, as a file for --config.
    #[command(after_help = "Examples:
  parlor config > parlor.toml
  parlor config --set subsim.max_players=2")]
    Config(Flags),
    /// List the tables of a running server.
    #[command(after_help = "Examples:
  parlor tables
  parlor tables sushi-go --all
  parlor tables --url 192.168.1.20:7800")]
    Tables(TablesArgs),
    /// Show a running game as text, live, until it ends.
    #[command(after_help = "Examples:
  parlor watch tasty-tuna-1491j57j
  parlor watch subsim subsim-3 --full
  parlor watch tasty-tuna-1491j57j --browser
  parlor watch tiger-dragon room1 --url 192.168.1.20:7800")]
    Watch(WatchArgs),
    /// Show what a data folder holds, back it up, or remove old games.
    #[command(after_help = "Examples:
  parlor data
  parlor data prune --older-than 30d
  parlor data backup ./backups/monday
  parlor data abandon --data ./old-data")]
    Data(DataArgs),
    /// Manage organisers' tokens; each has a name and a scope.
    #[command(after_help = "Examples:
  parlor tokens add ann --scope organise
  parlor tokens list
  parlor tokens revoke ann")]
    Tokens(TokensArgs),
    /// Show what organisers did on a running server: who, what, from where, and the outcome.
    #[command(after_help = "Examples:
  parlor audit
  parlor audit --limit 1000 --json")]
    Audit(AuditArgs),
    /// Ban names, addresses and keys on a running server.
    #[command(after_help = "Examples:
  parlor bans add --name eve --for 2h
  parlor bans list
  parlor bans lift --name eve")]
    Bans(BansArgs),
    /// Close the connections of a player or an address. They can reconnect.
    #[command(after_help = "Examples:
  parlor kick --name eve
  parlor kick --address 203.0.113.9")]
    Kick(KickArgs),
    /// Finish the running games, then stop the server.
    #[command(after_help = "Examples:
  parlor drain --data /var/lib/parlor")]
    Drain {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show the servers that share a database, and which of them hosts which game.
    #[command(after_help = "Examples:
  parlor fleet status
  parlor fleet status --url 10.0.0.2:7800 --json")]
    Fleet(FleetArgs),
    /// Replay a finished game, and check its result against its records.
    #[command(after_help = "Examples:
  parlor replay tasty-tuna-1491j57j
  parlor replay subsim-3 --all | less
  parlor replay ./replays
  parlor replay ./replays/game-1.jsonl --browser
  parlor replay tasty-tuna-1491j57j --seat 0 --json
  curl -s http://127.0.0.1:7800/api/v1/results/sushi-go/ID/replay | parlor replay -")]
    Replay(ReplayArgs),
    /// Review a finished game: judge each decision by what its player knew.
    #[command(after_help = "Examples:
  parlor review tasty-tuna-1491j57j
  parlor review ./replays/game-1.jsonl --seat 0
  parlor review game.jsonl --json | jq '.decisions[] | select(.mark == \"blunder\")'
  parlor review --player ann --last 50
  parlor review ./replays --player ann

Each decision is tried in many deals of the cards that its player could not see. The same game gets the
same review every time.")]
    Review(ReviewArgs),
    /// Connect a house bot to any server of the game.
    #[command(after_help = "Examples:
  parlor bot sushi-go --strategy greedy --name Ann --games 3
  parlor bot gamba --connect 192.168.1.20:8080 --trace
  parlor bot gamba --connect 10.0.0.1:8080,10.0.0.2:8080 --name Ann --games 100
  parlor bot labyrinth --wire labyrinth-course --connect 127.0.0.1:7677 --strategy riemann

Prints one line per game. If the connection is lost, the bot reconnects and takes its seat again where
the protocol allows it.")]
    Bot(BotArgs),
    /// Play games between bots on a temporary server.
    #[command(after_help = "Examples:
  parlor play sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}' --bot house:greedy --games 20
  parlor play gamba --bot ./mybot --bot house:random --seed 7 --replays ./replays
  parlor play tiger-dragon --bot house:counter --bot house:random --bot house:random --concurrency 4 | tail -1

A bot is house:STRATEGY or a command. Commands run in a shell; {host} {port} {name} {table} {game}
are filled in, and the same values are in PARLOR_HOST, PARLOR_PORT, PARLOR_NAME, PARLOR_TABLE and
PARLOR_GAME. A command that exits after a game is started again for the next one. The seats rotate
from game to game. A terminal shows a table at the end. Anything else gets one line of JSON per game and
a summary, unless you pass --format text.")]
    Play(PlayArgs),
    /// Find out which of two bots is stronger, and how sure that is.
    #[command(after_help = "Examples:
  parlor match sushi-go --new house:gourmet --base house:greedy --games 400
  parlor match gamba --new './mine {host} {port} {name}' --base house:thrifty --sprt elo0=0 elo1=20
  parlor match labyrinth --seats 4 --new v2=./v2 --base v1=./v1 --sprt elo0=0 elo1=10 --out ./match

Every deal is played from all seats (a block), so neither the cards nor the seats decide the match.
Commands are started as with `parlor play`. A bot that crashes or times out loses the game, and the report
lists it. With --sprt the exit code is 0 if the new bot is stronger (elo1), 1 if it is not (elo0), and 3 if
--max-games was not enough. You can interrupt a match with --out at any time and continue it with
--resume.")]
    Match(MatchArgs),
    /// Test a bot: split packets, refused moves, lost connections and more.
    #[command(after_help = "Examples:
  parlor check sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}'
  parlor check gamba --bot ./mybot --opponent thrifty && echo passed
  parlor check gamba --bot ./mybot --upload 192.168.1.20:7800 --key-file ann.key

The command is started as with `parlor play`. Prints one line per test: ok, n/a, or WRONG with the messages
that led to it and the reason. Stops at the first test that fails, unless you pass --all. If standard
output is not a terminal, each line is JSON, unless you pass --format text. The exit code is 0 if nothing
is wrong, 1 if a test fails, and 2 if the command line has a mistake.")]
    Check(CheckArgs),
    /// Organise a tournament on a server, or play a whole one in one go.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor tournament run gamba --format round-robin --bot house:random --bot house:thrifty --out ./league
  parlor tournament create sushi-go --max 8"
    )]
    Tournament(TournamentCommand),
    /// Run a ladder: a league without an end that rates bots, which enter at any time.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor ladder create gamba --id bots
  parlor ladder enter gamba bots ann --key-file ann.key
  parlor ladder show gamba bots"
    )]
    Ladder(LadderCommand),
    /// Connect unchanged bots on this machine to a server elsewhere, with your key.
    #[command(
        visible_alias = "bridge",
        after_help = "Examples:
  parlor connect 192.168.1.20:7800 --key-file ann.key
  parlor connect wss://games.example.org --key-file ann.key --trace
  parlor connect 192.168.1.20:7800 --port sushi-go=9000

Listens on the games' usual ports on this machine. A bot connects to 127.0.0.1 as if the server were
here. Each connection is forwarded to the server over a separate WebSocket, with the key, through
firewalls and proxies. The bot chooses its name as usual. Ctrl-C stops it."
    )]
    Connect(ConnectArgs),
    /// Let a language model play, in an MCP client that starts this program.
    #[command(after_help = "Example:
  parlor mcp --url 127.0.0.1:7800

Speaks the Model Context Protocol on standard input and output and forwards everything to the server's
/mcp. Clients that can connect over HTTP do not need it.")]
    Mcp(McpArgs),
    /// Claim names, so that no one else can play under them.
    #[command(after_help = "Examples:
  parlor names claim ann
  parlor names list")]
    Names(NamesArgs),
    /// Recompute ratings from a data folder's rated games.
    #[command(after_help = "Examples:
  parlor ratings gamba --data ./parlor-data
  parlor ratings gamba --method likelihood --anchor ann=1500
  parlor export gamba --rated | parlor ratings gamba --method likelihood --from -")]
    Ratings(RatingsArgs),
    /// Print finished games as JSON, one line per game, earliest first.
    #[command(after_help = "Examples:
  parlor export gamba > games.jsonl
  parlor export sushi-go --rated --replays --since 1763300000000
  parlor export gamba --turns | gzip > turns.jsonl.gz")]
    Export(ExportArgs),
    /// Measure how fast this server is on this machine.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor bench wire gamba --tables 100
  parlor bench rules --json"
    )]
    Bench(BenchCommand),
    /// Stress a server with good and bad clients, then check everything it stored.
    #[command(after_help = "Examples:
  parlor soak --seconds 60
  parlor soak --seconds 3600 --clients 20 --json
  parlor soak --fleet --kills 100 --seed 7

Clients play, disconnect, stall, send garbage and reconnect; others send random bytes. At the end every
game must be over, every record must be in the journal and verified, and memory use must not have grown.
If anything is wrong, the exit code is 1 and the folder is kept.

With --fleet there are three servers on one PostgreSQL. They are killed, paused, switched off and cut
off from each other and from the database, which crashes, too, and is replaced by a standby that lacks
the last moves. At the end no other accepted move may be missing, none may be counted twice, and what
every player received must match the records.")]
    Soak(SoakArgs),
    /// Solve exercises of the Labyrinth course: read JSON values, print the answer.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor labyrinth reach < case.json
  parlor labyrinth game --winners-only < case.json"
    )]
    Labyrinth(LabyrinthCommand),
    /// Check whether a server with these settings would work on this machine.
    #[command(after_help = "Examples:
  parlor self-check
  parlor self-check --bind 0.0.0.0 --data /var/lib/parlor

Takes the options of `parlor serve` and starts nothing. Prints one line per check: ok, warning, or FAILS
with what to do. The exit code is 0 if a server would start, and 1 if not.")]
    SelfCheck(SelfCheckArgs),
    /// Write a manual page for each command, and completions for shells, into a folder.
    #[command(hide = true)]
    Manual {
        /// The folder. It gets the folders man and completions.
        folder: PathBuf,
    },
    /// Run one bot apart from everything else. For this program's own use.
    #[command(hide = true)]
    Jail(JailArgs),
    /// Read the documentation: list the pages, show one, or search them.
    #[command(after_help = "Examples:
  parlor docs
  parlor docs gamba
  parlor docs reference/json-protocol
  parlor docs why was my move refused

A running server has the same pages at /docs.")]
    Docs(DocsArgs),
    /// Write a starter bot for a game.
    #[command(after_help = "Examples:
  parlor starter gamba --out mybot.py
  parlor starter sushi-go --lang javascript > mybot.mjs
  parlor starter gamba --host 192.168.1.20 --name ann --out mybot.py

A running server offers the same files at /starters.")]
    Starter(StarterArgs),
    /// Print a script with which your shell completes commands, games and strategies.
    #[command(after_help = "Examples:
  parlor completions bash > ~/.local/share/bash-completion/completions/parlor
  parlor completions zsh > ~/.zfunc/_parlor
  parlor completions fish > ~/.config/fish/completions/parlor.fish")]
    Completions {
        /// Your shell.
        shell: Shell,
    },
}
