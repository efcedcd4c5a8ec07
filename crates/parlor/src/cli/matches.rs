//! What can be said of a match.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfinementArgs;
use super::duration::{milliseconds, seconds};

#[derive(Args)]
pub struct MatchArgs {
    /// {games}.
    pub game: String,
    /// The bot in question: house:STRATEGY or a command, with a name before it as in v2=./mybot. A bot
    /// that is already running is v2=listen:HOST:PORT if it connects to that address, or
    /// v2=connect:HOST:PORT if it waits there to be called.
    #[arg(long, value_name = "[NAME=]BOT")]
    pub new: String,
    /// The bot it is compared with. Repeat it to play against several at once.
    #[arg(long, value_name = "[NAME=]BOT", required = true)]
    pub base: Vec<String>,
    /// Seats of the table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// How many seats the new bot gets: half of them, one, or all but one (field).
    #[arg(long, value_name = "DESIGN", value_enum, default_value_t = DesignName::Half)]
    pub design: DesignName,
    /// Stop as soon as it is clear which is true: the new bot is elo0 stronger, or elo1.
    #[arg(long, num_args = 2, value_names = ["elo0=N", "elo1=N"], conflicts_with = "games")]
    pub sprt: Vec<String>,
    /// What Elo means in --sprt.
    #[arg(long, value_enum, default_value_t = ModelName::Normalised, requires = "sprt")]
    pub model: ModelName,
    /// How often elo1 may be accepted although elo0 is true.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "sprt")]
    pub alpha: f64,
    /// How often elo0 may be accepted although elo1 is true.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "sprt")]
    pub beta: f64,
    /// Without --sprt: how many games to play, rounded up to whole blocks.
    #[arg(short, long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// With --sprt: the most games to play.
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "sprt")]
    pub max_games: u64,
    /// Play every deal from all seats, or deal new cards for each game.
    #[arg(long, value_enum, default_value_t = Deals::Repeat)]
    pub deals: Deals,
    /// Random seed of the deals and of house bots [default: random]. A small number is no secret:
    /// bots can guess it and compute the deals.
    #[arg(short, long, value_name = "S")]
    pub seed: Option<u64>,
    /// How many games run at the same time.
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub concurrency: u64,
    /// Keep all blocks and replays in this folder.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue the match kept in --out.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print JSON: one object for each report.
    #[arg(long)]
    pub json: bool,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Time per move, such as 500ms or 2s; a bare number is milliseconds. What happens then depends on
    /// the game. 0 means no limit.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = milliseconds)]
    pub move_timeout: u64,
    /// Time to join; a bare number is milliseconds. A bot that has not joined by then forfeits the game.
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = milliseconds)]
    pub join_timeout: u64,
    /// Longest time for one game; a bare number is seconds. Then it ends without a result.
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = seconds)]
    pub game_timeout: u64,
    #[command(flatten)]
    pub confinement: ConfinementArgs,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DesignName {
    Half,
    One,
    Field,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    Normalised,
    Logistic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deals {
    Repeat,
    Fresh,
}
