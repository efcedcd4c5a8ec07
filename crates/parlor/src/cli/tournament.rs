//! What can be done with tournaments.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::duration::{milliseconds, moment, seconds};
use super::{ConfinementArgs, RemoteArgs};

#[derive(Subcommand)]
pub enum TournamentCommand {
    /// Play a whole tournament of bots on a temporary server.
    #[command(after_help = "Examples:
  parlor tournament run gamba --format round-robin --bot house:random --bot house:thrifty --out ./league
  parlor tournament run sushi-go --best-of 3 --bot 'ann=python3 mybot.py {host} {port} {name}' --bot bob=house:greedy --out ./cup
  parlor tournament run subsim --format swiss --rounds 5 --bot ./a --bot ./b --bot house:hunter --out ./swiss
  parlor tournament run gamba --format swiss --entrants teams.csv --move-timeout 2s --out ./finals

A bot is house:STRATEGY or a command; ann=./mybot names it ann. To set a variable for a command, write
env A=b ./mybot. Commands run in a shell; {host} {port} {name} {table} {game} {tournament} are filled in,
and the same values are in PARLOR_HOST, PARLOR_PORT, PARLOR_NAME, PARLOR_TABLE, PARLOR_GAME and
PARLOR_TOURNAMENT. A bot joins with the name it is given, and is seated when its next game begins. A bot
that exits after a game is started again; a bot whose command contains {table} is started for each game.
A bot that exits during a game, or twice before it begins, is out of that game.

The folder `logs` in --out has everything each bot printed, sent and received. If you interrupt the run,
the same command continues it; games that were cut short are played again. The exit code is 1 if a bot
never made a move.")]
    Run(RunArgs),
    /// Create a tournament on a running server.
    #[command(after_help = "Examples:
  parlor tournament create sushi-go --max 8
  parlor tournament create gamba --format swiss --entrant ann --entrant bob --entrant house:random
  parlor tournament create labyrinth --entrant ann=red --entrant bob=blue

Without entrants, anyone can enter, and the tournament starts when it is full. With entrants, it starts
with 'parlor tournament start'. ann=red plays as red at the tables.

Every entrant gets a key, which is shown once. Give it to the player, who joins as ann:pk_... or through
`parlor connect`. No one else can play as ann. With --open-names there are no keys.")]
    Create(CreateArgs),
    /// List the tournaments of a server.
    #[command(after_help = "Examples:
  parlor tournament list
  parlor tournament list gamba --url 192.168.1.20:7800")]
    List {
        /// Only this game.
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
        which: TournamentName,
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
    Watch(TournamentName),
    /// Start a tournament with its current entrants.
    #[command(after_help = "Examples:
  parlor tournament start gamba cup")]
    Start(TournamentName),
    /// Pause a tournament: running games finish, and no new ones start.
    #[command(after_help = "Examples:
  parlor tournament pause gamba cup")]
    Pause(TournamentName),
    /// Continue a paused tournament.
    #[command(after_help = "Examples:
  parlor tournament resume gamba cup")]
    Resume(TournamentName),
    /// Cancel a tournament.
    #[command(after_help = "Examples:
  parlor tournament cancel gamba cup")]
    Cancel(TournamentName),
    /// Add an entrant before the start, or enter an open tournament with the key of your name.
    #[command(after_help = "Examples:
  parlor tournament enter gamba cup ann
  parlor tournament enter labyrinth cup ann=red
  parlor tournament enter gamba cup ann --key-file ann.key --url 192.168.1.20:7800

To enter an open tournament yourself, claim a name with `parlor names claim` and pass its key. Your bot
then joins with that name and key, as in any other game.")]
    Enter {
        #[command(flatten)]
        which: TournamentName,
        /// ann, ann=red (plays as red at the tables) or house:STRATEGY.
        entrant: String,
        /// The key of the entrant's claimed name, instead of the admin token. Other users of this machine
        /// can see it in the process list.
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
        /// Read the key from this file.
        #[arg(long, value_name = "FILE", conflicts_with = "key")]
        key_file: Option<PathBuf>,
        /// The name shown to people, such as "Ann's bot" [default: the name].
        #[arg(long, value_name = "TEXT")]
        display: Option<String>,
        /// The bot's version, such as 1.4. It is recorded with its games.
        #[arg(long, value_name = "TEXT")]
        version: Option<String>,
    },
    /// Withdraw an entrant, who forfeits the remaining games.
    #[command(after_help = "Examples:
  parlor tournament withdraw gamba cup ann")]
    Withdraw {
        #[command(flatten)]
        which: TournamentName,
        /// The entrant's name.
        name: String,
    },
    /// Let a withdrawn entrant play again.
    #[command(after_help = "Examples:
  parlor tournament reinstate gamba cup ann

The entrant plays the pairings that are still open. In a knockout, an entrant who has lost cannot return.")]
    Reinstate {
        #[command(flatten)]
        which: TournamentName,
        /// The entrant's name.
        name: String,
    },
    /// Replace an entrant's lost key. The old key stops working.
    #[command(after_help = "Examples:
  parlor tournament key gamba cup ann")]
    Key {
        #[command(flatten)]
        which: TournamentName,
        /// The entrant's name.
        name: String,
    },
    /// Decide a pairing yourself, by giving each entrant a place, such as 1,2.
    #[command(after_help = "Examples:
  parlor tournament adjudicate gamba cup 3 1,2")]
    Adjudicate {
        #[command(flatten)]
        which: TournamentName,
        /// The pairing's number, from `parlor tournament show`.
        #[arg(value_parser = parse_pairing)]
        pairing: u32,
        /// The place of each entrant, in the order in which `parlor tournament show` prints them; 1 is best.
        #[arg(value_delimiter = ',', required = true, value_parser = parse_place)]
        places: Vec<u32>,
    },
}

fn parse_pairing(text: &str) -> Result<u32, String> {
    let wrong = "not the number of a pairing. 'parlor tournament show' lists them";
    text.parse().map_err(|_| wrong.to_owned())
}

fn parse_pace(text: &str) -> Result<u64, String> {
    milliseconds(text)
        .and_then(|ms| if ms <= 10_000 { Ok(ms) } else { Err("at most 10s".to_owned()) })
}

fn parse_place(text: &str) -> Result<u32, String> {
    let wrong = "not a place. Give one for each entrant of the pairing, such as 1,2";
    text.parse().map_err(|_| wrong.to_owned())
}

/// A tournament of a server.
#[derive(Args)]
pub struct TournamentName {
    /// {games}.
    pub game: String,
    /// The tournament's id, from `parlor tournament list`.
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EntryName {
    Open,
    Claimed,
}

#[derive(Args)]
pub struct PlanArgs {
    /// How entrants are paired.
    #[arg(long, value_enum, default_value = "knockout")]
    pub format: FormatName,
    /// Seats per table.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// How many games decide a pairing, an odd number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub best_of: u32,
    /// Swiss: number of rounds. 0 means as many as a knockout would need.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rounds: u32,
    /// Round-robin and gauntlet: how often each pair plays.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: u32,
    /// Gauntlet: how many entrants, counted from the first, play against all others.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub challengers: usize,
    /// Random seed of pairings, lots and deals [default: random].
    #[arg(short, long, value_name = "S")]
    pub seed: Option<u64>,
    /// Do not count its games for the ratings.
    #[arg(long)]
    pub unrated: bool,
    /// Deal new cards for every game (fresh), or the same cards to all tables of a round (repeat). With
    /// repeat, the games of a pairing share a deal and swap seats.
    #[arg(long, value_enum, default_value_t = super::Deals::Fresh)]
    pub deals: super::Deals,
    /// Most games to run at the same time; 0 means no limit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub concurrency: u32,
    /// Time to join a game; a bare number is seconds. An entrant who has not joined by then forfeits that
    /// game.
    #[arg(long, value_name = "TIME", default_value = "25s", value_parser = seconds)]
    pub no_show: u64,
}

#[derive(Args)]
pub struct CreateArgs {
    /// {games}.
    pub game: String,
    /// The tournament's id, for later commands [default: chosen by the server].
    #[arg(long)]
    pub id: Option<String>,
    #[command(flatten)]
    pub plan: PlanArgs,
    /// The largest number of entrants [default: as many as you list, else 4].
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// An entrant: a name, ann=red (plays as red at the tables) or house:STRATEGY. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub entrant: Vec<String>,
    /// A CSV file of entrants: name, display name, plays-as, command, version. A header line is optional.
    /// Commands are ignored here, except house:STRATEGY.
    #[arg(long, value_name = "FILE")]
    pub entrants: Option<PathBuf>,
    /// Let other players enter, too, besides the entrants listed here.
    #[arg(long)]
    pub open: bool,
    /// Use no keys: anyone who joins under an entrant's name plays for that entrant. For people who trust
    /// each other.
    #[arg(long)]
    pub open_names: bool,
    /// Who may enter an open tournament: anyone (open), or only players with a claimed name (claimed).
    #[arg(long, value_enum, default_value = "open")]
    pub entry: EntryName,
    /// Write the entrants' keys to this file instead of the screen, one slip per entrant, for printing.
    #[arg(long, value_name = "FILE", conflicts_with = "open_names")]
    pub keys: Option<PathBuf>,
    /// An option of the game, for this tournament. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// Where finished games are read.
#[derive(Args)]
pub struct StoredArgs {
    /// The data folder, whether or not a server runs on it.
    #[arg(long, value_name = "DIR", default_value = "./parlor-data", env = "PARLOR_DATA")]
    pub data: PathBuf,
    /// Read a fleet's PostgreSQL database instead, whether or not its servers run. Without URL,
    /// PARLOR_DATABASE names it.
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    pub database: Option<String>,
}

#[derive(Args)]
pub struct RatingsArgs {
    /// {games}.
    pub game: String,
    /// Rate each bot, or each version of a bot separately.
    #[arg(long, value_enum, default_value_t = RatingPer::Bot)]
    pub per: RatingPer,
    /// How to compute the ratings: game by game, as the server does (running), or from all games at once,
    /// on the Elo scale with 95 % intervals (likelihood).
    #[arg(long, value_enum, default_value_t = RatingMethod::Running)]
    pub method: RatingMethod,
    /// With --method likelihood: fix this player's rating [default: the average is 1500].
    #[arg(long, value_name = "NAME=ELO")]
    pub anchor: Option<String>,
    /// Read games from a file that `parlor export` wrote instead of a data folder; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub stored: StoredArgs,
    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RatingPer {
    Bot,
    Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RatingMethod {
    Running,
    Likelihood,
}

#[derive(Args)]
pub struct ExportArgs {
    /// {games}.
    pub game: String,
    #[command(flatten)]
    pub stored: StoredArgs,
    /// Only games that count for the ratings.
    #[arg(long)]
    pub rated: bool,
    /// Only games that ended at or after this time: a date in UTC such as 2026-11-18 or 2026-11-18T09:30,
    /// or milliseconds since 1970.
    #[arg(long, value_name = "DATE", value_parser = moment)]
    pub since: Option<u64>,
    /// Add the records of each game, as `parlor replay` reads them.
    #[arg(long)]
    pub replays: bool,
    /// Add a line for every turn of every seat: its view, the legal actions, its action and the reward. For
    /// programs that learn from games.
    #[arg(long)]
    pub turns: bool,
}

#[derive(Args)]
pub struct RunArgs {
    /// {games}.
    pub game: String,
    /// Use another protocol: house (JSON, the same for every game), or the name of one of the game's ports,
    /// such as sushi-go-sdk.
    #[arg(long, value_name = "NAME")]
    pub wire: Option<String>,
    #[command(flatten)]
    pub plan: PlanArgs,
    /// An entrant: house:STRATEGY or a command, with an optional name, as in ann=./mybot. Repeatable.
    #[arg(short, long, value_name = "[NAME=]BOT", required_unless_present = "entrants")]
    pub bot: Vec<String>,
    /// A CSV file of entrants: name, display name, plays-as, command, version. A header line is optional.
    #[arg(long, value_name = "FILE")]
    pub entrants: Option<PathBuf>,
    /// Time per move, such as 500ms or 2s; a bare number is milliseconds, 0 means no limit [default: the
    /// game's time limit in tournaments].
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub move_timeout: Option<u64>,
    /// Shortest time between two turns, up to 10s, so that spectators can follow; a bare number is
    /// milliseconds [default: 0].
    #[arg(long, value_name = "TIME", value_parser = parse_pace)]
    pub pace: Option<u64>,
    /// Use --seed as it is. Without this option a random secret is mixed in, so that no bot can guess the
    /// number and compute the deals. The secret is published at the end.
    #[arg(long, requires = "seed")]
    pub open_seed: bool,
    #[command(flatten)]
    pub confinement: ConfinementArgs,
    /// The folder for the tournament, its results, replays and logs.
    #[arg(short, long, value_name = "DIR", default_value = "./tournament")]
    pub out: PathBuf,
    /// An option of the game, as for `parlor serve`. Repeatable.
    #[arg(long, value_name = "[GAME.]KEY=VALUE")]
    pub set: Vec<String>,
}
