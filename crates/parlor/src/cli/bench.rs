//! What can be measured.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum BenchCommand {
    /// Play whole games over real sockets, compared with a plain echo server.
    #[command(after_help = "Examples:
  parlor bench wire gamba --tables 100 --seconds 10
  parlor bench wire sushi-go --durable --json")]
    Wire(WireArgs),
    /// Measure the memory of idle connections, and how they affect games.
    #[command(after_help = "Examples:
  parlor bench idle --connections 10000
  parlor bench idle gamba --tables 100 --seconds 10
  parlor bench idle tiger-dragon --json")]
    Idle(IdleArgs),
    /// Measure random playouts of every game on one core, and the cost of single steps.
    #[command(after_help = "Examples:
  parlor bench rules
  parlor bench rules --seconds 10 --json")]
    Rules {
        /// How long to measure each figure, in seconds.
        #[arg(long, default_value_t = 2)]
        seconds: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Run every benchmark and print tables in Markdown.
    #[command(after_help = "Examples:
  parlor bench all > figures.md
  parlor bench all --seconds 1 --tables 10 --connections 500")]
    All(AllArgs),
    /// Let every pair of house bots play against each other.
    #[command(after_help = "Examples:
  parlor bench strategies subsim --games 100 --seed 1
  parlor bench strategies gamba --strategies random,thrifty --games 1000")]
    Strategies(StrategiesArgs),
    /// Check that reviews tell good decisions from bad ones.
    #[command(after_help = "Examples:
  parlor bench review gamba --games 2000
  parlor bench review sushi-go --games 100 --deals 64 --json

House bots play against each other, and their games are reviewed. Weaker bots should have more regret,
luck should average to zero, and a bad decision that is planted at a random turn should get a mark.")]
    Review(ReviewBenchArgs),
    /// Measure what each seat is worth, with the same house bot in every seat.
    #[command(after_help = "Examples:
  parlor bench seats
  parlor bench seats gamba --games 20000 --json

Prints how often each seat finishes ahead of another; 50 % is fair.")]
    Seats(SeatsArgs),
    /// Measure how long a move takes to reach all spectators of one table.
    #[command(after_help = "Examples:
  parlor bench spectators --spectators 1000 --seconds 10")]
    Spectators(SpectatorArgs),
    /// Measure how much readers of lists and tournaments slow games down.
    #[command(after_help = "Examples:
  parlor bench reading
  parlor bench reading --seconds 10 --json")]
    Reading(ReadingArgs),
    /// Measure how much open tournament pages slow a tournament's games down.
    #[command(after_help = "Examples:
  parlor bench viewers
  parlor bench viewers --viewers 1000 --seconds 10 --json")]
    Viewers(ViewersArgs),
    /// Measure how much floods, garbage and idle connections slow games down.
    #[command(after_help = "Examples:
  parlor bench hostile --quick
  parlor bench hostile --attack garbage --rounds 3 --json

The exit code is 1 if an attack makes turns take more than 1.2 times as long, or the server needs more than
300 MB.")]
    Hostile(HostileArgs),
    /// Compare a shared PostgreSQL with a data folder, and measure how fast games are taken over.
    #[command(after_help = "Examples:
  parlor bench fleet gamba --tables 50 --rounds 5
  parlor bench fleet --rounds 1 --json")]
    Fleet(FleetBenchArgs),
    #[command(hide = true)]
    EchoServer {
        #[arg(long, default_value_t = 1)]
        seats: usize,
    },
}

