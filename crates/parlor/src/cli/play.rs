//! What can be typed after `parlor bot`, `parlor play` and `parlor check`.

use std::path::PathBuf;

use clap::Args;

use super::duration::{milliseconds, seconds};
use super::{ConfinementArgs, KeyArgs, OutputName};

#[derive(Args)]
pub struct BotArgs {
    /// {games}.
    pub game: String,
    /// Where the server listens for the protocol, or the address of its pages, such as
    /// https://games.example.org [default: the game's usual port on 127.0.0.1]. Of several servers
    /// that share their games, name each: when one is gone, the bot continues at the next.
    #[arg(long, visible_alias = "server", value_name = "HOST:PORT", value_delimiter = ',')]
    pub connect: Vec<String>,
    /// With https://: a certificate to trust besides the usual ones, such as the server's own (PEM).
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// How to play [default: the game's first strategy, which is the weakest]. A wrong name lists all
    /// of them.
    #[arg(long)]
    pub strategy: Option<String>,
    /// The player's name [default: the strategy and a number]. In Labyrinth, a colour.
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub key: KeyArgs,
    /// How many games to play, one after another.
    #[arg(short, long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The table to join, where the protocol lets players choose.
    #[arg(long, value_name = "ID")]
    pub table: Option<String>,
    /// Random seed: the same number makes the same choices.
    #[arg(short, long, value_name = "NUMBER")]
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
    #[arg(short, long, value_name = "[NAME=]BOT", required = true)]
    pub bot: Vec<String>,
    /// How many games to play in all.
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Random seed of the deals and of house bots [default: random]. A small number is no secret:
    /// bots can guess it and compute the deals.
    #[arg(short, long, value_name = "S")]
    pub seed: Option<u64>,
    /// Play this one deal in every game: the seed of a game that was played before, as its result and
    /// its replay tell it.
    #[arg(long, value_name = "SEED", conflicts_with = "seed")]
    pub deal: Option<u64>,
    /// How many games run at the same time.
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub concurrency: u64,
    /// Use another protocol: house (JSON, the same for every game), or one of the game by the name of
    /// its port, such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Save every game in this folder, for `parlor replay`.
    #[arg(short = 'o', long, visible_alias = "out", value_name = "DIR")]
    pub replays: Option<PathBuf>,
    /// Watch the games in your browser, and replay them there until you press Ctrl-C.
    #[arg(long)]
    pub browser: bool,
    /// How to print results [default: text on a terminal, else json].
    #[arg(long, value_enum)]
    pub format: Option<OutputName>,
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
