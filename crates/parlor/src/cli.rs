//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// One server for turn-based games that bots and people play over the network.
#[derive(Parser)]
#[command(name = "parlor", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Host all games until interrupted.
    #[command(after_help = "Examples:
  parlor serve
  parlor serve --ephemeral --port http=0 --port sushi-go=0
  parlor serve --bind 0.0.0.0 --set sushi-go.house_bots='[\"greedy\"]'

Order: defaults, then --config FILE, then PARLOR_* variables, then flags.
PARLOR_PORT takes several NAME=PORT separated by commas, PARLOR_SET several
GAME.KEY=VALUE separated by semicolons.")]
    Serve(Flags),
    /// Print the effective configuration, with comments, as a file for --config.
    Config(Flags),
    /// Show what a data folder holds, or remove what is old.
    Data(DataArgs),
    /// Play a finished game again, and say whether it is what its records say.
    #[command(after_help = "Examples:
  parlor replay tasty-tuna-1491j57j
  curl -s http://127.0.0.1:7800/api/v1/results/sushi-go/ID/replay | parlor replay -")]
    Replay(ReplayArgs),
    /// Play with a house strategy, as a client of any server of the game.
    #[command(after_help = "Examples:
  parlor bot sushi-go --strategy greedy --name Ann --games 3
  parlor bot gamba --connect 192.168.1.20:8080 --trace
  parlor bot labyrinth --wire labyrinth-course --connect 127.0.0.1:7677 --strategy riemann

Prints one line for each game. A lost connection is made anew, and the seat taken back where the
protocol knows a way.")]
    Bot(BotArgs),
    /// Let bots play against each other on a server of their own.
    #[command(after_help = "Examples:
  parlor play sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}' --bot house:greedy --games 20
  parlor play gamba --bot ./mybot --bot house:random --seed 7 --replays ./replays
  parlor play tiger-dragon --bot house:counter --bot house:random --bot house:random --concurrency 4 | tail -1

A bot is house:STRATEGY or a command. Commands run in a shell; {host} {port} {name} {table} {game}
are filled in, and the same is in PARLOR_HOST, PARLOR_PORT, PARLOR_NAME, PARLOR_TABLE, PARLOR_GAME.
A command that ends after a game is started anew for the next one. Every game moves everybody one
seat on. On a terminal: a table at the end; otherwise one line of JSON for each game and a summary.")]
    Play(PlayArgs),
    /// Put a bot through an exam: split packets, a refused move, a lost connection and more.
    #[command(after_help = "Examples:
  parlor check sushi-go --bot 'python3 mybot.py {host} {port} {name} {table}'
  parlor check gamba --bot ./mybot --opponent thrifty && echo passed

The command gets its game as with `parlor play`. One line for each item: ok, WRONG with the lines
of both sides, or n/a; JSON lines when standard output is no terminal. Ends with 0 if all is well,
1 if something is wrong.")]
    Check(CheckArgs),
    /// Measure this server on this machine.
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Exercises of the Labyrinth course: JSON values from standard input, one value out.
    #[command(subcommand)]
    Labyrinth(LabyrinthCommand),
}

#[derive(Subcommand)]
pub enum LabyrinthCommand {
    /// Board, Coordinate: where one can go from there.
    Reach,
    /// State, Index, Direction, Degree: where the first player can go after that slide.
    Slide,
    /// "Riemann" or "Euclid", State, goal Coordinate: what that strategy does.
    Choose,
    /// State, then "PASS" or a Choice: the next State.
    Turn,
    /// Players and a RefereeState: the winners and the misbehaved.
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
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    pub game: String,
    /// Where the server listens [default: the game's usual port on 127.0.0.1].
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
    /// Another protocol of the game, by the name of its port.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// How to play; a wrong name lists what there is [default: the game's first].
    #[arg(long)]
    pub strategy: Option<String>,
    /// What to be called [default: the strategy and a number]. Labyrinth's players are colours.
    #[arg(long)]
    pub name: Option<String>,
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Where to sit, if the protocol lets players choose.
    #[arg(long, value_name = "ID")]
    pub table: Option<String>,
    /// The chance of the strategy: the same number, the same choices.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Show what goes over the connection, in both directions.
    #[arg(long)]
    pub trace: bool,
}

