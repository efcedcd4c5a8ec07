//! What a seat sees: its table, its options and its time.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::seats::{Situation, Status};
use crate::{Guide, House, Refused};

/// A position as a seat sees it.
#[derive(Debug)]
pub struct Position {
    pub handle: String,
    game: String,
    situation: Situation,
    status: Status,
    guide: Guide,
    /// Every legal move with what it does; none: they are not listed.
    legal: Option<Vec<(Value, String)>>,
    /// The choices, where moves are too many to list.
    choices: String,
    /// Legal moves that show best what may be done now.
    examples: Vec<Value>,
}

/// Up to this number, all legal moves are shown with a position.
const SHOWN: usize = 60;
/// Number shown when there are more; the agent can ask for the rest.
const SHOWN_OF_MANY: usize = 16;

impl Position {
    pub fn of(
        house: &impl House,
        (handle, game): (&str, &str),
        situation: Situation,
        status: Status,
        guide: Guide,
    ) -> Position {
        let asked = situation.update.as_ref().filter(|_| status == Status::YourTurn);
        let legal = asked.and_then(|update| {
            let actions = update["legal"].as_array()?;
            let words = house.action_words(game, &update["view"], actions);
            let words = words.unwrap_or_else(|| vec![String::new(); actions.len()]);
            Some(actions.iter().cloned().zip(words).collect())
        });
        let choices = asked.and_then(|update| house.choice_words(game, &update["view"]));
        let choices = choices.unwrap_or_default();
        let examples = asked.map(|update| house.examples(game, &update["view"]));
        let examples = examples.unwrap_or_default();
        let (handle, game) = (handle.to_owned(), game.to_owned());
        Position { handle, game, situation, status, guide, legal, choices, examples }
    }

    fn update(&self, key: &str) -> &Value {
        static NONE: Value = Value::Null;
        self.situation.update.as_ref().map_or(&NONE, |update| &update[key])
    }

    fn seconds_left(&self) -> Option<u64> {
        let asked = self.status == Status::YourTurn;
        self.update("time_left_ms").as_u64().filter(|_| asked).map(|ms| ms / 1000)
    }

    /// A legal move, or what the rules give as an example.
    fn example(&self) -> Value {
        let legal = self.legal.iter().flatten().map(|(action, _)| action);
        let example = || self.guide.hello["action"]["examples"][0].clone();
        self.examples.iter().chain(legal).next().cloned().unwrap_or_else(example)
    }

    /// The moves to show: all of a few. Of many the most telling, and others from everywhere in the
    /// list.
    fn shown<'a>(&'a self, legal: &'a [(Value, String)]) -> Vec<&'a (Value, String)> {
        if legal.len() <= SHOWN {
            return legal.iter().collect();
        }
        let example = |action: &Value| legal.iter().position(|(other, _)| other == action);
        let mut places: Vec<usize> = self.examples.iter().filter_map(example).collect();
        places.truncate(SHOWN_OF_MANY);
        let spread = (0..SHOWN_OF_MANY).map(|place| place * legal.len() / SHOWN_OF_MANY);
        for place in spread {
            if places.len() < SHOWN_OF_MANY && !places.contains(&place) {
                places.push(place);
            }
        }
        places.into_iter().map(|place| &legal[place]).collect()
    }

    pub fn json(&self) -> Value {
        let Position { situation, status, .. } = self;
        let shown = self.legal.as_ref().map(|legal| {
            let action =
                |(action, words): &(Value, String)| json!({"action": action, "words": words});
            self.shown(legal).into_iter().map(action).collect::<Vec<Value>>()
        });
        json!({
            "status": status.as_str(),
            "seat": self.handle,
            "game": self.game,
            "table": situation.joined.as_ref().map(|joined| &joined.table),
            "you_are": self.update("seat"),
            "seq": situation.seq(),
            "words": self.words(),
            "view": self.update("view"),
            "legal": shown,
            "legal_count": self.legal.as_ref().map(Vec::len),
            "time_left_s": self.seconds_left(),
            "result": situation.over,
        })
    }

    pub fn words(&self) -> String {
        let picture = self.update("words").as_str().unwrap_or_default();
        match self.status {
            Status::YourTurn => format!("{}\n\n{picture}\n\n{}", self.asked(), self.choices()),
            Status::Waiting => format!("{}\n\n{picture}", self.waiting()).trim_end().to_owned(),
            Status::Over => format!("{}\n\n{picture}", self.ending()).trim_end().to_owned(),
            Status::Gone => {
                let why = self.situation.closed.as_deref().unwrap_or_default();
                format!("Connection lost: {why}. Your seat is kept. Call wait_turn again.")
            }
        }
    }

    fn asked(&self) -> String {
        let seq = self.situation.seq().unwrap_or(0);
        match self.seconds_left() {
            Some(left) => format!("Your turn (seq {seq}). You have {left} s."),
            None => format!("Your turn (seq {seq})."),
        }
    }

    pub fn is_your_turn(&self) -> bool {
        self.status == Status::YourTurn
    }

