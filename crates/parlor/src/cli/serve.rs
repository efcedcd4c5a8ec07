//! What can be typed after `parlor serve` and `parlor config`.

use std::path::PathBuf;

use clap::Args;

use super::duration::{days, milliseconds, seconds};

#[derive(Args)]
pub struct SelfCheckArgs {
    #[command(flatten)]
    pub flags: Flags,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Default)]
pub struct Flags {
    /// A TOML file with any of the settings `parlor config` prints.
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder for games, results and the admin token [default: ./parlor-data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep everything in memory and write nothing to disk.
    #[arg(long)]
    pub ephemeral: bool,
    /// Share games with other servers over this PostgreSQL database, such as
    /// postgres://parlor@db.example.org/parlor. docs/guides/run-a-fleet.md shows how.
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// This server's name in the fleet [default: the machine's name].
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// The address at which other servers of the fleet reach this one [default: a free port at --bind].
    #[arg(long, value_name = "HOST:PORT")]
    pub advertise: Option<String>,
    /// When this server has been silent for this long, others take over its games [default: 5s]. A bare
    /// number is milliseconds. Use the same value on all servers.
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub lease_ms: Option<u64>,
    /// The address to listen on [default: 127.0.0.1].
    #[arg(long, value_name = "ADDR")]
    pub bind: Option<String>,
    /// Use another port: a number, 0 for any free one, or off. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// Fill empty seats with each game's best bot, one second after the first player sits down.
    #[arg(long)]
    pub house_bots: bool,
    /// A name under which browsers reach this server, such as games.example.org. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub public_host: Vec<String>,
    /// The address of a proxy in front of this server, or a network such as 10.0.0.0/8. Clients' addresses
    /// are accepted from these proxies only. Repeatable.
    #[arg(long, value_name = "ADDR")]
    pub proxy: Vec<String>,
    /// The TLS certificate, a PEM file.
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, a PEM file.
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Offer a port's protocol over TLS, too, on this additional port. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub tls_port: Vec<String>,
    /// Remove games that ended longer ago than this, such as 30d; a bare number is days. Rated games are
    /// kept.
    #[arg(long, value_name = "TIME", value_parser = days)]
    pub keep_days: Option<u64>,
    /// Keep this many games and remove older ones. Rated games are kept and do not count.
    #[arg(long, value_name = "N")]
    pub keep_games: Option<u64>,
    /// Remove the oldest games when the data folder holds more than this many megabytes.
    #[arg(long, value_name = "MB")]
    pub disk_quota: Option<u64>,
    /// How long running games may take to end before a draining server stops [default: 15m]. A bare
    /// number is seconds.
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub drain_seconds: Option<u64>,
    /// An option of a game, or of `limits`, `http`, `network`, `names` or `upkeep`. VALUE is a TOML value; a bare word is a string.
    /// Write a list as words with commas, or as a TOML array.
    /// GAME.KEY_file=FILE reads the value of KEY from a JSON file. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
    /// Write everything that each connection sends and receives to files in this folder.
    #[arg(long, value_name = "DIR")]
    pub trace: Option<PathBuf>,
}
