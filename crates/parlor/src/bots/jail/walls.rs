//! The files of a jail: the system's programs, read-only; the bot's own folder, read-only; a small
//! place to write; its own processes. Nothing else of the machine.

use std::ffi::{CString, OsString};
use std::fs::{self, DirBuilder};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::pivot_root;

use super::Jail;

/// Where the jail is built before it becomes the root. No bot lies there.
const SITE: &str = "/sys";

/// What programs need of the system.
const SYSTEM: [&str; 11] =
    ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "opt", "nix", "gnu", "snap"];

/// What programs need to know of the machine: no passwords, no keys.
const SETTINGS: [&str; 24] = [
    "alternatives",
    "ca-certificates",
    "default/locale",
    "fonts",
    "group",
    "host.conf",
    "hosts",
    "java",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "passwd",
    "pki/tls/certs",
    "protocols",
    "python3",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "timezone",
];

const DEVICES: [&str; 5] = ["full", "null", "random", "urandom", "zero"];

/// What the kernel's owner could change through `/proc`.
const DIALS: [&str; 5] = ["bus", "fs", "irq", "sys", "sysrq-trigger"];

/// The place to write, and memory that processes share.
const SCRATCH: &str = "size=64m,nr_inodes=8k,mode=1777";

/// Builds the jail and moves in.
pub fn build(jail: &Jail) -> Result<()> {
    let site = Path::new(SITE);
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .context("the jail's files cannot be its own")?;
    tmpfs(site, "size=4m,mode=755")?;
    for name in SYSTEM {
        show(&Path::new("/").join(name), &site.join(name))?;
    }
    for name in SETTINGS {
        show(&Path::new("/etc").join(name), &site.join("etc").join(name))?;
    }
    for name in DEVICES {
        let (device, place) = (Path::new("/dev").join(name), site.join("dev").join(name));
        lay(&device, &place)?;
    }
    for (name, target) in
        [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")]
    {
        symlink(target, site.join("dev").join(name))?;
    }
    for name in ["tmp", "dev/shm"] {
        folder(&site.join(name))?;
        tmpfs(&site.join(name), SCRATCH)?;
    }
    for (place, source) in &jail.visible {
        show(source, &under(site, place))?;
    }
    for hidden in &jail.hidden {
        let hidden = under(site, hidden);
        if hidden.is_dir() {
            tmpfs(&hidden, "size=4k,mode=755")?;
            read_only(&hidden)?;
        }
    }
    folder(&under(site, &jail.folder))?;
    processes(&site.join("proc"))?;
    move_in(site)?;
    std::env::set_current_dir(&jail.folder)
        .with_context(|| format!("cannot go to {}", jail.folder.display()))
}

fn under(site: &Path, path: &Path) -> PathBuf {
    site.join(path.strip_prefix("/").unwrap_or(path))
}

fn folder(path: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(path)
        .with_context(|| format!("cannot make {}", path.display()))
}

fn tmpfs(place: &Path, options: &str) -> Result<()> {
    let options = CString::new(options).expect("no zero in it");
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", place, "tmpfs", flags, &*options)
        .with_context(|| format!("cannot make a place at {}", place.display()))
}

/// Shows a file or a folder at a place, read-only. What is not there is not shown, and a link stays one.
fn show(source: &Path, place: &Path) -> Result<()> {
    let Ok(found) = source.symlink_metadata() else { return Ok(()) };
    if found.is_symlink() {
        folder(place.parent().expect("below the root"))?;
        let target = fs::read_link(source)?;
        return symlink(target, place).with_context(|| format!("cannot link {}", place.display()));
    }
    lay(source, place)?;
    read_only(place)
}

fn lay(source: &Path, place: &Path) -> Result<()> {
    if source.is_dir() {
        folder(place)?;
    } else {
        folder(place.parent().expect("below the root"))?;
        if !place.exists() {
            fs::write(place, "").with_context(|| format!("cannot make {}", place.display()))?;
        }
    }
    mount_bind_recursive(source, place).with_context(|| format!("cannot show {}", source.display()))
}

/// Makes what lies here read-only, with everything that is mounted below.
fn read_only(place: &Path) -> Result<()> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").context("no list of mounts")?;
    let below = mounts.lines().filter_map(mount_point).filter(|point| point.starts_with(place));
    for point in below {
        protect(&point).with_context(|| format!("cannot protect {}", point.display()))?;
    }
    Ok(())
}

/// Where something is mounted, of a line of the kernel's list.
fn mount_point(line: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = line.split(' ').nth(4)?.bytes();
    while let Some(byte) = rest.next() {
        // Blanks and the like are written as three octal digits.
        bytes.push(match byte {
            b'\\' => rest.by_ref().take(3).fold(0, |sum, digit| sum << 3 | digit & 7),
            byte => byte,
        });
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

/// Makes one mount read-only. What it could not do before it still cannot.
fn protect(place: &Path) -> rustix::io::Result<()> {
    let present = statvfs(place)?.f_flag;
    let mut flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    for (known, flag) in [
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ] {
        flags.set(flag, present.contains(known));
    }
    mount_remount(place, flags, c"")
}

/// Shows the jail's own processes and no others.
fn processes(place: &Path) -> Result<()> {
    folder(place)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", place, "proc", flags, None).context("the jail cannot have its own /proc")?;
    for name in DIALS {
        let dial = place.join(name);
        if dial.exists() {
            mount_bind_recursive(&dial, &dial)
                .and_then(|()| {
                    mount_remount(&dial, flags | MountFlags::BIND | MountFlags::RDONLY, c"")
                })
                .with_context(|| format!("cannot protect /proc/{name}"))?;
        }
    }
    Ok(())
}

/// Makes the new tree the root; the old root is out of reach for all processes in here.
fn move_in(site: &Path) -> Result<()> {
    std::env::set_current_dir(site)?;
    pivot_root(".", ".").context("cannot move into the jail")?;
    // The old root lies on top of the new one now.
    unmount(".", UnmountFlags::DETACH).context("cannot leave the old root")?;
    mount_remount(
        "/",
        MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV,
        c"",
    )
    .context("cannot protect the jail's root")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_with_a_blank_in_its_name_is_found() {
        let line = r"36 35 98:0 /mnt1 /a\040place/b rw,noatime master:1 - ext3 /dev/root rw";
        assert_eq!(mount_point(line), Some(PathBuf::from("/a place/b")));
    }
}
