//! The seats that agents play from. A seat is identified by its handle, the game and the seat's
//! token: a caller that shows one gets its seat back, also after a restart and in another process.
//! The state kept here is only a cache.

mod seat;
mod situation;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use http::request::Parts;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::{Guide, House, Refused};
pub use seat::Seat;
pub use situation::{Situation, Status};

/// The seats of one server.
#[derive(Debug)]
pub struct Seats<H> {
    pub house: Arc<H>,
    known: Mutex<HashMap<String, Known>>,
    /// Agents that wait for a game of a tournament, or play it.
    entries: Mutex<HashMap<Entry, (Arc<Seat>, Instant)>>,
}

/// An entrant of a tournament with its credentials: the same credentials give the same seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub game: String,
    pub tournament: String,
    pub name: String,
    pub shown: [Option<String>; 2],
}

#[derive(Debug)]
struct Known {
    /// Two concurrent calls restore a seat only once.
    seat: Arc<OnceCell<Arc<Seat>>>,
    used: Instant,
}

/// The longest handle of a seat.
const HANDLE: usize = 64;

/// How long an unused seat is kept; longer than any clock. The hall's end of the line waits as
/// long.
pub const PATIENCE: Duration = Duration::from_secs(15 * 60);

impl<H: House> Seats<H> {
    pub fn new(house: Arc<H>) -> Seats<H> {
        Seats { house, known: Mutex::default(), entries: Mutex::default() }
    }

    /// The seat of an entrant that waits for its game or plays it; none once that is over.
    pub fn entered(&self, entry: &Entry) -> Option<Arc<Seat>> {
        let (now, mut entries) = (Instant::now(), self.entries());
        entries.retain(|_, (_, used)| now.duration_since(*used) < PATIENCE);
        let (seat, used) = entries.get_mut(entry)?;
        *used = now;
        let waits_or_plays = seat
            .look(|situation| matches!(situation.status(None), Status::YourTurn | Status::Waiting));
        Some(seat.clone()).filter(|_| waits_or_plays)
    }

    pub fn enter(&self, entry: Entry, seat: Arc<Seat>) {
        self.entries().insert(entry, (seat, Instant::now()));
    }

    /// A new line to a game.
    pub async fn connect(&self, game: &str, caller: &Parts) -> Result<Arc<Seat>, Refused> {
        self.guide(game)?;
        let line = self.house.connect(game, caller).await.map_err(|why| {
            Refused::new("unavailable", why, "Wait a few seconds, then call again.")
        })?;
        Ok(Arc::new(Seat::new(game, line)))
    }

    /// Keeps a seat that has just been taken; its handle.
    pub fn keep(&self, seat: Arc<Seat>, token: &str) -> String {
        let handle = format!("{}:{token}", seat.game);
        let seat = Arc::new(OnceCell::new_with(Some(seat)));
        self.known().insert(handle.clone(), Known { seat, used: Instant::now() });
        handle
    }

    /// The seat of a handle.
    pub async fn find(&self, handle: &str, caller: &Parts) -> Result<Arc<Seat>, Refused> {
        let Some((game, token)) = handle.split_once(':') else {
            let why = "this is not a seat: it has the form GAME:TOKEN, as join gave it";
            return Err(Refused::new("unknown-seat", why, "Call join for a seat."));
        };
        self.guide(game)?;
        if handle.len() > HANDLE {
            let why = format!("no seat has a handle of more than {HANDLE} characters");
            return Err(Refused::new("unknown-seat", why, "Use the handle that join gave you."));
        }
        let unfilled = Unfilled { seats: self, handle, cell: self.cell(handle) };
        let back = unfilled.cell.get_or_try_init(|| self.come_back(game, token, caller)).await;
        back.cloned()
    }

    pub fn forget(&self, handle: &str) {
        self.known().remove(handle);
    }

    fn cell(&self, handle: &str) -> Arc<OnceCell<Arc<Seat>>> {
        let (now, mut known) = (Instant::now(), self.known());
        known.retain(|_, known| now.duration_since(known.used) < PATIENCE);
        let fresh = || Known { seat: Arc::default(), used: now };
        let found = known.entry(handle.to_owned()).or_insert_with(fresh);
        if found.seat.get().is_some_and(|seat| !seat.is_good()) {
            *found = fresh();
        }
        found.used = now;
        found.seat.clone()
    }

    async fn come_back(
        &self,
        game: &str,
        token: &str,
        caller: &Parts,
    ) -> Result<Arc<Seat>, Refused> {
        let seat = self.connect(game, caller).await?;
        let resume = json!({"do": "resume", "token": token, "words": true});
        let answer = seat.ask(resume).await.map_err(Refused::line)?;
        Refused::check(answer).map(|_: Value| seat)
    }

    /// What to know about a game. If the name is unknown, the refusal lists the games.
    pub fn guide(&self, game: &str) -> Result<Guide, Refused> {
        self.house.guide(game).ok_or_else(|| {
            let known = self.house.games().join(", ");
            let why = format!("there is no game '{game}'");
            Refused::new("unknown-game", why, format!("Choose one of {known}."))
        })
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Entry, (Arc<Seat>, Instant)>> {
        self.entries.lock().expect("no holder of this lock panics")
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().expect("no holder of this lock panics")
    }
}

/// Forgets a seat that couldn't be restored: it doesn't exist, or the caller hung up.
struct Unfilled<'a, H: House> {
    seats: &'a Seats<H>,
    handle: &'a str,
    cell: Arc<OnceCell<Arc<Seat>>>,
}

impl<H: House> Drop for Unfilled<'_, H> {
    fn drop(&mut self) {
        if self.cell.get().is_none() {
            let mut known = self.seats.known();
            // Another call may be restoring it, or may have done so by now.
            let is_alone = |known: &Known| {
                Arc::ptr_eq(&known.seat, &self.cell) && Arc::strong_count(&self.cell) == 2
            };
            if known.get(self.handle).is_some_and(is_alone) {
                known.remove(self.handle);
            }
        }
    }
}

#[cfg(test)]
#[path = "handles_tests.rs"]
mod tests;
