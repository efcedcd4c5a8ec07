//! A bot that is a command: started, listened to, and ended with everything it started.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::Child;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::confinement::Cell;
use super::logbook::Logbook;
use super::relay::Relay;
use super::shell;
use crate::printed::Printed;
use crate::system::{Group, prepare_group};

/// Lines of a bot's error output that are kept.
const LINES_KEPT: usize = 12;

/// Lines that are kept of one game.
const PRINTED_KEPT: usize = 2000;

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// Longest wait for the last lines a bot printed.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Where a bot finds its game.
#[derive(Clone, Debug)]
pub struct Destination {
    pub host: String,
    pub port: u16,
    pub game: &'static str,
    pub name: String,
    pub table: String,
    pub tournament: String,
}

impl Destination {
    /// What is filled into a command, in braces, and told in `PARLOR_` variables.
    pub const WORDS: [&str; 6] = ["host", "port", "name", "table", "game", "tournament"];

    /// Each of the words with what it stands for.
    fn values(&self) -> Vec<(&'static str, String)> {
        let Destination { host, port, game, name, table, tournament } = self.clone();
        let values = [host, port.to_string(), name, table, game.to_owned(), tournament];
        Destination::WORDS.into_iter().zip(values).collect()
    }
}

pub struct Program {
    command: String,
    cell: Cell,
    running: Option<Running>,
    has_run: bool,
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// All of them since they were last taken, with their times.
    printed: Arc<Mutex<Vec<Printed>>>,
    /// Reads what it complains of.
    reader: Option<JoinHandle<()>>,
    /// Where all that it prints is kept.
    log: Option<Arc<Logbook>>,
}

struct Running {
    child: Child,
    group: Group,
}

impl Program {
    pub fn new(command: String, cell: Cell, log: Option<Arc<Logbook>>) -> Program {
        let (complaints, printed) = (Arc::default(), Arc::default());
        let (running, reader) = (None, None);
        Program { command, cell, running, has_run: false, complaints, printed, reader, log }
    }

    pub fn has_run(&self) -> bool {
        self.has_run
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// An error if the command cannot be started with what is filled into it there.
    pub fn check(&self, place: &Destination) -> Result<()> {
        shell::filled(&self.command, &place.values()).map(drop)
    }

    /// Starts the command again. Its relay accepts its connections.
    pub fn start(&mut self, place: &Destination, relay: &mut Relay) -> Result<()> {
        self.kill();
        let values = place.values();
        let command = shell::filled(&self.command, &values)?;
        let (mut start, door) = self.cell.start(&command, place.port)?;
        let told = values
            .into_iter()
            .map(|(word, value)| (format!("PARLOR_{}", word.to_uppercase()), value));
        // What the shell starts ends with it.
        prepare_group(&mut start);
        let mut child = start
            .envs(told)
            .stdout(if self.log.is_some() { Stdio::piped() } else { Stdio::null() })
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start '{command}'"))?;
        // The command holds the other end of the door until it is dropped.
        drop(start);
        if let Some(door) = door {
            relay.listen_inside(door);
        }
        let group =
            Group::of(&child, self.cell.group_limits()).context("a bot cannot be watched over")?;
        // A pipe closes with its last writer; its reader then ends by itself.
        if let Some(stdout) = child.stdout.take() {
            let log = self.log.clone();
            tokio::spawn(read_lines(stdout, move |line| {
                log.iter().for_each(|log| log.printed(&line));
            }));
        }
        let stderr = child.stderr.take().expect("piped");
        let (complaints, log) = (self.complaints.clone(), self.log.clone());
        let printed = self.printed.clone();
        self.reader = Some(tokio::spawn(read_lines(stderr, move |line| {
            log.iter().for_each(|log| log.printed(&line));
            let mut all = printed.lock().expect("nobody panics with it");
            if all.len() < PRINTED_KEPT {
                all.push(Printed { at: now_ms(), name: String::new(), text: line.clone() });
            }
            drop(all);
            let mut kept = complaints.lock().expect("nobody panics with it");
            if kept.len() == LINES_KEPT {
                kept.pop_front();
            }
            kept.push_back(line);
        })));
        self.has_run = true;
        self.running = Some(Running { child, group });
        Ok(())
    }

    /// Waits until the command ends; forever, if it does not run.
    pub async fn ended(&mut self) -> Result<ExitStatus> {
        let Some(running) = &mut self.running else { return std::future::pending().await };
        let status = running.child.wait().await?;
        self.kill();
        Ok(status)
    }

    /// The last lines on its standard error, taken.
    pub async fn complaints(&mut self) -> Vec<String> {
        if !self.is_running()
            && let Some(reader) = self.reader.take()
        {
            // They may be on their way; a process that outlives the bot may keep the pipe open.
            let _ = timeout(LAST_WORDS, reader).await;
        }
        self.complaints.lock().expect("nobody panics with it").drain(..).collect()
    }

    /// What it has printed on its standard error since this was last asked, under this name.
    pub fn take_printed(&self, name: &str) -> Vec<Printed> {
        let lines = std::mem::take(&mut *self.printed.lock().expect("nobody panics with it"));
        lines.into_iter().map(|line| Printed { name: name.to_owned(), ..line }).collect()
    }

    /// Ends it and what it has started.
    pub fn kill(&mut self) {
        if let Some(Running { group, .. }) = self.running.take() {
            group.kill();
        }
    }
}

/// A longer line is taken for several.
const LONGEST_LINE: u64 = 4096;

/// Reads to the end, whatever arrives: a bot must not block because its output isn't read.
async fn read_lines(from: impl AsyncRead + Unpin, mut each: impl FnMut(String)) {
    let (mut from, mut line) = (BufReader::new(from), Vec::new());
    loop {
        line.clear();
        match (&mut from).take(LONGEST_LINE).read_until(b'\n', &mut line).await {
            // A pipe that breaks has nothing more to tell.
            Ok(0) | Err(_) => return,
            Ok(_) => each(String::from_utf8_lossy(&line).trim_end().to_owned()),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
