//! What can be asked of a server that runs.

use std::path::PathBuf;

use clap::Args;

/// The server, and the token to use.
#[derive(Args)]
pub struct RemoteArgs {
    /// The server's HTTP address, https://HOST with TLS [default: from the data folder, else
    /// 127.0.0.1:7800].
    #[arg(
        long,
        value_name = "HOST:PORT",
        visible_alias = "server",
        alias = "connect",
        env = "PARLOR_URL"
    )]
    pub url: Option<String>,
    /// The data folder of a server on this machine, which holds its address and admin token.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// The token for the server at --url. Other users of this machine can see it in the process list.
    #[arg(long, env = "PARLOR_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// A PEM certificate to trust in addition to the usual ones, such as the server's own.
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
}

#[derive(Args)]
pub struct TablesArgs {
    /// Only this game.
    pub game: Option<String>,
    /// Include recently finished tables.
    #[arg(long)]
    pub all: bool,
    /// Print the server's JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Args)]
pub struct WatchArgs {
    /// The table. Put the game before it if several games have a table of that name.
    #[arg(value_name = "[GAME] TABLE", num_args = 1..=2, required = true)]
    pub table: Vec<String>,
    /// Also show what each player sees. Needs the admin token.
    #[arg(long)]
    pub full: bool,
    /// Open the table's page in your browser instead.
    #[arg(long, conflicts_with = "full")]
    pub browser: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}
