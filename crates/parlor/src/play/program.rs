//! A bot that is a command: started, listened to, and ended with everything it started.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// So many lines of what a bot complains of are kept.
const LINES_KEPT: usize = 12;

/// Where a bot finds its game.
#[derive(Clone, Debug)]
pub struct Place {
    pub host: String,
    pub port: u16,
    pub game: &'static str,
    pub name: String,
    pub table: String,
    pub tournament: String,
}

impl Place {
    /// What is filled into a command, in braces, and told in `PARLOR_` variables.
    pub const WORDS: [&str; 6] = ["host", "port", "name", "table", "game", "tournament"];

    /// Each of the words with what it stands for.
    fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        let Place { host, port, game, name, table, tournament } = self.clone();
        let values = [host, port.to_string(), name, table, game.to_owned(), tournament];
        Place::WORDS.into_iter().zip(values)
    }
}

pub struct Program {
    command: String,
    running: Option<Running>,
    has_run: bool,
    complaints: Arc<Mutex<VecDeque<String>>>,
}

struct Running {
    child: Child,
    group: Option<Pid>,
    reader: JoinHandle<()>,
}

impl Program {
    pub fn new(command: String) -> Program {
        Program { command, running: None, has_run: false, complaints: Arc::default() }
    }

    pub fn has_run(&self) -> bool {
        self.has_run
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Starts the command anew.
    pub fn start(&mut self, place: &Place) -> Result<()> {
        self.kill();
        let command = place.values().fold(self.command.clone(), |command, (word, value)| {
            command.replace(&format!("{{{word}}}"), &value)
        });
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .envs(
                place
                    .values()
                    .map(|(word, value)| (format!("PARLOR_{}", word.to_uppercase()), value)),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // A group of its own, so that what the shell starts ends with it.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start '{command}'"))?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let stderr = child.stderr.take().expect("piped");
        let complaints = self.complaints.clone();
        let reader = tokio::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            // What is no text ends what is kept of it.
            while let Ok(Some(line)) = lines.next_line().await {
                let mut kept = complaints.lock().expect("nobody panics with it");
                if kept.len() == LINES_KEPT {
                    kept.pop_front();
                }
                kept.push_back(line);
            }
        });
        self.has_run = true;
        self.running = Some(Running { child, group, reader });
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
    pub fn complaints(&self) -> Vec<String> {
        self.complaints.lock().expect("nobody panics with it").drain(..).collect()
    }

    /// Ends it and what it has started.
    pub fn kill(&mut self) {
        let Some(Running { group, reader, .. }) = self.running.take() else { return };
        if let Some(group) = group {
            // It may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // The pipe closes with its last writer; the reader then ends by itself.
        drop(reader);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
