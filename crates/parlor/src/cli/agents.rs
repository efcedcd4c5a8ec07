//! How a language model's client is brought to a server.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct McpArgs {
    /// The server's HTTP address, https://HOST with TLS [default: from the data folder, else
    /// 127.0.0.1:7800].
    #[arg(long, value_name = "HOST:PORT", env = "PARLOR_URL")]
    pub url: Option<String>,
    /// The data folder of a server on this machine, which holds its address.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// The key of the model's name, if the name is claimed. Other users of this machine can see it in the
    /// process list.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// Read the key from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
    /// A PEM certificate to trust in addition to the usual ones, such as the server's own.
    #[arg(long, value_name = "FILE", env = "PARLOR_CA")]
    pub ca: Option<PathBuf>,
}
