//! How bots are brought to a server elsewhere.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct ConnectArgs {
    /// The server's HTTP address: HOST:PORT, or https://HOST (or wss://HOST) with TLS.
    pub server: String,
    /// The key of the name your bots use. Other users of this machine can see it in the process list.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// Read the key from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
    /// Only this game: {games}. Repeatable [default: all].
    #[arg(long)]
    pub game: Vec<String>,
    /// Listen on another port of this machine: a number, 0 for any free one, or off. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// The address on this machine to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// A PEM certificate to trust in addition to the usual ones, such as the server's own.
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
    /// Print every message that is sent and received, without keys.
    #[arg(long)]
    pub trace: bool,
}
