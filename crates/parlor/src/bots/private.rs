//! A folder that only its owner can read while something runs: what bots say to each other is in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::system::{is_own_folder, mode, set_mode};

/// Remembers the folder's permissions while it is closed to others.
const MARK: &str = ".mode-after-the-run";

/// A folder that is closed to others until it is opened again.
#[must_use]
#[derive(Debug)]
pub struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// Makes the folder if it is not there, and closes it to others. A run that was interrupted has left it
    /// closed.
    pub fn close(path: &Path) -> Result<PrivateFolder> {
        let shown = path.display();
        fs::create_dir_all(path).with_context(|| format!("cannot make the folder {shown}"))?;
        let found = fs::metadata(path)?;
        // Where nothing says who may use a folder, it stays as open as the one it is in.
        let Some(present) = mode(&found) else { return Ok(PrivateFolder(path.to_owned())) };
        let mark = path.join(MARK);
        if !mark.exists() {
            if !is_own_folder(&found) {
                bail!(
                    "{shown} is not your own folder, so it cannot be kept private: pass another one"
                );
            }
            fs::write(&mark, format!("{present:o}\n"))
                .with_context(|| format!("cannot write into {shown}"))?;
        }
        set_mode(path, 0o700).with_context(|| format!("cannot keep {shown} private"))?;
        Ok(PrivateFolder(path.to_owned()))
    }

    /// The run is over: the folder is as open as it was.
    pub fn open(self) -> Result<()> {
        let PrivateFolder(path) = self;
        let mark = path.join(MARK);
        if !mark.exists() && cfg!(windows) {
            return Ok(());
        }
        let mode = fs::read_to_string(&mark)
            .ok()
            .and_then(|mode| u32::from_str_radix(mode.trim(), 8).ok())
            .unwrap_or(0o700);
        fs::remove_file(&mark).with_context(|| format!("cannot remove {}", mark.display()))?;
        set_mode(&path, mode).with_context(|| format!("cannot open {} again", path.display()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_folder_is_closed_for_the_run_and_open_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("cup");
        fs::create_dir(&out).unwrap();
        fs::set_permissions(&out, Permissions::from_mode(0o751)).unwrap();
        // A run that is interrupted, and its continuation.
        let interrupted = PrivateFolder::close(&out).unwrap();
        drop(interrupted);
        assert_eq!(mode(&out), 0o700);
        let resumed = PrivateFolder::close(&out).unwrap();
        assert_eq!(mode(&out), 0o700);
        resumed.open().unwrap();
        assert_eq!(mode(&out), 0o751);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn a_folder_for_everybody_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
        let refused = PrivateFolder::close(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("not your own folder"), "{refused}");
    }
}
