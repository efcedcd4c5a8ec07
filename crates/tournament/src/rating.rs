//! How strong everybody is: a Bayesian rating for games of any number of players.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The ratings of one game's players: a fold over its rated games, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    players: BTreeMap<String, Rating>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub mean: f64,
    pub uncertainty: f64,
    pub games: u32,
}

/// One line of the leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    pub name: String,
    #[serde(flatten)]
    pub rating: Rating,
}

impl Ratings {
    pub fn new() -> Ratings {
        Ratings::default()
    }

    /// A rated game ended: who took part, and the place of each (1 is best, equals share one).
    pub fn apply(&mut self, result: &[(&str, u32)]) {
        let _ = result;
        todo!()
    }

    pub fn get(&self, name: &str) -> Option<Rating> {
        self.players.get(name).copied()
    }

    /// Everybody rated, ordered by the strength that is almost certain: mean less three times
    /// the uncertainty.
    pub fn leaderboard(&self) -> Vec<Rated> {
        todo!()
    }
}
