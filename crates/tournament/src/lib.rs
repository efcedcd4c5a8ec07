//! Who meets whom, who stands where, and how strong everybody is.
//!
//! A [`Tournament`] is a fold of a [`Plan`] and [`Fact`]s: same plan and facts, same pairings,
//! same standings. It knows names and outcomes, but no game, no table, no clock; all chance comes
//! from the plan's seed. Whoever runs it puts the [`due`](Tournament::due) games on tables and
//! reports what became of them:
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
//!         // Here the game would be played. This one is won by whoever entered first.
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
mod fact;
mod history;
mod knockout;
pub mod ladder;
mod matching;
mod pairing;
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

/// The version of what a tournament makes of its facts: by another one the same facts might pair
/// others.
pub const VERSION: u32 = 1;

pub use deals::Deals;
pub use fact::{Fact, Refusal, Why};
pub use ladder::elo::Elo;
pub use ladder::matchmaking::{Matchmaking, Waiting};
pub use ladder::{Ladder, Rung};
pub use pairing::{Decision, DueGame, Entrant, EntrantId, How, Pairing, PairingId, Played};
pub use plan::{Format, NoSuchFormat, Plan, PlanError};
pub use rating::{Rated, Rating, Ratings};
pub use standings::{Standing, TieBreaks};
pub use tournament::{Tournament, TournamentPhase};

use history::History;
use tournament::{Entrants, Pairings};
