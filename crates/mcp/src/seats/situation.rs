//! What a seat knows: the fold of the JSON protocol's messages to it.

use serde_json::Value;

/// The seat's state, as far as its messages say.
#[derive(Clone, Debug, Default)]
pub struct Situation {
    /// The table and the place at it, once there is one.
    pub joined: Option<Joined>,
    /// The last word on who sits there.
    pub table: Option<Value>,
    /// The last position.
    pub update: Option<Value>,
    /// The turn in which the last move was accepted.
    moved: Option<u64>,
    /// How it ended.
    pub over: Option<Value>,
    /// The server has hung up, and why.
    pub closed: Option<String>,
    /// Direct answers not fetched yet, by the number of the message they answer.
    answers: Vec<(u64, Value)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    pub table: String,
    pub token: Option<String>,
}

/// What a seat can do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    YourTurn,
    Waiting,
    Over,
    /// The seat is free again, or another client plays from it.
    Gone,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Status::YourTurn => "your_turn",
            Status::Waiting => "waiting",
            Status::Over => "over",
            Status::Gone => "gone",
        }
    }
}

/// Number of unfetched answers to keep.
const MOST_ANSWERS: usize = 16;

impl Situation {
    /// One message of the server.
    pub fn note(&mut self, text: &str) {
        // The server sends nothing but JSON objects.
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        match message["type"].as_str().unwrap_or_default() {
            "joined" => {
                let text = |key: &str| message[key].as_str().map(str::to_owned);
                let table = text("table").unwrap_or_default();
                self.joined = Some(Joined { table, token: text("token") });
            }
            "table" => self.table = Some(message.clone()),
            "update" => self.update = Some(message.clone()),
            "accepted" => self.moved = message["seq"].as_u64().or(self.moved),
            "over" => self.over = Some(message.clone()),
            "closed" => self.closed = message["reason"].as_str().map(str::to_owned),
            _ => {}
        }
        if let Some(id) = message["id"].as_u64() {
            if self.answers.len() == MOST_ANSWERS {
                self.answers.remove(0);
            }
            self.answers.push((id, message));
        }
    }

    pub fn take_answer(&mut self, id: u64) -> Option<Value> {
        let found = self.answers.iter().position(|(of, _)| *of == id)?;
        Some(self.answers.remove(found).1)
    }

    /// The number of the last position.
    pub fn seq(&self) -> Option<u64> {
        self.update.as_ref()?["seq"].as_u64()
    }

    /// What can be done now; turns up to and including `after` don't wake the caller.
    pub fn status(&self, after: Option<u64>) -> Status {
        let asks = self.update.as_ref().is_some_and(|update| update["your_move"] == true);
        let seq = self.seq();
        match () {
            () if self.over.is_some() => Status::Over,
            () if self.closed.is_some() => Status::Gone,
            () if asks && seq != self.moved && seq > after => Status::YourTurn,
            () => Status::Waiting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(messages: &[&str]) -> Situation {
        let mut situation = Situation::default();
        messages.iter().for_each(|message| situation.note(message));
        situation
    }

    const ASKED: &str = r#"{"type":"update","seq":3,"your_move":true}"#;

    #[test]
    fn a_turn_is_ones_own_until_the_move_is_accepted() {
        assert_eq!(told(&[]).status(None), Status::Waiting);
        assert_eq!(told(&[ASKED]).status(None), Status::YourTurn);
        assert_eq!(told(&[ASKED]).status(Some(3)), Status::Waiting);
        let moved = [ASKED, r#"{"type":"accepted","seq":3}"#];
        assert_eq!(told(&moved).status(None), Status::Waiting);
        let next = r#"{"type":"update","seq":4,"your_move":true}"#;
        assert_eq!(told(&[ASKED, moved[1], next]).status(Some(3)), Status::YourTurn);
    }

    #[test]
    fn the_end_goes_before_a_closed_line() {
        let (over, closed) = (r#"{"type":"over"}"#, r#"{"type":"closed","reason":"why"}"#);
        assert_eq!(told(&[ASKED, closed]).status(None), Status::Gone);
        assert_eq!(told(&[ASKED, over, closed]).status(None), Status::Over);
    }

    #[test]
    fn answers_wait_for_those_who_asked_but_not_for_ever() {
        let mut situation = Situation::default();
        for id in 0..20 {
            situation.note(&format!(r#"{{"type":"pong","id":{id}}}"#));
        }
        assert!(situation.take_answer(19).is_some());
        assert!(situation.take_answer(19).is_none(), "it is taken once");
        assert!(situation.take_answer(0).is_none(), "it was forgotten");
    }
}
