//! How a bot is tested.

use std::path::PathBuf;

use clap::Args;

use super::OutputName;
use super::duration::{milliseconds, seconds};

#[derive(Args)]
pub struct CheckArgs {
    /// {games}.
    pub game: String,
    /// The command that starts the bot.
    #[arg(short, long, value_name = "CMD")]
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
    #[arg(short, long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Continue with the remaining tests after one fails.
    #[arg(long)]
    pub all: bool,
    /// How to print the result [default: text on a terminal, else json].
    #[arg(long, value_enum)]
    pub format: Option<OutputName>,
    /// Time per move, such as 500ms or 2s; a bare number is milliseconds. What happens then depends on
    /// the game.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = milliseconds)]
    pub move_timeout: u64,
    /// Time to join; a bare number is milliseconds.
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = milliseconds)]
    pub join_timeout: u64,
    /// Longest time for one game; a bare number is seconds. Then it ends without a result.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = seconds)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
    /// Send the result to a server, for your page /connect there: HOST:PORT of its HTTP, or an address
    /// with https://. Needs a key.
    #[arg(long, value_name = "ADDRESS")]
    pub upload: Option<String>,
    /// A certificate to trust besides the usual ones, such as that server's own (PEM).
    #[arg(long, value_name = "FILE", requires = "upload")]
    pub ca: Option<PathBuf>,
    /// The key of your name on that server.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// A file that holds the key, so that it is on no command line.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
}
