//! Guests: entrants who came by themselves and without a key. Before the start their places are free
//! again a few seconds after their connections are lost, because a bot that was started again has lost
//! its token, and its name alone must not open a place to others at once.

use std::collections::BTreeMap;

use table::{Name, Time, TournamentNo};
use tournament::{Fact, TournamentPhase};

use super::{Steward, TournamentState, Tournaments};

/// How long the place of a guest who is away is kept before the start.
pub(super) const KEPT_MS: u64 = 5000;

/// The places whose guests are away, and until when they are reserved.
#[derive(Debug, Default)]
pub(super) struct Guests(BTreeMap<(TournamentNo, Name), Time>);

impl Guests {
    pub fn left(&mut self, no: TournamentNo, entrant: Name, kept_until: Time) {
        self.0.insert((no, entrant), kept_until);
    }

    /// Takes out the places that are kept no longer.
    fn take_due(&mut self, now: Time) -> Vec<(TournamentNo, Name)> {
        self.0.extract_if(.., |_, until| *until <= now).map(|(place, _)| place).collect()
    }

    pub fn forget(&mut self, no: TournamentNo) {
        self.0.retain(|(of, _), _| *of != no);
    }

    pub fn deadline(&self) -> Option<Time> {
        self.0.values().min().copied()
    }

    fn give_back(&mut self, ms: u64) {
        self.0.values_mut().for_each(|until| *until = *until + ms);
    }
}

impl TournamentState {
    /// Whether an entrant has nothing but the token that it got when it entered, and the tournament
    /// has not started.
    pub(super) fn is_guest(&self, entrant: &Name) -> bool {
        self.tournament.phase() == TournamentPhase::Entering
            && !self.convened.open_names
            && self.claims.contains_key(entrant)
            && !self.keys.contains_key(entrant)
    }
}

impl Tournaments {
    /// After a restart all guests are away and have this long to reconnect.
    pub fn await_guests(&mut self, now: Time, grace_ms: u64) {
        for (no, live) in &self.live {
            let guests = live.state.claims.keys().filter(|entrant| live.state.is_guest(entrant));
            let away = guests.filter(|entrant| self.places.conn_of(*no, entrant).is_none());
            for entrant in away {
                self.guests.left(*no, entrant.clone(), now + grace_ms.max(KEPT_MS));
            }
        }
    }

    /// The server was late by this much, and no guest loses its place for that.
    pub fn give_back(&mut self, ms: u64) {
        self.guests.give_back(ms);
    }
}

impl Steward<'_> {
    /// Frees the places of guests who were away for too long.
    pub fn let_go_of_guests(&mut self) {
        // They have time to reconnect after the next start.
        if self.desk.premises.is_shutting_down() {
            return;
        }
        for (no, entrant) in self.tournaments.guests.take_due(self.desk.now) {
            let is_guest =
                self.tournaments.get(no).is_some_and(|live| live.state.is_guest(&entrant));
            if is_guest && !self.tournaments.attends(no, &entrant) {
                let left = Fact::Withdrawn { name: entrant.to_string(), why: None };
                let told = self.fact(no, left);
                debug_assert_eq!(told, Ok(()));
            }
        }
    }
}
