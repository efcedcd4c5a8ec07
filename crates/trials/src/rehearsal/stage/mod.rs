//! Where a rehearsal is performed: a hall, the connections to it, and a clock that only moves when
//! told to.

mod restarting;
mod tournaments;

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::{
    ConnId, HOUSE_WIRE, Hall, HouseRecord, Input, KeyHash, NewTable, Output, Recorded, Register,
    Reply, Request, Role, TableNo, Time,
};
use rules::Seed;
use wire::house::{self, HouseSession};
use wire::{Conversation, Framer, Lines, Observer, Playable, Said, Watch};

use super::journey::Journey;
use super::script::{change_option, unescape};

/// A hall, the connections to it, and a clock that only moves when told to.
pub struct Stage<G: Playable> {
    hall: Hall<G>,
    options: G::Options,
    now: Time,
    actors: BTreeMap<String, Actor<G>>,
    next_conn: u64,
    journey: Journey,
    transcript: String,
    /// Everything each actor has received.
    received: BTreeMap<String, Vec<String>>,
    journal: restarting::Written<G>,
    register: Register,
    seed: Seed,
}

impl<G: Playable> std::fmt::Debug for Stage<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stage({})\n{}", G::NAME, self.transcript)
    }
}

struct Actor<G: Playable> {
    conn: ConnId,
    conversation: Conversation<G>,
    framer: Box<dyn Framer>,
    gone: bool,
}

/// Where the clock of a rehearsal stands at its beginning.
const BEGIN: Time = Time(1_000_000);

const MAX_TABLES: usize = 10_000;

impl<G: Playable> Stage<G> {
    /// An empty stage. The options are those of the house; tables may have others.
    pub fn new(options: G::Options, seed: Seed) -> Result<Stage<G>, String> {
        Stage::by(options, seed, Journey::Direct)
    }

    /// The same, where what is said travels in this way.
    pub(super) fn by(
        options: G::Options,
        seed: Seed,
        journey: Journey,
    ) -> Result<Stage<G>, String> {
        let terms = G::terms(&options)?;
        let mut stage = Stage::<G> {
            hall: Hall::new(terms, G::hooks(), MAX_TABLES, seed),
            journal: restarting::Written::default(),
            register: Register::default(),
            seed,
            options,
            now: BEGIN,
            actors: BTreeMap::new(),
            next_conn: 1,
            journey,
            transcript: String::new(),
            received: BTreeMap::new(),
        };
        stage.input(Input::Tick);
        Ok(stage)
    }

    /// Does what one line of a rehearsal says, and lets everything happen that follows.
    pub fn perform(&mut self, line: &str) -> Result<(), String> {
        self.transcript += line;
        self.transcript += "\n";
        self.stimulus(line)?;
        self.settle();
        if self.journey == Journey::TakenOver {
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
        self.actors.get(name).is_some_and(|actor| !actor.gone)
    }

    /// Every table there was, as it was written down.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&TableNo, &Recorded<G>)> {
        self.journal.tables()
    }

    pub(super) fn into_transcript(self) -> String {
        self.transcript
    }

    pub fn now(&self) -> Time {
        self.now
    }

