//! How a finished game is shown.

use std::path::PathBuf;

use clap::Args;
use hall::Eyes;
use rules::Seat;

#[derive(Args)]
pub struct ReplayArgs {
    /// A replay file, - for standard input, or the id of a game in the data folder. For a folder of replay
    /// files, the games are listed.
    #[arg(value_name = "FILE|ID|DIR")]
    pub game: String,
    /// The data folder.
    #[arg(long, value_name = "DIR", default_value = super::DATA, env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// Print only whether the game is verified.
    #[arg(short, long)]
    pub quiet: bool,
    /// Check the game without showing it: the committed deal, every move, the result, and that no record
    /// was changed, removed or reordered.
    #[arg(long, conflicts_with_all = ["quiet", "json", "browser"])]
    pub verify: bool,
    /// With --verify: the commitment that you noted before the game began.
    #[arg(long, value_name = "SHA256", requires = "verify")]
    pub commitment: Option<String>,
    /// Whose view to show [default: the public's, and everything at the end].
    #[arg(long, value_name = "public|all|SEAT")]
    pub viewer: Option<Eyes>,
    /// Show everything, hidden cards included; short for --viewer all.
    #[arg(long, conflicts_with = "viewer")]
    pub all: bool,
    /// Show what this seat saw, counted from 0; short for --viewer SEAT.
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["viewer", "all"])]
    pub seat: Option<u8>,
    /// Print the game as JSON Lines: the table, an update for every turn, and the end.
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
    /// Show the game in your browser, until you press Ctrl-C.
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub browser: bool,
}

impl ReplayArgs {
    /// The requested viewer, if there is one.
    pub fn eyes(&self) -> Option<Eyes> {
        let all = self.all.then_some(Eyes::All);
        let seat = self.seat.map(|seat| Eyes::Seat(Seat(seat)));
        self.viewer.or(all).or(seat)
    }
}
