//! What a hall knows of its house: by which terms it opens tables and how many there may be, whose
//! names are whose, and whether anything new may begin.

use std::sync::Arc;

use rules::Game;
use table::{Names, Policy, Refusal, Terms};

use crate::kept_names::{KeptName, KeptNames};
use crate::{ClaimedName, Register};

#[derive(Debug)]
pub(crate) struct Premises<G: Game> {
    terms: Terms<G>,
    max_tables: usize,
    register: Arc<Register>,
    kept: KeptNames,
    /// Why nothing new begins.
    barred: Option<Refusal>,
    shutting_down: bool,
}

impl<G: Game> Premises<G> {
    pub fn new(terms: Terms<G>, max_tables: usize) -> Premises<G> {
        let (register, kept) = (Arc::default(), KeptNames::default());
        Premises { terms, max_tables, register, kept, barred: None, shutting_down: false }
    }

    /// This is what the house knows from now on.
    pub fn learn(&mut self, register: Arc<Register>) {
        self.register = register;
    }

    /// Nothing new begins, for this reason; or it may again.
    pub fn bar(&mut self, why: Option<Refusal>) {
        self.barred = why;
    }

    /// The server is going down.
    pub fn shut_down(&mut self) {
        self.shutting_down = true;
    }

    /// Where tournaments keep names.
    pub fn kept_names(&mut self) -> &mut KeptNames {
        &mut self.kept
    }
}

// What merely tells.
impl<G: Game> Premises<G> {
    /// By which the house opens tables.
    pub fn terms(&self) -> &Terms<G> {
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

    /// Whose a name is that somebody has claimed.
    pub fn claimed(&self, name: &str) -> Option<&ClaimedName> {
        self.register.claimed(name)
    }

    /// Whose a name is that a tournament keeps.
    pub fn kept(&self, name: &str) -> Option<KeptName> {
        self.kept.get(name)
    }

    pub fn barred(&self) -> Option<&Refusal> {
        self.barred.as_ref()
    }

    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// Whether one more table may be opened beside so many. The last tenth is not for strangers, so
    /// that they cannot keep an organiser from opening one.
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
impl<G: Game> Premises<G> {
    /// Every name that tournaments keep, and for whom.
    pub fn all_kept(&self) -> Vec<(table::Name, table::TournamentNo)> {
        self.kept.all()
    }
}