    /// The position in a few words, for a player who has seen it.
    pub fn reminder(&self) -> String {
        let look = "look shows the position and the legal moves again.";
        format!("{} The position is the same.\n{}\n{look}", self.asked(), self.how())
    }

    /// The same for programs: what is long is left out.
    pub fn reminder_json(&self) -> Value {
        let mut json = self.json();
        json["words"] = json!(self.reminder());
        json["view"] = Value::Null;
        json["legal"] = Value::Null;
        json
    }

    fn how(&self) -> String {
        let seq = self.situation.seq().unwrap_or(0);
        let (handle, example) = (&self.handle, self.example());
        format!("Call act with seat \"{handle}\", seq {seq} and an action such as {example}.")
    }

    /// What can be done, and how to call it.
    fn choices(&self) -> String {
        let how = self.how();
        let Some(legal) = &self.legal else {
            let action = self.guide.hello["action"]["words"].as_str().unwrap_or_default();
            let choices = &self.choices;
            let text = format!("{choices}\nLegal moves are not listed here. An action: {action}");
            return format!("{}\n{how}", text.trim_start());
        };
        let shown = list(self.shown(legal).into_iter());
        if legal.len() <= SHOWN {
            return format!("Legal moves ({}):\n{shown}\n{how}", legal.len());
        }
        let choices = &self.choices;
        let text = format!("{choices}\nLegal moves ({}), some of them:\n{shown}", legal.len());
        let others = "legal_actions lists the others, and finds those that contain a text.";
        format!("{}\n{others}\n{how}", text.trim_start())
    }

    fn waiting(&self) -> String {
        if self.situation.update.is_none() {
            return format!("The game has not begun. {}", self.starts());
        }
        let names = self.update("names");
        let to_move = self.update("to_move").as_array().cloned().unwrap_or_default();
        let name = |seat: &Value| Some(names[seat.as_u64()? as usize].as_str()?.to_owned());
        let owed: Vec<String> = to_move.iter().filter_map(name).collect();
        let seq = self.situation.seq().unwrap_or(0);
        match owed.is_empty() {
            true => format!("Waiting (seq {seq}). Call wait_turn."),
            false => format!("Waiting for {} (seq {seq}). Call wait_turn.", owed.join(", ")),
        }
    }

    /// When the game begins, as far as the table says.
    fn starts(&self) -> String {
        let Some(table) = &self.situation.table else { return "Call wait_turn.".to_owned() };
        let seats = table["seats"].as_array().cloned().unwrap_or_default();
        let free = seats.iter().filter(|seat| seat.is_null()).count();
        let id = table["table"].as_str().unwrap_or_default();
        match free {
            0 => "Call wait_turn.".to_owned(),
            _ => format!(
                "Table {id} has {free} of {} seats free: others join with game \"{}\" and table \
                 \"{id}\". Call wait_turn.",
                seats.len(),
                self.game
            ),
        }
    }

    fn ending(&self) -> String {
        let over = self.situation.over.clone().unwrap_or_default();
        match (over["words"].as_str(), over["void"].as_str()) {
            (Some(words), _) => format!("The game is over.\n{words}"),
            (None, Some(why)) => format!("The game ended without a result: {why}."),
            (None, None) => "The game is over.".to_owned(),
        }
    }

    /// Legal moves that contain a text.
    pub fn matching(&self, text: Option<&str>, limit: usize) -> Result<Reply, Refused> {
        if self.status != Status::YourTurn {
            let why = "it is not your turn, so there is nothing to choose";
            return Err(Refused::new("not-your-turn", why, "Call wait_turn."));
        }
        let Some(legal) = &self.legal else {
            let action = self.guide.hello["action"]["words"].as_str().unwrap_or_default();
            let why = "legal moves are not listed at this table";
            return Err(Refused::new("not-listed", why, format!("An action: {action}")));
        };
        let wanted = text.unwrap_or_default().to_lowercase();
        let is_wanted = |(action, words): &&(Value, String)| {
            words.to_lowercase().contains(&wanted)
                || action.to_string().to_lowercase().contains(&wanted)
        };
        let found: Vec<(Value, String)> = legal.iter().filter(is_wanted).cloned().collect();
        let mut head = match text {
            Some(text) => {
                format!("{} of {} legal moves contain {text:?}", found.len(), legal.len())
            }
            None => format!("{} legal moves", legal.len()),
        };
        if found.len() > limit {
            head += &format!(", the first {limit}");
        }
        let words = format!("{head}:\n{}", list(found.iter().take(limit)));
        let action = |(action, words): &(Value, String)| json!({"action": action, "words": words});
        let shown: Vec<Value> = found.iter().take(limit).map(action).collect();
        let seq = self.situation.seq();
        Ok(Reply::new(words, json!({"seq": seq, "count": found.len(), "legal": shown})))
    }
}

/// Moves, one per line.
fn list<'a>(legal: impl Iterator<Item = &'a (Value, String)>) -> String {
    let line = |(action, words): &(Value, String)| match words.is_empty() {
        true => format!("  {action}"),
        false => format!("  {action}  {words}"),
    };
    legal.map(line).collect::<Vec<String>>().join("\n")
}
