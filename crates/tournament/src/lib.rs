//! Pairings, standings and ratings.
//!
//! A [`Tournament`] is a fold of a [`Plan`] and [`Fact`]s: the same plan and facts give the same
//! pairings and standings. It knows names and outcomes, but no game, no table, no clock; all chance
//! comes from the plan's seed. The caller puts the [`due`](Tournament::due) games on tables and
//! reports their results:
//!
//! ```
//! use rules::Outcome;
//! use tournament::{DueGame, Fact, Format, TournamentPhase, Plan, Tournament};
//!
//! let plan = Plan { format: Format::Swiss { rounds: 3 }, ..Plan::default() };
//! let mut tournament = Tournament::new(plan)?;
//! for name in ["Ann", "Ben", "Cid", "Dot"] {
//!     tournament.apply(&Fact::Entered { name: name.to_owned(), bot: None })?;
//! }
//! tournament.apply(&Fact::Started)?;
//! while tournament.phase() != TournamentPhase::Over {
//!     let games: Vec<DueGame> = tournament.due().cloned().collect();
//!     for DueGame { pairing, attempt, seats } in games {
//!         // Here the game would be played. In this one the earlier entrant wins.
//!         let ranks = seats.iter().map(|entrant| (0, -i64::from(entrant.0), None));
//!         let outcome = Outcome::ranked(ranks.collect());
//!         tournament.apply(&Fact::Played { pairing, attempt, outcome })?;
//!     }
//! }
//! let winner = tournament.winner().expect("it is over");
//! assert_eq!(tournament.entrant(winner).name, "Ann");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod deals;
mod decide;
mod entrants;
mod fact;
mod history;
mod knockout;
pub mod ladder;
mod matching;
mod pairing;
mod pairings;
mod plan;
pub mod rating;
mod rounds;
mod schedule;
pub mod seating;
pub mod seats;
pub mod sprt;
mod standings;
pub mod strength;
mod swiss;
mod tables;
mod tournament;
mod walkovers;

/// The version of what a tournament makes of its facts: by another one the same facts might pair
/// others.
pub const VERSION: u32 = 1;

pub use fact::{Fact, Refusal};
pub use ladder::elo::Elo;
pub use ladder::{Ladder, Rung};
pub use pairing::{Decision, DueGame, Entrant, EntrantId, How, Pairing, PairingId, Played, Why};
pub use plan::{Deals, Format, NoSuchFormat, Plan, PlanError};
pub use rating::{Rated, Rating, Ratings};
pub use standings::{Standing, TieBreaks};
pub use tournament::{Matchmaking, Tournament, TournamentPhase, Waiting};

use entrants::Entrants;
use history::History;
use pairings::Pairings;
