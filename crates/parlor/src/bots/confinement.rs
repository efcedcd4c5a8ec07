//! As whom a bot that is a command runs, and what it may take of the machine. What only one kind of
//! operating system knows of this stands here alone.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cli::ConfinementArgs;

/// Bots of strangers, as far as they are confined.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    user: Option<User>,
    /// What the shell is told before it runs the bot.
    limits: String,
}

/// Another user of this machine.
#[derive(Clone, Debug)]
struct User {
    uid: u32,
    gid: u32,
    home: String,
}

impl Confinement {
    pub fn new(args: &ConfinementArgs) -> Result<Confinement> {
        let user = args.run_as.as_deref().map(find).transpose()?;
        let mut limits = String::new();
        if let Some(megabytes) = args.bot_memory {
            limits += &format!("ulimit -v {}; ", megabytes.saturating_mul(1024));
        }
        if let Some(seconds) = args.bot_cpu {
            limits += &format!("ulimit -t {seconds}; ");
        }
        if let Some(processes) = args.bot_processes {
            // Shells do not agree on the letter.
            limits += &format!("ulimit -u {processes} 2>/dev/null || ulimit -p {processes}; ");
        }
        Ok(Confinement { user, limits })
    }

    /// A command for the shell, within its limits.
    pub fn confined(&self, command: &str) -> String {
        format!("{}{command}", self.limits)
    }

    /// Has a program run as whom it shall. What is in this one's environment is not for others.
    pub fn apply(&self, program: &mut tokio::process::Command) {
        let Some(User { uid, gid, home }) = &self.user else { return };
        program.env_clear().env("HOME", home);
        for name in ["PATH", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                program.env(name, value);
            }
        }
        program.uid(*uid).gid(*gid);
    }
}

/// Looks a user up in the system's own list.
fn find(name: &str) -> Result<User> {
    let found = Command::new("getent").args(["passwd", "--", name]).output();
    let found = found.context("cannot look users up: getent does not run")?;
    let line = String::from_utf8_lossy(&found.stdout).into_owned();
    let fields: Vec<&str> = line.trim_end().split(':').collect();
    let [_, _, uid, gid, _, home, _] = fields[..] else {
        bail!("--as {name}: there is no such user on this machine");
    };
    let number = |text: &str| text.parse().context("the system's list of users cannot be read");
    let user = User { uid: number(uid)?, gid: number(gid)?, home: home.to_owned() };
    if !rustix::process::geteuid().is_root() && rustix::process::geteuid().as_raw() != user.uid {
        bail!("--as {name}: only root can start programs as another user");
    }
    Ok(user)
}
