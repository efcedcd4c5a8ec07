//! What can be done with tournaments.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::RemoteArgs;

#[derive(Subcommand)]
pub enum TournamentCommand {
    /// Play a whole tournament of bots on a server of its own.
    #[command(after_help = "Examples:
  parlor tournament run --game gamba --format round-robin --bot house:random --bot house:thrifty --out ./league
  parlor tournament run --game sushi-go --best-of 3 --bot 'python3 mybot.py {host} {port} {name}' --bot house:greedy --out ./cup
  parlor tournament run --game subsim --format swiss --rounds 5 --bot ./a --bot ./b --bot house:hunter --out ./swiss

A bot is house:STRATEGY or a command. Commands run in a shell; {host} {port} {name} {game} {tournament}
are filled in, and the same is in PARLOR_HOST, PARLOR_PORT, PARLOR_NAME, PARLOR_GAME, PARLOR_TOURNAMENT.
A bot connects as always, under its name, and is seated when its game is due; one that ends is started
anew. Interrupted, the same command goes on where it stopped.")]
    Run(RunArgs),
    /// Convene a tournament on a server that runs.
    #[command(after_help = "Examples:
  parlor tournament create --game sushi-go --max 8
  parlor tournament create --game gamba --format swiss --entrant ann --entrant bob --entrant house:random
  parlor tournament create --game labyrinth --entrant ann=red --entrant bob=blue

Without entrants it is open to whoever enters by its protocol, and starts when it is full. With
entrants it waits for 'parlor tournament start'. ann=red plays as red at the tables.")]
    Create(CreateArgs),
    /// List the tournaments of a server.
    #[command(after_help = "Examples:
  parlor tournament list
  parlor tournament list gamba --url 192.168.1.20:7800")]
    List {
        /// One game alone.
        game: Option<String>,
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show standings and pairings.
    #[command(after_help = "Examples:
  parlor tournament show gamba cup
  parlor tournament show gamba cup --csv > standings.csv")]
    Show {
        #[command(flatten)]
        which: Which,
        /// Print the server's JSON.
        #[arg(long)]
        json: bool,
        /// Print the standings as CSV.
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// Follow a tournament until it is over.
    #[command(after_help = "Examples:
  parlor tournament watch gamba cup")]
    Watch(Which),
    /// Begin, with the entrants there are.
    #[command(after_help = "Examples:
  parlor tournament start gamba cup")]
    Start(Which),
    /// Let running games end and begin no others.
    #[command(after_help = "Examples:
  parlor tournament pause gamba cup")]
    Pause(Which),
    /// Go on after a pause.
    #[command(after_help = "Examples:
  parlor tournament resume gamba cup")]
    Resume(Which),
    /// Call a tournament off.
    #[command(after_help = "Examples:
  parlor tournament cancel gamba cup")]
    Cancel(Which),
    /// Enter somebody: a name, name=name-at-the-tables, or house:STRATEGY.
    #[command(after_help = "Examples:
  parlor tournament enter gamba cup ann
  parlor tournament enter labyrinth cup ann=red")]
    Enter {
        #[command(flatten)]
        which: Which,
        /// ann, ann=red (plays as red at the tables) or house:STRATEGY.
        entrant: String,
    },
    /// Take an entrant out: what it has not played it has lost.
    #[command(after_help = "Examples:
  parlor tournament withdraw gamba cup ann")]
    Withdraw {
        #[command(flatten)]
        which: Which,
        /// The entrant's name.
        name: String,
    },
    /// Decide a pairing: the place of each of its entrants, such as 1,2.
    #[command(after_help = "Examples:
  parlor tournament adjudicate gamba cup 3 1,2")]
    Adjudicate {
        #[command(flatten)]
        which: Which,
        /// Its number, as `parlor tournament show` has it.
        #[arg(value_parser = parse_pairing)]
        pairing: u32,
        /// The place of each entrant, in the order in which they are shown; 1 is best.
        #[arg(value_delimiter = ',', required = true, value_parser = parse_place)]
        places: Vec<u32>,
    },
}

fn parse_pairing(text: &str) -> Result<u32, String> {
    let wrong = "not the number of a pairing; 'parlor tournament show' lists them";
    text.parse().map_err(|_| wrong.to_owned())
}

fn parse_place(text: &str) -> Result<u32, String> {
    let wrong = "not a place; say one for each entrant of the pairing, such as 1,2";
    text.parse().map_err(|_| wrong.to_owned())
}

/// A tournament of a server.
#[derive(Args)]
pub struct Which {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    pub game: String,
    /// The tournament, as `parlor tournament list` names it.
    pub id: String,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    Knockout,
    RoundRobin,
    Swiss,
    Gauntlet,
}

#[derive(Args)]
pub struct PlanArgs {
    /// How the pairings come about.
    #[arg(long, value_enum, default_value = "knockout")]
    pub format: FormatName,
    /// Seats of a table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// Knockout: so many games decide a pairing.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub best_of: u32,
    /// Swiss: so many rounds; 0: as many as a knockout would have.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rounds: u32,
    /// Round-robin and gauntlet: everybody meets so many times.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: u32,
    /// Gauntlet: the first so many entrants meet all others.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub challengers: usize,
    /// The chance of pairings and lots [default: any].
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Its games do not count for the ratings.
    #[arg(long)]
    pub unrated: bool,
    /// Who does not come to its game within so long loses it.
    #[arg(long, value_name = "SECONDS", default_value_t = 25)]
    pub no_show: u64,
}

#[derive(Args)]
pub struct CreateArgs {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    #[arg(long)]
    pub game: String,
    /// What to call it in other commands [default: made up].
    #[arg(long)]
    pub id: Option<String>,
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Entrants at most [default: as many as are given, else 4].
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Who takes part. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub entrant: Vec<String>,
    /// An option of the game, for this tournament. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Args)]
pub struct RatingsArgs {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    pub game: String,
    /// The data folder, whether or not a server runs on it.
    #[arg(long, value_name = "DIR", default_value = "./parlor-data", env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RunArgs {
    /// sushi-go, gamba, tiger-dragon, subsim or labyrinth.
    #[arg(long)]
    pub game: String,
    /// Another protocol of the game, by the name of its port.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    #[command(flatten)]
    pub plan: PlanArgs,
    /// An entrant: house:STRATEGY or a command. Once for each.
    #[arg(long, value_name = "BOT", required = true)]
    pub bot: Vec<String>,
    /// Where the tournament is kept and its results are written.
    #[arg(long, value_name = "DIR", default_value = "./tournament")]
    pub out: PathBuf,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "GAME.KEY=VALUE")]
    pub set: Vec<String>,
}
