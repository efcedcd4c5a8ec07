//! A rehearsal in progress: names for the connections of a stage, and a transcript of what they
//! send and receive.

mod restarting;
mod tournaments;

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::{
    BanSubject, ConnId, HOUSE_WIRE, HouseRecord, Input, KeyHash, NewTable, Register, Reply,
    Request, Role,
};
use rules::Seed;
use wire::house::{self, HouseSession};
use wire::{AnyGame, Framer, Lines, Observer, Playable, Session, Watch};

use super::script::{change_option, unescape};
use crate::stage::{Heard, Journey, Stage};

/// Named actors on a stage, and the transcript of what they sent and received.
pub struct Rehearsal<G: Playable> {
    pub stage: Stage,
    options: G::Options,
    actors: BTreeMap<String, ConnId>,
    transcript: String,
    /// Everything each actor has received.
    received: BTreeMap<String, Vec<String>>,
    register: Register,
    seed: Seed,
}

impl<G: Playable> std::fmt::Debug for Rehearsal<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rehearsal({})\n{}", G::NAME, self.transcript)
    }
}

const MAX_TABLES: usize = 10_000;

impl<G: Playable> Rehearsal<G> {
    /// An empty stage. The options are those of the house; tables may have others.
    pub fn new(options: G::Options, seed: Seed) -> Result<Rehearsal<G>, String> {
        Rehearsal::by(options, seed, Journey::Direct)
    }

    /// The same, where what is said travels in this way.
    pub(super) fn by(
        options: G::Options,
        seed: Seed,
        journey: Journey,
    ) -> Result<Rehearsal<G>, String> {
        let mut stage = Stage::new(G::terms(&options)?, G::hooks(), MAX_TABLES, seed);
        stage.journey = journey;
        stage.input(Input::Tick);
        Ok(Rehearsal {
            stage,
            options,
            actors: BTreeMap::new(),
            transcript: String::new(),
            received: BTreeMap::new(),
            register: Register::default(),
            seed,
        })
    }

    /// Does what one line of a rehearsal says, and lets everything happen that follows.
    pub fn perform(&mut self, line: &str) -> Result<(), String> {
        self.transcript += line;
        self.transcript += "\n";
        self.stimulus(line)?;
        self.settle();
        if self.stage.journey == Journey::TakenOver {
            self.take_over()?;
        }
        Ok(())
    }

