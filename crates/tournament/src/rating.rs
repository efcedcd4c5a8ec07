//! A Bayesian rating for games of any number of players, after Weng and Lin ("A Bayesian
//! Approximation Method for Online Ranking", 2011, the Bradley-Terry model with full pairs). The
//! same games in the same order give the same bits on the same machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// The ratings of one game's players: a fold over its rated games, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    players: BTreeMap<String, Rating>,
}

/// What is known about a player's strength. If two players' means differ by 25/6, the stronger wins
/// about two games in three.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub mean: f64,
    /// The standard deviation of the belief; it shrinks with every game.
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

    /// A rated game ended: who took part, and the place of each (1 is best, equals share one). The
    /// order of the list does not matter. A game of fewer than two, or with one name in two seats,
    /// says nothing about strength and changes nothing.
    pub fn apply(&mut self, result: &[(&str, u32)]) {
        // Sums of floats depend on their order, so the seats are sorted first.
        let places: BTreeMap<&str, u32> = result.iter().copied().collect();
        if places.len() < 2 || places.len() != result.len() {
            return;
        }
        let before: Vec<[WengLinRating; 1]> =
            places.keys().map(|name| [self.get(name).unwrap_or_default().into()]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = (before.iter())
            .zip(places.values())
            .map(|(team, &place)| (team.as_slice(), MultiTeamOutcome::new(place as usize)))
            .collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (name, team) in places.keys().zip(after) {
            let rating = self.players.entry((*name).to_owned()).or_default();
            rating.mean = team[0].rating;
            rating.uncertainty = team[0].uncertainty;
            rating.games += 1;
        }
    }

    pub fn get(&self, name: &str) -> Option<Rating> {
        self.players.get(name).copied()
    }

    /// All rated players, ordered by the strength that is almost certain, then by name.
    pub fn leaderboard(&self) -> Vec<Rated> {
        let rated = self.players.iter().map(|(name, &rating)| Rated { name: name.clone(), rating });
        let mut board: Vec<Rated> = rated.collect();
        board.sort_by(|one, other| other.rating.certain().total_cmp(&one.rating.certain()));
        board
    }
}

/// The name under which one version of a player is rated. Names are one line, so no player can have
/// this one.
pub fn as_version(name: &str, version: Option<&str>) -> String {
    version.map_or_else(|| name.to_owned(), |version| format!("{name}\n{version}"))
}

/// The name and the version of a rated player.
pub fn name_and_version(rated: &str) -> (&str, Option<&str>) {
    rated.split_once('\n').map_or((rated, None), |(name, version)| (name, Some(version)))
}

impl Rating {
    /// The strength that is almost certain: the mean less three times the uncertainty.
    pub fn certain(self) -> f64 {
        self.mean - 3.0 * self.uncertainty
    }
}

impl Default for Rating {
    fn default() -> Rating {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Rating { mean: rating, uncertainty, games: 0 }
    }
}

impl From<Rating> for WengLinRating {
    fn from(rating: Rating) -> WengLinRating {
        WengLinRating { rating: rating.mean, uncertainty: rating.uncertainty }
    }
}
