//! How a language model's client is brought to a server.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct McpArgs {
    /// The server's HTTP address, https://HOST for one with TLS [default: read from the data folder,
    /// else 127.0.0.1:7800].
    #[arg(long, value_name = "HOST:PORT", env = "PARLOR_URL")]
    pub url: Option<String>,
    /// The data folder of a server on this machine; holds its address.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// The key of the name that the model plays under, if the name is claimed.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// A file that holds the key, so that it is on no command line.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
    /// A certificate to trust besides the usual ones, such as the server's own (PEM).
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
}
