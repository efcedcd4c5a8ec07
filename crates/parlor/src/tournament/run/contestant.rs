//! A bot that is a command, during its tournament: started for its games, watched, and started
//! again when it ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tokio::time::Instant;
use wire::AnyDialect;
use wire::Signs;

use super::super::entrant::Entrant;
use super::snapshot::{Expected, Snapshot};
use crate::bots::{
    Conduct, Confinement, Destination, Link, Logbook, MessageObserver, Program, Relay, ServerRoute,
    Side, Verdict,
};
use crate::terminal::output;

/// Time that a bot which has played and stays has to come to its next game by itself; at most half
/// of the time to join.
const STAY: Duration = Duration::from_secs(3);

/// Who ends without having played is started again after a pause that doubles each time.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A bot that ends this number of times in a row while its game waits is given up.
const FAILURES: u32 = 2;

pub struct Contestant {
    pub name: String,
    table_name: String,
    /// Its number among the entrants.
    number: usize,
    command: String,
    /// It gets its table on the command line, so it is started for each game.
    needs_table: bool,
    /// Having played, it has this long to come to its next game by itself.
    stay: Duration,
    program: Program,
    /// What stands between it and the server.
    relay: Relay,
    listener: Arc<Listener>,
    place: Destination,
    starts: u32,
    crashes: u32,
    /// How often in a row it ended while its game waited.
    failures: u32,
    pause: Duration,
    not_before: Instant,
    /// Its games that had ended when it was started last.
    ended_before: usize,
    /// The game that waits for it, and since when.
    awaited: Option<(String, Instant)>,
    /// The game that continues without it.
    out_of: Option<String>,
    last_words: Vec<String>,
    last_end: Option<ExitStatus>,
}

/// Where a tournament is played.
#[derive(Clone, Copy)]
pub struct Venue<'a> {
    pub wire: &'a AnyDialect,
    /// Where the server's HTTP is.
    pub http: &'a str,
    /// The key the server requires from programs that play for an entrant.
    pub keys: &'a BTreeMap<String, String>,
    pub tournament: &'static str,
    /// How long players may take to come to a game.
    pub no_show: Duration,
    /// The folder for what bots print and say.
    pub logs: &'a Path,
    pub confinement: &'a Confinement,
}

/// A report to the server: the player of this seat of this table is gone.
#[derive(Debug, PartialEq, Eq)]
pub struct Crash {
    pub table: String,
    pub seat: usize,
    /// In words, for people.
    pub text: String,
}

impl Contestant {
    /// `number`: its number among the entrants.
    pub async fn new(
        number: usize,
        entrant: &Entrant,
        command: &str,
        venue: Venue<'_>,
    ) -> Result<Contestant> {
        let Venue { wire, http, keys, tournament, no_show, logs, confinement } = venue;
        let log = Arc::new(Logbook::open(logs.join(folder_name(&entrant.name, number)))?);
        let listener = Arc::new(Listener {
            signs: wire.signs,
            log: log.clone(),
            moves: AtomicU64::new(0),
            is_done: AtomicBool::new(false),
        });
        let cell = confinement.of(number, command)?;
        let link = Link {
            route: ServerRoute::new(wire, http, keys.get(&entrant.name).cloned())?,
            framing: wire.framing,
            observer: listener.clone(),
            conduct: Arc::new(Conduct::new(&wire.signs, entrant.table_name())),
        };
        let relay = match cell.has_room() {
            true => Relay::inside(wire.default_port, link),
            false => Relay::start(link).await?,
        };
        let place = Destination {
            host: relay.address.ip().to_string(),
            port: relay.address.port(),
            game: wire.game,
            name: entrant.table_name().to_owned(),
            table: String::new(),
            tournament: tournament.to_owned(),
        };
        let program = Program::new(command.to_owned(), cell, Some(log));
        program.check(&place)?;
        Ok(Contestant {
            name: entrant.name.clone(),
            table_name: entrant.table_name().to_owned(),
            number,
            command: command.to_owned(),
            needs_table: ["{table}", "PARLOR_TABLE"].iter().any(|word| command.contains(word)),
            stay: STAY.min(no_show / 2),
            program,
            relay,
            listener,
            place,
            starts: 0,
            crashes: 0,
            failures: 0,
            pause: SHORTEST_PAUSE,
            not_before: Instant::now(),
            ended_before: 0,
            awaited: None,
            out_of: None,
            last_words: Vec::new(),
            last_end: None,
        })
    }

