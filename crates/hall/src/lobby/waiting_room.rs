//! Entrants of tournaments who arrived before their table, by the names they play under. No one
//! waits under two names, and no two under one.

use std::collections::BTreeMap;

use table::{ConnId, Name};

use crate::Listing;
use crate::desk::Desk;

#[derive(Debug, Default)]
pub(crate) struct WaitingRoom {
    waiting: BTreeMap<Name, Waiting>,
    names: BTreeMap<ConnId, Name>,
}

/// An entrant who has come before its table.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub conn: ConnId,
    pub joined_via: Option<Name>,
}

impl WaitingRoom {
    pub fn admit(&mut self, name: Name, waiting: Waiting) {
        self.names.insert(waiting.conn, name.clone());
        self.waiting.insert(name, waiting);
    }

    /// The player waiting under this name no longer waits.
    pub fn call(&mut self, desk: &mut Desk, name: &Name) -> Option<Waiting> {
        let waiting = self.waiting.remove(name)?;
        self.names.remove(&waiting.conn);
        desk.listed.push(Listing::Waits(name.clone(), false));
        Some(waiting)
    }

    /// A conn waits no more. Whether it did.
    pub fn leave(&mut self, desk: &mut Desk, conn: ConnId) -> bool {
        let name = self.names.get(&conn).cloned();
        name.is_some_and(|name| self.call(desk, &name).is_some())
    }
}

// Queries.
impl WaitingRoom {
    /// Whether a player waits under this name.
    pub fn is_awaited(&self, name: &str) -> bool {
        self.waiting.contains_key(name)
    }

    pub fn has(&self, conn: ConnId) -> bool {
        self.names.contains_key(&conn)
    }

    /// The name under which a conn waits, and how it will have joined.
    pub fn awaits(&self, conn: ConnId) -> Option<(Name, Option<Name>)> {
        let name = self.names.get(&conn)?;
        Some((name.clone(), self.waiting.get(name)?.joined_via.clone()))
    }

    /// All waiting players, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, ConnId)> {
        self.waiting.iter().map(|(name, waiting)| (name, waiting.conn))
    }
}
