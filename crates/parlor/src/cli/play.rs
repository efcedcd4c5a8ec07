//! What can be typed after `parlor bot`, `parlor play` and `parlor check`.

use std::path::PathBuf;

use clap::Args;

use super::duration::{milliseconds, seconds};
use super::{ConfinementArgs, KeyArgs, OutputName};

#[derive(Args)]
pub struct BotArgs {
    /// {games}.
    pub game: String,
    /// The server: HOST:PORT of the game, or the address of its pages, such as https://games.example.org
    /// [default: the game's usual port on 127.0.0.1]. For a fleet, list several with commas: if one fails,
    /// the bot continues at the next.
    #[arg(long, visible_alias = "server", value_name = "HOST:PORT", value_delimiter = ',')]
    pub connect: Vec<String>,
    /// With https://: a PEM certificate to trust in addition to the usual ones, such as the server's own.
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
    /// Use another protocol: house (JSON, the same for every game), or the name of one of the game's ports,
    /// such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// The house strategy [default: the game's weakest]. A wrong name prints the list.
    #[arg(long)]
    pub strategy: Option<String>,
    /// The player's name; in Labyrinth a colour [default: the strategy and a number].
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub key: KeyArgs,
    /// Number of games, played one after the other.
    #[arg(short, long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The table to join, if the protocol lets players choose.
    #[arg(long, value_name = "ID")]
    pub table: Option<String>,
    /// Random seed of the bot's choices.
    #[arg(short, long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Print every message that is sent and received.
    #[arg(long)]
    pub trace: bool,
}

#[derive(Args)]
pub struct PlayArgs {
    /// {games}.
    pub game: String,
    /// A player: house:STRATEGY or a command, with an optional name, as in ann=./mybot. Once per seat.
    #[arg(short, long, value_name = "[NAME=]BOT", required = true)]
    pub bot: Vec<String>,
    /// Number of games.
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Random seed of the deals and of house bots [default: random]. Bots can guess a small number and
    /// compute the deals.
    #[arg(short, long, value_name = "S")]
    pub seed: Option<u64>,
    /// Play the same deal in every game: the seed of an earlier game, from its result or its replay.
    #[arg(long, value_name = "SEED", conflicts_with = "seed")]
    pub deal: Option<u64>,
    /// Number of games to run at the same time.
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub concurrency: u64,
    /// Use another protocol: house (JSON, the same for every game), or the name of one of the game's ports,
    /// such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Save every game in this folder, for `parlor replay`.
    #[arg(short = 'o', long, visible_alias = "out", value_name = "DIR")]
    pub replays: Option<PathBuf>,
    /// Watch the games in your browser, and replay them there until you press Ctrl-C.
    #[arg(long)]
    pub browser: bool,
    /// Output format [default: text on a terminal, else json].
    #[arg(long, value_enum)]
    pub format: Option<OutputName>,
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
