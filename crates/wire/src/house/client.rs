//! A player of the house wire, of any game.
//!
//! ```text
//! idle ──join──▶ joining ──joined──▶ seated ──over, leave──▶ leaving ──accepted──▶ idle
//!                   │ refused           │
//!                   └──a while, join    └── the connection is gone: resume with the token
//! ```

use hall::{Refusal, Time, split_key};
use serde_json::{Value, json};

use super::refusals::Refused;
use super::say::{self, Say};
use crate::{Client, Ending, Playable, Player, Reaction, Signs};

pub fn client<G: Playable>(player: Player<G>) -> Box<dyn Client> {
    let stage = Progress::Idle;
    Box::new(HouseClient { player, connected: false, stage, again: None, taken: 0 })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| word(text, "do") == "act",
    is_refusal: |text| word(text, "type") == "refused",
    is_forgiven: |_| false,
    is_end: |text| word(text, "type") == "over",
    refusal: Some(refusal),
    said_name: |text| {
        let name = (word(text, "do") == "join").then(|| word(text, "name"))?;
        Some(split_key(&name).0.to_owned())
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

/// The server's answer to an illegal move.
fn refusal(act: &str) -> String {
    let act: Value = serde_json::from_str(act).unwrap_or_default();
    let why = Refusal::Illegal("this move is refused to see what you do next".to_owned());
    let refused = Refused::from(&why);
    say::text(&Say::refused(&refused, act["seq"].as_u64()), act.get("id"))
}

fn word(text: &str, key: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value[key].as_str().unwrap_or_default().to_owned()
}

/// How long to wait before asking for a seat again.
const AGAIN_MS: u64 = 500;

/// Refusals of a seat that may be otherwise in a while.
const PASSING: [&str; 4] = ["table-full", "already-started", "name-taken", "server-full"];

/// A previous connection of this player that the server still believes in may hold the name. So the
/// client asks again after this time, doubles it each time, and gives up after a number of
/// attempts.
const TAKEN_MS: u64 = 20;
const TAKEN_TIMES: u32 = 8;

struct HouseClient<G: Playable> {
    player: Player<G>,
    connected: bool,
    stage: Progress,
    again: Option<Time>,
    /// How often in a row its name was taken at the table it wants.
    taken: u32,
}

enum Progress {
    Idle,
    /// A seat is wanted, at this table or anywhere.
    Joining(Option<String>),
    Seated(Seated),
    /// The game is over. Who plays the next one over another connection needs its name for that.
    Leaving(Ending),
}

struct Seated {
    token: String,
    seat: usize,
    /// The turn that was answered last: a step in its middle does not ask again.
    answered: Option<u64>,
    legal: Vec<Value>,
    refused: bool,
}

impl<G: Playable> HouseClient<G> {
    /// Says what leads on from here.
    fn proceed(&mut self, out: &mut Vec<Reaction>) {
        self.again = None;
        if !self.connected {
            return;
        }
        let name = &self.player.name;
        let message = match &self.stage {
            Progress::Idle | Progress::Leaving(_) => return,
            Progress::Joining(None) => json!({"do": "join", "name": name, "version": "parlor"}),
            Progress::Joining(Some(table)) => {
                json!({"do": "join", "name": name, "table": table, "version": "parlor"})
            }
            Progress::Seated(seated) => json!({"do": "resume", "token": seated.token}),
        };
        out.push(Reaction::Say(message.to_string()));
    }

    fn joined(&mut self, message: &Value) {
        let seat = message["seat"].as_u64().unwrap_or(0) as usize;
        self.taken = 0;
        match &mut self.stage {
            Progress::Seated(seated) => seated.seat = seat,
            Progress::Joining(_) | Progress::Idle | Progress::Leaving(_) => {
                self.player.begin();
                let token = message["token"].as_str().unwrap_or_default().to_owned();
                let legal = Vec::new();
                let seated = Seated { token, seat, answered: None, legal, refused: false };
                self.stage = Progress::Seated(seated);
            }
        }
    }

    fn update(&mut self, mut message: Value, text: &str, out: &mut Vec<Reaction>) {
        let Progress::Seated(seated) = &mut self.stage else { return };
        if let Some(seat) = message["seat"].as_u64() {
            seated.seat = seat as usize;
        }
        let (yours, seq) = (message["your_move"] == true, message["seq"].as_u64().unwrap_or(0));
        if !yours || seated.answered == Some(seq) {
            return;
        }
        (seated.answered, seated.refused) = (Some(seq), false);
        seated.legal = match message["legal"].take() {
            Value::Array(legal) => legal,
            _ => Vec::new(),
        };
        match serde_json::from_value(message["view"].take()) {
            Ok(view) => {
                let action = self.player.choose(&view);
                out.push(Reaction::Move(act(seq, &json!(action))));
            }
            Err(error) => {
                out.push(Reaction::Refused(format!("the view cannot be read: {error}: {text}")));
            }
        }
    }

    fn refused(&mut self, now: Time, message: &Value, text: &str, out: &mut Vec<Reaction>) {
        let code = message["code"].as_str().unwrap_or_default();
        match &mut self.stage {
            Progress::Idle => {}
            Progress::Leaving(_) => self.left(out),
            Progress::Joining(None) if PASSING.contains(&code) => self.again = Some(now + AGAIN_MS),
            Progress::Joining(Some(_)) if code == "name-taken" && self.taken < TAKEN_TIMES => {
                self.again = Some(now + (TAKEN_MS << self.taken));
                self.taken += 1;
            }
            Progress::Joining(_) => {
                self.stage = Progress::Idle;
                out.push(Reaction::GiveUp(text.to_owned()));
            }
            Progress::Seated(_) if code == "unknown-token" || code == "already-over" => {
                self.stage = Progress::Leaving(Ending::unknown(text));
                self.left(out);
            }
            // After a refused move the strategy falls back to a simple choice.
            Progress::Seated(seated) => {
                out.push(Reaction::Refused(text.to_owned()));
                let first = seated.legal.first().filter(|_| !seated.refused);
                if let (Some(action), Some(seq)) = (first, seated.answered) {
                    out.push(Reaction::Move(act(seq, action)));
                    seated.refused = true;
                }
            }
        }
    }

    fn over(&mut self, ending: Ending, out: &mut Vec<Reaction>) {
        if matches!(self.stage, Progress::Seated(_)) {
            self.stage = Progress::Leaving(ending);
            out.push(Reaction::Say(json!({"do": "leave"}).to_string()));
        }
    }

    /// Nothing is left of the game.
    fn left(&mut self, out: &mut Vec<Reaction>) {
        match std::mem::replace(&mut self.stage, Progress::Idle) {
            Progress::Leaving(ending) => out.push(Reaction::Over(ending)),
            other => self.stage = other,
        }
    }

    fn ending(&self, message: &Value, text: &str) -> Ending {
        let Progress::Seated(seated) = &self.stage else { return Ending::unknown(text) };
        Ending {
            won: message["places"][seated.seat].as_u64().map(|place| place == 1),
            points: message["points"][seated.seat].as_i64(),
            words: text.to_owned(),
        }
    }
}

fn act(seq: u64, action: &Value) -> String {
    json!({"do": "act", "seq": seq, "action": action}).to_string()
}

impl<G: Playable> Client for HouseClient<G> {
    fn seek(&mut self, _now: Time, table: Option<&str>, out: &mut Vec<Reaction>) {
        self.stage = Progress::Joining(table.map(str::to_owned));
        self.proceed(out);
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        self.proceed(out);
    }

    fn on_text(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        match message["type"].as_str().unwrap_or_default() {
            "joined" => self.joined(&message),
            "update" => self.update(message, text, out),
            "refused" => self.refused(now, &message, text, out),
            "over" => self.over(self.ending(&message, text), out),
            "accepted" => self.left(out),
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = false;
        self.again = None;
        self.left(out);
        // The last message may not have arrived.
        if let Progress::Seated(seated) = &mut self.stage {
            seated.answered = None;
        }
    }

    fn on_tick(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.proceed(out);
    }

    fn deadline(&self) -> Option<Time> {
        self.again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot may read everything that the protocol promises of a refusal.
    #[test]
    fn a_made_up_refusal_has_what_a_real_one_has() {
        let refuse = SIGNS.refusal.expect("a player may move again");
        let refused: Value =
            serde_json::from_str(&refuse(r#"{"do":"act","seq":7,"action":{},"id":3}"#)).unwrap();
        assert_eq!(refused["type"], "refused");
        assert_eq!(refused["code"], "illegal");
        assert_eq!((&refused["seq"], &refused["id"]), (&7.into(), &3.into()));
        assert_eq!(refused["hint"], "Choose another move.");
        assert!(refused["message"].as_str().unwrap().starts_with("the rules do not allow"));
    }
}
