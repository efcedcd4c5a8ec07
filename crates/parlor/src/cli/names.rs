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

From then on no one can play as ann without the key, in any game. A bot joins as ann:pk_..., or connects
through `parlor connect`.")]
    Claim(ClaimArgs),
    /// List the claimed names. Needs the admin token.
    #[command(after_help = "Examples:
  parlor names list")]
    List {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show whether a name is claimed, since when, and whether your key opens it.
    #[command(after_help = "Examples:
  parlor names show ann
  parlor names show ann --key-file ann.key --url 192.168.1.20:7800")]
    Show(NameArgs),
    /// Replace the key of a name. The old key stops working.
    #[command(after_help = "Examples:
  parlor names rotate ann --key-file ann.key --url 192.168.1.20:7800
  parlor names rotate ann --data ./parlor-data")]
    Rotate(NameArgs),
    /// Set the version of the bot that plays under a name from now on.
    #[command(after_help = "Examples:
  parlor names version ann 1.5 --key-file ann.key --url 192.168.1.20:7800
  parlor names version ann --data ./parlor-data

The version is recorded with every game played under the name, and `parlor ratings --per version` rates
each version separately. Without VERSION, no version is recorded from now on. A version given with a
tournament entry, or by a bot that joins with the JSON protocol, takes precedence.")]
    Version(VersionArgs),
    /// Release a name: anyone may use it again.
    #[command(after_help = "Examples:
  parlor names revoke ann --key-file ann.key --url 192.168.1.20:7800
  parlor names revoke ann --data ./parlor-data")]
    Revoke(NameArgs),
}

#[derive(Args)]
pub struct NameArgs {
    /// The name: 1 to 24 letters, digits, '-', '_' or '.'.
    pub name: String,
    /// The key of the name, instead of the admin token. Other users of this machine can see it in the
    /// process list.
    #[arg(long, value_name = "KEY", env = "PARLOR_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// Read the key from this file.
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
    /// The version of the bot that plays under the name, such as 1.4.
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
