//! Linux, macOS and their relatives.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use tokio::net::{UnixListener, UnixStream};

/// How many bytes of the disk under a path are free, if that is known.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// How long a processor has worked for this thread.
pub fn thread_cpu() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}

/// Gives this thread a lower priority than all others of the program, where the system has
/// priorities of threads.
pub fn give_way() {
    /// Halfway to the lowest.
    #[cfg(target_os = "linux")]
    const NICENESS: i32 = 10;
    #[cfg(target_os = "linux")]
    if let Err(error) =
        rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS)
    {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// How many files and sockets this program may have open, if that is limited.
pub fn descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

pub fn machine_name() -> Option<String> {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy().into_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// What the operator's socket is called in the data folder.
pub const PLACE: &str = "operator.sock";

/// A connection of a command to the server of a data folder.
pub type OperatorLink = std::os::unix::net::UnixStream;

/// Connects to the server that has this data folder.
pub fn connect(data: &Path) -> io::Result<OperatorLink> {
    OperatorLink::connect(data.join(PLACE))
}

/// Where commands connect: a socket that is open to all who may read the folder.
#[derive(Debug)]
pub struct OperatorListener {
    listener: UnixListener,
    path: PathBuf,
}

impl OperatorListener {
    pub fn bind(data: &Path) -> io::Result<OperatorListener> {
        let path = data.join(PLACE);
        // The folder belongs to this server alone, so a socket that is there is left over.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(OperatorListener { listener: UnixListener::bind(&path)?, path })
    }

    pub async fn accept(&self) -> io::Result<UnixStream> {
        Ok(self.listener.accept().await?.0)
    }
}

impl Drop for OperatorListener {
    fn drop(&mut self) {
        // A server that is killed leaves it behind, too; the next one removes it.
        _ = std::fs::remove_file(&self.path);
    }
}
