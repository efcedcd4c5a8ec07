//! The log of one bot, for its author: when it was started and how it ended, what it printed, and
//! the messages between it and the server.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};

use super::relay::Side;
use crate::terminal::output;

/// A folder with one file for each of these.
#[derive(Debug)]
pub struct Logbook {
    pub folder: PathBuf,
    runs: Page,
    printed: Page,
    said: Page,
}

impl Logbook {
    /// Continues the log of an earlier run.
    pub fn open(folder: PathBuf) -> Result<Logbook> {
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Logbook {
            runs: Page::open(&folder.join("runs.txt"))?,
            printed: Page::open(&folder.join("printed.txt"))?,
            said: Page::open(&folder.join("messages.txt"))?,
            folder,
        })
    }

    /// The bot was started, has ended, or was reported.
    pub fn happened(&self, text: &str) {
        self.runs.write(text);
        // So that the other files say where one run ends and the next begins.
        self.printed.write(&format!("-- {text}"));
        self.said.write(&format!("-- {text}"));
    }

    /// A connection to the server begins.
    pub fn connected(&self) {
        self.said.write("-- connected");
    }

    pub fn printed(&self, line: &str) {
        self.printed.write(line);
    }

    pub fn said(&self, side: Side, text: &str) {
        self.said.write(&match side {
            Side::Bot => format!("bot    > {text}"),
            Side::Server => format!("server < {text}"),
        });
    }
}

/// A file with a size limit: no bot fills the disk.
#[derive(Debug)]
struct Page {
    path: PathBuf,
    /// None: the limit is reached, and nothing more is written.
    file: Mutex<Option<(File, u64)>>,
}

const LONGEST: u64 = 16 << 20;

impl Page {
    fn open(path: &Path) -> Result<Page> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        let length = file.metadata()?.len();
        Ok(Page { path: path.to_owned(), file: Mutex::new(Some((file, length))) })
    }

    fn write(&self, text: &str) {
        let mut open = self.file.lock().expect("nobody panics with it");
        let Some((file, length)) = &mut *open else { return };
        let line = format!("{} {text}\n", now());
        *length += line.len() as u64;
        let written = match *length > LONGEST {
            true => file
                .write_all(b"(this file has reached its largest size; nothing more is written)\n"),
            false => file.write_all(line.as_bytes()),
        };
        if let Err(error) = &written {
            // The tournament is worth more than its log.
            output::error(&format!("cannot write {}: {error}", self.path.display()));
        }
        if written.is_err() || *length > LONGEST {
            *open = None;
        }
    }
}

/// The time of day, as `2026-11-16T12:30:01.123456Z`.
fn now() -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = SystemTime.format_time(&mut Writer::new(&mut text));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_at_its_limit_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.txt");
        let page = Page::open(&path).unwrap();
        let line = "x".repeat(1 << 20);
        (0..20).for_each(|_| page.write(&line));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.len() as u64 <= LONGEST + 100, "{}", text.len());
        assert!(text.ends_with("nothing more is written)\n"));
    }
}
