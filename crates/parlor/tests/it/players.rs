//! Players who continue whatever happens, and keep a diary of all they did and saw.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::kit::{Chance, Heard, Line, PATIENCE};

/// Where the server is at the moment, and whether it is time to go home.
#[derive(Default)]
pub struct Signpost {
    address: Mutex<Option<SocketAddr>>,
    changed: Condvar,
    last_games: AtomicBool,
}

impl Signpost {
    pub fn point_to(&self, address: SocketAddr) {
        *self.address.lock().expect("no holder panics") = Some(address);
        self.changed.notify_all();
    }

    /// From now on no player begins another game.
    pub fn announce_last_games(&self) {
        self.last_games.store(true, Ordering::Release);
    }

    fn is_last(&self) -> bool {
        self.last_games.load(Ordering::Acquire)
    }

    /// A connection to wherever the server is by then.
    pub fn connect(&self) -> Line {
        let deadline = Instant::now() + PATIENCE;
        let mut address = self.address.lock().expect("no holder panics");
        loop {
            if let Some(line) = address.and_then(|address| Line::connect(address).ok()) {
                return line;
            }
            assert!(Instant::now() < deadline, "the server does not come back");
            let wait = self.changed.wait_timeout(address, Duration::from_millis(20));
            address = wait.expect("no holder panics").0;
        }
    }
}

/// One player's memory of a seat.
pub struct Diary {
    pub game: String,
    pub seat: usize,
    pub name: String,
    token: String,
    pub moves: Vec<Sent>,
    /// What GAME_END said: the scores and the winners.
    pub end: Option<(Value, Value)>,
    /// LEAVE was said; and was it acknowledged?
    pub left: Option<bool>,
    /// REJOIN was refused.
    pub refused: bool,
}

/// A move that was sent.
pub struct Sent {
    /// The number of the turn, from 0.
    pub turn: u64,
    pub hand: Vec<String>,
    pub index: usize,
    pub acknowledged: bool,
}

/// The connection is gone.
struct Lost;

pub struct Player {
    name: String,
    chance: Chance,
    signpost: Arc<Signpost>,
    diaries: Vec<Diary>,
    /// Whether the last diary's seat is still held.
    seated: bool,
    round: u64,
    /// The hand that asks for a move.
    hand: Option<Vec<String>>,
    last_word: Instant,
}

impl Player {
    pub fn new(number: usize, seed: u64, signpost: Arc<Signpost>) -> Player {
        let chance = Chance(seed ^ (number as u64) << 32);
        Player {
            name: format!("player-{number}"),
            chance,
            signpost,
            diaries: Vec::new(),
            seated: false,
            round: 0,
            hand: None,
            last_word: Instant::now(),
        }
    }

    /// Plays until the last games are over.
    pub fn play(mut self) -> Vec<Diary> {
        while self.seated || !self.signpost.is_last() {
            let mut line = self.signpost.connect();
            while (self.seated || !self.signpost.is_last()) && self.play_on(&mut line).is_ok() {}
        }
        self.diaries
    }

    /// One game, or what can be played of it on this connection.
    fn play_on(&mut self, line: &mut Line) -> Result<(), Lost> {
        self.hand = None;
        self.last_word = Instant::now();
        let seated = if self.seated { self.rejoin(line)? } else { self.join(line)? };
        if !seated {
            return Ok(());
        }
        // HAND does not name the round; STATUS, received after it, does.
        let status = self.ask(line, "STATUS", &["STATUS"])?;
        let status: Value = serde_json::from_str(&status["STATUS ".len()..]).expect("JSON");
        self.round = status["round"].as_u64().expect("a number");
        while self.seated {
            match self.hand.take() {
                Some(hand) => self.make_move(line, hand)?,
                None => self.wait(line)?,
            }
        }
        Ok(())
    }

    fn rejoin(&mut self, line: &mut Line) -> Result<bool, Lost> {
        let request = format!("REJOIN {}", self.diary().token);
        let reply = self.ask(line, &request, &["REJOINED", "ERROR"])?;
        if reply.starts_with("ERROR") {
            assert!(reply.starts_with("ERROR E004") || reply.starts_with("ERROR E005"), "{reply}");
            self.diary().refused = true;
            self.seated = false;
            return Ok(false);
        }
        let diary = self.diary();
        assert_eq!(reply, format!("REJOINED {} {}", diary.game, diary.seat));
        Ok(true)
    }

