//! What can be measured.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum BenchCommand {
    /// Whole games over real sockets, beside a bare echo with as many connections.
    #[command(after_help = "Examples:
  parlor bench wire --game gamba --tables 100 --seconds 10
  parlor bench wire --game sushi-go --durable --json")]
    Wire(WireArgs),
    /// Memory of connections that say nothing, and what those who play beside them notice.
    #[command(after_help = "Examples:
  parlor bench idle --connections 10000
  parlor bench idle --game gamba --tables 100 --seconds 10
  parlor bench idle --game tiger-dragon --json")]
    Idle(IdleArgs),
    /// Random playouts on one core, for every game, and what single steps of some games cost.
    #[command(after_help = "Examples:
  parlor bench rules
  parlor bench rules --seconds 10 --json")]
    Rules {
        /// How long each figure is measured.
        #[arg(long, default_value_t = 2)]
        seconds: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Every benchmark one after another, as tables in Markdown.
    #[command(after_help = "Examples:
  parlor bench all > figures.md
  parlor bench all --seconds 1 --tables 10 --connections 500")]
    All(AllArgs),
    /// House bots against each other, every pair of strategies.
    #[command(after_help = "Examples:
  parlor bench strategies --game subsim --games 100 --seed 1")]
    Strategies(StrategiesArgs),
    /// How long an action takes to reach everybody who watches one table.
    #[command(after_help = "Examples:
  parlor bench spectators --spectators 1000 --seconds 10")]
    Spectators(SpectatorArgs),
    #[command(hide = true)]
    EchoServer {
        #[arg(long, default_value_t = 1)]
        seats: usize,
    },
}

#[derive(Args)]
pub struct WireArgs {
    #[arg(long, default_value = "sushi-go")]
    pub game: String,
    #[arg(long, default_value_t = 100)]
    pub tables: usize,
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// The house strategy of all players.
    #[arg(long, default_value = "random")]
    pub strategy: String,
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
pub struct IdleArgs {
    #[arg(long, default_value = "sushi-go")]
    pub game: String,
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
    /// Tables that play beside them, and then alone.
    #[arg(long, default_value_t = 0)]
    pub tables: usize,
    /// How long those are measured, beside them and alone.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
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
pub struct StrategiesArgs {
    /// One game alone; else all of them.
    #[arg(long)]
    pub game: Option<String>,
    /// Games of each pair; they change seats from game to game.
    #[arg(long, default_value_t = 100)]
    pub games: u64,
    /// The seed of the first game; the next has the next number.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct AllArgs {
    /// How long each figure is measured.
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
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: u64,
    /// Clients of each protocol that play.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub clients: usize,
    /// Print one line of JSON.
    #[arg(long)]
    pub json: bool,
}
