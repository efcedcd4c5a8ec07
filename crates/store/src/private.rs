//! Files that only their owner can read. Only this module knows how the operating system does that.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Closes a folder and its files to every user but the owner, whose own rights don't change.
/// Returns whether other users could read any of the files before.
#[cfg(unix)]
pub fn close_to_others(folder: &Path) -> io::Result<bool> {
    use std::fs::{Permissions, metadata, read_dir, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let close = |path: &Path| -> io::Result<bool> {
        let present = metadata(path)?.permissions().mode() & 0o777;
        if present & 0o077 != 0 {
            set_permissions(path, Permissions::from_mode(present & 0o700))?;
        }
        Ok(present & 0o077 != 0)
    };
    let open_folder = close(folder)?;
    let mut open_file = false;
    for entry in read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            match close(&entry.path()) {
                // SQLite may just have removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                closed => open_file |= closed?,
            }
        }
    }
    Ok(open_folder && open_file)
}

/// Elsewhere a folder is as private as the one it is in.
#[cfg(not(unix))]
pub fn close_to_others(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Creates a file that only its owner can read, or empties it.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_others_could_read_is_closed_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let (data, file) = (folder.path().join("data"), folder.path().join("data/parlor.db"));
        std::fs::create_dir(&data).unwrap();
        std::fs::write(&file, "seeds").unwrap();
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        set(&data, 0o755);
        set(&file, 0o644);
        assert!(close_to_others(&data).unwrap());
        assert_eq!((mode(&data), mode(&file)), (0o700, 0o600));
        assert!(!close_to_others(&data).unwrap());
        drop(create(&data.join("token")).unwrap());
        assert_eq!(mode(&data.join("token")), 0o600);
    }
}
