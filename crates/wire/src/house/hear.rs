//! The client's messages: one JSON object per message, whose `do` gives its kind.

use hall::{Code, Name, Reaction, Status, check_version, is_key};
use serde_json::{Map, Value};

use super::refusals::Refused;

/// A message, with the id that its direct answer repeats.
pub struct Message {
    pub id: Option<Value>,
    pub said: Result<Said, Refused>,
}

pub enum Said {
    Join(Box<Join>),
    Resume { token: String, wants: Wants },
    Watch { table: Option<Name>, all: bool, wants: Wants },
    Ready,
    Start,
    Act { seq: u64, action: Value },
    Look(Wants),
    History { from: u64 },
    Leave,
    Rematch { table: Name, token: String, wants: bool },
    React(Reaction),
    Tables { status: Option<Status>, after: Option<Name>, limit: usize },
    Ping,
}

pub struct Join {
    pub name: Name,
    /// Proof of ownership of the name, if the name has a key.
    pub key: Option<String>,
    pub table: Option<Name>,
    pub version: Option<Name>,
    pub person: bool,
    /// The deal of the day.
    pub daily: bool,
    /// A private table: the house bots there, and how it is played.
    pub own: Option<(Vec<Name>, Map<String, Value>)>,
    pub wants: Wants,
}

/// What a client wants to receive, as far as it says so.
#[derive(Clone, Copy, Default)]
pub struct Wants {
    pub legal: Option<bool>,
    pub words: Option<bool>,
}

/// Every `do` with the fields it may have besides `do` and `id`.
const VERBS: [(&str, &[&str]); 13] = [
    (
        "join",
        &[
            "name", "table", "key", "version", "person", "bots", "options", "daily", "legal",
            "words",
        ],
    ),
    ("resume", &["token", "legal", "words"]),
    ("watch", &["table", "all", "legal", "words"]),
    ("ready", &[]),
    ("start", &[]),
    ("act", &["seq", "action"]),
    ("look", &["legal", "words"]),
    ("history", &["from"]),
    ("leave", &[]),
    ("rematch", &["table", "token", "wants"]),
    ("react", &["reaction"]),
    ("tables", &["status", "after", "limit"]),
    ("ping", &[]),
];

/// The most tables of one answer.
const MOST_TABLES: u64 = 100;

/// Reads a message. What cannot be read is refused; the connection stays.
pub fn read(text: &str) -> Message {
    let value: Result<Value, _> = serde_json::from_str(text);
    let (mut object, error) = match value {
        Ok(Value::Object(object)) => (object, None),
        Ok(_) => (Map::new(), Some("a message is one JSON object".to_owned())),
        Err(error) => (Map::new(), Some(format!("this is not JSON: {error}"))),
    };
    if let Some(error) = error {
        let hint = r#"send one object a message, such as {"do":"join","name":"Ann"}"#;
        return Message { id: None, said: Err(Refused::new(Code::BadMessage, error, hint)) };
    }
    let id = object.remove("id");
    Message { id, said: read_object(object) }
}

fn read_object(mut object: Map<String, Value>) -> Result<Said, Refused> {
    let known = || VERBS.map(|(verb, _)| verb).join(", ");
    let (verb, fields) = match object.remove("do") {
        Some(Value::String(verb)) => match VERBS.into_iter().find(|(known, _)| *known == verb) {
            Some(found) => found,
            None => return Err(bad(format!("there is no \"do\":\"{verb}\""), known())),
        },
        Some(_) => return Err(bad("\"do\" is a word".to_owned(), known())),
        None => return Err(bad("the message has no \"do\"".to_owned(), known())),
    };
    if let Some(unknown) = object.keys().find(|key| !fields.contains(&key.as_str())) {
        let hint = match fields {
            [] => format!("\"{verb}\" has no fields besides \"id\""),
            fields => format!("\"{verb}\" may have {}", fields.join(", ")),
        };
        return Err(bad(format!("\"{verb}\" has no field \"{unknown}\""), hint));
    }
    let mut fields = Fields { verb, object };
    Ok(match verb {
        "join" => Said::Join(Box::new(fields.join()?)),
        "resume" => Said::Resume { token: fields.required_text("token")?, wants: fields.wants()? },
        "watch" => Said::Watch {
            table: fields.text("table")?.map(Name::from),
            all: fields.flag("all")?.unwrap_or(false),
            wants: fields.wants()?,
        },
        "ready" => Said::Ready,
        "start" => Said::Start,
        "act" => {
            let seq = fields.number("seq")?;
            let action = fields.object.remove("action");
            match (seq, action) {
                (Some(seq), Some(action)) => Said::Act { seq, action },
                (None, _) => return Err(fields.missing("seq", "the number of the last update")),
                (_, None) => return Err(fields.missing("action", "what \"hello\" describes")),
            }
        }
        "look" => Said::Look(fields.wants()?),
        "history" => Said::History { from: fields.number("from")?.unwrap_or(0) },
        "leave" => Said::Leave,
        "rematch" => Said::Rematch {
            table: fields.required_text("table")?.into(),
            token: fields.required_text("token")?,
            wants: fields.flag("wants")?.unwrap_or(true),
        },
        "react" => Said::React(fields.reaction()?),
        "tables" => Said::Tables {
            status: fields.status()?,
            after: fields.text("after")?.map(Name::from),
            limit: fields.number("limit")?.unwrap_or(MOST_TABLES).clamp(1, MOST_TABLES) as usize,
        },
        _ => Said::Ping,
    })
}

