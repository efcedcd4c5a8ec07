//! What operators of a running server type.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::RemoteArgs;
use super::duration::age;

#[derive(Args)]
pub struct TokensArgs {
    #[command(subcommand)]
    pub command: TokensCommand,
}

#[derive(Subcommand)]
pub enum TokensCommand {
    /// Make a token and print it. It is not shown again.
    #[command(after_help = "Examples:
  parlor tokens add ann --scope organise")]
    Add {
        /// Whose token it is. The audit log shows this name.
        name: String,
        /// What it may do.
        #[arg(long, value_enum)]
        scope: ScopeName,
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the tokens, without the tokens themselves.
    #[command(after_help = "Examples:
  parlor tokens list")]
    List {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Revoke a token: from now on it opens nothing.
    #[command(after_help = "Examples:
  parlor tokens revoke ann")]
    Revoke {
        /// Whose token it is.
        name: String,
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ScopeName {
    /// Watch tables with every seat's hidden information.
    Read,
    /// Open and close tables, run tournaments; and everything that read may.
    Organise,
    /// Manage tokens, bans and data; and everything that organise may.
    Operate,
}

#[derive(Args)]
pub struct FleetArgs {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Subcommand)]
pub enum FleetCommand {
    /// Ask one of the servers. Links, lag and takeovers are its own.
    #[command(after_help = "Examples:
  parlor fleet status
  parlor fleet status --url 10.0.0.2:7800 --json

Exits with 0 if all is well, 1 if the server cannot be asked, and 3 if something is wrong: the output says
what.")]
    Status {
        /// Print the server's JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

#[derive(Args)]
pub struct AuditArgs {
    /// Print at most this many entries, the latest first.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Print the server's JSON, one entry a line.
    #[arg(long)]
    pub json: bool,
    /// Write all entries to a file, as JSON, one a line, the latest first.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["limit", "json"])]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Args)]
pub struct BansArgs {
    #[command(subcommand)]
    pub command: BansCommand,
}

#[derive(Subcommand)]
pub enum BansCommand {
    /// Ban a player's name, an address or a key, and close its connections.
    #[command(after_help = "Examples:
  parlor bans add --name eve --for 2h --reason 'floods the server'
  parlor bans add --address 203.0.113.9
  parlor bans add --key pk_2qk3v0a9x7mbnd81r5ty4cwzue")]
    Add {
        #[command(flatten)]
        whom: Target,
        /// How long, such as 2h or 7d [default: until it is lifted].
        #[arg(long = "for", value_name = "TIME", value_parser = age)]
        lasts: Option<std::time::Duration>,
        /// Why, for the list of bans.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the bans in force.
    #[command(after_help = "Examples:
  parlor bans list")]
    List {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Lift a ban.
    #[command(after_help = "Examples:
  parlor bans lift --name eve")]
    Lift {
        #[command(flatten)]
        whom: Target,
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

#[derive(Args)]
pub struct KickArgs {
    #[command(flatten)]
    pub whom: Target,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Target {
    /// A player's name. Capitals make no difference.
    #[arg(long)]
    pub name: Option<String>,
    /// An address. An IPv6 address stands for its whole /64 network.
    #[arg(long, value_name = "ADDR")]
    pub address: Option<std::net::IpAddr>,
    /// A key: affects every connection that uses it, under any name.
    #[arg(long, value_name = "pk_...")]
    pub key: Option<String>,
}
