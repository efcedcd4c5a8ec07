//! Windows.

#![expect(unsafe_code, reason = "the system is asked through its C interface")]

use std::os::windows::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};

/// A thread's priority stays as it is.
pub fn give_way() {}

/// How many bytes of the disk under a path are free, if that is known.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let path: Vec<u16> =
        std::path::absolute(path).ok()?.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the path ends with a zero, and the number outlives the call; the others may be null.
    let told = unsafe {
        GetDiskFreeSpaceExW(path.as_ptr(), &mut free, std::ptr::null_mut(), std::ptr::null_mut())
    };
    (told != 0).then_some(free)
}

/// How long a processor has worked for this thread.
pub fn thread_cpu() -> Duration {
    let none = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut created, mut ended, mut kernel, mut user) = (none, none, none, none);
    // SAFETY: the thread is this one, and all four times outlive the call.
    let told = unsafe {
        GetThreadTimes(GetCurrentThread(), &mut created, &mut ended, &mut kernel, &mut user)
    };
    // In units of 100 nanoseconds, in two halves.
    let whole =
        |time: FILETIME| (u64::from(time.dwHighDateTime) << 32) + u64::from(time.dwLowDateTime);
    let units = if told == 0 { 0 } else { whole(kernel) + whole(user) };
    Duration::from_nanos(units * 100)
}

/// Sockets and files are handles here, of which a program may have millions.
pub fn descriptors() -> Option<u64> {
    None
}

pub fn machine_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok().filter(|name| !name.is_empty())
}
