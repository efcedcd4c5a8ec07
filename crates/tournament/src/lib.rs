//! Who meets whom, who stands where, and how strong everybody is.
//!
//! A [`Tournament`] is a fold of a [`Plan`] and [`Fact`]s: same plan and facts, same pairings,
//! same standings. It knows names and outcomes, but no game, no table, no clock; all chance comes
//! from the plan's seed. Whoever runs it puts the [`due`](Tournament::due) games on tables and
//! reports what became of them.

mod check;
mod decide;
mod ending;
mod fact;
mod history;
mod knockout;
mod matching;
mod opening;
mod pairing;
mod plan;
pub mod rating;
mod schedule;
mod standings;
mod swiss;
mod tables;
mod tournament;

pub use fact::{Fact, Refusal};
pub use pairing::{Decision, Due, Entrant, EntrantId, How, Pairing, PairingId, Played};
pub use plan::{Format, Plan};
pub use rating::{Rated, Rating, Ratings};
pub use standings::{Standing, TieBreaks};
pub use tournament::{Phase, Tournament};
