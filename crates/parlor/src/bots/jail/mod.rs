//! A jailed program: it has its own processes, files, network and user, as far as the system
//! allows. This program builds the jail itself, by running itself as a hidden command: first
//! outside, where namespaces are made, then inside as the first process, which starts the bot and
//! takes the jail down with it.

#[cfg(target_os = "linux")]
mod loopback;
#[cfg(target_os = "linux")]
mod stages;
#[cfg(target_os = "linux")]
mod taken;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod walls;
#[cfg(target_os = "linux")]
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::cli::JailArgs;

/// What a jail is like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Jail {
    /// What the shell is to run.
    pub command: String,
    /// Where it runs.
    pub folder: PathBuf,
    /// What the bot can read besides the system's own programs: where it is seen, and what is shown
    /// there.
    pub visible: Vec<(PathBuf, PathBuf)>,
    /// What is empty for it wherever it lies.
    pub hidden: Vec<PathBuf>,
    /// Where the bot finds its server.
    pub port: u16,
    /// The user who runs the bot. None: the user who starts it, in a user namespace.
    pub user: Option<(u32, u32)>,
    /// The most memory for all its processes together, in bytes.
    pub memory: Option<u64>,
    /// The most processes and threads, the jail's own included.
    pub processes: Option<u64>,
}

impl Jail {
    /// A jail in which nothing happens, to see whether there can be one.
    pub fn empty(user: Option<(u32, u32)>) -> Jail {
        Jail {
            command: "exit 0".to_owned(),
            folder: PathBuf::from("/"),
            visible: Vec::new(),
            hidden: Vec::new(),
            port: 7000,
            user,
            memory: None,
            processes: None,
        }
    }

    /// The arguments with which this program builds the jail.
    pub fn arguments(&self) -> Vec<String> {
        let jail = serde_json::to_string(self).expect("plain data");
        vec!["jail".to_owned(), jail]
    }
}

/// Builds a jail, runs the bot in it and ends as the bot ended.
pub fn run(args: &JailArgs) -> Result<ExitCode> {
    let jail: Jail = serde_json::from_str(&args.jail).context("the jail cannot be read")?;
    #[cfg(target_os = "linux")]
    return match args.inside {
        false => stages::outside(&jail, &args.jail),
        true => stages::inside(&jail),
    };
    #[cfg(not(target_os = "linux"))]
    anyhow::bail!("this system has no namespaces, so nothing can be run apart ({jail:?})");
}
