//! A server as a child process, so that its time and memory are its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use wire::Games;

/// Settings that lift the limits.
pub const LIFTED: [&str; 3] =
    ["limits.messages_per_s=0", "limits.bytes_per_s=0", "limits.open_games_per_min=0"];

#[derive(Debug)]
pub struct ChildServer {
    process: Child,
    /// Its addresses, by port name.
    pub addresses: BTreeMap<String, String>,
}

impl ChildServer {
    /// Starts this binary again with other arguments and waits for its `ready` line.
    pub fn start(arguments: &[String]) -> Result<ChildServer> {
        ChildServer::spawn(&[], arguments, "off", Stdio::null())
    }

    /// The same, with its log in a file.
    pub fn start_logging(arguments: &[String], log: File) -> Result<ChildServer> {
        ChildServer::spawn(&[], arguments, "info", log.into())
    }

    /// The same, by a command that runs another in its place.
    pub fn start_by(by: &[String], arguments: &[String], log: File) -> Result<ChildServer> {
        ChildServer::spawn(by, arguments, "info", log.into())
    }

    fn spawn(
        by: &[String],
        arguments: &[String],
        filter: &str,
        stderr: Stdio,
    ) -> Result<ChildServer> {
        let binary = std::env::current_exe().context("cannot find this program")?;
        let mut command = match by.split_first() {
            None => Command::new(binary),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(binary);
                command
            }
        };
        // As for every server of this program's own, the environment is meant for another.
        let is_setting = |name: &OsString| name.to_string_lossy().starts_with("PARLOR_");
        for name in std::env::vars_os().map(|(name, _)| name).filter(is_setting) {
            command.env_remove(name);
        }
        let mut process = command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .env("PARLOR_LOG", filter)
            .spawn()
            .context("cannot start the server")?;
        let stdout = process.stdout.take().expect("piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let ready = line
            .strip_prefix("ready ")
            .ok_or_else(|| anyhow!("the server did not start: {line}"))?;
        Ok(ChildServer { process, addresses: serde_json::from_str(ready)? })
    }

    /// A server of one game on free ports.
    pub fn host(
        games: &Games,
        port: &str,
        durable: Option<&std::path::Path>,
        set: &[String],
    ) -> Result<ChildServer> {
        let mut arguments = vec!["serve".to_owned()];
        match durable {
            None => arguments.push("--ephemeral".to_owned()),
            Some(folder) => arguments.extend(["--data".to_owned(), folder.display().to_string()]),
        }
        for name in games.ports() {
            let used = name == port || name == "http";
            arguments.extend([
                "--port".to_owned(),
                format!("{name}={}", if used { "0" } else { "off" }),
            ]);
        }
        // Benchmarks measure the server's speed, not its limits.
        let lifted = LIFTED.map(str::to_owned);
        for set in lifted.iter().chain(set) {
            arguments.extend(["--set".to_owned(), set.clone()]);
        }
        ChildServer::start(&arguments)
    }

    pub fn signal(&self, name: &str) -> Result<()> {
        let id = self.process.id().to_string();
        let told = Command::new("kill").args(["-s", name, &id]).status().context("kill")?;
        if !told.success() {
            bail!("kill -s {name} {id}: {told}");
        }
        Ok(())
    }

    /// Asks it to end, and waits until it has.
    pub fn terminate(mut self) -> Result<ExitStatus> {
        self.signal("TERM")?;
        Ok(self.process.wait()?)
    }

    pub fn usage(&self) -> Result<Usage> {
        Usage::of(self.process.id())
    }
}

impl Drop for ChildServer {
    fn drop(&mut self) {
        // It may have exited already; either way it must be gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// CPU time and memory a process has used so far.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub cpu_us: f64,
    pub resident_bytes: u64,
}

impl Usage {
    /// Reads /proc: fields 14 and 15 of stat are user and system time in hundredths of a second.
    pub fn of(pid: u32) -> Result<Usage> {
        let stat =
            std::fs::read_to_string(format!("/proc/{pid}/stat")).context("the server is gone")?;
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: f64 = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = resident.and_then(|text| text.split_whitespace().next()).unwrap_or("0");
        Ok(Usage { cpu_us: ticks * 10_000.0, resident_bytes: kilobytes.parse::<u64>()? * 1024 })
    }
}
