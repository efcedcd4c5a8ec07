//! What can be done with names that have a key.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::{RemoteArgs, read_key};

#[derive(Args)]
pub struct NamesArgs {
    #[command(subcommand)]
    pub command: NamesCommand,
}

#[derive(Subcommand)]
pub enum NamesCommand {
    /// Claim a name. Prints its key, once.
    #[command(after_help = "Examples:
  parlor names claim ann
  parlor names claim ann --url 192.168.1.20:7800
  parlor names claim ann --version 1.4

From then on nobody plays as ann without the key, in any game. A bot shows it behind its name, as in
ann:pk_..., or plays through `parlor connect`.")]
    Claim(ClaimArgs),
    /// List the claimed names. Needs the admin token.
    #[command(after_help = "Examples:
  parlor names list")]
    List {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show since when a name is claimed, and whether a key is its key.
    #[command(after_help = "Examples:
  parlor names show ann
  parlor names show ann --key-file ann.key --url 192.168.1.20:7800")]
    Show(NameArgs),
    /// Give a name another key. The old one stops working.
    #[command(after_help = "Examples:
  parlor names rotate ann --key-file ann.key --url 192.168.1.20:7800
  parlor names rotate ann --data ./parlor-data")]
    Rotate(NameArgs),
    /// Say which version of your bot plays under a name from now on.
    #[command(after_help = "Examples:
  parlor names version ann 1.5 --key-file ann.key --url 192.168.1.20:7800
  parlor names version ann --data ./parlor-data

The version is kept with every game the name plays, and `parlor ratings --per version` rates each
version by itself. Without a version, none is kept. A tournament may know another one for its entrant,
and a bot on the JSON protocol says its own.")]
    Version(VersionArgs),
    /// Let a name go: anyone may use it again.
    #[command(after_help = "Examples:
  parlor names revoke ann --key-file ann.key --url 192.168.1.20:7800
  parlor names revoke ann --data ./parlor-data")]
    Revoke(NameArgs),
}

#[derive(Args)]
pub struct NameArgs {
    /// The name: 1 to 24 letters, digits, '-', '_' or '.'.
    pub name: String,
    /// The name's key, in place of the admin token. Other users can see it in the process list.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// A file that holds the key, so that it is on no command line.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

impl NameArgs {
    /// The key that was given, in whichever way.
    pub fn key(&self) -> Result<Option<String>> {
        match &self.key_file {
            Some(file) => read_key(None, Some(file)),
            None => Ok(self.key.clone()),
        }
    }
}

#[derive(Args)]
pub struct ClaimArgs {
    #[command(flatten)]
    pub name: NameArgs,
    /// The version of the bot that plays under it, such as 1.4.
    #[arg(long, value_name = "TEXT")]
    pub version: Option<String>,
}

#[derive(Args)]
pub struct VersionArgs {
    #[command(flatten)]
    pub name: NameArgs,
    /// The version, such as 1.5: up to 64 characters.
    pub version: Option<String>,
}
