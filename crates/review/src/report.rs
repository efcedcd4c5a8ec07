//! What a review says. All values are shares of opponents beaten, from 0 to 1.

use rules::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Mark, Marks};

/// A finished game, reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    pub game: String,
    pub id: String,
    pub rules_version: u32,
    /// The version of the method.
    pub engine: u32,
    /// Number of deals in which each decision was tried.
    pub deals: u32,
    pub players: Vec<SeatReview>,
    /// The value with all cards known, before each step and at the end.
    pub line: Vec<Point>,
    /// In the order of the game. Decisions without a choice, and those of a clock, are not listed.
    pub decisions: Vec<Decision>,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatReview {
    pub seat: Seat,
    pub name: String,
    /// The share of opponents it finished ahead of.
    pub result: f64,
    /// How many decisions were judged; none if another seat was asked for.
    pub decisions: u32,
    /// The mean regret per decision.
    pub regret: f64,
    pub regret_error: f64,
    pub marks: Marks,
    /// What deals and draws did to its value.
    pub luck: f64,
    pub luck_error: f64,
    /// What its own choices did, compared with those of a house bot.
    pub own: f64,
    /// What the choices of its opponents did.
    pub others: f64,
    /// The value of this seat before the deal.
    pub start: f64,
    /// Mean regret by the kind of decision, the costliest kind first.
    pub kinds: Vec<KindReview>,
}

/// The decisions of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindReview {
    pub kind: String,
    pub decisions: u32,
    pub regret: f64,
}

/// The value of a position with all cards known, and what led there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub seq: u64,
    /// Seat by seat.
    pub values: Vec<f64>,
    /// The greatest standard error of these values.
    pub error: f64,
    /// What the last step's deals and draws did, seat by seat; empty where it had none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<f64>,
    /// What the last step's own choices did, seat by seat; empty before the first step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<f64>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub seq: u64,
    pub seat: Seat,
    pub kind: String,
    pub mark: Mark,
    /// How much worse it was than the best, where that is certain; otherwise 0.
    pub regret: f64,
    /// The standard error of the difference.
    pub regret_error: f64,
    pub chosen: Choice,
    /// The best candidate, unless the chosen one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<Choice>,
    /// All candidates, the best first.
    pub candidates: Vec<Choice>,
}

/// A candidate action and its value, by what the player knew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub action: Value,
    /// The same for people.
    pub words: String,
    pub value: f64,
    pub error: f64,
}
