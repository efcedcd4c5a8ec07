//! What can be asked of a server that runs.

use std::path::PathBuf;

use clap::Args;

/// Which server, and by what right.
#[derive(Args)]
pub struct RemoteArgs {
    /// The server's HTTP [default: the one of the data folder, else 127.0.0.1:7800].
    #[arg(long, value_name = "HOST:PORT", alias = "connect", env = "PARLOR_URL")]
    pub url: Option<String>,
    /// The data folder of a server on this machine: its address and admin token are there.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// The admin token of a server named by --url.
    #[arg(long, env = "PARLOR_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

#[derive(Args)]
pub struct TablesArgs {
    /// One game alone.
    pub game: Option<String>,
    /// Also those that are over, as far as the server remembers them.
    #[arg(long)]
    pub all: bool,
    /// Print the server's own list.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Args)]
pub struct WatchArgs {
    /// The table; before it the game, if several games have one of that name.
    #[arg(value_name = "[GAME] TABLE", num_args = 1..=2, required = true)]
    pub table: Vec<String>,
    /// Also what each seat sees; needs the admin token.
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}
