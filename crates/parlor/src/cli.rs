//! What can be typed.

mod agents;
mod bench;
mod connect;
mod matches;
mod names;
mod operate;
mod replay;
mod tournament;
mod watching;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use wire::Games;

use crate::output;

pub use agents::McpArgs;
pub use bench::{
    AllArgs, BenchCommand, HostileArgs, IdleArgs, ReadingArgs, SoakArgs, SpectatorArgs,
    StrategiesArgs, WireArgs,
};
pub use connect::ConnectArgs;
pub use matches::{Deals, DesignName, MatchArgs, ModelName};
pub use names::{NameArgs, NamesArgs, NamesCommand};
pub use operate::{AuditArgs, BansArgs, BansCommand, KickArgs, TokensArgs, TokensCommand, Whom};
pub use replay::ReplayArgs;
pub use tournament::{
    ConfinementArgs, CreateArgs, EntryName, ExportArgs, FormatName, PlanArgs, RatingMethod,
    RatingsArgs, RunArgs, TournamentCommand, Which,
};
pub use watching::{RemoteArgs, TablesArgs, WatchArgs};

/// One server for turn-based games that bots and people play over the network.
#[derive(Parser)]
#[command(name = "parlor", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What was typed; what cannot be read ends the program with a message.
    pub fn read(games: &Games) -> Cli {
        let mut matches = command(games).get_matches();
        Cli::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit())
    }
}

/// All that can be typed. `{games}` in a help text stands for the games there are.
fn command(games: &Games) -> clap::Command {
    fn fill_in(command: clap::Command, games: &str) -> clap::Command {
        let filled = command.mut_args(|arg| match arg.get_help() {
            Some(help) => {
                let help = help.to_string().replace("{games}", games);
                arg.help(help)
            }
            None => arg,
        });
        filled.mut_subcommands(|command| fill_in(command, games))
    }
    let names = games.names();
    let list = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "no game".to_owned(),
    };
    fill_in(Cli::command(), &list)
}

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
    /// Print the effective configuration, with comments, as a file for --config.
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
    /// Show what a data folder holds, back it up, or remove what is old.
    #[command(after_help = "Examples:
  parlor data
  parlor data prune --older-than 30d
  parlor data backup ./backups/monday
  parlor data abandon --data ./old-data")]
    Data(DataArgs),
    /// Manage the tokens of organisers, each with a name and a scope.
    #[command(after_help = "Examples:
  parlor tokens add ann --scope organise
  parlor tokens list
  parlor tokens revoke ann")]
    Tokens(TokensArgs),
    /// Show what organisers did on a running server: who, from where, what, and the outcome.
    #[command(after_help = "Examples:
  parlor audit
  parlor audit --limit 1000 --json")]
    Audit(AuditArgs),
    /// Ban names and addresses on a running server.
    #[command(after_help = "Examples:
  parlor bans add --name eve --for 2h
  parlor bans list
  parlor bans lift --name eve")]
    Bans(BansArgs),
    /// Close the connections of a player or an address. It may come back.
    #[command(after_help = "Examples:
  parlor kick --name eve
  parlor kick --address 203.0.113.9")]
    Kick(KickArgs),
    /// Start no new games on a server, and end it when the running ones are over.
    #[command(after_help = "Examples:
  parlor drain --data /var/lib/parlor")]
    Drain {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Replay a finished game, and check its result against its records.
    #[command(after_help = "Examples:
  parlor replay tasty-tuna-1491j57j
  parlor replay subsim-3 --all | less
  parlor replay ./replays/game-1.jsonl --browser
  parlor replay tasty-tuna-1491j57j --seat 0 --json
  curl -s http://127.0.0.1:7800/api/v1/results/sushi-go/ID/replay | parlor replay -")]
    Replay(ReplayArgs),
    /// Play with one of the built-in strategies, as a client of any server of the game.
    #[command(after_help = "Examples:
  parlor bot sushi-go --strategy greedy --name Ann --games 3
  parlor bot gamba --connect 192.168.1.20:8080 --trace
  parlor bot labyrinth --wire labyrinth-course --connect 127.0.0.1:7677 --strategy riemann

Prints one line for each game. When the connection is lost it connects again, and takes its seat
back where the protocol allows it.")]
    Bot(BotArgs),
    /// Let bots play against each other on a server of their own.
    #[command(after_help = "Examples:
  parlor play sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}' --bot house:greedy --games 20
  parlor play gamba --bot ./mybot --bot house:random --seed 7 --replays ./replays
  parlor play tiger-dragon --bot house:counter --bot house:random --bot house:random --concurrency 4 | tail -1