    /// Everything an actor has received, on all the connections it has had.
    pub fn received(&self, name: &str) -> &[String] {
        self.received.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether an actor has a connection that neither side has closed.
    pub fn is_connected(&self, name: &str) -> bool {
        self.actors.get(name).is_some_and(|conn| self.stage.is_open(*conn))
    }

    pub(super) fn into_transcript(self) -> String {
        self.transcript
    }

    fn stimulus(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] | ["seed", _] | ["set", ..] => Ok(()),
            [first, ..] if first.starts_with('#') => Ok(()),
            ["connect", name] => self.connect(name, G::dialects()[0].name),
            ["connect", name, dialect] => self.connect(name, dialect),
            ["watch", name, table, ref how @ ..]
                if how.iter().all(|word| ["full", "words", "paced"].contains(word)) =>
            {
                let role = if how.contains(&"full") { Role::Organiser } else { Role::Spectator };
                let (in_words, all) = (how.contains(&"words"), !how.contains(&"paced"));
                self.watch(name, Watch { table: table.into(), role, in_words, all })
            }
            ["claim", name, key] => {
                self.register(HouseRecord::Claimed { name: name.into(), key: KeyHash::of(key) })
            }
            ["release", name] => self.register(HouseRecord::Released { name: name.into() }),
            ["ban", "name", name] => self.ban(BanSubject::of_name(name)),
            ["ban", "key", key] => self.ban(BanSubject::Key(KeyHash::of(key))),
            ["restart"] => self.restart(),
            ["drop", name] => self.drop_actor(name),
            // Its network is gone, and the server does not know it yet.
            ["lose", name] => {
                let conn =
                    self.actors.get(name).ok_or_else(|| format!("{name} is not connected"))?;
                self.stage.lose(*conn);
                Ok(())
            }
            ["wait", ms] => {
                let order = self.order_of_speech();
                let ms = ms.parse().map_err(|_| format!("'{ms}' is no number"))?;
                self.stage.wait_by(ms, |stage| stage.settle_in(&order));
                Ok(())
            }
            ["table", id, ref changes @ ..] => self.open_table(id, changes),
            ["tournament", id, ref changes @ ..] => self.convene(id, changes),
            ["order", id, ref words @ ..] => self.order(id, words),
            ["close", id] => {
                let reason = "closed by the organiser".to_owned();
                self.ask(Request::Close { id: id.into(), reason });
                Ok(())
            }
            _ => match line
                .split_once("> ")
                .or_else(|| line.strip_suffix('>').map(|name| (name, "")))
            {
                Some((name, text)) => match name.strip_suffix('>') {
                    Some(name) => self.send(name, &unescape(&self.expand(text)?)?),
                    None => self.send(name, format!("{}\n", self.expand(text)?).as_bytes()),
                },
                None => Err(format!("cannot read '{line}'")),
            },
        }
    }

    fn connect(&mut self, name: &str, dialect: &str) -> Result<(), String> {
        if dialect == HOUSE_WIRE {
            let options = serde_json::to_value(&self.options).expect("options are plain data");
            let (game, terms) = (<dyn AnyGame>::of::<G>(), &self.stage.terms);
            let session = HouseSession::new(game, Arc::new(options), terms, false);
            self.enter(name, Box::new(session), Box::new(Lines::new(house::MAX_MESSAGE)));
            return Ok(());
        }
        let dialect = G::dialects().iter().find(|known| known.name == dialect);
        let dialect = dialect.ok_or("no such dialect")?;
        self.enter(name, (dialect.session)(&self.stage.terms), dialect.framing.framer());
        Ok(())
    }

    fn watch(&mut self, name: &str, watch: Watch) -> Result<(), String> {
        let observer = Observer::new(<dyn AnyGame>::of::<G>(), watch);
        self.enter(name, Box::new(observer), Box::new(Lines::new(1024)));
        Ok(())
    }

    fn enter(&mut self, name: &str, session: Box<dyn Session>, framer: Box<dyn Framer>) {
        let conn = self.stage.enter(session, framer);
        if let Some(former) = self.actors.insert(name.to_owned(), conn) {
            self.stage.cut(former);
        }
    }

    fn drop_actor(&mut self, name: &str) -> Result<(), String> {
        let conn = self.actors.get(name).ok_or_else(|| format!("{name} is not connected"))?;
        self.stage.cut(*conn);
        Ok(())
    }

    fn open_table(&mut self, id: &str, changes: &[&str]) -> Result<(), String> {
        let mut reserved = Vec::new();
        let mut options = self.options.clone();
        for change in changes {
            match change.strip_prefix("for=") {
                Some(names) => reserved.extend(names.split(',').map(Into::into)),
                None => options = change_option::<G>(&options, change)?,
            }
        }
        let terms = G::terms(&options)?;
        let bots_at_once = changes.iter().any(|change| change.starts_with("house_bots="));
        let new = NewTable { terms, id: Some(id.into()), reserved, seed: None, bots_at_once };
        self.ask(Request::Open(Box::new(new)));
        Ok(())
    }

    fn ask(&mut self, request: Request) {
        if let Some(Reply::Refused(refusal)) = self.stage.input(Input::Asked(0, request)) {
            self.transcript += &format!("! {refusal:?}\n");
        }
    }

    /// Sends bytes as they are, and lets everything happen that follows.
    pub(crate) fn say(&mut self, name: &str, bytes: &[u8]) {
        self.send(name, bytes).expect("the first dialect exists");
        self.settle();
    }

    fn send(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if !self.actors.contains_key(name) {
            self.connect(name, G::dialects()[0].name)?;
            self.settle();
        }
        self.stage.send(self.actors[name], bytes);
        Ok(())
    }

    /// Lets everything happen that can happen now, and records who receives what.
    fn settle(&mut self) {
        let order = self.order_of_speech();
        self.stage.settle_in(&order);
        for (conn, heard) in self.stage.take_heard() {
            let Some((name, _)) = self.actors.iter().find(|(_, own)| **own == conn) else {
                continue;
            };
            match heard {
                Heard::Text(text) => {
                    let received = self.received.entry(name.clone()).or_default();
                    for line in text.as_str().lines() {
                        self.transcript += &format!("{name}< {line}\n");
                        received.push(line.to_owned());
                    }
                }
                Heard::Hangup(reason) => self.transcript += &format!("{name}! {reason}\n"),
            }
        }
    }

    /// By name, so that a transcript doesn't depend on the order of arrival.
    fn order_of_speech(&self) -> Vec<ConnId> {
        self.actors.values().copied().collect()
    }

    /// Replaces each `${actor WORD n}`.
    fn expand(&self, text: &str) -> Result<String, String> {
        let Some((before, rest)) = text.split_once("${") else { return Ok(text.to_owned()) };
        let (inside, after) = rest.split_once('}').ok_or("a ${ without its }")?;
        let words: Vec<&str> = inside.split_whitespace().collect();
        let [name, begin, number] = words[..] else {
            return Err(format!("cannot read ${{{inside}}}"));
        };
        let number: usize = number.parse().map_err(|_| format!("'{number}' is no number"))?;
        let line = self.received(name).iter().rev().find(|line| line.starts_with(begin));
        let word = line.and_then(|line| line.split_whitespace().nth(number));
        let word = word.ok_or_else(|| format!("{name} has heard no {begin}"))?;
        Ok(format!("{before}{word}{}", self.expand(after)?))
    }
}
