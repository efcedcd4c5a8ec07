//! A referee checks everything each client receives, while messages are delayed at random, as
//! between real sockets.

use std::collections::BTreeMap;

use hall::ConnId;
use rules::Dice;
use trials::stage::{Heard, Stage};

use crate::gamba::{Gamba, Options};

/// A stage where every client has a referee.
pub struct Court {
    pub stage: Stage,
    referees: BTreeMap<ConnId, Referee>,
}

impl Court {
    pub fn new(options: &Options, seed: u64) -> Court {
        Court { stage: Stage::of::<Gamba>(options, 1000, seed), referees: BTreeMap::new() }
    }

    /// A line is on its way.
    pub fn send(&mut self, client: ConnId, line: &str) {
        self.stage.send(client, format!("{line}\n").as_bytes());
    }

    /// Everything that is under way arrives, in any order.
    pub fn settle(&mut self, dice: &mut Dice) {
        while self.stage.step(dice) {}
    }

    pub fn wait(&mut self, ms: u64, dice: &mut Dice) {
        self.stage.wait_by(ms, |stage| while stage.step(dice) {});
    }

    /// The referees have read everything that was sent so far.
    pub fn referees(&mut self) -> &mut BTreeMap<ConnId, Referee> {
        for (client, heard) in self.stage.take_heard() {
            if let Heard::Text(line) = heard {
                self.referees.entry(client).or_default().read(line.as_str());
            }
        }
        &mut self.referees
    }

    pub fn referee(&mut self, client: ConnId) -> &Referee {
        self.referees().entry(client).or_default()
    }

    pub fn lines(&mut self, client: ConnId) -> Vec<String> {
        self.referee(client).lines.clone()
    }
}

/// What one client has received, and where that leaves it.
#[derive(Default)]
pub struct Referee {
    pub lines: Vec<String>,
    pub name: String,
    playing: bool,
    /// Between 112 and 102.
    ending: bool,
    /// The last state of a running game.
    pub state: Option<String>,
    pub games: usize,
}

impl Referee {
    fn read(&mut self, line: &str) {
        check_form(line);
        let number: u32 = line.split('|').next().unwrap().parse().unwrap();
        assert!(!self.ending || number == 102, "112 is followed by {line}");
        match number {
            100 => {
                self.name = value(line, "name").to_owned();
                (self.playing, self.state) = (false, None);
            }
            101 => {
                assert!(!self.playing, "a running game, and {line}");
                let players: Vec<&str> = value(line, "players").split(',').collect();
                assert!(players.contains(&self.name.as_str()), "{line}");
                assert_eq!(value(line, "player_count"), players.len().to_string(), "{line}");
                assert_eq!(value(line, "room_full"), (players.len() == 2).to_string(), "{line}");
            }
            102 => (self.playing, self.ending, self.state) = (false, false, None),
            105 => {
                assert!(!self.playing, "a running game, and {line}");
                self.playing = true;
            }
            106 => {
                self.playing = true;
                assert_eq!(line.split('|').nth(1), Some(self.name.as_str()), "{line}");
                let own_turn = value(line, "current_player") == self.name;
                assert_eq!(value(line, "your_turn"), own_turn.to_string(), "{line}");
                self.state = Some(line.to_owned());
            }
            107 | 109 | 111 => {
                assert_eq!(line.split('|').nth(1), Some(self.name.as_str()), "{line}");
            }
            112 => {
                assert!(self.playing, "no game, and {line}");
                self.ending = true;
                self.games += 1;
            }
            103 | 104 => {}
            _ => panic!("what is {line}?"),
        }
        self.lines.push(line.to_owned());
    }
}

pub fn value<'a>(line: &'a str, key: &str) -> &'a str {
    let pairs = line.split('|').skip(3).filter_map(|pair| pair.split_once('='));
    pairs.filter(|(name, _)| *name == key).map(|(_, value)| value).next().unwrap_or("")
}

/// Three fields and pairs in bytewise order of their keys; no bar at the end but a PONG's.
pub fn check_form(line: &str) {
    if line == "104||" {
        return;
    }
    let fields: Vec<&str> = line.split('|').collect();
    assert!(fields.len() > 3 && !line.ends_with('|'), "{line}");
    let key = |pair: &&str| pair.split_once('=').unwrap_or_else(|| panic!("{line}")).0.to_owned();
    let keys: Vec<String> = fields[3..].iter().map(key).collect();
    match (fields[0], keys.len()) {
        ("112", _) => assert_eq!(keys, ["winner", "reason", "status"], "{line}"),
        ("103", 2) => assert_eq!(keys, ["error", "disconnect"], "{line}"),
        _ => assert!(keys.is_sorted(), "{line}"),
    }
}
