//! `--trace DIR`: what went over each connection, for the author of a bot.

use std::fs::{File, create_dir_all};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use wire::Frame;

use crate::clock;

/// One connection's file. Each line: the time, the direction, the message.
#[derive(Debug)]
pub struct Trace(File);

impl Trace {
    pub fn open(folder: &Path, dialect: &str, conn: u64, peer: &str) -> Result<Trace> {
        create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(format!("{dialect}-{conn}.txt"));
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut trace = Trace(file);
        trace.line("--", &format!("connected from {peer}"));
        Ok(trace)
    }

    pub fn heard(&mut self, frame: Frame<'_>) {
        match frame {
            Frame::Text(text) => self.line(">>>", text),
            Frame::Garbage(garbage, bytes) => self.line(">>>", &garbage.shown(bytes)),
        }
    }

    pub fn said(&mut self, text: &str) {
        self.line("<<<", text);
    }

    pub fn closed(&mut self, reason: &str) {
        self.line("--", reason);
    }

    fn line(&mut self, direction: &str, text: &str) {
        // A full disk must not end the game of whoever is being traced.
        if let Err(error) = writeln!(self.0, "{} {direction} {text}", clock::now().0) {
            tracing::warn!(%error, "cannot write the trace");
        }
    }
}