    /// Whether the shell could not even run it the first time. Later it may be missing for a
    /// moment, while it is being rebuilt.
    pub fn cannot_run(&self, status: ExitStatus) -> Option<String> {
        // What a shell ends with if it cannot run, or cannot find, what it is to run.
        let cannot = self.starts == 1 && matches!(status.code(), Some(126 | 127));
        cannot.then(|| format!("'{}' cannot be run: the shell ended with {status}", self.command))
    }

    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Starts the program if it should run and does not, as things stand.
    pub fn look(&mut self, now: &Snapshot) -> Result<()> {
        let expected = now.expected(&self.table_name);
        if now.is_withdrawn(self.number) {
            self.dismiss("it is withdrawn from the tournament");
            return Ok(());
        }
        self.note_awaited(expected.as_ref());
        let table = expected.as_ref().map(|expected| expected.table.as_str());
        if table.is_some() && table == self.out_of.as_deref() || now.is_over() {
            return Ok(());
        }
        if self.program.is_running() {
            if let Some(expected) = expected.filter(|expected| self.is_stale(expected, now)) {
                self.dismiss("it did not come to its next game");
                return self.start(Some(&expected.table), now);
            }
            return Ok(());
        }
        if self.needs_table && table.is_none() || Instant::now() < self.not_before {
            return Ok(());
        }
        let table = table.map(str::to_owned);
        self.start(table.as_deref(), now)
    }

    /// A game that begins to wait for it is a fresh chance.
    fn note_awaited(&mut self, expected: Option<&Expected>) {
        let table = expected.map(|expected| &expected.table);
        if self.awaited.as_ref().map(|(table, _)| table) != table {
            self.awaited = table.map(|table| (table.clone(), Instant::now()));
            self.failures = 0;
            self.pause = SHORTEST_PAUSE;
            self.not_before = Instant::now();
        }
    }

    /// Whether it has played, stays, and does not come to the game that waits for it.
    fn is_stale(&self, expected: &Expected, now: &Snapshot) -> bool {
        let has_played = now.games_ended(self.number) > self.ended_before;
        let is_for_another = self.needs_table && self.place.table != expected.table;
        let is_late = self.awaited.as_ref().is_some_and(|(_, since)| since.elapsed() > self.stay);
        is_late && (has_played || is_for_another) && !expected.is_playing && !expected.is_present
    }

    fn start(&mut self, table: Option<&str>, now: &Snapshot) -> Result<()> {
        self.place.table = table.unwrap_or_default().to_owned();
        self.ended_before = now.games_ended(self.number);
        self.starts += 1;
        let table = table.map(|table| format!(" for table {table}")).unwrap_or_default();
        self.listener.log.happened(&format!("started{table}: {}", self.command));
        self.program.start(&self.place, &mut self.relay)
    }

    /// The program has ended. Returns a report to the server if a game is to continue without it.
    pub async fn ended(&mut self, status: ExitStatus, now: &Snapshot) -> Option<Crash> {
        let log = self.listener.log.clone();
        log.happened(&format!("ended: {status}"));
        let last_words = self.program.complaints().await;
        let expected = now.expected(&self.table_name);
        let has_played = now.games_ended(self.number) > self.ended_before;
        self.note_awaited(expected.as_ref());
        let is_done = self.listener.is_done.load(Ordering::Relaxed);
        if let Some(expected) = expected.as_ref().filter(|game| game.is_playing && is_done) {
            self.out_of = Some(expected.table.clone());
            return None;
        }
        let Some(Expected { table, seat, is_playing, .. }) =
            expected.filter(|expected| expected.is_playing || !has_played)
        else {
            // It has played its game and is done, or no game waits for it.
            self.pause = if has_played { SHORTEST_PAUSE } else { self.longer_pause() };
            self.not_before = Instant::now() + self.pause;
            if !has_played {
                self.trouble(status, last_words);
            }
            return None;
        };
        self.trouble(status, last_words);
        self.failures += 1;
        if !is_playing && self.failures < FAILURES {
            self.pause = self.longer_pause();
            self.not_before = Instant::now() + self.pause;
            return None;
        }
        if self.out_of.as_ref() == Some(&table) {
            return None;
        }
        self.crashes += 1;
        self.out_of = Some(table.clone());
        let when = if is_playing { "in the middle of its game" } else { "before its game began" };
        let text = format!("crashed {when} at table {table} ({status})");
        log.happened(&text);
        let words = self.last_words.last().map(|line| format!(": {line}")).unwrap_or_default();
        Some(Crash { table, seat, text: format!("{} {text}{words}", self.name) })
    }

