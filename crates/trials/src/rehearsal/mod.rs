//! Rehearsals: transcripts replayed over sessions and a hall, in virtual time, without sockets.
//!
//! A rehearsal is a text file. Some of its lines are what is done; the others are what is heard
//! in consequence, and are compared.
//!
//! ```text
//! # a comment
//! seed 7                          the chance of this rehearsal
//! set move_timeout_ms=0           an option of the game, as with --set
//! table myGame players=3          an organiser opens a table, with options
//! close myGame                    ... or closes one
//! tournament cup max_entrants=4   an organiser convenes a tournament, as its plan has it; also
//!                                 entrants=ann,bob:greedy (a bot),cy=red (plays as), no_show_ms
//! order cup start                 ... and starts, pauses, resumes or cancels it; also
//!                                 `withdraw ann` and `adjudicate 0 2,1`
//! claim ann pk_…                  the name has this key from now on; `release ann` lets it go
//! connect alice                   a connection (also made by the first thing said on it)
//! connect bob sushi-go-sdk        ... in another dialect; "house" is the house wire
//! watch carol myGame              an observer; "full" sees all seats, "words" is for people,
//!                                 "paced" is told as often as over HTTP
//! alice> JOIN myGame Alice        what alice sends, a newline added
//! alice>> "PLAY 1\r\nPLA"         bytes exactly as written, escapes read as in Rust
//! alice< WELCOME myGame 0 ...     what alice receives
//! alice! replaced                 alice's connection is closed by the server, and why
//! drop alice                      ... by the client
//! wait 12000                      milliseconds pass
//! restart                         the server ends and is started again; every connection is gone
//! ```
//!
//! `${alice WELCOME 3}` in what is sent stands for word 3 of the last line alice received that
//! begins with WELCOME. Run the tests with `REHEARSE=rewrite` to write down what is heard, and
//! review the difference. `REHEARSAL_FRAMES=DIR` writes every game of a rehearsal to a folder, for the
//! tests of the pages.

mod journey;
mod restarting;
mod script;
mod shown;
mod tournaments;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hall::{
    ConnId, HOUSE_WIRE, Hall, HouseRecord, Input, KeyHash, NewTable, Output, Register, Reply,
    Request, Role, Time,
};
use rules::Seed;
use wire::house::{self, HouseSession};
use wire::{Conversation, Framer, Lines, Observer, Playable, Said, Watch};

use journey::Journey;
use script::{difference, shortened, unescape};

pub(crate) use script::{change_option, is_heard, settings};

/// Replays every `*.txt` of a folder and panics with the differences.
pub fn rehearse<G: Playable>(folder: impl AsRef<Path>) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.as_ref())
        .unwrap_or_else(|e| panic!("{}: {e}", folder.as_ref().display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no rehearsals in {}", folder.as_ref().display());
    let mut failures = String::new();
    for path in files {
        let written = std::fs::read_to_string(&path).expect("a readable rehearsal");
        let (heard, changes) = heard::<G>(&path, &written);
        failures += &changes;
        if let Some(folder) = std::env::var_os(shown::FOLDER) {
            shown::write::<G>(Path::new(&folder), &path, &written);
        }
        if heard == written {
            continue;
        }
        if std::env::var("REHEARSE").as_deref() == Ok("rewrite") {
            std::fs::write(&path, heard).expect("a writable rehearsal");
        } else {
            failures += &difference(&path, &written, &heard);
        }
    }
    assert!(failures.is_empty(), "{failures}\nREHEARSE=rewrite writes down what is heard now");
}

/// Replays every transcript in a document: the blocks fenced as `rehearsal`.
pub fn rehearse_document<G: Playable>(path: impl AsRef<Path>) {
    rehearse_blocks::<G>(path, "rehearsal");
}

/// Replays every transcript in a document that is fenced with this word. A line that was heard may
/// be shortened there: what stands before and after the `…` is compared.
pub fn rehearse_blocks<G: Playable>(path: impl AsRef<Path>, word: &str) {
    let fence = format!("```{word}\n");
    let path = path.as_ref();
    let written =
        std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut heard = String::new();
    for (index, part) in written.split(&fence).enumerate() {
        if index == 0 {
            heard += part;
            continue;
        }
        let (script, rest) = part.split_once("```").expect("a fence is closed");
        heard += &fence;
        let (now, changes) = self::heard::<G>(path, script);
        assert!(changes.is_empty(), "{changes}");
        heard += &shortened(script, &now);
        heard += "```";
        heard += rest;
    }
    assert!(written.contains(&fence), "{} shows no transcript", path.display());
    if heard != written && std::env::var("REHEARSE").as_deref() == Ok("rewrite") {
        std::fs::write(path, heard).expect("a writable document");
    } else {
        assert!(heard == written, "{}", difference(path, &written, &heard));
    }
}

/// What a rehearsal sounds like now, and where it sounds otherwise when sessions and hall can only
/// write to each other, or when the hall is lost time and again: it must not.
fn heard<G: Playable>(path: &Path, script: &str) -> (String, String) {
    let [direct, as_text, taken_over] =
        [Journey::Direct, Journey::AsText, Journey::TakenOver].map(|journey| {
            replay::<G>(script, journey).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
        });
    let mut changes = String::new();
    if as_text != direct {
        changes += "\nwhat is said changes on its way as text:";
        changes += &difference(path, &direct, &as_text);
    }
    if taken_over != direct {
        changes += "\nwhat is said changes when the hall is taken over:";
        changes += &difference(path, &direct, &taken_over);
    }
    (direct, changes)
}

/// The stimuli of a rehearsal with everything heard after each.
fn replay<G: Playable>(script: &str, journey: Journey) -> Result<String, String> {
    Ok(perform_all::<G>(script, journey)?.transcript)
}

/// The stage after a rehearsal.
fn perform_all<G: Playable>(script: &str, journey: Journey) -> Result<Stage<G>, String> {
    let (options, seed) = settings::<G>(script)?;
    let mut stage = Stage::<G>::new(options, seed)?;
    stage.journey = journey;
    for (number, line) in script.lines().enumerate() {
        if !is_heard(line) {
            stage.perform(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        }
    }
    Ok(stage)
}

/// The records of every game of a rehearsal, as text.
pub(crate) fn written<G: Playable>(script: &str) -> Vec<Vec<String>> {
    let stage = perform_all::<G>(script, Journey::Direct).unwrap_or_else(|why| panic!("{why}"));
    let text = |record| serde_json::to_string(record).expect("records are plain data");
    let tables = stage.journal.tables();
    tables.map(|(_, recorded)| recorded.records().map(text).collect()).collect()
}

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
            journey: Journey::Direct,
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