A bot is house:STRATEGY or a command. Commands run in a shell; {host} {port} {name} {table} {game}
are filled in, and the same is in PARLOR_HOST, PARLOR_PORT, PARLOR_NAME, PARLOR_TABLE, PARLOR_GAME.
A command that exits after a game is started again for the next one. The seats rotate from game to
game. On a terminal you get a table at the end; otherwise one line of JSON for each game, and a summary.")]
    Play(PlayArgs),
    /// Find out which of two bots is stronger, and how sure that is.
    #[command(after_help = "Examples:
  parlor match --game sushi-go --new house:gourmet --base house:greedy --games 400
  parlor match --game gamba --new './mine {host} {port} {name}' --base house:thrifty --sprt elo0=0 elo1=20
  parlor match --game labyrinth --seats 4 --new v2=./v2 --base v1=./v1 --sprt elo0=0 elo1=10 --out ./match

Every deal is played from all seats (a block), so that neither the cards nor the seats decide; blocks
are counted in the order of their deals. Commands are started as with `parlor play`. A crash or a
timeout of a bot loses the game and is listed. With --sprt the exit code is 0 if the new bot is stronger
(elo1), 1 if it is not (elo0), and 3 if --max-games was not enough. Interrupt it whenever you like: with
--out it goes on where it stopped by --resume.")]
    Match(MatchArgs),
    /// Test a bot: split packets, a refused move, a lost connection and more.
    #[command(after_help = "Examples:
  parlor check sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}'
  parlor check gamba --bot ./mybot --opponent thrifty && echo passed

The command is started as with `parlor play`. Prints one line for each test: ok, n/a, or WRONG with
what both sides said. If standard output is not a terminal, each line is JSON. The exit code is 0 if
all is well, 1 if something is wrong, and 2 if the command line has a mistake.")]
    Check(CheckArgs),
    /// Organise a tournament on a server, or play a whole one with one command.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor tournament run --game gamba --format round-robin --bot house:random --bot house:thrifty --out ./league
  parlor tournament create --game sushi-go --max 8"
    )]
    Tournament(TournamentCommand),
    /// Bring bots on this machine to a server elsewhere, with a key and unchanged.
    #[command(after_help = "Examples:
  parlor connect 192.168.1.20:7800 --key-file ann.key
  parlor connect wss://games.example.org --key-file ann.key --trace
  parlor connect 192.168.1.20:7800 --port sushi-go=9000

Listens on the games' usual ports on this machine. A bot connects to 127.0.0.1 as if the server were
here; each of its connections travels in a WebSocket of its own, with the key, through firewalls and
proxies. The name stays what the bot says. Ctrl-C ends it.")]
    Connect(ConnectArgs),
    /// Let a language model play, from a client that starts this program.
    #[command(after_help = "Example:
  parlor mcp --url 127.0.0.1:7800

