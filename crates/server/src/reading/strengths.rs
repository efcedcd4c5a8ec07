//! Strengths from all games at once, as `parlor ratings --method likelihood` computes them.
//!
//! That takes a while with many games. So the result is kept, and computed again only when there
//! are new games and twenty times the duration of the last computation has passed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use store::{Archive, StoreError};
use tournament::strength::{Placing, Question, Strength, strengths};

use super::ratings::{Per, each_rated, placing};

/// How long a result is kept, as a multiple of its computation's duration.
const REST: u32 = 20;

/// The strengths from all games up to one.
#[derive(Debug)]
pub struct Found {
    /// Number of rated games it was computed from: the earliest, in an export's order.
    pub games: usize,
    pub strengths: Vec<Strength>,
    place: u64,
    at: Instant,
    took: Duration,
}

/// The latest result, by game.
#[derive(Clone, Default)]
pub struct Strengths(Arc<Mutex<ByGame>>);

type ByGame = BTreeMap<(String, Per), Arc<Last>>;

#[derive(Default)]
struct Last {
    found: RwLock<Option<Arc<Found>>>,
    /// Held by who computes: once is enough.
    computing: Mutex<()>,
}

impl Strengths {
    /// The strengths in a game whose latest rated game has this position in the archive, or
    /// slightly earlier ones.
    pub fn ask(
        &self,
        game: &str,
        per: Per,
        archive: &dyn Archive,
        latest: u64,
    ) -> Result<Arc<Found>, StoreError> {
        let last = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry((game.to_owned(), per)).or_default().clone()
        };
        let known = last.known();
        if let Some(found) = known.as_ref().filter(|found| found.will_do(latest)) {
            return Ok(found.clone());
        }
        let computing = match known {
            // While another caller computes, the existing result has to do.
            Some(found) => match last.computing.try_lock() {
                Ok(computing) => computing,
                Err(_) => return Ok(found),
            },
            None => last.computing.lock().unwrap_or_else(PoisonError::into_inner),
        };
        if let Some(found) = last.known().filter(|found| found.will_do(latest)) {
            return Ok(found);
        }
        let found = Arc::new(Found::compute(game, per, archive)?);
        *last.found.write().unwrap_or_else(PoisonError::into_inner) = Some(found.clone());
        drop(computing);
        Ok(found)
    }
}

impl Last {
    fn known(&self) -> Option<Arc<Found>> {
        self.found.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Found {
    fn compute(game: &str, per: Per, archive: &dyn Archive) -> Result<Found, StoreError> {
        let begun = Instant::now();
        let (mut played, mut place) = (Vec::new(), 0);
        each_rated(archive, game, 0, |rated| {
            played.extend(placing(rated, per));
            place = rated.place;
        })?;
        let placings: Vec<Placing<'_>> = played
            .iter()
            .map(|game| game.iter().map(|(name, place)| (name.as_str(), *place)).collect())
            .collect();
        let strengths = strengths(&placings, &Question::default());
        let (games, took) = (played.len(), begun.elapsed());
        Ok(Found { games, strengths, place, at: Instant::now(), took })
    }

    fn will_do(&self, latest: u64) -> bool {
        self.place == latest || self.at.elapsed() < self.took * REST
    }
}
