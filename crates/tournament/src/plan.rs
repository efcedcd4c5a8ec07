//! What an organiser decides before a tournament begins.

use std::fmt;
use std::str::FromStr;

use rules::{Seat, Seed};
use serde::{Deserialize, Deserializer, Serialize, de};

/// The organiser's choices. They never change once the tournament is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    pub format: Format,
    /// Seats of a table; where entrants run short, tables are smaller, but never below two.
    pub table_seats: usize,
    pub max_entrants: usize,
    /// Number of games per pairing; fewer if the rest can't change the result.
    pub best_of: u32,
    /// Knockout: number of drawn games per pairing that are replayed before lots are drawn.
    pub draw_replays: u32,
    /// Whether its games count for the ratings.
    pub rated: bool,
    /// How games are dealt. Stored only if it isn't the default.
    #[serde(skip_serializing_if = "Deals::is_fresh")]
    pub deals: Deals,
    /// Maximum number of games on tables at once; 0 means no limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub concurrency: u32,
    /// The source of all chance in the tournament. `None` counts as a seed of zeros; the caller
    /// that opens a tournament draws one if the organiser gave none.
    pub seed: Option<Seed>,
}

/// How often a deal is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deals {
    /// Every game is dealt differently.
    #[default]
    Fresh,
    /// All tables of a round have the same, and so have as many games of a pairing, one after the
    /// other, as there are seats, which turn meanwhile. Each further cycle deals the rounds of the
    /// first once more.
    Repeat,
}

impl Deals {
    pub(crate) fn is_fresh(&self) -> bool {
        *self == Deals::Fresh
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            format: Format::Knockout,
            table_seats: 2,
            max_entrants: 64,
            best_of: 1,
            draw_replays: 2,
            rated: true,
            deals: Deals::Fresh,
            concurrency: 0,
            seed: None,
        }
    }
}

/// Plans that were written before there was a limit have none.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How the pairings come about. Read from a name alone (`"swiss"`) or with its numbers
/// (`{"swiss": {"rounds": 5}}`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The loser of a pairing is out.
    Knockout,
    /// Every entrant meets every other, once per cycle.
    RoundRobin { cycles: u32 },
    /// A number of rounds among equals; 0 means as many as a knockout would need.
    Swiss { rounds: u32 },
    /// The first `challengers` entrants meet all others, once per cycle.
    Gauntlet { challengers: usize, cycles: u32 },
    /// Has no end: free entrants are paired by strength. No entrant waits longer than this while
    /// another is free.
    Ladder { wait_s: u32 },
}

/// Why a plan cannot be played: the value, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("{name} is {value}: {least} to {most} is allowed")]
    OutOfRange { name: &'static str, value: usize, least: usize, most: usize },
    #[error("best_of is {0}: an odd number is needed for a majority")]
    NoMajority(u32),
    #[error("best_of is {0}: every game of a ladder counts by itself, so 1 is needed")]
    NoSeries(u32),
    #[error(
        "max_entrants is {max_entrants}: this {format} could have {pairings} pairings, at most \
         {MOST_SCHEDULED} are allowed"
    )]
    TooManyPairings { max_entrants: usize, format: &'static str, pairings: usize },
}

/// A format by a name that none has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("format is {0:?}: one of {names:?} is allowed", names = Format::NAMES)]
pub struct NoSuchFormat(pub String);

/// The most pairings a schedule made in advance may have.
const MOST_SCHEDULED: usize = 600_000;
const MOST_ENTRANTS: usize = 65_536;

impl Plan {
    pub(crate) fn seed(&self) -> Seed {
        self.seed.unwrap_or(Seed([0; 32]))
    }

    /// Seats of a full table, for this number of entrants.
    pub(crate) fn full_table(&self, entrants: usize) -> usize {
        self.table_seats.min(entrants.max(2))
    }