Speaks the Model Context Protocol on standard input and output and hands everything on to the
server's /mcp. Clients that can connect by themselves do not need it.")]
    Mcp(McpArgs),
    /// Claim names, so that nobody else plays under them.
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
    /// Print finished games as JSON, one line for each, the earliest first.
    #[command(after_help = "Examples:
  parlor export gamba > games.jsonl
  parlor export sushi-go --rated --replays --since 1763300000000")]
    Export(ExportArgs),
    /// Measure this server on this machine.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor bench wire --game gamba --tables 100
  parlor bench rules --json"
    )]
    Bench(BenchCommand),
    /// Stress a server with good and bad clients of all games, then check everything it stored.
    #[command(after_help = "Examples:
  parlor soak --seconds 60
  parlor soak --seconds 3600 --clients 20 --json

Clients play, disconnect, stall, send garbage and come back; others send bytes that mean nothing. At
the end every game must have ended, every record must be in the journal and verified, and memory use
must not have grown. If anything is wrong the exit code is 1 and the folder is kept.")]
    Soak(SoakArgs),
    /// Solve exercises of the Labyrinth course: reads JSON values, prints one.
    #[command(
        subcommand,
        after_help = "Examples:
  parlor labyrinth reach < case.json
  parlor labyrinth game --winners-only < case.json"
    )]
    Labyrinth(LabyrinthCommand),
    /// Print a script that completes this command line in a shell.
    #[command(after_help = "Examples:
  parlor completions bash > ~/.local/share/bash-completion/completions/parlor
  parlor completions zsh > ~/.zfunc/_parlor
  parlor completions fish > ~/.config/fish/completions/parlor.fish")]
    Completions {
        /// Your shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub enum LabyrinthCommand {
    /// Board, Coordinate: where one can go from there.
    #[command(after_help = "Examples:
  parlor labyrinth reach < case.json")]
    Reach,
    /// State, Index, Direction, Degree: where the first player can go after that slide.
    #[command(after_help = "Examples:
  parlor labyrinth slide < case.json")]
    Slide,
    /// "Riemann" or "Euclid", State, goal Coordinate: what that strategy does.
    #[command(after_help = "Examples:
  parlor labyrinth choose < case.json")]
    Choose,
    /// State, then "PASS" or a Choice: the next State.
    #[command(after_help = "Examples:
  parlor labyrinth turn < case.json")]
    Turn,
    /// Players and a RefereeState: the winners and the misbehaved.
    #[command(after_help = "Examples:
  parlor labyrinth game < case.json
  parlor labyrinth game --remote --winners-only < case.json")]
    Game {
        /// Print the winners alone.
        #[arg(long)]
        winners_only: bool,
        /// Players come in order of signing up; the last of them moves first.
        #[arg(long)]
        remote: bool,
    },
}

#[derive(Args)]
pub struct BotArgs {
    /// {games}.
    pub game: String,
    /// Where the server listens [default: the game's usual port on 127.0.0.1].
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// How to play [default: the game's first strategy]. A wrong name lists all of them.
    #[arg(long)]
    pub strategy: Option<String>,
    /// The player's name [default: the strategy and a number]. In Labyrinth, a colour.
    #[arg(long)]
    pub name: Option<String>,
    /// How many games to play, one after another.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The table to join, where the protocol lets players choose.
    #[arg(long, value_name = "ID")]
    pub table: Option<String>,
    /// Random seed: the same number makes the same choices.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Show everything that is sent and received.
    #[arg(long)]
    pub trace: bool,
}

