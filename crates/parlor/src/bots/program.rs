//! A bot that is a command: started, listened to, and ended with everything it started.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::confinement::Confinement;
use super::logbook::Logbook;

/// So many lines of what a bot complains of are kept.
const LINES_KEPT: usize = 12;

/// What a bot printed last is waited for so long.
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
    fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        let Destination { host, port, game, name, table, tournament } = self.clone();
        let values = [host, port.to_string(), name, table, game.to_owned(), tournament];
        Destination::WORDS.into_iter().zip(values)
    }
}

pub struct Program {
    command: String,
    confinement: Confinement,
    running: Option<Running>,
    has_run: bool,
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// Reads what it complains of.
    reader: Option<JoinHandle<()>>,
    /// Where all that it prints is kept.
    log: Option<Arc<Logbook>>,
}

struct Running {
    child: Child,
    group: Option<Pid>,
}

impl Program {
    pub fn new(command: String, confinement: Confinement, log: Option<Arc<Logbook>>) -> Program {
        let (complaints, running) = (Arc::default(), None);
        Program { command, confinement, running, has_run: false, complaints, reader: None, log }
    }

    pub fn has_run(&self) -> bool {
        self.has_run
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Starts the command anew.
    pub fn start(&mut self, place: &Destination) -> Result<()> {
        self.kill();
        let command = place.values().fold(self.command.clone(), |command, (word, value)| {
            command.replace(&format!("{{{word}}}"), &value)
        });
        let mut shell = Command::new("sh");
        self.confinement.apply(&mut shell);
        let mut child = shell
            .args(["-c", &self.confinement.confined(&command)])
            .envs(
                place
                    .values()
                    .map(|(word, value)| (format!("PARLOR_{}", word.to_uppercase()), value)),
            )
            .stdin(Stdio::null())
            .stdout(if self.log.is_some() { Stdio::piped() } else { Stdio::null() })
            .stderr(Stdio::piped())
            // A group of its own, so that what the shell starts ends with it.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start '{command}'"))?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // A pipe closes with its last writer; its reader then ends by itself.
        if let Some(stdout) = child.stdout.take() {
            let log = self.log.clone();
            tokio::spawn(read_lines(stdout, move |line| {
                log.iter().for_each(|log| log.printed(&line));
            }));
        }
        let stderr = child.stderr.take().expect("piped");
        let (complaints, log) = (self.complaints.clone(), self.log.clone());
        self.reader = Some(tokio::spawn(read_lines(stderr, move |line| {
            log.iter().for_each(|log| log.printed(&line));
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

    /// Waits until the command ends; for ever, if it does not run.
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
            // They may be on their way; somebody it has left behind may keep the pipe open.
            let _ = timeout(LAST_WORDS, reader).await;
        }
        self.complaints.lock().expect("nobody panics with it").drain(..).collect()
    }

    /// Ends it and what it has started.
    pub fn kill(&mut self) {
        let Some(Running { group: Some(group), .. }) = self.running.take() else { return };
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A longer line is taken for several.
const LONGEST_LINE: u64 = 4096;

/// Reads to the end, whatever comes: a bot must not wait for somebody to read what it prints.
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
