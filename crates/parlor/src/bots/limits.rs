//! What a bot may take of the machine.

use std::fmt::Write;

/// Limits of bots that are isolated, where nothing else is said.
const USUAL_MEMORY_MB: u64 = 1024;
const USUAL_PROCESSES: u64 = 64;

/// The first process of a bot's jail, and the thread in it that watches: the kernel counts them as the
/// bot's.
const TASKS_OF_A_ROOM: u64 = 2;

#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub memory_mb: Option<u64>,
    pub cpu_s: Option<u64>,
    pub processes: Option<u64>,
    /// Whether all processes of a bot are counted together. If not, the kernel's limits hold for
    /// each process.
    pub are_total: bool,
}

impl Limits {
    /// Bots are isolated, which brings other limits.
    pub fn isolate(&mut self) {
        self.memory_mb.get_or_insert(USUAL_MEMORY_MB);
        self.processes.get_or_insert(USUAL_PROCESSES);
        self.are_total = true;
    }

    /// The memory of a bot in a jail.
    pub fn bytes(&self) -> Option<u64> {
        self.memory_mb.map(|megabytes| megabytes.saturating_mul(1 << 20))
    }

    /// How many processes and threads there can be in a jail.
    pub fn tasks(&self) -> Option<u64> {
        let more = if self.are_total { TASKS_OF_A_ROOM } else { 0 };
        self.processes.map(|processes| processes.saturating_add(more))
    }

    pub fn words(&self, before: &str) -> String {
        let mut words = Vec::new();
        let each = if self.are_total { "" } else { " a process" };
        words.extend(self.memory_mb.map(|mb| format!("{mb} MB memory{each}")));
        words.extend(self.cpu_s.map(|seconds| format!("{seconds} s processor time a process")));
        words.extend(self.processes.map(|number| format!("{number} processes")));
        if words.is_empty() { String::new() } else { format!("{before}{}", words.join(", ")) }
    }

    /// For the shell that then runs the bot. Windows has no such words: there the limits are those of
    /// a job.
    pub fn shell(&self) -> String {
        let mut text = String::new();
        if cfg!(windows) {
            return text;
        }
        if let Some(megabytes) = self.memory_mb {
            // What is written to counts; some interpreters reserve far more than they use. Shared memory does
            // not count here.
            let _ = write!(text, "ulimit -d {}; ", megabytes.saturating_mul(1024));
        }
        if let Some(seconds) = self.cpu_s {
            let _ = write!(text, "ulimit -t {seconds}; ");
        }
        if let Some(processes) = self.tasks() {
            // Shells do not agree on the letter.
            let _ = write!(text, "ulimit -u {processes} 2>/dev/null || ulimit -p {processes}; ");
        }
        if self.are_total {
            text += "ulimit -c 0; ulimit -n 256; ";
        }
        text
    }
}
