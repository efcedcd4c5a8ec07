//! A tournament that a running server holds: found there, looked at, entered, and told what its
//! organiser wants.

mod entering;
mod keys;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use wire::Games;

use crate::cli::{KeyArgs, RemoteArgs, TournamentName, read_key};
use crate::servers::{Refused, Remote, escaped};
use crate::terminal::Unreadable;

pub use entering::{create, create_ladder};

pub struct Held<'a> {
    games: &'a Games,
    which: &'a TournamentName,
    remote: Remote,
}

impl<'a> Held<'a> {
    pub fn find(games: &'a Games, which: &'a TournamentName) -> Result<Held<'a>> {
        Ok(Held { games, which, remote: Remote::find(&which.remote)? })
    }

    pub fn get(&self) -> Result<Value> {
        self.found(self.remote.get(&self.place()))
    }

    /// A part of it that is text.
    pub fn get_text(&self, part: &str) -> Result<String> {
        self.found(self.remote.get_text(&format!("{}/{part}", self.place())))
    }

    /// Every player's strength, as the server knows it.
    pub fn ratings(&self) -> Result<Vec<Value>> {
        self.remote.ratings(&self.which.game)
    }

    pub fn post(&self, what: &str, body: Option<&Value>) -> Result<Value> {
        let path = format!("{}/{what}", self.place());
        self.found(match body {
            Some(body) => self.remote.post_json(&path, body),
            None => self.remote.post(&path),
        })
    }

    /// What is asked of one entrant: a new key, or to be let in again.
    pub fn post_of(&self, name: &str, what: &str) -> Result<Value> {
        self.post(&format!("entrants/{}/{what}", escaped(name)), None)
    }

    pub fn withdraw(&self, name: &str) -> Result<Value> {
        let path = format!("{}/entrants/{}", self.place(), escaped(name));
        self.found(self.remote.delete(&path))
    }

    /// Enters an open tournament under a name of one's own.
    pub fn enter_own(
        mut self,
        entrant: &str,
        more: [(&str, &Option<String>); 2],
        key: String,
    ) -> Result<Value> {
        self.remote.token = Some(key);
        let (name, plays_as) = match entrant.split_once('=') {
            Some((name, plays_as)) => (name, Some(plays_as)),
            None => (entrant, None),
        };
        let mut body = json!({ "name": name, "plays_as": plays_as });
        for (key, text) in more {
            body[key] = json!(text);
        }
        self.post("entry", Some(&body))
    }

    pub fn leave(mut self, name: &str, key: String) -> Result<Value> {
        self.remote.token = Some(key);
        let path = format!("{}/entry/{}", self.place(), escaped(name));
        self.found(self.remote.delete(&path))
    }

    fn place(&self) -> String {
        format!("/api/v1/tournaments/{}/{}", escaped(&self.which.game), escaped(&self.which.id))
    }

    /// An answer about it. If there is none of that name, it says where the names are.
    fn found<T>(&self, answer: Result<T>) -> Result<T> {
        match answer {
            // A game that does not exist has no list either, and the server names those that do.
            Err(error)
                if Refused::is_missing(&error) && self.games.find(&self.which.game).is_ok() =>
            {
                bail!("{error}; 'parlor tournament list' lists them")
            }
            answer => answer,
        }
    }
}

/// All that a server has, of one game or of all.
pub fn all(game: Option<&str>, remote: &RemoteArgs) -> Result<Vec<Value>> {
    let query = game.map(|game| format!("?game={}", escaped(game))).unwrap_or_default();
    Remote::find(remote)?.get_all(&format!("/api/v1/tournaments{query}"), "tournaments")
}

/// The key of one's own name, which is required here.
pub fn own_key(KeyArgs { key, key_file }: &KeyArgs) -> Result<String> {
    let missing = "--key-file is needed: the key of your claimed name";
    let key = read_key(key.as_deref(), key_file.as_deref())?;
    key.ok_or_else(|| Unreadable(missing.to_owned()).into())
}
