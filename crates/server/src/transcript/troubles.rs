//! The latest problem of each player of a game, for organisers: the last refusal, and why the last
//! connection ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use hall::{Time, hide_keys};
use serde::Serialize;
use utoipa::ToSchema;

use super::wires::shortened;
use crate::house::clock;

/// Maximum number of players to remember; then the one without trouble for longest is dropped.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub struct Troubles(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By names in small letters, each with its turn.
    by_name: BTreeMap<String, (u64, Trouble)>,
    /// The same names, the one that had no trouble for longest first.
    by_turn: BTreeMap<u64, String>,
    turns: u64,
    /// How many connections play, or may play, under a name.
    connected: BTreeMap<String, usize>,
}

/// What went wrong last for a player.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Trouble {
    /// Whether a connection goes by this name. If the tournament does not count the player as present,
    /// it is connected and has not joined its game.
    pub connected: bool,
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
        self.note(name, |trouble| trouble.closed = Some(Mishap::now(plainly(why))));
    }

    /// None: nothing went wrong for this player, and it is not connected.
    pub fn of(&self, name: &str) -> Option<Trouble> {
        let (known, name) = (self.lock(), name.to_lowercase());
        let connected = known.connected.contains_key(&name);
        let trouble = known.by_name.get(&name).map(|(_, trouble)| trouble.clone());
        let trouble = trouble.or_else(|| connected.then(Trouble::default))?;
        Some(Trouble { connected, ..trouble })
    }

    /// A connection goes by this name as long as the value lasts.
    pub fn connect(self: &Arc<Self>, name: &str) -> Connected {
        let name = name.to_lowercase();
        *self.lock().connected.entry(name.clone()).or_default() += 1;
        Connected { troubles: self.clone(), name }
    }

    fn note(&self, name: &str, change: impl FnOnce(&mut Trouble)) {
        let (mut known, name) = (self.lock(), name.to_lowercase());
        let Known { by_name, by_turn, turns, .. } = &mut *known;
        *turns += 1;
        let (turn, trouble) = by_name.entry(name.clone()).or_default();
        change(trouble);
        by_turn.remove(turn);
        *turn = *turns;
        by_turn.insert(*turns, name);
        if by_name.len() > MOST
            && let Some((_, oldest)) = by_turn.pop_first()
        {
            by_name.remove(&oldest);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

/// A connection that goes by a name.
#[derive(Debug)]
pub struct Connected {
    troubles: Arc<Troubles>,
    name: String,
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut known = self.troubles.lock();
        if let Some(count) = known.connected.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                known.connected.remove(&self.name);
            }
        }
    }
}

/// Why a connection ended, for people who run an event. The texts of systems and libraries about a
/// broken line don't help there; the trace has them.
fn plainly(why: &str) -> &str {
    let is_raw = why.contains("os error") || why.starts_with("WebSocket protocol error");
    if is_raw { "the connection broke off" } else { why }
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
        for raw in [
            "Connection reset by peer (os error 104)",
            "WebSocket protocol error: Connection reset without closing handshake",
        ] {
            troubles.closed("ann", raw);
            assert_eq!(
                troubles.of("ann").unwrap().closed.unwrap().text,
                "the connection broke off"
            );
        }
        (0..MOST).for_each(|n| troubles.closed(&n.to_string(), "x"));
        assert_eq!(troubles.lock().by_name.len(), MOST);
    }

    #[test]
    fn a_name_is_connected_until_its_last_connection_ends() {
        let troubles = Arc::new(Troubles::default());
        let (one, two) = (troubles.connect("Ann"), troubles.connect("ann"));
        drop(one);
        assert!(troubles.of("ANN").is_some_and(|ann| ann.connected && ann.closed.is_none()));
        drop(two);
        assert!(troubles.of("ann").is_none());
        troubles.closed("ann", "x");
        assert!(!troubles.of("ann").unwrap().connected);
    }

    #[test]
    fn the_one_without_trouble_for_longest_is_forgotten_and_found_without_a_search() {
        let troubles = Troubles::default();
        (0..MOST).for_each(|n| troubles.closed(&n.to_string(), "x"));
        troubles.refused("0", "x");
        troubles.closed("new", "x");
        assert!(troubles.of("0").is_some() && troubles.of("new").is_some());
        assert!(troubles.of("1").is_none(), "in one millisecond the order is that of the calls");
        let known = troubles.lock();
        assert_eq!(known.by_turn.len(), known.by_name.len());
    }
}