    pub fn hall(&self) -> &Hall<G> {
        &self.hall
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
            ["restart"] => self.restart(),
            ["drop", name] => self.drop_actor(name),
            ["wait", ms] => self.wait(ms.parse().map_err(|_| format!("'{ms}' is no number"))?),
            ["table", id, ref changes @ ..] => self.open_table(id, changes),
            ["tournament", id, ref changes @ ..] => self.convene(id, changes),
            ["order", id, ref words @ ..] => self.order(id, words),
            ["close", id] => {
                self.input(Input::Asked(
                    0,
                    Request::Close { id: id.into(), reason: "closed by the organiser".into() },
                ));
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
        let terms = G::terms(&self.options)?;
        if dialect == HOUSE_WIRE {
            let options = Arc::new(self.options.clone());
            let session = HouseSession::<G>::new(options, &terms, false);
            let framer = Box::new(Lines::new(house::MAX_MESSAGE));
            self.enter(name, Conversation::new(self.now, Box::new(session)), framer);
            return Ok(());
        }
        let dialect = G::dialects().iter().find(|known| known.name == dialect);
        let dialect = dialect.ok_or("no such dialect")?;
        let conversation = Conversation::new(self.now, (dialect.session)(&terms));
        self.enter(name, conversation, dialect.framing.framer());
        Ok(())
    }

    fn watch(&mut self, name: &str, watch: Watch) -> Result<(), String> {
        let observer = Observer::<G>::new(watch);
        let conversation = Conversation::new(self.now, Box::new(observer));
        self.enter(name, conversation, Box::new(Lines::new(1024)));
        Ok(())
    }

    fn enter(&mut self, name: &str, conversation: Conversation<G>, framer: Box<dyn Framer>) {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        let actor = Actor { conn, conversation, framer, gone: false };
        if let Some(former) = self.actors.insert(name.to_owned(), actor)
            && !former.gone
        {
            self.input(Input::Gone(former.conn));
        }
    }

    fn drop_actor(&mut self, name: &str) -> Result<(), String> {
        let actor = self.actors.get_mut(name).ok_or_else(|| format!("{name} is not connected"))?;
        actor.gone = true;
        let conn = actor.conn;
        self.input(Input::Gone(conn));
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
        self.input(Input::Asked(0, Request::Open(Box::new(new))));
        Ok(())
    }

    /// Sends bytes as they are, and lets everything happen that follows.
    pub(crate) fn say(&mut self, name: &str, bytes: &[u8]) {
        self.send(name, bytes).expect("the first dialect exists");
        self.settle();
    }

    pub(crate) fn send(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if !self.actors.contains_key(name) {
            self.connect(name, G::dialects()[0].name)?;
            self.settle();
        }
        let actor = self.actors.get_mut(name).expect("just connected");
        actor.framer.feed(bytes);
        Ok(())
    }

    /// Lets everything happen that can happen now.
    pub(crate) fn settle(&mut self) {
        let names: Vec<String> = self.actors.keys().cloned().collect();
        loop {
            let mut busy = false;
            for name in &names {
                while let Some(said) = self.next_said(name) {
                    busy = true;
                    self.carry_out(name, said);
                }
            }
            if !busy && self.hall.deadline().is_some_and(|deadline| deadline <= self.now) {
                self.input(Input::Tick);
                busy = true;
            }
            if !busy {
                return;
            }
        }
    }

    fn next_said(&mut self, name: &str) -> Option<Said<G>> {
        let actor = self.actors.get_mut(name).filter(|actor| !actor.gone)?;
        loop {
            if let Some(said) = actor.conversation.next() {
                return Some(said);
            }
            if actor.conversation.busy() || actor.conversation.over() {
                return None;
            }
            let frame = actor.framer.next()?;
            actor.conversation.hear(self.now, frame);
        }
    }

    fn carry_out(&mut self, name: &str, said: Said<G>) {
        match said {
            Said::Text(text) => {
                for line in text.as_str().lines() {
                    self.transcript += &format!("{name}< {line}\n");
                    self.received.entry(name.to_owned()).or_default().push(line.to_owned());
                }
            }
            Said::Hangup(reason) => {
                self.transcript += &format!("{name}! {reason}\n");
                // Hung up already, so it is there.
                let _ = self.drop_actor(name);
            }
            Said::Show(key) => {
                let conn = self.actors[name].conn;
                self.input(Input::Showed(conn, self.journey.carry(key)));
            }
            Said::Ask(command) => {
                let conn = self.actors[name].conn;
                self.input(Input::Said(conn, self.journey.carry(command)));
            }
        }
    }

    fn input(&mut self, input: Input<G>) {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        for output in outputs {
            self.journal.write(&output);
            match output {
                Output::TableRecord(_)
                | Output::TournamentRecord(_)
                | Output::Think(..)
                | Output::Listed(_) => {}
                Output::Recall(recall) => {
                    let (answer, event) = recall.answer(self.journal.open_table(recall.table));
                    let (answer, event) = (self.journey.carry(answer), self.journey.carry(event));
                    self.to(recall.conn, |now, actor| {
                        actor.answered(now, answer);
                        event.into_iter().for_each(|event| actor.told(now, event));
                    });
                }
                Output::Reply(_, Reply::Refused(refusal)) => {
                    self.transcript += &format!("! {refusal:?}\n");
                }
                Output::Reply(..) => {}
                Output::Answer(conn, answer) => {
                    let answer = self.journey.carry(answer);
                    self.to(conn, |now, actor| actor.answered(now, answer));
                }
                Output::Tell(conn, event) => {
                    let event = self.journey.carry(event);
                    self.to(conn, |now, actor| actor.told(now, event));
                }
                Output::Show(conns, event) => {
                    let event = self.journey.carry(event);
                    for conn in &*conns {
                        self.to(*conn, |now, actor| actor.told(now, event.clone()));
                    }
                }
            }
        }
    }

    fn to(&mut self, conn: ConnId, deliver: impl FnOnce(Time, &mut Conversation<G>)) {
        if let Some(actor) =
            self.actors.values_mut().find(|actor| actor.conn == conn && !actor.gone)
        {
            deliver(self.now, &mut actor.conversation);
        }
    }

    /// Moves the clock from deadline to deadline.
    fn wait(&mut self, ms: u64) -> Result<(), String> {
        let until = self.now + ms;
        self.settle();
        loop {
            let sessions = self.actors.values().filter(|actor| !actor.gone);
            let sessions = sessions.filter_map(|actor| actor.conversation.deadline());
            let next = sessions.chain(self.hall.deadline()).min().filter(|next| *next <= until);
            let Some(next) = next else { break };
            self.now = self.now.max(next);
            for actor in self.actors.values_mut() {
                actor.conversation.tick(self.now);
            }
            self.settle();
        }
        self.now = until;
        Ok(())
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