#[derive(Args)]
pub struct PlayArgs {
    /// {games}.
    pub game: String,
    /// A player: house:STRATEGY or a command, with a name for the results before it as in
    /// ann=./mybot. Once for each seat.
    #[arg(long, value_name = "[NAME=]BOT", required = true)]
    pub bot: Vec<String>,
    /// How many games to play in all.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Random seed of the deals and of house bots [default: random].
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How many games run at the same time.
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub concurrency: u64,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Save every game in this folder, for `parlor replay`.
    #[arg(long, value_name = "DIR")]
    pub replays: Option<PathBuf>,
    /// Watch the games in your browser, and replay them there until you press Ctrl-C.
    #[arg(long)]
    pub browser: bool,
    /// Time per move in milliseconds; what happens then depends on the game. 0 means no limit.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub move_timeout: u64,
    /// Time to join in milliseconds. A bot that has not joined by then forfeits the game.
    #[arg(long, value_name = "MS", default_value_t = 15_000)]
    pub join_timeout: u64,
    /// Longest time for one game, in seconds. Then it ends without a result.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// {games}.
    pub game: String,
    /// The command that starts the bot.
    #[arg(long, value_name = "CMD")]
    pub bot: String,
    /// The house bot it plays against [default: the game's first strategy].
    #[arg(long, value_name = "STRATEGY")]
    pub opponent: Option<String>,
    /// Seats of the table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Random seed of the deals.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Time per move in milliseconds; what happens then depends on the game.
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub move_timeout: u64,
    /// Time to join in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 15_000)]
    pub join_timeout: u64,
    /// Longest time for one game, in seconds. Then it ends without a result.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct DataArgs {
    /// The data folder.
    #[arg(
        long,
        value_name = "DIR",
        default_value = DATA,
        env = "PARLOR_DATA",
        global = true
    )]
    pub data: PathBuf,
    #[command(subcommand)]
    pub command: Option<DataCommand>,
}

#[derive(Subcommand)]
pub enum DataCommand {
    /// Remove old finished games. Works while a server uses the folder, too.
    #[command(after_help = "Examples:
  parlor data prune --older-than 30d")]
    Prune {
        /// How old, such as 30d, 12h, 45m or 90s.
        #[arg(long, value_name = "AGE", value_parser = parse_age)]
        older_than: std::time::Duration,
    },
    /// Copy the data folder, also while a server uses it. The copy is checked.
    #[command(after_help = "Examples:
  parlor data backup ./backups/2026-11-16
  parlor data backup --data /var/lib/parlor /mnt/backup/parlor")]
    Backup {
        /// The folder to make. It must not exist yet, or be empty.
        #[arg(value_name = "DIR")]
        to: PathBuf,
    },
    /// Make a data folder from a backup.
    #[command(after_help = "Examples:
  parlor data restore ./backups/2026-11-16 --data ./parlor-data")]
    Restore {
        /// The folder that `parlor data backup` made.
        #[arg(value_name = "DIR")]
        from: PathBuf,
    },
    /// Copy the data folder into an empty PostgreSQL database. Stop the server first.
    #[command(after_help = "Examples:
  parlor data import postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Import {
        /// The address of the database, as `parlor serve --database` takes it.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Make a data folder from a PostgreSQL database. Stop its servers first.
    #[command(after_help = "Examples:
  parlor data export postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Export {
        /// The address of the database, as `parlor serve --database` takes it.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Close every open table without a result. Stop the server first.
    #[command(after_help = "Examples:
  parlor data abandon --data ./old-data")]
    Abandon,
}

/// Prints the script that a shell completes this command line by.
pub fn completions(games: &Games, shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(games), "parlor", &mut script);
    output::line(String::from_utf8(script)?.trim_end())
}

fn parse_age(text: &str) -> Result<std::time::Duration, String> {
    let wrong = || format!("'{text}' is not an age. Use for example 30d, 12h, 45m or 90s");
    let (number, unit) =
        text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    Ok(std::time::Duration::from_secs(number.checked_mul(seconds).ok_or_else(wrong)?))
}

#[derive(Args, Default)]
pub struct Flags {
    /// A TOML file with any of the settings `parlor config` prints.
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder for games, results and the admin token [default: ./parlor-data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep everything in memory and write nothing to disk.
    #[arg(long)]
    pub ephemeral: bool,
    /// Share games with other servers over this PostgreSQL database, such as
    /// postgres://parlor@db.example.org/parlor. docs/fleet.md shows how.
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// What this server is called among those [default: the name of its machine].
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// Where those reach this server [default: a free port of the address it listens on].
    #[arg(long, value_name = "HOST:PORT")]
    pub advertise: Option<String>,
    /// The address to listen on [default: 127.0.0.1].
    #[arg(long, value_name = "ADDR")]
    pub bind: Option<String>,
    /// Use another port: a number, 0 for any free one, or off. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// Fill empty seats with each game's best bot, one second after the first player sits down.
    #[arg(long)]
    pub house_bots: bool,
    /// A name under which browsers reach this server, such as games.example.org. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub public_host: Vec<String>,
    /// The address of a proxy in front of this server, or a network such as 10.0.0.0/8. Only named
    /// proxies are believed about where a client is. Repeatable.
    #[arg(long, value_name = "ADDR")]
    pub proxy: Vec<String>,
    /// The certificate for TLS, a file in PEM form.
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, a file in PEM form.
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Speak the protocol of a port over TLS, too, on a port of its own. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub tls_port: Vec<String>,
    /// Remove games that ended more than this many days ago. Rated games stay.
    #[arg(long, value_name = "DAYS")]
    pub keep_days: Option<u64>,
    /// Keep this many games, and remove the oldest above that. Rated games stay, and do not count.
    #[arg(long, value_name = "N")]
    pub keep_games: Option<u64>,
    /// Remove the oldest games when the data folder holds more than this many megabytes.
    #[arg(long, value_name = "MB")]
    pub disk_quota: Option<u64>,
    /// How long running games may take before a server that is drained ends [default: 900].
    #[arg(long, value_name = "SECONDS")]
    pub drain_seconds: Option<u64>,
    /// An option of a game (or of `limits`, `http`, `network`, `upkeep`). VALUE is a TOML value; a bare word is a string.
    /// A list can also be written as words with commas between them.
    /// GAME.KEY_file=FILE reads the value of KEY from a JSON file. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
    /// Log everything that each connection sends and receives into this folder.
    #[arg(long, value_name = "DIR")]
    pub trace: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command that can be typed, with the words that lead to it.
    fn commands(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
            let path = format!("{path} {}", inner.get_name());
            found.push((path.clone(), inner.clone()));
            commands(inner, &path, found);
        }
    }

