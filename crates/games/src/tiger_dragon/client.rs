//! A player of the WebSocket protocol.
//!
//! ```text
//! idle ──join──▶ joining ──join_ack──▶ seated ──game_over──▶ idle
//!                   │ room full           │
//!                   └──a while, join      └── the connection is gone: the same join brings back
//! ```
//!
//! A state shows the hands' sizes and the attack; what lies on the table is asked for by
//! `discards_request` on the own turn. Ruleset, target and battlefield are on no wire: the usual
//! ones are assumed, and what is legal is taken from the server.

use std::sync::Arc;

use hall::{Time, split_key};
use rules::{Seat, Viewer};
use serde_json::{Value, json};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::rules::{
    Act, Action, Attack, Battlefield, Choices, Config, Discard, Discards, LARGEST_HAND, PerSeat,
    Phase, Row, TigerDragon, Tile, View,
};
use super::verb::{self, Verb};
use super::{FIRST_ROOM, SEATS};

pub fn client(player: Player<TigerDragon>) -> Box<dyn Client> {
    Box::new(TableClient {
        player,
        connected: false,
        room: FIRST_ROOM.to_owned(),
        stage: Progress::Idle,
        again: None,
    })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| text_field(text, "type") == "action",
    is_refusal: |text| text_field(text, "type") == "error",
    is_forgiven: |_| false,
    is_end: |text| text_field(text, "type") == "game_over",
    refusal: Some(|_| r#"{"type":"error","message":"illegal action"}"#.to_owned()),
    said_name: |text| match verb::parse(text) {
        Ok(Verb::Join(join)) if !join.spectator => Some(split_key(&join.player_id).0.to_owned()),
        _ => None,
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

fn text_field(text: &str, key: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value[key].as_str().unwrap_or_default().to_owned()
}

/// How long to wait before asking for a seat again.
const JOIN_AGAIN_MS: u64 = 1000;

struct TableClient {
    player: Player<TigerDragon>,
    connected: bool,
    /// What this player calls the room; it selects nothing.
    room: String,
    stage: Progress,
    again: Option<Time>,
}

enum Progress {
    Idle,
    /// A seat is wanted.
    Joining,
    Seated(Box<Place>),
}

struct Place {
    view: View,
    /// The tiles this player has put face down in this round; the wire masks them.
    hidden: Vec<Tile>,
    /// It is this player's turn, and what lies on the table has been asked for.
    looking: bool,
    /// A choice was refused on this turn already.
    refused: bool,
    /// The way back: it is not known yet where the match stands.
    returning: bool,
    /// The connection was lost, and the join that brings back is not answered: others' matches are heard.
    away: bool,
}

impl Progress {
    /// Where this player sits, while it does.
    fn place(&mut self) -> Option<&mut Place> {
        match self {
            Progress::Seated(place) if !place.away => Some(place),
            _ => None,
        }
    }
}

impl TableClient {
    fn join(&mut self, out: &mut Vec<Reaction>) {
        self.again = None;
        let (room, name) = (&self.room, &self.player.name);
        let join = json!({"type": "join", "room_id": room, "player_id": name, "role": "player"});
        out.push(Reaction::Say(join.to_string()));
    }

    fn seated(&mut self, message: &Value) {
        let Some(seat) = message["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()) else {
            return;
        };
        let players = message["players"].as_u64().unwrap_or(0) as usize;
        let players = players.clamp(*SEATS.start(), *SEATS.end());
        if usize::from(seat) >= players {
            return;
        }
        let seat = Seat(seat);
        match &mut self.stage {
            Progress::Seated(place) if place.view.viewer.is(seat) && place.returning => {
                place.away = false;
            }
            _ => {
                self.player.begin();
                self.stage = Progress::Seated(Box::new(Place::new(seat, players)));
            }
        }
    }

    fn state(&mut self, message: &Value, out: &mut Vec<Reaction>) {
        let Some(place) = self.stage.place() else { return };
        if !place.hear_state(message) {
            return;
        }
        // The clock may have moved for a player who was still looking at the table.
        place.looking = false;
        if place.view.legal.is_empty() || place.view.hand.is_empty() {
            return;
        }
        if self.player.thorough {
            place.looking = true;
            let request = json!({"type": "discards_request", "room_id": self.room});
            out.push(Reaction::Say(request.to_string()));
        } else {
            self.choose(out);
        }
    }

    fn choose(&mut self, out: &mut Vec<Reaction>) {
        let Progress::Seated(place) = &mut self.stage else { return };
        let chosen = self.player.choose(&place.view);
        let first = place.view.legal.first();
        // The ruleset is a guess; what the server calls legal is not.
        let Some(action) =
            Some(chosen).filter(|chosen| place.view.legal.contains(*chosen)).or(first)
        else {
            return;
        };
        if let (Phase::BonusReceive, Action::Play(tile)) = (place.view.phase, action) {
            place.hidden.push(tile);
        }
        self.act(action, out);
    }

    fn act(&self, action: Action, out: &mut Vec<Reaction>) {
        let (room, name) = (&self.room, &self.player.name);
        let choice = action.to_string();
        let act = json!({"type": "action", "room_id": room, "player_id": name, "choice": choice});
        out.push(Reaction::Move(act.to_string()));
    }

    fn refused(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        match &mut self.stage {
            Progress::Idle => {}
            Progress::Seated(place) if !place.away => {
                out.push(Reaction::Refused(text.to_owned()));
                let again = !std::mem::replace(&mut place.refused, true);
                if let Some(first) = place.view.legal.first().filter(|_| again) {
                    self.act(first, out);
                }
            }
            Progress::Joining | Progress::Seated(_) => self.again = Some(now + JOIN_AGAIN_MS),
        }
    }

    fn over(&mut self, message: &Value, text: &str, out: &mut Vec<Reaction>) {
        let Some(place) = self.stage.place() else { return };
        let seat = place.view.viewer.seat().unwrap_or_default();
        let winner = message["winner"].as_i64().filter(|winner| *winner >= 0);
        let scores: Vec<i64> = numbers(&message["scores"]);
        let ending = Ending {
            won: winner.map(|winner| winner == seat.index() as i64),
            points: scores.get(seat.index()).copied(),
            words: text.to_owned(),
        };
        self.stage = Progress::Idle;
        out.push(Reaction::Over(ending));
    }
}

impl Client for TableClient {
    fn seek(&mut self, _now: Time, table: Option<&str>, out: &mut Vec<Reaction>) {
        table.unwrap_or(FIRST_ROOM).clone_into(&mut self.room);
        self.stage = Progress::Joining;
        if self.connected {
            self.join(out);
        }
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        if !matches!(self.stage, Progress::Idle) {
            self.join(out);
        }
    }

    fn on_text(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        match message["type"].as_str().unwrap_or_default() {
            "join_ack" => self.seated(&message),
            "state" => self.state(&message, out),
            "discards" => {
                let Some(place) = self.stage.place() else { return };
                if std::mem::take(&mut place.looking) {
                    place.hear_discards(&message);
                    self.choose(out);
                }
            }
            "round_result" => {
                if let Some(place) = self.stage.place() {
                    place.end_round(&message);
                }
            }
            "game_over" => self.over(&message, text, out),
            "error" => self.refused(now, text, out),
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, _out: &mut Vec<Reaction>) {
        self.connected = false;
        self.again = None;
        if let Progress::Seated(place) = &mut self.stage {
            (place.returning, place.away) = (true, true);
            place.looking = false;
        }
    }

    fn on_tick(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.join(out);
    }

    fn deadline(&self) -> Option<Time> {
        self.again
    }
}

impl Place {
    fn new(seat: Seat, players: usize) -> Place {
        let Config { rules, target, battlefield } = Config::default();
        let battlefield = Battlefield::parse(&battlefield).expect("the usual card exists");
        let view = View {
            viewer: Viewer::Seat(seat),
            ruleset: rules,
            target,
            battlefield: Arc::new(battlefield),
            round: 1,
            // Who begins the rounds after the first is on no wire either.
            start: Seat(0),
            turn: 0,
            phase: Phase::Attack,
            current: Seat(0),
            attack: None,
            answered: None,
            hand: Row::default(),
            hand_sizes: Row::of(players),
            face_down: Row::of(players),
            legal: Choices::NONE,
            scores: Row::of(players),
            discards: Row::of(players),
            exits: vec![None; players],
            news: Vec::new(),
            outcome: None,
        };
        let (looking, refused, returning, away) = (false, false, false, false);
        Place { view, hidden: Vec::new(), looking, refused, returning, away }
    }

    /// Takes a state in; false if it makes no sense at this table.
    fn hear_state(&mut self, message: &Value) -> bool {
        let view = &mut self.view;
        let seats = view.seats();
        let phase = match message["phase"].as_str().unwrap_or_default() {
            "Attack" => Phase::Attack,
            "Defend" => Phase::Defend,
            "BonusReceive" => Phase::BonusReceive,
            _ => return false,
        };
        let current = message["current_player"].as_u64().filter(|seat| (*seat as usize) < seats);
        let Some(current) = current.map(|seat| Seat(seat as u8)) else { return false };
        let tile = items(&message["attack_tile"]).next();
        let attacker = match (phase, view.phase) {
            (Phase::BonusReceive, _) => current,
            (Phase::Defend, Phase::Attack) if !self.returning => view.current,
            // Whoever comes back into an attack does not know whose it is.
            (Phase::Defend, _) => view.attack.map_or(before(current, seats), |attack| attack.seat),
            _ => current,
        };
        view.attack = tile.map(|tile| Attack { seat: attacker, tile });
        (view.phase, view.current) = (phase, current);
        view.turn = message["turn"].as_u64().unwrap_or(0) as u32;
        view.hand = items(&message["hand"]).take(LARGEST_HAND).collect();
        view.legal = items(&message["legal"]).fold(Choices::NONE, Choices::with);
        view.hand_sizes = filled(numbers(&message["hand_sizes"]), seats);
        view.face_down = filled(numbers(&message["bonus_discards"]), seats);
        view.scores = filled(numbers(&message["scores"]), seats);
        (self.refused, self.returning) = (false, false);
        true
    }

    /// `"player0_discards":"4A,7D,B"`: a tile and what it was played for; face down, only that.
    fn hear_discards(&mut self, message: &Value) {
        let own = self.view.viewer.seat().unwrap_or_default();
        let mut left = Tile::ALL.map(Tile::copies);
        for tile in self.view.hand.iter() {
            left[tile.index()] = left[tile.index()].saturating_sub(1);
        }
        for seat in Seat::all(self.view.seats()) {
            let text = message[format!("player{seat}_discards")].as_str().unwrap_or_default();
            let mut hidden = self.hidden.iter();
            let mut discards = Discards::default();
            for item in text.split(',').filter(|item| !item.is_empty()).take(LARGEST_HAND) {
                let (label, act) =
                    item.split_at(item.len() - item.chars().last().map_or(0, char::len_utf8));
                let act = match act {
                    "A" => Act::Attack,
                    "D" => Act::Defend,
                    _ => Act::FaceDown,
                };
                let masked = if seat == own && act == Act::FaceDown { hidden.next() } else { None };
                let tile = label.parse().ok().or(masked.copied());
                // There cannot be more of a kind than the game has.
                let tile = tile.filter(|tile| left[tile.index()] > 0);
                if let Some(tile) = tile {
                    left[tile.index()] -= 1;
                }
                discards.push(Discard { tile, act });
            }
            self.view.discards[seat.index()] = discards;
        }
    }

    fn end_round(&mut self, message: &Value) {
        let round = message["round"].as_u64().map_or(self.view.round, |round| round as u32);
        self.view.round = round.saturating_add(1);
        self.view.attack = None;
        self.view.phase = Phase::Attack;
        self.view.discards = Row::of(self.view.seats());
        self.hidden.clear();
    }
}

fn before(seat: Seat, seats: usize) -> Seat {
    Seat(((seat.index() + seats - 1) % seats) as u8)
}

/// Lists are strings with commas between their items.
fn items<T: std::str::FromStr>(value: &Value) -> impl Iterator<Item = T> {
    let text = value.as_str().unwrap_or_default();
    text.split(',').filter_map(|item| item.parse().ok())
}

fn numbers<T: std::str::FromStr>(value: &Value) -> Vec<T> {
    items(value).collect()
}

/// One number for each seat, whatever came.
fn filled<T: Copy + Default>(numbers: Vec<T>, seats: usize) -> PerSeat<T> {
    (0..seats).map(|seat| numbers.get(seat).copied().unwrap_or_default()).collect()
}
