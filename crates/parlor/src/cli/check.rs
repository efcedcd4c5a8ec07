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
    /// The house bot it plays against [default: the game's weakest].
    #[arg(long, value_name = "STRATEGY")]
    pub opponent: Option<String>,
    /// Seats per table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Use another protocol: house (JSON, the same for every game), or the name of one of the game's ports,
    /// such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    /// Random seed of the deals.
    #[arg(short, long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Continue with the remaining tests after one fails.
    #[arg(long)]
    pub all: bool,
    /// Output format [default: text on a terminal, else json].
    #[arg(long, value_enum)]
    pub format: Option<OutputName>,
    /// Time per move, such as 500ms or 2s; a bare number is milliseconds. The game decides what happens
    /// when it runs out.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = milliseconds)]
    pub move_timeout: u64,
    /// Time to join; a bare number is milliseconds.
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = milliseconds)]
    pub join_timeout: u64,
    /// Time for one game; a bare number is seconds. After that it is stopped without a result.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = seconds)]
    pub game_timeout: u64,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
    /// Also send the result to the server at this address, HOST:PORT or https://HOST, where your page
    /// /connect shows it. Needs a key.
    #[arg(long, value_name = "ADDRESS")]
    pub upload: Option<String>,
    /// A PEM certificate to trust in addition to the usual ones, such as that server's own.
    #[arg(long, value_name = "FILE", requires = "upload")]
    pub ca: Option<PathBuf>,
    /// The key of your name on that server. Other users of this machine can see it in the process list.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// Read the key from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
}
