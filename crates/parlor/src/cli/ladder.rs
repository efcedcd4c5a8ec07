//! What can be done with ladders.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::duration::seconds;
use super::{RemoteArgs, TournamentName};

#[derive(Subcommand)]
pub enum LadderCommand {
    /// Create a ladder on a running server. It starts at once.
    #[command(after_help = "Examples:
  parlor ladder create gamba --id bots
  parlor ladder create labyrinth --id bots --seats 4 --wait 60 --entrant house:euclid

Anyone with a claimed name can enter. `parlor tournament pause`, `resume` and `cancel` pause, continue and
end a ladder.")]
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
    /// Show the standings, who is playing or waiting, and the latest games.
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
    /// Enter a ladder under a claimed name, or return to it.
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
        /// The name shown to people, such as "Ann's bot" [default: the name].
        #[arg(long, value_name = "TEXT")]
        display: Option<String>,
    },
    /// Leave a ladder. You keep your rating and can return.
    #[command(after_help = "Examples:
  parlor ladder leave gamba bots ann --key-file ann.key")]
    Leave {
        #[command(flatten)]
        which: TournamentName,
        /// The name you entered under.
        name: String,
        #[command(flatten)]
        key: KeyArgs,
    },
}

/// The key of a claimed name.
#[derive(Args)]
pub struct KeyArgs {
    /// The key of your name. Other users of this machine can see it in the process list.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Read the key from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub key_file: Option<PathBuf>,
}

#[derive(Args)]
pub struct CreateLadderArgs {
    /// {games}.
    pub game: String,
    /// The ladder's id, for later commands [default: chosen by the server].
    #[arg(long)]
    pub id: Option<String>,
    /// Seats per table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Longest time a bot waits while another one is free; a bare number is seconds.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = parse_wait)]
    pub wait: u32,
    /// The largest number of entrants, including those who have left.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max: usize,
    /// An entrant from the start: house:STRATEGY, or a name. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub entrant: Vec<String>,
    /// Most games to run at the same time; 0 means no limit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub concurrency: u32,
    /// Time to join a game; a bare number is seconds. A bot that has not joined by then forfeits that game.
    #[arg(long, value_name = "TIME", default_value = "25s", value_parser = seconds)]
    pub no_show: u64,
    /// Do not count its games for the server's ratings.
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
