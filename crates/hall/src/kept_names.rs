//! Names at the tables that tournaments keep for entrants without a token.

use std::collections::BTreeMap;

use table::{Name, TournamentNo};

/// The owner of a name that a tournament reserves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptName {
    pub tournament: TournamentNo,
    /// A house bot plays under it.
    pub bot: bool,
}

/// Each name is kept by one tournament at most: the first that asked for it.
#[derive(Debug, Default)]
pub(crate) struct KeptNames(BTreeMap<Name, KeptName>);

impl KeptNames {
    pub fn get(&self, name: &str) -> Option<KeptName> {
        self.0.get(name).copied()
    }

    /// Keeps a name, unless another tournament does.
    pub fn keep(&mut self, name: Name, kept: KeptName) {
        self.0.entry(name).or_insert(kept);
    }

    pub fn release(&mut self, name: &str, no: TournamentNo) {
        if self.0.get(name).is_some_and(|kept| kept.tournament == no) {
            self.0.remove(name);
        }
    }

    pub fn release_all(&mut self, no: TournamentNo) {
        self.0.retain(|_, kept| kept.tournament != no);
    }

    /// All reserved names with their owners.
    #[cfg(test)]
    pub fn all(&self) -> Vec<(Name, TournamentNo)> {
        self.0.iter().map(|(name, kept)| (name.clone(), kept.tournament)).collect()
    }
}
