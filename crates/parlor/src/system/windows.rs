//! Windows.

#![expect(unsafe_code, reason = "the system is asked through its C interface")]

use std::fs::Metadata;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::path::Path;
use std::process::Stdio;
use std::ptr::null;

use anyhow::Result;
use tokio::process::{Child, Command};
use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PROCESS_TIME,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_LOWEST,
};

use super::{GroupLimits, Interrupt};

/// The allocator of Windows returns freed memory by itself.
pub fn return_freed_memory() {}

/// Catches what stops this program, from the call on: Ctrl-C and Ctrl-Break, and the end of its console
/// or of the session.
pub fn interrupt() -> io::Result<impl Future<Output = Interrupt>> {
    let (mut pressed, mut broken) = (ctrl_c()?, ctrl_break()?);
    let (mut closed, mut left, mut shut) = (ctrl_close()?, ctrl_logoff()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = pressed.recv() => Interrupt::Interrupted,
            _ = broken.recv() => Interrupt::Interrupted,
            _ = closed.recv() => Interrupt::Terminated,
            _ = left.recv() => Interrupt::Terminated,
            _ = shut.recv() => Interrupt::Terminated,
        }
    })
}

/// No signal asks a server to drain here: `parlor drain` does.
#[derive(Debug)]
pub struct DrainRequests;

impl DrainRequests {
    pub fn new() -> io::Result<DrainRequests> {
        Ok(DrainRequests)
    }

    pub async fn next(&mut self) {
        std::future::pending().await
    }
}

/// A program of the same console gets its Ctrl-C as this one does.
pub fn terminate(_id: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// From now on this thread takes what others leave of the processors.
pub fn be_nice() -> Result<()> {
    // SAFETY: the thread is this one.
    match unsafe { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_LOWEST) } {
        0 => Err(io::Error::last_os_error().into()),
        _ => Ok(()),
    }
}

/// No user here may do everything.
pub fn is_root() -> bool {
    false
}

/// Users have no numbers here.
pub fn is_own_id(_uid: u32) -> bool {
    false
}

/// Why programs cannot be started as other users here at all.
pub const NO_USERS: Option<&str> =
    Some("on Windows a program cannot be started as another user without that user's password");

/// A command for the shell, without input.
pub fn shell(command: &str) -> Command {
    let mut start = Command::new("cmd");
    // With /S the shell takes off the outer quotes and leaves everything between them as it is.
    start.args(["/D", "/S", "/C"]).raw_arg(format!("\"{command}\"")).stdin(Stdio::null());
    start
}

/// Whether the shell finds the program, in its path or in a folder.
pub fn finds_program(program: &str) -> Result<bool> {
    let endings = std::env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let named = |folder: &Path| {
        let whole = folder.join(program);
        let ends = |ending: &str| folder.join(format!("{program}{ending}")).is_file();
        whole.is_file() || endings.split(';').any(ends)
    };
    // The shell looks into the present folder first.
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(named(Path::new(".")) || std::env::split_paths(&path).any(|folder| named(&folder)))
}

/// There are no such users: [`NO_USERS`].
pub fn run_as(_command: &mut Command, _uid: u32, _gid: u32) {}

/// Nothing has to be said before.
pub fn prepare_group(_command: &mut Command) {}

/// A program with all that it starts: a job, which ends when this program does, however that ends.
#[derive(Debug)]
pub struct Group(OwnedHandle);

impl Group {
    /// Puts a program that has just been started into a job with these limits.
    pub fn of(child: &Child, limits: GroupLimits) -> io::Result<Group> {
        // SAFETY: both pointers may be null.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new, and no one else has it.
        let job = Group(unsafe { OwnedHandle::from_raw_handle(job) });
        job.limit(limits)?;
        // A program that has ended already has nothing left to be put into a job.
        if let Some(process) = child.raw_handle() {
            job.add(process)?;
        }
        Ok(job)
    }

    fn limit(&self, limits: GroupLimits) -> io::Result<()> {
        let mut wanted = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let basic = &mut wanted.BasicLimitInformation;
        basic.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        if let Some(seconds) = limits.cpu_s {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
            basic.PerProcessUserTimeLimit =
                i64::try_from(seconds.saturating_mul(10_000_000)).unwrap_or(i64::MAX);
        }
        if let Some(processes) = limits.processes {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
            basic.ActiveProcessLimit = u32::try_from(processes).unwrap_or(u32::MAX);
        }
        if let Some(bytes) = limits.memory {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            wanted.JobMemoryLimit = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
        // SAFETY: the limits are of the kind that is named, as long as is said, and outlive the call.
        let set = unsafe {
            SetInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const wanted).cast(),
                size,
            )
        };
        if set == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    fn add(&self, process: RawHandle) -> io::Result<()> {
        // SAFETY: both handles are open.
        match unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    pub fn kill(self) {
        // SAFETY: the handle is open. All may be gone already.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}

/// Who may use a file is said in another way here.
pub fn all_may(_found: &Metadata, _ways: u32) -> bool {
    true
}

/// Whose a folder is cannot be told by its metadata here.
pub fn is_own_folder(_found: &Metadata) -> bool {
    true
}

/// A folder is as private here as the one it is in.
pub fn mode(_found: &Metadata) -> Option<u32> {
    None
}

pub fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// What may keep others out, and how to let them in.
pub fn firewall() -> String {
    "Windows asks at the first start whether this program may accept connections: allow it for \
     private networks. Later it is changed under 'Allow an app through Windows Firewall'"
        .to_owned()
}