/// The fields of one message, taken one by one.
struct Fields {
    verb: &'static str,
    object: Map<String, Value>,
}

impl Fields {
    fn join(&mut self) -> Result<Join, Refused> {
        let name = self.required_text("name")?.into();
        let table: Option<Name> = self.text("table")?.map(Name::from);
        let key = self.text("key")?;
        if key.as_ref().is_some_and(|key| !is_key(key)) {
            return Err(self.wrong("key", "pk_ and 26 small letters and digits"));
        }
        let bots = match self.object.remove("bots") {
            None | Some(Value::Null) => None,
            Some(bots) => {
                let read: Result<Vec<String>, _> = serde_json::from_value(bots);
                let bots = read.map_err(|_| self.wrong("bots", "a list of strategies"))?;
                Some(bots.into_iter().map(Name::from).collect())
            }
        };
        let options = match self.object.remove("options") {
            None | Some(Value::Null) => None,
            Some(Value::Object(options)) => Some(options),
            Some(_) => return Err(self.wrong("options", "an object")),
        };
        if table.is_some() && (bots.is_some() || options.is_some()) {
            return Err(bad(
                "\"table\" names a table that is there; \"bots\" and \"options\" open a new one"
                    .to_owned(),
                "leave out the one or the others".to_owned(),
            ));
        }
        let daily = self.flag("daily")?.unwrap_or(false);
        if daily && (table.is_some() || bots.is_some() || options.is_some()) {
            return Err(bad(
                "the deal of the day has its own table, bots and options".to_owned(),
                "leave out \"table\", \"bots\" and \"options\"".to_owned(),
            ));
        }
        let own = (bots.is_some() || options.is_some())
            .then(|| (bots.unwrap_or_default(), options.unwrap_or_default()));
        let version = self.text("version")?.filter(|version| !version.is_empty());
        if let Some(Err(right)) = version.as_deref().map(check_version) {
            return Err(self.wrong("version", &right));
        }
        let person = self.flag("person")?.unwrap_or(false);
        let (version, wants) = (version.map(Name::from), self.wants()?);
        Ok(Join { name, key, table, version, person, daily, own, wants })
    }

    fn wants(&mut self) -> Result<Wants, Refused> {
        Ok(Wants { legal: self.flag("legal")?, words: self.flag("words")? })
    }

    fn status(&mut self) -> Result<Option<Status>, Refused> {
        let Some(status) = self.text("status")? else { return Ok(None) };
        let read = serde_json::from_value(Value::String(status));
        read.map(Some).map_err(|_| self.wrong("status", "waiting, playing, finished or void"))
    }

    fn reaction(&mut self) -> Result<Reaction, Refused> {
        let reaction = self.required_text("reaction")?;
        let read = serde_json::from_value(Value::String(reaction));
        read.map_err(|_| self.wrong("reaction", "hello, nice, wow, oops, thanks or good-game"))
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, Refused> {
        match self.object.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(key, "text")),
        }
    }

    fn required_text(&mut self, key: &str) -> Result<String, Refused> {
        self.text(key)?.ok_or_else(|| self.missing(key, "text"))
    }

    fn flag(&mut self, key: &str) -> Result<Option<bool>, Refused> {
        match self.object.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    fn number(&mut self, key: &str) -> Result<Option<u64>, Refused> {
        match self.object.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(key, "a number from 0")),
            },
        }
    }

    fn wrong(&self, key: &str, right: &str) -> Refused {
        bad(format!("\"{key}\" of \"{}\" is something else", self.verb), format!("it is {right}"))
    }

    fn missing(&self, key: &str, right: &str) -> Refused {
        bad(format!("\"{}\" has no \"{key}\"", self.verb), format!("it is {right}"))
    }
}

fn bad(message: String, hint: String) -> Refused {
    Refused { code: Code::BadMessage, message, hint }
}
