//! How a finished game is reviewed.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct ReviewArgs {
    /// A file of records, - for standard input, the id of a game in the data folder, or, with --player, a
    /// folder of such files [default: the data folder].
    #[arg(value_name = "FILE|ID|DIR", required_unless_present = "player")]
    pub game: Option<String>,
    /// Review the last games of this player and list its worst decisions first.
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// With --player: how many games at most.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "player", value_parser = clap::value_parser!(u32).range(1..))]
    pub last: u32,
    /// Only the decisions of this seat, counted from 0.
    #[arg(long, value_name = "SEAT", conflicts_with = "player")]
    pub seat: Option<u8>,
    /// Number of deals in which each decision is tried [default: depends on the game]. More deals take
    /// longer and find smaller mistakes.
    #[arg(long, value_name = "DEALS")]
    pub budget: Option<u32>,
    /// The data folder.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
