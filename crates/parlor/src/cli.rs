//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// One server for turn-based games that bots and people play over the network.
#[derive(Parser)]
#[command(name = "parlor", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Host all games until interrupted.
    #[command(after_help = "Examples:
  parlor serve
  parlor serve --ephemeral --port http=0 --port sushi-go=0
  parlor serve --bind 0.0.0.0 --set sushi-go.house_bots='[\"greedy\"]'

Order: defaults, then --config FILE, then PARLOR_* variables, then flags.
PARLOR_PORT takes several NAME=PORT separated by commas, PARLOR_SET several
GAME.KEY=VALUE separated by semicolons.")]
    Serve(Flags),
    /// Print the effective configuration, with comments, as a file for --config.
    Config(Flags),
}

#[derive(Args, Default)]
pub struct Flags {
    /// A TOML file with any of the settings `parlor config` prints.
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    pub config: Option<PathBuf>,
    /// Where the journal and the admin token are kept [default: ./parlor-data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep everything in memory.
    #[arg(long)]
    pub ephemeral: bool,
    /// The address to listen on [default: 127.0.0.1].
    #[arg(long, value_name = "ADDR")]
    pub bind: Option<String>,
    /// Another port: a number, 0 for any free one, or off. Repeatable.
    #[arg(long, value_name = "NAME=PORT")]
    pub port: Vec<String>,
    /// An option of a game (or of `limits`, `http`). VALUE is a TOML value; a bare word is a string. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
    /// Write down in this folder what goes over each connection.
    #[arg(long, value_name = "DIR")]
    pub trace: Option<PathBuf>,
}
