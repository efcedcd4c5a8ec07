//! What finished games mean for the ratings.

use std::collections::BTreeMap;

use hall::Closing;
use store::{Archive, Finished, StoreError};
use tournament::Ratings;
use tournament::rating::as_version;
use tournament::seats::SeatTally;

use super::trail::Trail;

/// Who is rated: each name, or each version of it as a player of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Per {
    Bot,
    Version,
}

/// Who had which place in a rated game; none if it has no result.
pub fn placing(game: &Finished, per: Per) -> Option<Vec<(String, u32)>> {
    let Ok(Closing::Over(outcome)) = serde_json::from_str(game.closing.get()) else { return None };
    let places = outcome.standings.iter().map(|standing| standing.place);
    let version = |seat: usize| match per {
        Per::Bot => None,
        Per::Version => game.versions.get(seat)?.as_deref(),
    };
    let rated = |(seat, name): (usize, &String)| as_version(name, version(seat));
    Some(game.players.iter().enumerate().map(rated).zip(places).collect())
}

/// The places of a game that everybody played to the end: who went says nothing about its seat.
fn played_out(game: &Finished) -> Option<Vec<u32>> {
    let Ok(Closing::Over(outcome)) = serde_json::from_str(game.closing.get()) else { return None };
    let all_stayed = outcome.standings.iter().all(|standing| standing.exit.is_none());
    all_stayed.then(|| outcome.standings.iter().map(|standing| standing.place).collect())
}

/// Counts one rated game. One without a result counts nothing.
fn rate(ratings: &mut Ratings, game: &Finished, per: Per) {
    if let Some(placing) = placing(game, per) {
        let places: Vec<_> = placing.iter().map(|(name, place)| (name.as_str(), *place)).collect();
        ratings.apply(&places);
    }
}

/// The rated games of the archive after a place, the earliest first.
pub fn each_rated(
    archive: &dyn Archive,
    game: &str,
    mut after: u64,
    mut tell: impl FnMut(&Finished),
) -> Result<(), StoreError> {
    loop {
        let games = archive.rated(game, after, AT_ONCE)?;
        for game in &games {
            tell(game);
            after = game.place;
        }
        if games.len() < AT_ONCE {
            return Ok(());
        }
    }
}

/// The ratings of one game, up to a place in the archive.
#[derive(Debug, Default)]
pub struct Ladder {
    pub ratings: Ratings,
    /// The same with every version as a player of its own.
    pub versions: Ratings,
    /// What each seat was worth in them.
    pub seats: SeatTally,
    /// How each came to its rating.
    trails: BTreeMap<String, Trail>,
    pub place: u64,
}

/// So many games are read at once.
const AT_ONCE: usize = 1000;

impl Ladder {
    pub fn trail(&self, name: &str) -> Option<&Trail> {
        self.trails.get(name)
    }

    /// How many are rated higher, by the strength that is almost certain; and one.
    pub fn rank(&self, name: &str) -> Option<usize> {
        let own = self.ratings.get(name)?.certain();
        let above =
            |name: &&String| self.ratings.get(name).is_some_and(|rating| rating.certain() > own);
        Some(1 + self.trails.keys().filter(above).count())
    }

    /// Counts the games that have come since.
    pub fn catch_up(&mut self, game: &str, archive: &dyn Archive) -> Result<(), StoreError> {
        each_rated(archive, game, self.place, |game| {
            rate(&mut self.ratings, game, Per::Bot);
            rate(&mut self.versions, game, Per::Version);
            if let Some(places) = played_out(game) {
                self.seats.add(&places);
            }
            for name in &game.players {
                if let Some(rating) = self.ratings.get(name) {
                    let trail = self.trails.entry(name.clone()).or_default();
                    trail.note(game.closed_at, rating);
                }
            }
            self.place = game.place;
        })
    }
}
