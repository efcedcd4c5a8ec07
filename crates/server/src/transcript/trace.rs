//! `--trace DIR`: the messages of each connection, for the author of a bot.

use std::fs::{File, create_dir_all};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use hall::hide_keys;
use store::private;
use wire::Frame;

use crate::house::clock;

/// Maximum size of a connection's file, so that no client can fill a disk.
const LONGEST: usize = 16 << 20;

/// One connection's file. Each line: the time, the direction, the message.
#[derive(Debug)]
pub struct Trace {
    file: File,
    /// How many bytes may still be written.
    left: usize,
    /// The player's secrets for reconnecting.
    secrets: Vec<String>,
    /// The client's last message, until it is known whether it contained a secret.
    heard: Option<String>,
}

impl Trace {
    pub fn open(folder: &Path, dialect: &str, conn: u64, peer: &str) -> Result<Trace> {
        create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(format!("{dialect}-{conn}.txt"));
        // Hands are in it.
        let file =
            private::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut trace = Trace { file, left: LONGEST, secrets: Vec::new(), heard: None };
        trace.line("--", &format!("connected from {peer}"));
        Ok(trace)
    }

    /// Holds the client's message until [`settle`](Trace::settle) or the next record.
    pub fn heard(&mut self, frame: Frame<'_>) {
        self.settle();
        self.heard = Some(match frame {
            Frame::Text(text) => text.to_owned(),
            Frame::Garbage(garbage, bytes) => garbage.shown(bytes),
        });
    }

    /// From now on this isn't recorded: a reader of the trace can't reconnect in the player's
    /// place.
    pub fn hide(&mut self, secret: &str) {
        if !secret.is_empty() && !self.secrets.iter().any(|known| known == secret) {
            self.secrets.push(secret.to_owned());
        }
    }

    /// Records the client's message.
    pub fn settle(&mut self) {
        if let Some(heard) = self.heard.take() {
            self.line(">>>", &heard);
        }
    }

    pub fn said(&mut self, text: &str) {
        self.settle();
        self.line("<<<", text);
    }

    pub fn closed(&mut self, reason: &str) {
        self.settle();
        self.line("--", reason);
    }

    fn line(&mut self, direction: &str, text: &str) {
        if self.left == 0 {
            return;
        }
        let text = without(&hide_keys(text), &self.secrets);
        let mut line = format!("{} {direction} {text}\n", clock::now().0);
        self.left = self.left.saturating_sub(line.len());
        if self.left == 0 {
            line =
                format!("{} -- the trace ends here: it is as long as it may be\n", clock::now().0);
        }
        // A full disk must not end the game of a traced player.
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            tracing::warn!(%error, "cannot write the trace");
        }
    }
}

/// A text with its secrets cut out.
pub fn without(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "(token)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_file_stops_growing_at_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let mut trace = Trace::open(folder.path(), "gamba", 1, "192.0.2.1").unwrap();
        let long = "x".repeat(1 << 20);
        (0..20).for_each(|_| trace.said(&long));
        let text = std::fs::read_to_string(folder.path().join("gamba-1.txt")).unwrap();
        assert!(text.len() <= LONGEST + 100, "{}", text.len());
        let last = text.lines().last().unwrap();
        assert!(last.contains("the trace ends here"), "{last}");
        assert_eq!(text.matches("the trace ends").count(), 1);
    }
}
