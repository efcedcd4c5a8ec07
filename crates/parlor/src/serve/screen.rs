//! A terminal with one line at its foot that is written over in place. Log lines go above it.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::{Arc, Mutex};

use tracing_subscriber::fmt::MakeWriter;

/// Back to the beginning of the line, and nothing left on it.
const WIPE: &str = "\r\x1b[2K";

#[derive(Clone, Default)]
pub struct Screen {
    /// What stands at the foot. Its lock is held while the terminal is written to.
    foot: Arc<Mutex<String>>,
}

impl Screen {
    /// Whether standard output is a terminal on which a line can be replaced.
    pub fn is_watched() -> bool {
        stdout().is_terminal() && std::env::var("TERM").is_ok_and(|term| term != "dumb")
    }

    /// Shows this at the foot from now on; an empty text clears it.
    pub fn show(&self, text: &str) {
        let mut foot = self.foot.lock().expect("no holder of this lock panics");
        if *foot != text {
            text.clone_into(&mut foot);
            let mut out = stdout();
            // A terminal that is gone is no reason to end.
            let _ = write!(out, "{WIPE}{text}").and_then(|()| out.flush());
        }
    }
}

/// Logs are written to standard error, around the line at the foot.
impl<'a> MakeWriter<'a> for Screen {
    type Writer = Screen;

    fn make_writer(&'a self) -> Screen {
        self.clone()
    }
}

impl Write for Screen {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let foot = self.foot.lock().expect("no holder of this lock panics");
        if foot.is_empty() {
            return stderr().write(line);
        }
        let mut out = stdout();
        let _ = write!(out, "{WIPE}").and_then(|()| out.flush());
        stderr().write_all(line)?;
        let _ = write!(out, "{foot}").and_then(|()| out.flush());
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        stderr().flush()
    }
}
