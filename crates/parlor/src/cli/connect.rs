//! How bots are brought to a server elsewhere.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct ConnectArgs {
    /// The server's HTTP address: HOST:PORT, or https://HOST (or wss://HOST) for one with TLS.
    pub server: String,
    /// The key that is shown for every bot.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// A file that holds the key, so that it is on no command line.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
    /// Only this game: {games}. Repeatable [default: all].
    #[arg(long)]
    pub game: Vec<String>,
    /// Listen on another port of this machine; 0 means a free one, off none. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// The address on this machine to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// A certificate to trust besides the usual ones, such as the server's own (PEM).
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
    /// Show everything that is sent and received, without keys.
    #[arg(long)]
    pub trace: bool,
}
