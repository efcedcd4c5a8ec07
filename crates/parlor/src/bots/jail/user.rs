//! The user who runs the bot: it has no power over the jail and cannot gain any.

use std::fs;
use std::os::fd::OwnedFd;

use anyhow::{Context, Result};
use rustix::fs::{Mode, OFlags, open, openat};
use rustix::process::{DumpableBehavior, getegid, geteuid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, Uid, UnshareFlags, set_capabilities, set_keep_capabilities,
    set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

use super::stages::unshare;

/// The kernel's settings, opened before the jail is built: inside, they are read-only.
#[derive(Debug)]
pub struct Settings(OwnedFd);

impl Settings {
    pub fn open() -> Result<Settings> {
        let folder = open("/proc/sys", OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
        Ok(Settings(folder.context("the kernel's settings cannot be opened")?))
    }

    /// In a namespace that it made, a bot could mount anything, without a limit.
    fn forbid_user_namespaces(&self) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        let setting = openat(&self.0, "user/max_user_namespaces", flags, Mode::empty())?;
        rustix::io::write(setting, b"0")?;
        Ok(())
    }
}

/// Makes this process the bot's user, in a new user namespace that can hold no others. `user`: a
/// user of the machine; none: the user this process already is.
pub fn become_bot(user: Option<(u32, u32)>, settings: &Settings) -> Result<()> {
    if let Some((uid, gid)) = user {
        become_user(uid, gid).with_context(|| format!("cannot become user {uid}"))?;
    }
    let (uid, gid) = user.unwrap_or((1000, 1000));
    match enter_user_namespace(uid, gid) {
        Ok(()) => settings
            .forbid_user_namespaces()
            .context("bots cannot be kept from making namespaces")?,
        // Where this user may not make one, neither may the bot.
        Err(NoNamespace::Refused(_)) if user.is_some() => drop_capabilities()?,
        Err(NoNamespace::Refused(why)) => {
            return Err(why).context("cannot create a second user namespace");
        }
        Err(NoNamespace::Unusable(why)) => return Err(why),
    }
    // The bot has the same number, and must not look into this process.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    set_no_new_privs(true).context("privileges cannot be given up")
}

/// Why there is no user namespace.
#[derive(Debug)]
pub enum NoNamespace {
    /// The system makes none for this user.
    Refused(anyhow::Error),
    /// The namespace exists, and no id is mapped in it.
    Unusable(anyhow::Error),
}

impl From<NoNamespace> for anyhow::Error {
    fn from(none: NoNamespace) -> anyhow::Error {
        let (NoNamespace::Refused(why) | NoNamespace::Unusable(why)) = none;
        why
    }
}

/// Enters a new user namespace, in which the present user has these ids.
pub fn enter_user_namespace(uid: u32, gid: u32) -> Result<(), NoNamespace> {
    let (old_uid, old_gid) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER).map_err(|why| NoNamespace::Refused(why.into()))?;
    let write = |file: &str, text: &str| {
        let written = fs::write(file, text).with_context(|| format!("cannot write {file}"));
        written.map_err(NoNamespace::Unusable)
    };
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", &format!("{uid} {old_uid} 1"))?;
    write("/proc/self/gid_map", &format!("{gid} {old_gid} 1"))
}

/// Becomes a user of the machine. One power of root is left, with which a user namespace can be made also
/// where ordinary users cannot; in the namespace it is worth nothing outside.
fn become_user(uid: u32, gid: u32) -> Result<()> {
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
    set_keep_capabilities(true)?;
    set_thread_groups(&[])?;
    set_thread_res_gid(gid, gid, gid)?;
    set_thread_res_uid(uid, uid, uid)?;
    set_all_capabilities(CapabilitySet::SYS_ADMIN)?;
    // A process that changes its user can no longer write its own files in /proc.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    Ok(())
}

fn drop_capabilities() -> Result<()> {
    set_all_capabilities(CapabilitySet::empty()).context("privileges cannot be given up")
}

fn set_all_capabilities(kept: CapabilitySet) -> rustix::io::Result<()> {
    let inheritable = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, inheritable })
}
