//! Who a bot is, and what it tried beyond that: names of others, more than one connection, more of the
//! machine than it may take.

use std::collections::BTreeSet;
use std::sync::Mutex;

use wire::Signs;

use super::jail_socket::{JailSocket, Limit};
use crate::terminal::output;

/// This many names of others are listed.
const MOST_NAMES: usize = 10;
/// Longer ones would help no one.
const LONGEST_NAME: usize = 64;

#[derive(Debug)]
pub struct Conduct {
    said_name: fn(&str) -> Option<String>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// The one name that the bot may use.
    name: String,
    names_tried: BTreeSet<String>,
    connections_refused: u64,
    browsers_refused: u64,
    limits_reached: BTreeSet<Limit>,
    /// Where the bot's jail reports the limits it reaches.
    door: Option<JailSocket>,
}

impl Conduct {
    pub fn new(signs: &Signs, name: &str) -> Conduct {
        let known = Known {
            name: name.to_owned(),
            names_tried: BTreeSet::new(),
            connections_refused: 0,
            browsers_refused: 0,
            limits_reached: BTreeSet::new(),
            door: None,
        };
        Conduct { said_name: signs.said_name, known: Mutex::new(known) }
    }

    /// Gives the bot another name.
    pub fn rename(&self, name: &str) {
        self.known().name = name.to_owned();
    }

    /// Why a message may not pass: it asks to play under a name that is not the bot's. The attempt is
    /// kept.
    pub fn objection(&self, text: &str) -> Option<String> {
        let said = (self.said_name)(text)?;
        let mut known = self.known();
        if said.eq_ignore_ascii_case(&known.name) {
            return None;
        }
        let said: String = said.chars().take(LONGEST_NAME).collect();
        let why = format!("it tried to join as '{said}', but its name is '{}'", known.name);
        if known.names_tried.len() < MOST_NAMES {
            known.names_tried.insert(said);
        }
        Some(why)
    }

    /// A connection was closed unheard, because the bot had one already.
    pub fn one_too_many(&self) {
        self.known().connections_refused += 1;
    }

    /// A connection was closed because a browser had made it.
    pub fn browser(&self) {
        self.known().browsers_refused += 1;
    }

    /// From now on another jail of the bot reports here. Its listener must be taken in already.
    pub fn watch(&self, door: JailSocket) {
        let mut known = self.known();
        known.read_reports();
        known.door = Some(door);
    }

    /// What the bot tried, for people; nothing if it behaved.
    pub fn attempts(&self) -> Vec<String> {
        let mut known = self.known();
        known.read_reports();
        let mut attempts = Vec::new();
        if !known.names_tried.is_empty() {
            let names: Vec<&str> = known.names_tried.iter().map(String::as_str).collect();
            attempts.push(format!("tried to play as {}", names.join(", ")));
        }
        if known.connections_refused > 0 {
            let more = output::count(known.connections_refused, "connection");
            attempts.push(format!("opened {more} besides the one it is allowed"));
        }
        if known.browsers_refused > 0 {
            let times = output::count(known.browsers_refused, "time");
            attempts.push(format!("spoke HTTP like a browser, {times}"));
        }
        let words = |limit: &Limit| match limit {
            Limit::Memory => "used more memory than allowed".to_owned(),
            Limit::Processes => "reached its limit of processes".to_owned(),
            Limit::Files => "filled its /tmp or /dev/shm".to_owned(),
        };
        attempts.extend(known.limits_reached.iter().map(words));
        attempts
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().expect("no holder of this lock panics")
    }
}

impl Known {
    fn read_reports(&mut self) {
        self.limits_reached.extend(self.door.iter().flat_map(JailSocket::reports));
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::os::unix::net::UnixStream;

    #[cfg(target_os = "linux")]
    use super::super::jail_socket::report;
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_that_a_bot_reached_are_told_also_after_it_was_started_again() {
        let games = games::list();
        let wire = games.wire("gamba", None).expect("it is on the roster");
        let conduct = Conduct::new(&wire.signs, "bob");
        for limit in [Limit::Files, Limit::Memory] {
            let (ours, theirs) = UnixStream::pair().unwrap();
            report(&theirs, limit).unwrap();
            conduct.watch(ours.into());
        }
        let told = ["used more memory than allowed", "filled its /tmp or /dev/shm"];
        assert_eq!(conduct.attempts(), told);
        assert_eq!(conduct.attempts(), told, "and again");
    }

    /// What asks for a seat in each protocol, and what does not.
    #[test]
    fn every_protocol_shows_the_name_that_a_message_asks_to_play_under() {
        let games = games::list();
        for (game, wire, text) in [
            ("sushi-go", None, "JOIN table ann"),
            ("sushi-go", None, "TOURNEY cup ann"),
            ("subsim", None, "J|ann|1|2"),
            ("gamba", None, "0|||name=ann"),
            ("gamba", None, "6|||name=ann"),
            ("labyrinth", Some("labyrinth-course"), "\"ann\""),
            (
                "tiger-dragon",
                None,
                r#"{"type":"join","room_id":"r","player_id":"ann","role":"player"}"#,
            ),
            ("gamba", Some("house"), r#"{"do":"join","name":"ann"}"#),
        ] {
            let wire = games.wire(game, wire).expect("it is on the roster");
            let conduct = Conduct::new(&wire.signs, "bob");
            assert!(conduct.objection(text).is_some(), "{game}: {text}");
            conduct.rename("Ann");
            assert!(conduct.objection(text).is_none(), "{game}: {text}");
            assert_eq!(conduct.attempts(), ["tried to play as ann"]);
        }
        let memo = games.wire("labyrinth", None).expect("it is on the roster");
        let conduct = Conduct::new(&memo.signs, "red");
        assert!(conduct.objection(r#"{"color":"blue"}"#).is_some());
        assert!(conduct.objection(r#"{"color":"red"}"#).is_none());
        for (game, wire, text) in [
            ("sushi-go", None, "PLAY 3"),
            ("subsim", None, "M|1|1|N"),
            ("gamba", None, "7|||cards=3H"),
            ("labyrinth", Some("labyrinth-course"), "\"PASS\""),
            ("labyrinth", Some("labyrinth-course"), "\"void\""),
            (
                "tiger-dragon",
                None,
                r#"{"type":"join","room_id":"r","player_id":"ann","role":"spectator"}"#,
            ),
            ("gamba", Some("house"), r#"{"do":"act","name":"ann"}"#),
        ] {
            let wire = games.wire(game, wire).expect("it is on the roster");
            assert_eq!(Conduct::new(&wire.signs, "bob").objection(text), None, "{game}: {text}");
        }
    }
}