    fn join(&mut self, line: &mut Line) -> Result<bool, Lost> {
        let games = self.ask(line, "GAMES", &["GAMES"])?;
        let games: Value = serde_json::from_str(&games["GAMES ".len()..]).expect("JSON");
        let games = games.as_array().expect("a list");
        let game = games[self.chance.below(games.len() as u64) as usize]["id"].clone();
        let game = game.as_str().expect("an id");
        // A new name each time: the last may have been taken by a join whose reply was lost.
        let name = format!("{}-{}", self.name, self.chance.below(1 << 30));
        let reply = self.ask(line, &format!("JOIN {game} {name}"), &["WELCOME", "ERROR"])?;
        let words: Vec<&str> = reply.split(' ').collect();
        let ["WELCOME", game, seat, token] = words[..] else {
            // Another player was faster.
            assert!(reply.starts_with("ERROR E003") || reply.starts_with("ERROR E011"), "{reply}");
            return Ok(false);
        };
        self.diaries.push(Diary {
            game: game.to_owned(),
            seat: seat.parse().expect("a number"),
            name,
            token: token.to_owned(),
            moves: Vec::new(),
            end: None,
            left: None,
            refused: false,
        });
        self.seated = true;
        self.ask(line, "READY", &["OK"])?;
        Ok(true)
    }

    fn make_move(&mut self, line: &mut Line, hand: Vec<String>) -> Result<(), Lost> {
        let turn = (self.round - 1) * 10 + (10 - hand.len() as u64);
        let index = self.chance.below(hand.len() as u64) as usize;
        self.diary().moves.push(Sent { turn, hand, index, acknowledged: false });
        let reply = self.ask(line, &format!("PLAY {index}"), &["OK", "ERROR"])?;
        if reply == "OK" {
            self.diary().moves.last_mut().expect("just sent").acknowledged = true;
        } else {
            // The other has left, or the clock was faster.
            assert!(reply.starts_with("ERROR E004") || reply.starts_with("ERROR E008"), "{reply}");
        }
        Ok(())
    }

    /// Receives one line. At the last games players don't wait long for others.
    fn wait(&mut self, line: &mut Line) -> Result<(), Lost> {
        match line.hear() {
            Heard::Line(text) => self.note(&text),
            Heard::Gone => return Err(Lost),
            Heard::Silence => {
                let alone = self.last_word.elapsed() > Duration::from_secs(3);
                if alone && self.signpost.is_last() {
                    self.diary().left = Some(false);
                    let reply = self.ask(line, "LEAVE", &["OK", "ERROR"])?;
                    self.diary().left = Some(reply == "OK");
                    self.seated = false;
                }
            }
        }
        Ok(())
    }

    fn ask(&mut self, line: &mut Line, request: &str, replies: &[&str]) -> Result<String, Lost> {
        if !line.say(request) {
            return Err(Lost);
        }
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match line.hear() {
                Heard::Line(text) if replies.iter().any(|word| is_word(&text, word)) => {
                    return Ok(text);
                }
                Heard::Line(text) => self.note(&text),
                Heard::Silence => {}
                Heard::Gone => return Err(Lost),
            }
        }
        panic!("{}: no reply to {request}", self.name);
    }

    /// Takes note of what the server says by itself.
    fn note(&mut self, text: &str) {
        self.last_word = Instant::now();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "ROUND_START" => self.round = rest.parse().expect("a number"),
            "HAND" => self.hand = Some(cards(rest)),
            "GAME_END" => {
                let (scores, winners) = rest.rsplit_once(' ').expect("scores and winners");
                let json = |text| serde_json::from_str(text).expect("JSON");
                self.diary().end = Some((json(scores), json(winners)));
                self.seated = false;
                self.hand = None;
            }
            "JOINED" | "LEFT" | "GAME_START" | "WAITING" | "PLAYED" | "ROUND_END" => {}
            _ => panic!("{}: what is '{text}'?", self.name),
        }
    }

    fn diary(&mut self) -> &mut Diary {
        self.diaries.last_mut().expect("a seat was taken")
    }
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// `0:Tempura 1:Maki Roll (2) 2:Egg Nigiri`, taken apart.
fn cards(mut text: &str) -> Vec<String> {
    let mut cards = Vec::new();
    loop {
        text = text.strip_prefix(&format!("{}:", cards.len())).expect("cards are numbered");
        match text.split_once(&format!(" {}:", cards.len() + 1)) {
            Some((card, _)) => {
                cards.push(card.to_owned());
                text = &text[card.len() + 1..];
            }
            None => {
                cards.push(text.to_owned());
                return cards;
            }
        }
    }
}
