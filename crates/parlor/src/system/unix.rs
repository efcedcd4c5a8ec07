//! Linux, macOS and their relatives.

use std::fs::{Metadata, Permissions, set_permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, geteuid, kill_process, kill_process_group};
use tokio::process::{Child, Command};
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};

use super::{GroupLimits, Interrupt};

/// Makes the allocator return memory to the system when it is freed. With its defaults, glibc keeps up to
/// eight separate heaps per core and raises its thresholds with the largest block, and a server that was
/// attacked once keeps twice the memory it needs.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a call into the C library without pointers")]
pub fn return_freed_memory() {
    let settings = [
        (libc::M_ARENA_MAX, 2),
        (libc::M_MMAP_THRESHOLD, 128 << 10),
        (libc::M_TRIM_THRESHOLD, 128 << 10),
    ];
    for (setting, value) in settings {
        // SAFETY: mallopt only stores these numbers. Its result is ignored because the defaults work too.
        unsafe { libc::mallopt(setting, value) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {}

/// Catches what stops this program, from the call on.
pub fn interrupt() -> io::Result<impl Future<Output = Interrupt>> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => Interrupt::Interrupted,
            _ = terminated.recv() => Interrupt::Terminated,
        }
    })
}

/// SIGUSR1 asks a server to drain.
#[derive(Debug)]
pub struct DrainRequests(Signals);

impl DrainRequests {
    pub fn new() -> io::Result<DrainRequests> {
        Ok(DrainRequests(signal(SignalKind::user_defined1())?))
    }

    pub async fn next(&mut self) {
        self.0.recv().await;
    }
}

/// Asks another program to end.
pub fn terminate(id: Option<u32>) -> io::Result<()> {
    match id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) {
        Some(id) => Ok(kill_process(id, Signal::TERM)?),
        None => Ok(()),
    }
}

/// From now on this thread takes what others leave of the processors.
pub fn be_nice() -> Result<()> {
    rustix::process::nice(15).context("nice")?;
    Ok(())
}

pub fn is_root() -> bool {
    geteuid().is_root()
}

/// Whether this is the number of the user who runs this program.
pub fn is_own_id(uid: u32) -> bool {
    geteuid().as_raw() == uid
}

/// Why programs cannot be started as other users here at all, if so.
pub const NO_USERS: Option<&str> = None;

/// A command for the shell, without input.
pub fn shell(command: &str) -> Command {
    let mut start = Command::new("sh");
    start.args(["-c", command]).stdin(Stdio::null());
    start
}

/// Whether a shell finds the program, in its path or in a folder. (`command -v` alone would take
/// any file for a program.)
const FIND: &str = r#"case $1 in */*) [ -f "$1" ] && [ -x "$1" ];; *) command -v "$1";; esac"#;

pub fn finds_program(program: &str) -> Result<bool> {
    let mut find = std::process::Command::new("sh");
    find.args(["-c", FIND, "sh", program]);
    find.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(find.status().context("cannot start a shell")?.success())
}

/// Has a command run as another user.
pub fn run_as(command: &mut Command, uid: u32, gid: u32) {
    command.uid(uid).gid(gid);
}

/// What has to be said before a command is started, so that [`Group::of`] can end all of it.
pub fn prepare_group(command: &mut Command) {
    command.process_group(0);
}

/// A program with all that it starts.
#[derive(Debug)]
pub struct Group(Option<Pid>);

impl Group {
    /// The shell has set the limits already.
    pub fn of(child: &Child, _limits: GroupLimits) -> io::Result<Group> {
        Ok(Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?))))
    }

    pub fn kill(self) {
        if let Some(group) = self.0 {
            // It may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Whether all users may use a file in these ways.
pub fn all_may(found: &Metadata, ways: u32) -> bool {
    found.permissions().mode() & ways == ways
}

/// Whether a folder is one's own, and not one that all users write to.
pub fn is_own_folder(found: &Metadata) -> bool {
    is_own_id(found.uid()) && found.mode() & 0o1000 == 0
}

/// Who may use a file or a folder.
pub fn mode(found: &Metadata) -> Option<u32> {
    Some(found.mode() & 0o777)
}

pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    set_permissions(path, Permissions::from_mode(mode))
}

/// What may keep others out, and how to let them in.
pub fn firewall() -> String {
    let is_there = |path: &str| Path::new(path).exists();
    let ufw = std::fs::read_to_string("/etc/ufw/ufw.conf").unwrap_or_default();
    if ufw.lines().any(|line| line.trim().eq_ignore_ascii_case("enabled=yes")) {
        return "ufw is on: allow each port with 'ufw allow PORT/tcp'".to_owned();
    }
    if is_there("/run/firewalld") {
        return "firewalld is on: allow each port with 'firewall-cmd --add-port=PORT/tcp'"
            .to_owned();
    }
    if cfg!(target_os = "macos") {
        return "macOS asks once whether this program may accept connections: allow it".to_owned();
    }
    "it cannot be seen from here whether a firewall blocks others: try it from another machine"
        .to_owned()
}
