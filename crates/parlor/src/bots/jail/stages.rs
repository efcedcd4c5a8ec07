//! The two processes between the organiser's and the bot's.

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result};
use rustix::process::{Signal, WaitOptions, set_parent_process_death_signal, wait};
use rustix::thread::UnshareFlags;

use super::super::jail_socket;
use super::user::{Settings, become_bot, enter_user_namespace};
use super::watch::Watch;
use super::{Jail, loopback, walls};

/// Makes the namespaces, hands the listener of the jail's network out through standard input, and
/// starts the first process inside.
pub fn outside(jail: &Jail, text: &str) -> Result<ExitCode> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if jail.user.is_none() {
        enter_user_namespace(0, 0)
            .map_err(anyhow::Error::from)
            .context("cannot create a user namespace")?;
    }
    let kinds = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS;
    unshare(kinds).context("cannot create namespaces")?;
    rustix::system::sethostname(b"bot").context("cannot name the jail")?;
    loopback::raise().context("the jail's network does not work")?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, jail.port))
        .with_context(|| format!("cannot listen on port {} of the jail", jail.port))?;
    jail_socket::send_listener(std::io::stdin(), &listener)?;
    drop(listener);
    let ended = Command::new("/proc/self/exe")
        .args(["jail", text, "--inside"])
        .status()
        .context("cannot start the jail's first process")?;
    Ok(ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(137).into())
}

/// The first process of the jail. When it ends, so does everything in the jail.
pub fn inside(jail: &Jail) -> Result<ExitCode> {
    // If the machine runs out of memory, the bot goes first.
    std::fs::write("/proc/self/oom_score_adj", "1000").context("bots cannot be ended first")?;
    let settings = Settings::open()?;
    walls::build(jail)?;
    // From here on nothing inside has a say over the walls.
    become_bot(jail.user, &settings)?;
    // A new user is a new start for this, so it comes last.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let watch = Arc::new(Watch {
        memory: jail.memory,
        processes: jail.processes,
        door: std::io::stdin(),
        reached: Mutex::default(),
    });
    // What cannot be looked at now could not be later.
    watch.look()?;
    let watching = watch.clone();
    thread::spawn(move || watching.keep_looking());
    let mut bot = Command::new("sh");
    bot.args(["-c", &jail.command]).stdin(Stdio::null());
    let bot = bot.spawn().context("cannot start a shell in the jail")?;
    loop {
        // Whatever the bot leaves behind is this process's child, too.
        let ended = wait(WaitOptions::empty()).context("the bot cannot be waited for")?;
        if let Some((pid, status)) = ended
            && u32::try_from(pid.as_raw_nonzero().get()) == Ok(bot.id())
        {
            // What the bot left still counts. It ends now in any case.
            let _ = watch.look();
            // As a shell tells how its child ended.
            let signal = status.terminating_signal().map(|signal| 128 + signal);
            let code = status.exit_status().or(signal).unwrap_or(1);
            return Ok(u8::try_from(code).unwrap_or(1).into());
        }
    }
}

/// Deprecated because it is not safe with `FILES`, which is not used here: no table of descriptors is
/// shared by two threads afterwards.
#[expect(deprecated, reason = "safe with these flags; the replacement is marked as unsafe")]
pub fn unshare(kinds: UnshareFlags) -> rustix::io::Result<()> {
    rustix::thread::unshare(kinds)
}
