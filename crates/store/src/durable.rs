//! What outlives a power cut. What operating systems do differently here stands here alone.

#[cfg(unix)]
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Waits until the content of a file is on the disk.
pub fn sync_file(path: &Path) -> io::Result<()> {
    // Windows flushes only what was opened for writing.
    OpenOptions::new().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// Waits until the names in a folder are on the disk.
#[cfg(unix)]
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(if path.as_os_str().is_empty() { Path::new(".") } else { path })?.sync_all()
}

/// Windows opens no folder as a file. NTFS keeps a journal of names itself.
#[cfg(windows)]
pub fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
