//! A hall's settings: the terms for its tables and their maximum number, who owns which name, and
//! whether anything new may begin.

use std::sync::Arc;

use table::{Names, Policy, Refusal, Terms};

use crate::kept_names::{KeptName, KeptNames};
use crate::pace::Pace;
use crate::{ClaimedName, Register};

#[derive(Debug)]
pub(crate) struct Premises {
    terms: Terms,
    max_tables: usize,
    register: Arc<Register>,
    /// Whether playing requires a key.
    requires_key: bool,
    kept: KeptNames,
    /// How often programs play in open play.
    pub pace: Pace,
    /// Why nothing new begins.
    barred: Option<Refusal>,
    shutting_down: bool,
}

impl Premises {
    pub fn new(terms: Terms, max_tables: usize) -> Premises {
        let (register, kept) = (Arc::default(), KeptNames::default());
        Premises {
            terms,
            max_tables,
            register,
            requires_key: false,
            kept,
            pace: Pace::default(),
            barred: None,
            shutting_down: false,
        }
    }

    /// From now on playing requires a key.
    pub fn require_key(&mut self) {
        self.requires_key = true;
    }

    /// This is what the house knows from now on.
    pub fn learn(&mut self, register: Arc<Register>) {
        self.register = register;
    }

    /// Limits the games a minute that a program plays in open play; 0 means no limit.
    pub fn pace_open_play(&mut self, games_per_min: u32) {
        self.pace = Pace::of(games_per_min);
    }

    /// Nothing new begins, for this reason; or it may again.
    pub fn bar(&mut self, why: Option<Refusal>) {
        self.barred = why;
    }

    /// The server is going down.
    pub fn shut_down(&mut self) {
        self.shutting_down = true;
    }

    /// The names that tournaments reserve.
    pub fn kept_names(&mut self) -> &mut KeptNames {
        &mut self.kept
    }
}

// Queries.
impl Premises {
    /// By which the house opens tables.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    pub fn policy(&self) -> &Policy {
        &self.terms.policy
    }

    /// Whether names are unique in the hall, and players known by them.
    pub fn are_names_unique(&self) -> bool {
        self.terms.policy.names == Names::UniqueInHall
    }

    pub fn register(&self) -> &Register {
        &self.register
    }

    /// The owner of a claimed name.
    pub fn claimed(&self, name: &str) -> Option<&ClaimedName> {
        self.register.claimed(name)
    }

    /// The claimed name that people would take this one for.
    pub fn taken_for(&self, name: &str) -> Option<&ClaimedName> {
        self.register.taken_for(name)
    }

    pub fn requires_key(&self) -> bool {
        self.requires_key
    }

    /// The owner of a name that a tournament reserves.
    pub fn kept(&self, name: &str) -> Option<KeptName> {
        self.kept.get(name)
    }

    pub fn barred(&self) -> Option<&Refusal> {
        self.barred.as_ref()
    }

    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// Whether one more table may be opened in addition to `open`. The last tenth isn't for
    /// strangers, so that they can't keep an organiser from opening one.
    pub fn check_room(&self, open: usize, for_strangers: bool) -> Result<(), Refusal> {
        let kept_free = if for_strangers { self.max_tables / 10 } else { 0 };
        match &self.barred {
            Some(why) => Err(why.clone()),
            None if open >= self.max_tables - kept_free => Err(Refusal::HallFull),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
impl Premises {
    /// All names reserved by tournaments, with their owners.
    pub fn all_kept(&self) -> Vec<(table::Name, table::TournamentNo)> {
        self.kept.all()
    }
}
