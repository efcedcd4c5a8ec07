//! What a finished game means for the ratings.

use std::collections::BTreeMap;

use hall::Closing;
use store::{Archive, Finished, StoreError};
use tournament::Ratings;

use crate::trail::Trail;

/// Counts one rated game. One without a result counts nothing.
pub fn rate(ratings: &mut Ratings, game: &Finished) {
    if let Ok(Closing::Over(outcome)) = serde_json::from_str(game.closing.get()) {
        let places = outcome.standings.iter().map(|standing| standing.place);
        let result: Vec<_> = game.players.iter().map(String::as_str).zip(places).collect();
        ratings.apply(&result);
    }
}

/// The ratings of a game, worked out anew from everything the archive has.
pub fn ratings(archive: &dyn Archive, game: &str) -> Result<Ratings, StoreError> {
    let mut ladder = Ladder::default();
    ladder.catch_up(game, archive)?;
    Ok(ladder.ratings)
}

/// The ratings of one game, up to a place in the archive.
#[derive(Debug, Default)]
pub struct Ladder {
    pub ratings: Ratings,
    /// How each came to its rating.
    trails: BTreeMap<String, Trail>,
    place: u64,
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
        loop {
            let games = archive.rated(game, self.place, AT_ONCE)?;
            for game in &games {
                rate(&mut self.ratings, game);
                for name in &game.players {
                    if let Some(rating) = self.ratings.get(name) {
                        let trail = self.trails.entry(name.clone()).or_default();
                        trail.note(game.closed_at, rating);
                    }
                }
                self.place = game.place;
            }
            if games.len() < AT_ONCE {
                return Ok(());
            }
        }
    }
}
