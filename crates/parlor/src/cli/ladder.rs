//! What can be done with ladders.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::duration::seconds;
use super::{RemoteArgs, TournamentName};

#[derive(Subcommand)]
pub enum LadderCommand {
    /// Create a ladder on a running server. It begins at once.
    #[command(after_help = "Examples:
  parlor ladder create gamba --id bots
  parlor ladder create labyrinth --id bots --seats 4 --wait 60 --entrant house:euclid

Anybody who has claimed a name can enter. Pause, continue or end a ladder with `parlor tournament pause`,
`resume` and `cancel`.")]
    Create(CreateLadderArgs),
    /// List the ladders of a server.
    #[command(after_help = "Examples:
  parlor ladder list
  parlor ladder list gamba")]
    List {
        /// Only this game.
        game: Option<String>,
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show the standings, who plays, who waits, and the latest games.
    #[command(after_help = "Examples:
  parlor ladder show gamba bots
  parlor ladder show gamba bots --json")]
    Show {
        #[command(flatten)]
        which: TournamentName,
        /// Print the server's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print each game as it ends, until the ladder is cancelled.
    #[command(after_help = "Examples:
  parlor ladder watch gamba bots
  parlor ladder watch gamba bots --json | jq .names")]
    Watch {
        #[command(flatten)]
        which: TournamentName,
        /// Print each game as one line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Enter under a name that you have claimed, or return after you have left.
    #[command(after_help = "Examples:
  parlor ladder enter gamba bots ann --key-file ann.key
  parlor ladder enter labyrinth bots ann=red --key-file ann.key --url 192.168.1.20:7800

Claim a name first with `parlor names claim`. Your bot then joins with the name and its key, plays,
and joins again for its next game.")]
    Enter {
        #[command(flatten)]
        which: TournamentName,
        /// ann, or ann=red (plays as red at the tables).
        entrant: String,
        #[command(flatten)]
        key: KeyArgs,
        /// What people read instead of the name, such as "Ann's bot".
        #[arg(long, value_name = "TEXT")]
        display: Option<String>,
    },
    /// Leave. Your rating stays, and you can return.
    #[command(after_help = "Examples:
  parlor ladder leave gamba bots ann --key-file ann.key")]
    Leave {
        #[command(flatten)]
        which: TournamentName,
        /// Your name there.
        name: String,
        #[command(flatten)]
        key: KeyArgs,
    },
}

/// The key of a claimed name.
#[derive(Args)]
pub struct KeyArgs {
    /// The key of your name. Other users can see it in the process list.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// A file that holds the key, so that it is on no command line.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
}

#[derive(Args)]
pub struct CreateLadderArgs {
    /// {games}.
    pub game: String,
    /// Its id, for other commands [default: chosen by the server].
    #[arg(long)]
    pub id: Option<String>,
    /// Players at a table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// How long a free bot waits at most while others are free; a bare number is seconds.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = parse_wait)]
    pub wait: u32,
    /// The most entrants, including those that have left.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max: usize,
    /// Who is on it from the start: house:STRATEGY, or a name. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub entrant: Vec<String>,
    /// Games at the same time, at most; 0 means no limit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub concurrency: u32,
    /// Time to join a game, in seconds. A bot that hasn't joined by then forfeits that game.
    #[arg(long, value_name = "TIME", default_value = "25s", value_parser = seconds)]
    pub no_show: u64,
    /// Its games do not count for the server's ratings.
    #[arg(long)]
    pub unrated: bool,
    /// An option of the game, for this ladder. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

fn parse_wait(text: &str) -> Result<u32, String> {
    seconds(text).and_then(|wait| u32::try_from(wait).map_err(|_| "too long a time".to_owned()))
}
