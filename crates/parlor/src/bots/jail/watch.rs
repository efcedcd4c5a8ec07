//! Counts what a bot takes of the machine, over all its processes, from the jail's first process. The
//! kernel's own limits hold for each process alone and leave shared memory out.

use std::io;
use std::os::fd::AsFd;
use std::process;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::fs::statvfs;

use super::super::jail_socket::{self, Limit};
use super::taken::Taken;
use crate::terminal::output;

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// A program that starts another shares its memory with it for a moment, and is counted twice then. So one
/// look is not enough to end a bot.
const LOOKS: usize = 3;
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// A bot has come to the limit of its processes if less than this part of them is left: those that
/// started the others may have ended since.
const MARGIN: u64 = 16;

/// Where the bot can write.
const SCRATCH: [&str; 2] = ["/tmp", "/dev/shm"];

/// As a shell tells that a program was killed.
const KILLED: i32 = 137;

#[derive(Debug)]
pub struct Watch<S> {
    /// In bytes.
    pub memory: Option<u64>,
    /// Of processes and threads, the jail's own included.
    pub processes: Option<u64>,
    /// Who is to know which limits the bot reaches.
    pub door: S,
    pub reached: Mutex<Vec<Limit>>,
}

impl<S: AsFd> Watch<S> {
    /// Watches until the end, and ends the jail when the bot takes too much.
    pub fn keep_looking(&self) -> ! {
        loop {
            thread::sleep(INTERVAL);
            let looked = self.look();
            let Err(why) = looked else { continue };
            output::error(&format!("the bot was ended: {why:#}"));
            // Everything in the jail ends with its first process.
            process::exit(KILLED);
        }
    }

    /// Notes which limits the bot has reached. An error if the bot has to be stopped.
    pub fn look(&self) -> Result<()> {
        for place in SCRATCH {
            let space = statvfs(place).with_context(|| format!("{place} cannot be looked at"))?;
            if space.f_bavail == 0 || space.f_favail == 0 {
                self.note(Limit::Files);
            }
        }
        let uncounted = "what it takes cannot be counted";
        let mut taken = Taken::now(self.memory).context(uncounted)?;
        if self.processes.is_some_and(|most| taken.tasks >= most - most / MARGIN) {
            self.note(Limit::Processes);
        }
        let Some(most) = self.memory else { return Ok(()) };
        for _ in 1..LOOKS {
            if taken.memory <= most {
                return Ok(());
            }
            thread::sleep(BETWEEN_LOOKS);
            taken = Taken::now(self.memory).context(uncounted)?;
        }
        if taken.memory > most {
            self.note(Limit::Memory);
            anyhow::bail!(
                "it used {} MB of memory; the limit is {}",
                taken.memory >> 20,
                most >> 20
            );
        }
        Ok(())
    }

    fn note(&self, limit: Limit) {
        let mut reached = self.reached.lock().expect("no holder of this lock panics");
        if !reached.contains(&limit) {
            reached.push(limit);
            // The organiser may be gone; then the jail is about to end, too.
            let _: io::Result<()> = jail_socket::report(&self.door, limit);
        }
    }
}