#[derive(Args)]
pub struct PlayArgs {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    pub game: String,
    /// A player: house:STRATEGY or a command. Once for each seat.
    #[arg(long, value_name = "BOT", required = true)]
    pub bot: Vec<String>,
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The chance of the deals and of house strategies [default: any].
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Games at the same time.
    #[arg(long, value_name = "C", default_value_t = 1)]
    pub concurrency: usize,
    /// Another protocol of the game, by the name of its port.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Write every game there, as `parlor replay` reads it.
    #[arg(long, value_name = "DIR")]
    pub replays: Option<PathBuf>,
    /// Silence for so long costs a turn, as the game has it; 0: it never does.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub move_timeout: u64,
    /// Who does not join within so long has lost the game.
    #[arg(long, value_name = "MS", default_value_t = 15_000)]
    pub join_timeout: u64,
    /// A game that is not over after so long is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    pub game: String,
    /// The command that starts the bot.
    #[arg(long, value_name = "CMD")]
    pub bot: String,
    /// The house strategy it plays against [default: the game's first].
    #[arg(long, value_name = "STRATEGY")]
    pub opponent: Option<String>,
    /// Seats of the table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Another protocol of the game, by the name of its port.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// The chance of the deals.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Silence for so long costs a turn, as the game has it.
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub move_timeout: u64,
    /// The bot has so long to join.
    #[arg(long, value_name = "MS", default_value_t = 15_000)]
    pub join_timeout: u64,
    /// A game that is not over after so long is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Subcommand)]
pub enum BenchCommand {
    /// Whole games over real sockets, beside a bare echo with as many connections.
    Wire(WireArgs),
    /// Memory of connections that say nothing.
    Idle(IdleArgs),
    /// Random playouts on one core, for every game.
    Rules {
        #[arg(long, default_value_t = 2)]
        seconds: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// How long an action takes to reach everybody who watches one table.
    Spectators(SpectatorArgs),
    #[command(hide = true)]
    EchoServer,
}

#[derive(Args)]
pub struct WireArgs {
    #[arg(long, default_value = "sushi-go")]
    pub game: String,
    #[arg(long, default_value_t = 100)]
    pub tables: usize,
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// With the journal on disk; else in memory.
    #[arg(long)]
    pub durable: bool,
    /// A server that runs already, instead of one started for this.
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
    /// Where that server's HTTP is, for games whose tables are made there.
    #[arg(long, value_name = "HOST:PORT")]
    pub http: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SpectatorArgs {
    #[arg(long, default_value_t = 1000)]
    pub spectators: usize,
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct IdleArgs {
    #[arg(long, default_value = "sushi-go")]
    pub game: String,
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct DataArgs {
    /// The data folder.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "./parlor-data",
        env = "PARLOR_DATA",
        global = true
    )]
    pub data: PathBuf,
    #[command(subcommand)]
    pub command: Option<DataCommand>,
}

#[derive(Subcommand)]
pub enum DataCommand {
    /// Remove finished games; a server that runs on the folder does it itself.
    Prune {
        /// How old, such as 30d, 12h, 45m or 90s.
        #[arg(long, value_name = "AGE", value_parser = parse_age)]
        older_than: std::time::Duration,
    },
    /// Close every open table without a result. No server may run on the folder.
    Abandon,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// A file of records, - for standard input, or the id of a game in the data folder.
    #[arg(value_name = "FILE|ID")]
    pub game: String,
    /// The data folder.
    #[arg(long, value_name = "DIR", default_value = "./parlor-data", env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// Say only whether it is verified.
    #[arg(long)]
    pub quiet: bool,
}

fn parse_age(text: &str) -> Result<std::time::Duration, String> {
    let wrong = || format!("'{text}' is no age; say for example 30d, 12h, 45m or 90s");
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
    /// Where the journal and the admin token are kept [default: ./parlor-data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep everything in memory.
    #[arg(long)]
    pub ephemeral: bool,
    /// The address to listen on [default: 127.0.0.1].
    #[arg(long, value_name = "ADDR")]
    pub bind: Option<String>,
    /// Another port: a number, 0 for any free one, or off. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// An option of a game (or of `limits`, `http`). VALUE is a TOML value; a bare word is a string. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
    /// Write down in this folder what goes over each connection.
    #[arg(long, value_name = "DIR")]
    pub trace: Option<PathBuf>,
}