#[derive(Args)]
pub struct ReviewBenchArgs {
    /// {games} [default: all].
    pub game: Option<String>,
    /// Games to play and review.
    #[arg(long, default_value_t = 100)]
    pub games: u64,
    /// Seats of the table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Number of deals for each decision [default: the usual one of the game].
    #[arg(long)]
    pub deals: Option<u32>,
    /// Print one JSON object for each game.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct WireArgs {
    /// {games}.
    #[arg(default_value = "sushi-go")]
    pub game: String,
    /// Tables that play at the same time.
    #[arg(long, default_value_t = 100)]
    pub tables: usize,
    /// How long to measure, in seconds.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// The house strategy of all players.
    #[arg(long, default_value = "random")]
    pub strategy: String,
    /// Keep the journal on disk instead of in memory.
    #[arg(long)]
    pub durable: bool,
    /// Use a running server instead of starting one.
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
    /// That server's HTTP address, for games whose tables are created over HTTP.
    #[arg(long, value_name = "HOST:PORT")]
    pub http: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct IdleArgs {
    /// {games}.
    #[arg(default_value = "sushi-go")]
    pub game: String,
    /// Number of silent connections.
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
    /// Tables that play at the same time, and again without the connections.
    #[arg(long, default_value_t = 0)]
    pub tables: usize,
    /// How long to measure each, in seconds.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SpectatorArgs {
    /// Number of spectators.
    #[arg(long, default_value_t = 1000)]
    pub spectators: usize,
    /// How long to measure, in seconds.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ReadingArgs {
    /// Tables that play at the same time.
    #[arg(long, default_value_t = 50)]
    pub tables: usize,
    /// Tables in the list that is read.
    #[arg(long, default_value_t = 10_000)]
    pub listed: usize,
    /// Pages of that list read per second.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pages_per_s: u64,
    /// Connections that watch a tournament of 200 entrants.
    #[arg(long, default_value_t = 500)]
    pub watchers: usize,
    /// How long to measure each time, in seconds; there are four.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ViewersArgs {
    /// People who have the page open; each follows the tournament and two of its tables.
    #[arg(long, default_value_t = 1000)]
    pub viewers: usize,
    /// Teams of the tournament; two play at a table.
    #[arg(long, default_value_t = 32, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..))]
    pub teams: usize,
    /// Shortest time between two turns, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pub pace: u64,
    /// How long to measure each time, in seconds; there are four.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct HostileArgs {
    /// Only this attack [default: all of them].
    #[arg(long)]
    pub attack: Option<String>,
    /// Tables that play at the same time.
    #[arg(long, default_value_t = 50)]
    pub tables: usize,
    /// How often each of the two servers is attacked.
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// How long to measure each time, in seconds.
    #[arg(long, default_value_t = 2)]
    pub seconds: u64,
    /// One round of one second: all attacks in under a minute.
    #[arg(long)]
    pub quick: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct FleetBenchArgs {
    /// {games}.
    #[arg(default_value = "gamba")]
    pub game: String,
    /// Tables that play at the same time.
    #[arg(long, default_value_t = 50)]
    pub tables: usize,
    /// How long to measure each time, in seconds; there are three in a round.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Number of rounds.
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// Instead, stop the server that hosts the game this many times, and measure how long players at
    /// another server wait.
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub handovers: Option<usize>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct StrategiesArgs {
    /// Only this game [default: all of them].
    pub game: Option<String>,
    /// Only pairs of these strategies [default: all of them].
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub strategies: Vec<String>,
    /// Games per pair; the bots change seats from game to game.
    #[arg(long, default_value_t = 100)]
    pub games: u64,
    /// The seed of the first game; later games count up from it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SeatsArgs {
    /// Only this game [default: all of them].
    pub game: Option<String>,
    /// The strategy in every seat [default: the strongest one that does not search].
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Only tables with this many seats [default: all sizes up to 5].
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Games per table size.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The seed of the first game; later games count up from it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct AllArgs {
    /// How long to measure each figure, in seconds.
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,
    /// Tables of `bench wire`.
    #[arg(long, default_value_t = 100)]
    pub tables: usize,
    /// Connections of `bench idle`.
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
}

#[derive(Args)]
pub struct SoakArgs {
    /// How long to play, in seconds.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: u64,
    /// Clients of each protocol [default: 8; with --fleet 3].
    #[arg(long, value_name = "N")]
    pub clients: Option<usize>,
    /// Test three servers that share a PostgreSQL, which must be installed on this machine.
    #[arg(long, conflicts_with = "seconds")]
    pub fleet: bool,
    /// How many times something is killed, paused or cut off.
    #[arg(long, value_name = "N", default_value_t = 30, requires = "fleet")]
    pub kills: u64,
    /// Random seed that decides what goes wrong and when.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "fleet")]
    pub seed: u64,
    /// With --fleet: leave out machines that lose power or change their address. Those need root and
    /// the ip command.
    #[arg(long, requires = "fleet")]
    pub no_network: bool,
    /// Print one line of JSON.
    #[arg(long)]
    pub json: bool,
}
