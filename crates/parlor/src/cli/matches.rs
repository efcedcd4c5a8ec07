//! What can be said of a match.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfinementArgs;
use super::duration::{milliseconds, seconds};

#[derive(Args)]
pub struct MatchArgs {
    /// {games}.
    pub game: String,
    /// The bot to judge: house:STRATEGY or a command, with an optional name, as in v2=./mybot. For a bot
    /// that is already running, use v2=listen:HOST:PORT if it connects to that address, or
    /// v2=connect:HOST:PORT if it listens there.
    #[arg(long, value_name = "[NAME=]BOT")]
    pub new: String,
    /// The bot to compare it with. Repeat it for several opponents at the same table.
    #[arg(long, value_name = "[NAME=]BOT", required = true)]
    pub base: Vec<String>,
    /// Seats per table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Seats of the new bot: half of them, one, or all but one (field).
    #[arg(long, value_name = "DESIGN", value_enum, default_value_t = DesignName::Half)]
    pub design: DesignName,
    /// Stop as soon as the games show whether the new bot is stronger by elo0 or by elo1.
    #[arg(long, num_args = 2, value_names = ["elo0=N", "elo1=N"], conflicts_with = "games")]
    pub sprt: Vec<String>,
    /// The Elo scale of --sprt.
    #[arg(long, value_enum, default_value_t = ModelName::Normalised, requires = "sprt")]
    pub model: ModelName,
    /// The chance of accepting elo1 although elo0 is true.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "sprt")]
    pub alpha: f64,
    /// The chance of accepting elo0 although elo1 is true.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "sprt")]
    pub beta: f64,
    /// Without --sprt: number of games, rounded up to whole blocks.
    #[arg(short, long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// With --sprt: the largest number of games.
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "sprt")]
    pub max_games: u64,
    /// Play every deal from all seats (repeat), or deal new cards for each game (fresh).
    #[arg(long, value_enum, default_value_t = Deals::Repeat)]
    pub deals: Deals,
    /// Random seed of the deals and of house bots [default: random]. Bots can guess a small number and
    /// compute the deals.
    #[arg(short, long, value_name = "S")]
    pub seed: Option<u64>,
    /// Number of games to run at the same time.
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub concurrency: u64,
    /// Keep all blocks and replays in this folder.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue the match kept in --out.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Afterwards, review up to 200 of the games and list where the new bot loses: its regret by kind of
    /// decision, and its worst decisions.
    #[arg(long)]
    pub review: bool,
    /// Print JSON: one object for each report.
    #[arg(long)]
    pub json: bool,
    /// Use another protocol: house (JSON, the same for every game), or the name of one of the game's ports,
    /// such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Time per move, such as 500ms or 2s; a bare number is milliseconds. The game decides what happens
    /// when it runs out. 0 means no limit.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = milliseconds)]
    pub move_timeout: u64,
    /// Time to join; a bare number is milliseconds. A bot that has not joined by then forfeits the game.
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = milliseconds)]
    pub join_timeout: u64,
    /// Time for one game; a bare number is seconds. After that it is stopped without a result.
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