    /// Whether this can be played; otherwise which value cannot, and what would be right.
    pub(crate) fn validate(&self) -> Result<(), PlanError> {
        let Plan { table_seats, max_entrants, best_of, draw_replays, .. } = *self;
        within("table_seats", table_seats, 2, Seat::MAX)?;
        within("max_entrants", max_entrants, 2, MOST_ENTRANTS)?;
        within("draw_replays", draw_replays as usize, 0, 100)?;
        within("best_of", best_of as usize, 1, 99)?;
        if best_of.is_multiple_of(2) {
            return Err(PlanError::NoMajority(best_of));
        }
        match self.format {
            Format::Knockout => Ok(()),
            Format::Swiss { rounds } => within("rounds", rounds as usize, 0, 100),
            Format::RoundRobin { cycles } => {
                within("cycles", cycles as usize, 1, 1000)?;
                self.schedulable(max_entrants * (max_entrants - 1) / 2 * cycles as usize)
            }
            Format::Gauntlet { challengers, cycles } => {
                within("cycles", cycles as usize, 1, 1000)?;
                within("challengers", challengers, 1, max_entrants - 1)?;
                self.schedulable((max_entrants - challengers) * challengers * cycles as usize)
            }
            Format::Ladder { .. } if best_of != 1 => Err(PlanError::NoSeries(best_of)),
            Format::Ladder { wait_s } => within("wait_s", wait_s as usize, 1, 3600),
        }
    }

    fn schedulable(&self, pairings: usize) -> Result<(), PlanError> {
        if pairings <= MOST_SCHEDULED {
            return Ok(());
        }
        let (max_entrants, format) = (self.max_entrants, self.format.name());
        Err(PlanError::TooManyPairings { max_entrants, format, pairings })
    }
}

fn within(name: &'static str, value: usize, least: usize, most: usize) -> Result<(), PlanError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(PlanError::OutOfRange { name, value, least, most })
}

impl Format {
    pub const NAMES: [&'static str; 5] = ["knockout", "round-robin", "swiss", "gauntlet", "ladder"];

    pub fn name(self) -> &'static str {
        match self {
            Format::Knockout => "knockout",
            Format::RoundRobin { .. } => "round-robin",
            Format::Swiss { .. } => "swiss",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Ladder { .. } => "ladder",
        }
    }

    /// Whether a round begins only when the one before it is decided.
    pub fn is_by_rounds(self) -> bool {
        matches!(self, Format::Knockout | Format::Swiss { .. })
    }
}

impl FromStr for Format {
    type Err = NoSuchFormat;

    /// A format by its name, with the usual numbers.
    fn from_str(name: &str) -> Result<Format, NoSuchFormat> {
        match name {
            "knockout" => Ok(Format::Knockout),
            "round-robin" => Ok(Format::RoundRobin { cycles: 1 }),
            "swiss" => Ok(Format::Swiss { rounds: 0 }),
            "gauntlet" => Ok(Format::Gauntlet { challengers: 1, cycles: 1 }),
            "ladder" => Ok(Format::Ladder { wait_s: usual_wait() }),
            other => Err(NoSuchFormat(other.to_owned())),
        }
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        deserializer.deserialize_any(NameOrNumbers)
    }
}

/// Reads a format from its name alone, or from a map of one name to its numbers.
struct NameOrNumbers;

impl<'de> de::Visitor<'de> for NameOrNumbers {
    type Value = Format;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a format, one of {:?}, alone or with its numbers", Format::NAMES)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Format, E> {
        name.parse().map_err(E::custom)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Format, A::Error> {
        let numbers = WithNumbers::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(match numbers {
            WithNumbers::Knockout {} => Format::Knockout,
            WithNumbers::RoundRobin { cycles } => Format::RoundRobin { cycles },
            WithNumbers::Swiss { rounds } => Format::Swiss { rounds },
            WithNumbers::Gauntlet { challengers, cycles } => {
                Format::Gauntlet { challengers, cycles }
            }
            WithNumbers::Ladder { wait_s } => Format::Ladder { wait_s },
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum WithNumbers {
    Knockout {},
    RoundRobin {
        #[serde(default = "one")]
        cycles: u32,
    },
    Swiss {
        #[serde(default)]
        rounds: u32,
    },
    Gauntlet {
        #[serde(default = "one_challenger")]
        challengers: usize,
        #[serde(default = "one")]
        cycles: u32,
    },
    Ladder {
        #[serde(default = "usual_wait")]
        wait_s: u32,
    },
}

fn usual_wait() -> u32 {
    20
}

fn one() -> u32 {
    1
}

fn one_challenger() -> usize {
    1
}
