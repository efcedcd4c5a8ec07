//! A private PostgreSQL on a free loopback port; dropping the value removes it. It doesn't sync to
//! disk, which no test here can notice, because the machine doesn't crash.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::child::Usage;
use crate::ports::quiet;

/// The user that runs it when this program runs as root, which PostgreSQL refuses.
const USER: &str = "postgres";

/// A standby that is further behind than this will never catch up.
const CATCHES_UP: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    binaries: PathBuf,
    psql: PathBuf,
    is_root: bool,
    pub address: SocketAddr,
}

impl Cluster {
    pub fn start() -> Result<Cluster> {
        Cluster::start_with("off")
    }

    /// One that syncs everything, to measure what that costs.
    pub fn start_durable() -> Result<Cluster> {
        Cluster::start_with("on")
    }

    fn start_with(fsync: &str) -> Result<Cluster> {
        let folder = tempfile::tempdir()?;
        let id = Command::new("id").arg("-u").output().context("id -u")?;
        let is_root = id.stdout.trim_ascii() == b"0";
        if is_root {
            run(Command::new("chown").arg(USER).arg(folder.path()))?;
        }
        let address = SocketAddr::from(([127, 0, 0, 1], quiet(1)));
        // A link on the path may be to this program alone; the others are where it really is.
        let initdb = folder_of("initdb")?.join("initdb").canonicalize()?;
        let binaries = initdb.parent().context("initdb is in no folder")?.to_owned();
        let psql = folder_of("psql")?.join("psql");
        let cluster = Cluster { folder, binaries, psql, is_root, address };
        let data = cluster.data();
        run(cluster
            .program("initdb")
            .args(["-A", "trust", "-U", USER, "-E", "UTF8", "--no-sync", "-D"])
            .arg(&data))?;
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nunix_socket_directories = '{}'\nfsync = {fsync}\n\
             max_connections = 200\nshared_buffers = 32MB\n",
            address.port(),
            cluster.folder.path().display()
        );
        std::fs::write(data.join("postgresql.auto.conf"), settings)?;
        cluster.start_again()?;
        Ok(cluster)
    }

    /// A standby that follows this one asynchronously: what is saved here is on its way there.
    pub fn standby(&self) -> Result<Cluster> {
        let folder = tempfile::tempdir()?;
        if self.is_root {
            run(Command::new("chown").arg(USER).arg(folder.path()))?;
        }
        let address = SocketAddr::from(([127, 0, 0, 1], quiet(1)));
        let (binaries, psql) = (self.binaries.clone(), self.psql.clone());
        let standby = Cluster { folder, binaries, psql, is_root: self.is_root, address };
        let (data, from) = (standby.data(), self.url(self.address));
        let mut copy = self.program("pg_basebackup");
        run(copy.args(["-R", "-X", "stream", "-c", "fast", "-d", &from, "-D"]).arg(&data))?;
        let own = format!(
            "port = {}\nunix_socket_directories = '{}'\n",
            address.port(),
            standby.folder.path().display()
        );
        let settings = OpenOptions::new().append(true).open(data.join("postgresql.auto.conf"));
        settings?.write_all(own.as_bytes())?;
        standby.start_again()?;
        Ok(standby)
    }

    /// Waits until this standby has everything that is on the primary now.
    pub fn catch_up(&self, primary: &Cluster) -> Result<()> {
        let until = primary.ask("SELECT pg_current_wal_lsn()")?;
        let ask = format!("SELECT pg_last_wal_replay_lsn() >= '{until}'::pg_lsn");
        let deadline = Instant::now() + CATCHES_UP;
        while self.ask(&ask)? != "t" {
            if Instant::now() > deadline {
                bail!("the standby doesn't catch up");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// This standby receives nothing more, without a warning.
    pub fn fall_behind(&self) -> Result<()> {
        self.execute("ALTER SYSTEM SET primary_conninfo = ''")?;
        self.execute("SELECT pg_reload_conf()")
    }

    /// Makes this standby the primary.
    pub fn promote(&self) -> Result<()> {
        run(self.control().args(["-w", "-s", "promote"]))
    }

    /// Its URL, reached directly or through the given address.
    pub fn url(&self, by: SocketAddr) -> String {
        format!("postgres://{USER}@{by}/postgres")
    }

    /// Ends it in the middle of whatever it does.
    pub fn crash(&self) -> Result<()> {
        run(self.control().args(["-m", "immediate", "-w", "-s", "stop"]))
    }

    pub fn start_again(&self) -> Result<()> {
        let log = self.folder.path().join("log");
        run(self.control().arg("-l").arg(log).args(["-w", "-t", "30", "-s", "start"]))
    }

    /// Ends every connection of its clients.
    pub fn cut_off_everybody(&self) -> Result<()> {
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        )
    }

    /// Pauses the process of one client, the nth modulo their number. Returns its pid.
    pub fn pause_a_backend(&self, nth: usize) -> Result<String> {
        let pids = self.ask(
            "SELECT pid FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY pid",
        )?;
        let pids: Vec<&str> = pids.lines().collect();
        let count = pids.len().max(1);
        let pid = pids.get(nth % count).context("the database has no clients")?;
        run(Command::new("kill").args(["-s", "STOP", pid]))?;
        Ok((*pid).to_owned())
    }

    /// Lets a paused process continue.
    pub fn resume_a_backend(pid: &str) -> Result<()> {
        run(Command::new("kill").args(["-s", "CONT", pid]))
    }

    /// What it answers, one row a line.
    pub fn ask(&self, question: &str) -> Result<String> {
        let url = self.url(self.address);
        let output = Command::new(&self.psql).args([&url, "-qAtc", question]).output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
    }

    pub fn execute(&self, statement: &str) -> Result<()> {
        let url = self.url(self.address);
        run(Command::new(&self.psql).args([&url, "-qAtc", statement]))
    }

    /// The time that its processes have taken so far.
    pub fn cpu_us(&self) -> Result<f64> {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid"))?;
        let postmaster: u32 = pid.lines().next().unwrap_or_default().parse()?;
        let mut sum = Usage::of(postmaster)?.cpu_us;
        for entry in Path::new("/proc").read_dir()?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (Ok(pid), Ok(stat)) =
                (name.parse(), std::fs::read_to_string(entry.path().join("stat")))
            else {
                continue;
            };
            // The parent's pid follows the name and the state.
            let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
            if parent == Some(&postmaster.to_string()) {
                // It may have ended since.
                sum += Usage::of(pid).map_or(0.0, |usage| usage.cpu_us);
            }
        }
        Ok(sum)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self) -> Command {
        let mut command = self.program("pg_ctl");
        command.arg("-D").arg(self.data());
        command
    }

    fn program(&self, name: &str) -> Command {
        let path = self.binaries.join(name);
        let mut command = match self.is_root {
            true => Command::new("runuser"),
            false => Command::new(&path),
        };
        if self.is_root {
            command.args(["-u", USER, "--"]).arg(path);
        }
        // It may lack access to the caller's folder.
        command.current_dir("/");
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It may be down already; either way its folder goes.
        let _ = self.crash();
    }
}

/// The path of a PostgreSQL program: Debian keeps most of them off the PATH.
fn folder_of(program: &str) -> Result<PathBuf> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&on_path).collect();
    let versions = Path::new("/usr/lib/postgresql").read_dir().into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|found| found.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    let found = folders.into_iter().find(|folder| folder.join(program).exists());
    found.with_context(|| {
        format!("PostgreSQL is not installed: no {program} on the path or in /usr/lib/postgresql")
    })
}

fn run(command: &mut Command) -> Result<()> {
    // The daemon keeps its parent's outputs open, so a pipe would never end.
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    Ok(())
}