    /// The words of a command as a shell tells them apart, up to what the shell itself is told.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
        for letter in line.chars().chain([' ']) {
            match letter {
                '\'' => quoted = !quoted,
                '<' | '>' | '&' | '|' if !quoted => return words,
                ' ' if !quoted && !word.is_empty() => words.push(std::mem::take(&mut word)),
                ' ' if !quoted => {}
                _ => word.push(letter),
            }
        }
        words
    }

    #[test]
    fn every_argument_is_explained() {
        let mut found = Vec::new();
        commands(&Cli::command(), "parlor", &mut found);
        let mut bare = Vec::new();
        for (path, command) in found {
            let arguments =
                command.get_arguments().filter(|argument| argument.get_help().is_none());
            bare.extend(arguments.map(|argument| format!("{path}: {}", argument.get_id())));
        }
        assert!(bare.is_empty(), "{bare:#?}");
    }

    #[test]
    fn every_command_has_examples_and_every_example_can_be_typed() {
        let mut found = Vec::new();
        commands(&Cli::command(), "parlor", &mut found);
        assert!(found.len() > 20, "{} commands", found.len());
        for (path, command) in found {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let help = help.replace("\\\n", " ");
            let examples = help.lines().filter_map(|line| line.strip_prefix("  "));
            let own: Vec<&str> = examples.filter(|line| line.contains("parlor ")).collect();
            assert!(!own.is_empty(), "{path} has no example");
            for example in own {
                let typed = example.split("| ").find(|part| part.starts_with(&path));
                let typed = typed.unwrap_or_else(|| panic!("{path}: {example}"));
                assert!(typed.starts_with(&path), "{path}: {example}");
                if let Err(error) = Cli::try_parse_from(words(typed)) {
                    panic!("{path}: {example}: {error}");
                }
            }
        }
    }
}
