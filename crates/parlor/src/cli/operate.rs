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
    /// Create a token and print it, once.
    #[command(after_help = "Examples:
  parlor tokens add ann --scope organise")]
    Add {
        /// The owner's name, which the audit log shows.
        name: String,
        /// What it may do.
        #[arg(long, value_enum)]
        scope: ScopeName,
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the owners and scopes of all tokens.
    #[command(after_help = "Examples:
  parlor tokens list")]
    List {
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Revoke a token.
    #[command(after_help = "Examples:
  parlor tokens revoke ann")]
    Revoke {
        /// The owner's name.
        name: String,
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ScopeName {
    /// Watch tables, including every seat's hidden information.
    Read,
    /// All of read; also open and close tables, and run tournaments.
    Organise,
    /// All of organise; also manage tokens, bans and data.
    Operate,
}

#[derive(Args)]
pub struct FleetArgs {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Subcommand)]
pub enum FleetCommand {
    /// Ask one of the servers. It reports its own links, lag and takeovers.
    #[command(after_help = "Examples:
  parlor fleet status
  parlor fleet status --url 10.0.0.2:7800 --json

The exit code is 0 if all is well, 1 if the server does not answer, and 3 if something is wrong, which the
output names.")]
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
    /// Print at most this many entries, latest first.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Print the server's JSON, one entry per line.
    #[arg(long)]
    pub json: bool,
    /// Write all entries to this file as JSON, one per line, latest first.
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
        /// Duration, such as 2h or 7d [default: until the ban is lifted].
        #[arg(long = "for", value_name = "TIME", value_parser = age)]
        lasts: Option<std::time::Duration>,
        /// The reason, shown in the list of bans. Players do not see it.
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
    /// A player's name, in upper or lower case.
    #[arg(long)]
    pub name: Option<String>,
    /// An address. An IPv6 address stands for its whole /64 network.
    #[arg(long, value_name = "ADDR")]
    pub address: Option<std::net::IpAddr>,
    /// A key: affects every connection that uses it, under any name.
    #[arg(long, value_name = "pk_...")]
    pub key: Option<String>,
}
