//! What went wrong last for each player of a game, for whoever organises: what was refused, and why its
//! last connection ended.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use hall::{Time, hide_keys};
use serde::Serialize;
use utoipa::ToSchema;

use super::wires::shortened;
use crate::house::clock;

/// So many players are remembered; then whoever had no trouble for longest is forgotten.
const MOST: usize = 10_000;

/// By names in small letters.
#[derive(Debug, Default)]
pub struct Troubles(Mutex<BTreeMap<String, Trouble>>);

/// What went wrong last for a player.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Trouble {
    /// What was refused last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Mishap>,
    /// Why its last connection ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<Mishap>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Mishap {
    /// In milliseconds since 1970.
    #[schema(value_type = u64)]
    pub at: Time,
    /// The cause.
    pub text: String,
}

impl Mishap {
    fn now(text: &str) -> Mishap {
        Mishap { at: clock::now(), text: shortened(hide_keys(text).into_owned()) }
    }
}

impl Troubles {
    /// Something that this player said was refused.
    pub fn refused(&self, name: &str, why: &str) {
        self.note(name, |trouble| trouble.refused = Some(Mishap::now(why)));
    }

    /// A connection of this player has ended.
    pub fn closed(&self, name: &str, why: &str) {
        self.note(name, |trouble| trouble.closed = Some(Mishap::now(why)));
    }

    pub fn of(&self, name: &str) -> Option<Trouble> {
        self.lock().get(&name.to_lowercase()).cloned()
    }

    fn note(&self, name: &str, change: impl FnOnce(&mut Trouble)) {
        let (mut troubles, name) = (self.lock(), name.to_lowercase());
        if troubles.len() >= MOST && !troubles.contains_key(&name) {
            let oldest = troubles.iter().min_by_key(|(_, trouble)| trouble.last());
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                troubles.remove(&oldest);
            }
        }
        change(troubles.entry(name).or_default());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Trouble>> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl Trouble {
    fn last(&self) -> Option<Time> {
        [&self.refused, &self.closed].into_iter().flatten().map(|mishap| mishap.at).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_are_remembered_and_keys_are_not() {
        let troubles = Troubles::default();
        troubles.refused("Ann", "ann:pk_abcdefghijklmnopqrstuvwx01 is not a move");
        troubles.closed("ann", "the client closed the connection");
        let known = troubles.of("ANN").unwrap();
        assert_eq!(known.refused.unwrap().text, "ann:pk_… is not a move");
        assert!(known.closed.is_some() && troubles.of("bob").is_none());
        (0..MOST).for_each(|n| troubles.closed(&n.to_string(), "x"));
        assert_eq!(troubles.lock().len(), MOST);
    }
}