    pub fn note(&self, text: &str) {
        self.listener.log.happened(text);
    }

    /// Ends it if it runs.
    pub fn dismiss(&mut self, why: &str) {
        if self.program.is_running() {
            self.program.kill();
            self.note(&format!("ended: {why}"));
        }
    }

    fn longer_pause(&self) -> Duration {
        (self.pause * 2).min(LONGEST_PAUSE)
    }

    fn trouble(&mut self, status: ExitStatus, last_words: Vec<String>) {
        self.last_words = last_words;
        self.last_end = Some(status);
    }

    /// Whether it took part in games of this run and never made a move.
    pub fn never_played(&self, games_before: usize, end: &Snapshot) -> bool {
        let moves = self.listener.moves.load(Ordering::Relaxed);
        moves == 0 && end.games_ended(self.number) > games_before
    }

    pub fn table_name(&self) -> String {
        self.table_name.clone()
    }

    pub fn games_ended(&self, now: &Snapshot) -> usize {
        now.games_ended(self.number)
    }

    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "command": self.command,
            "starts": self.starts,
            "crashes": self.crashes,
            "moves": self.listener.moves.load(Ordering::Relaxed),
            "last_end": self.last_end.map(|status| status.to_string()),
            "last_words": self.last_words,
            "attempts": self.relay.conduct().attempts(),
            "log": self.listener.log.folder,
        })
    }

    /// For people: what there is to worry about.
    pub fn worries(&self, never_played: bool) -> Option<String> {
        let attempts = self.relay.conduct().attempts();
        if self.crashes == 0 && !never_played && attempts.is_empty() {
            return None;
        }
        let starts = output::count(self.starts, "time");
        let mut text = format!("{}: started {starts}", self.name);
        if self.crashes > 0 {
            let games = output::count(self.crashes, "game");
            text += &format!(", crashed in {games}");
        }
        if never_played {
            text += ", never made a move";
        }
        for attempt in attempts {
            text += &format!(", {attempt}");
        }
        if let Some(status) = self.last_end {
            text += &format!("; it ended with {status}");
        }
        for line in &self.last_words {
            text += &format!("\n  {line}");
        }
        Some(format!("{text}\n  More: {}", self.listener.log.folder.display()))
    }
}

/// A name as the name of a folder.
fn folder_name(name: &str, number: usize) -> String {
    let fits = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    match name.starts_with(char::is_alphanumeric) && name.chars().all(fits) {
        true => name.to_owned(),
        false => format!("entrant-{}", number + 1),
    }
}

/// Writes down what both sides say, and counts moves.
struct Listener {
    signs: Signs,
    log: Arc<Logbook>,
    moves: AtomicU64,
    /// The server has told it on its last connection that its game is over for it. At larger
    /// tables the others may play on.
    is_done: AtomicBool,
}

impl MessageObserver for Listener {
    fn connected(&self) {
        self.is_done.store(false, Ordering::Relaxed);
        self.log.connected();
    }

    fn objected(&self, why: &str) {
        self.log.happened(&format!("its connection was cut: {why}"));
    }

    fn heard(&self, side: Side, text: &str) -> Verdict {
        if side == Side::Bot && (self.signs.is_move)(text) {
            self.moves.fetch_add(1, Ordering::Relaxed);
        }
        if side == Side::Server && (self.signs.is_end)(text) {
            self.is_done.store(true, Ordering::Relaxed);
        }
        self.log.said(side, text);
        Verdict::Pass
    }
}
