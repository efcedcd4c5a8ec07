//! Organisers' tokens, as the house keeps them: a name, what it may do, and a hash.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use table::Time;

use crate::key::KeyHash;

/// What a token may do. Each scope includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Sees everything of what it watches.
    Read,
    /// Opens and closes tables, and runs tournaments.
    Organise,
    /// Runs the server: tokens, names, bans, the audit log, data.
    Operate,
}

impl Scope {
    pub const ALL: [Scope; 3] = [Scope::Read, Scope::Organise, Scope::Operate];

    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Organise => "organise",
            Scope::Operate => "operate",
        }
    }
}

/// A token that an organiser or operator holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminGrant {
    pub scope: Scope,
    pub token: KeyHash,
    pub since: Time,
}

/// All of them, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdminGrants(BTreeMap<String, AdminGrant>);

impl AdminGrants {
    pub fn add(&mut self, name: &str, grant: AdminGrant) {
        self.0.insert(name.to_owned(), grant);
    }

    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub fn get(&self, name: &str) -> Option<&AdminGrant> {
        self.0.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &AdminGrant)> {
        self.0.iter().map(|(name, grant)| (name.as_str(), grant))
    }

    /// The holder of this token. Always compares all of them.
    pub fn holder(&self, shown: &KeyHash) -> Option<(&str, Scope)> {
        self.iter().fold(None, |found, (name, grant)| {
            if grant.token == *shown { Some((name, grant.scope)) } else { found }
        })
    }
}
