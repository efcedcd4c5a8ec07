//! Which user runs bots that are commands, how much of the machine they may use, and what they can
//! see of it. Differences between operating systems are here and in `jail`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::jail::Jail;
use super::jail_socket::JailSocket;
use super::limits::Limits;
use super::sight::Sight;
use crate::cli::{ConfinementArgs, Isolate};
use crate::system::{self, GroupLimits, is_root};
use crate::terminal::output;

/// This program, however it was named.
#[cfg(target_os = "linux")]
const SELF: &str = "/proc/self/exe";
#[cfg(not(target_os = "linux"))]
const SELF: &str = "parlor";

/// First of the user ids that no system assigns; each run and each bot gets its own.
const FIRST_ID: u32 = 1_500_000_000;
const IDS_OF_A_RUN: u32 = 1_000;

/// How the bots of a run are confined.
#[derive(Clone, Debug)]
pub struct Confinement {
    users: Users,
    limits: Limits,
    walls: Walls,
    hidden: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
enum Users {
    /// The organiser.
    Same,
    One(User),
    /// One for each bot, from the first.
    Each(u32, u32),
}

/// Another user of this machine.
#[derive(Clone, Debug)]
struct User {
    uid: u32,
    gid: u32,
    home: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Walls {
    None,
    /// Built by root, with users of the machine.
    Root,
    /// Built in user namespaces.
    User,
}

/// How one bot is confined.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    user: Option<User>,
    limits: Limits,
    /// The jail to run it in; the command and the port are not in it yet.
    jail: Option<Jail>,
}

impl Confinement {
    /// Without walls, users or limits.
    pub fn none() -> Confinement {
        let (users, limits) = (Users::Same, Limits::default());
        Confinement { users, limits, walls: Walls::None, hidden: Vec::new() }
    }

    /// For bots that are these commands. `usual`: the defaults. `hidden`: folders that bots must
    /// not see. One printed line says what is enforced; with `strict`, it is an error if that isn't
    /// everything.
    pub fn new(
        args: &ConfinementArgs,
        usual: Isolate,
        commands: &[&str],
        hidden: &[&Path],
    ) -> Result<Confinement> {
        let (is_root, wish) = (is_root(), args.isolate.unwrap_or(usual));
        if commands.is_empty() {
            return Ok(Confinement::none());
        }
        if let (Some(user), Some(why)) = (&args.run_as, system::NO_USERS) {
            bail!("--as {user}: {why}");
        }
        let users = match args.run_as.as_deref() {
            None if is_root && wish != Isolate::None => {
                let first = FIRST_ID + std::process::id() % 100_000 * IDS_OF_A_RUN;
                Users::Each(first, first + IDS_OF_A_RUN - 1)
            }
            None => Users::Same,
            Some(text) => match range(text) {
                Some((first, last)) if is_root => Users::Each(first, last),
                Some(_) => bail!("--as {text}: only root can start programs as other users"),
                None => Users::One(find(text)?),
            },
        };
        let limits = Limits {
            memory_mb: args.bot_memory,
            cpu_s: args.bot_cpu,
            processes: args.bot_processes,
            are_total: false,
        };
        let mut confinement = Confinement { users, limits, walls: Walls::None, hidden: vec![] };
        for folder in hidden {
            confinement.hidden.push(std::path::absolute(folder)?);
        }
        confinement.isolate(wish, is_root)?;
        if confinement.is_confining() {
            output::note(&confinement.summary(wish, commands)?);
        }
        Ok(confinement)
    }

    /// Finds out what this system allows, by trying it.
    fn isolate(&mut self, wish: Isolate, is_root: bool) -> Result<()> {
        if wish == Isolate::None {
            return Ok(());
        }
        let user = match &self.users {
            Users::Same => None,
            Users::One(user) => Some((user.uid, user.gid)),
            Users::Each(first, _) => Some((*first, *first)),
        };
        let mut why = None;
        if is_root && user.is_some() {
            match tried(&Jail::empty(user)) {
                Ok(()) => self.walls = Walls::Root,
                Err(error) => why = Some(error),
            }
        }
        if self.walls == Walls::None && matches!(self.users, Users::Same | Users::Each(..)) {
            match tried(&Jail::empty(None)) {
                Ok(()) => self.walls = Walls::User,
                Err(error) => why = Some(why.unwrap_or(error)),
            }
        }
        if self.walls != Walls::None {
            self.limits.isolate();
            return Ok(());
        }
        let why = why.context("nothing was tried")?;
        match wish {
            Isolate::Strict => Err(why.context(
                "bots cannot be isolated on this system. Allow user namespaces, run this as root, \
                 or pass --isolate auto or none",
            )),
            _ => {
                output::note(&format!("bots cannot be isolated here: {why:#}"));
                Ok(())
            }
        }
    }

    /// Whether each bot is isolated.
    fn is_isolating(&self) -> bool {
        self.walls != Walls::None
    }

    /// Whether there is anything that bots cannot do and the organiser can.
    fn is_confining(&self) -> bool {
        self.is_isolating()
            || !matches!(self.users, Users::Same)
            || !self.limits.words("").is_empty()
    }

    /// How one bot is confined, by its number among the bots.
    pub fn of(&self, number: usize, command: &str) -> Result<Cell> {
        let mut user = match &self.users {
            Users::Same => None,
            Users::One(user) => Some(user.clone()),
            Users::Each(first, last) => {
                let uid = first + u32::try_from(number).unwrap_or(u32::MAX - first);
                if uid > *last {
                    bail!("--as {first}-{last}: there are more bots than ids");
                }
                Some(User { uid, gid: uid, home: "/tmp".to_owned() })
            }
        };
        let mut limits = self.limits.clone();
        let mut jail = None;
        if self.is_isolating() {
            let folder = std::env::current_dir().context("there is no current folder")?;
            let path = std::env::var("PATH").unwrap_or_default();
            let home = std::env::home_dir();
            let mut sight = Sight::of(command, &folder, &path, home.as_deref());
            let is_hidden = |path: &Path| self.hidden.iter().any(|kept| path.starts_with(kept));
            sight.0.retain(|(place, source)| !is_hidden(place) && !is_hidden(source));
            if self.walls == Walls::User
                || !sight.is_for_all() && matches!(self.users, Users::Each(..))
            {
                // Another user could not read its own program.
                user = None;
            }
            if user.is_none() && is_root() {
                // The kernel does not count the processes of root.
                limits.processes = None;
            }
            jail = Some(Jail {
                visible: sight.0,
                folder,
                hidden: self.hidden.clone(),
                user: user.as_ref().map(|user| (user.uid, user.gid)),
                memory: limits.bytes(),
                processes: limits.tasks(),
                ..Jail::empty(None)
            });
        }
        Ok(Cell { user, limits, jail })
    }

    /// In one line, what is enforced for bots that are these commands.
    fn summary(&self, wish: Isolate, commands: &[&str]) -> Result<String> {
        let mut own_user = true;
        for (number, command) in commands.iter().enumerate() {
            let cell = self.of(number, command)?;
            own_user &= cell.user.is_some() || !is_root();
        }
        if wish == Isolate::Strict && !own_user {
            bail!(
                "--isolate strict: others cannot read the folder of a bot, so it cannot have its own \
                 user. Allow it with chmod o+rx FOLDER"
            );
        }
        // The kernel counts some things by users of the machine.
        let share_user = matches!(self.users, Users::One(_)) && commands.len() > 1;
        if wish == Isolate::Strict && share_user {
            bail!(
                "--isolate strict: --as names one user for all bots. Give each its own with a range of \
                 ids, such as --as 20000-20063"
            );
        }
        let mut limits = self.limits.clone();
        if !own_user {
            limits.processes = None;
        }
        Ok(match (&self.walls, &self.users) {
            (Walls::None, Users::Same) => {
                format!("bots: not isolated, they run as you{}", limits.words("; "))
            }
            (Walls::None, _) => {
                format!("bots: not isolated, they run as another user{}", limits.words("; "))
            }
            (_, Users::One(_)) if share_user => format!(
                "bots: isolated (own processes, files, network{}; one user for all, so one bot can use \
                 up what the kernel counts by user: give each its own with --as 20000-20063)",
                limits.words("; ")
            ),
            (_, _) if own_user => format!(
                "bots: isolated (own user, processes, files, network{})",
                limits.words("; ")
            ),
            _ => format!(
                "bots: isolated (own processes, files, network{}; no limit of processes, because \
                 others cannot read the folder of a bot: allow it with chmod o+rx)",
                limits.words("; ")
            ),
        })
    }
}

/// The part of the environment that other people's bots may see.
const KEPT: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];

impl Cell {
    pub fn has_room(&self) -> bool {
        self.jail.is_some()
    }

    pub fn group_limits(&self) -> GroupLimits {
        let Limits { cpu_s, processes, .. } = self.limits;
        GroupLimits { memory: self.limits.bytes(), cpu_s, processes }
    }

    /// What starts a command for the shell; and where a bot in a jail hands out its listener, which
    /// listens at this port.
    pub fn start(
        &self,
        command: &str,
        port: u16,
    ) -> Result<(tokio::process::Command, Option<JailSocket>)> {
        let command = format!("{}{command}", self.limits.shell());
        if let Some(jail) = &self.jail {
            let (ours, theirs) = JailSocket::pair()?;
            let jail = Jail { command, port, ..jail.clone() };
            let mut start = tokio::process::Command::new(SELF);
            start.args(jail.arguments()).stdin(theirs);
            start.env_clear().envs(kept()).env("HOME", "/tmp").env("TMPDIR", "/tmp");
            return Ok((start, Some(ours)));
        }
        let mut start = system::shell(&command);
        if let Some(User { uid, gid, home }) = &self.user {
            // What is in this environment is not for others.
            start.env_clear().envs(kept()).env("HOME", home);
            system::run_as(&mut start, *uid, *gid);
        }
        Ok((start, None))
    }
}

fn kept() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// Builds a jail in which nothing happens.
fn tried(jail: &Jail) -> Result<()> {
    let (_ours, theirs) = JailSocket::pair()?;
    let tried = Command::new(SELF)
        .args(jail.arguments())
        .stdin(theirs)
        .output()
        .context("this program cannot start itself")?;
    if tried.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&tried.stderr);
    let words = words.trim().trim_start_matches("parlor: ").to_owned();
    bail!(if words.is_empty() { tried.status.to_string() } else { words })
}

/// `20000-20063`: users of which each bot gets one.
fn range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-')?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first > 0 && first <= last).then_some((first, last))
}

/// Looks a user up in the system's own list.
fn find(name: &str) -> Result<User> {
    let found = Command::new("getent").args(["passwd", "--", name]).output();
    let found = found.context("cannot look users up: getent does not run")?;
    let line = String::from_utf8_lossy(&found.stdout).into_owned();
    let fields: Vec<&str> = line.trim_end().split(':').collect();
    let [_, _, uid, gid, _, home, _] = fields[..] else {
        bail!("--as {name}: there is no such user on this machine");
    };
    let number = |text: &str| text.parse().context("the system's list of users cannot be read");
    let user = User { uid: number(uid)?, gid: number(gid)?, home: home.to_owned() };
    if !is_root() && !system::is_own_id(user.uid) {
        bail!("--as {name}: only root can start programs as another user");
    }
    Ok(user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_user_for_all_is_told_and_is_not_strict() {
        let user = User { uid: 20_000, gid: 20_000, home: "/tmp".to_owned() };
        let mut confinement = Confinement { users: Users::One(user), ..Confinement::none() };
        confinement.walls = Walls::Root;
        let two = ["true", "true"];
        let told = confinement.summary(Isolate::Auto, &two).unwrap();
        assert!(told.contains("one user for all"), "{told}");
        let refused = confinement.summary(Isolate::Strict, &two).unwrap_err().to_string();
        assert!(refused.contains("such as --as 20000-20063"), "{refused}");
        let told = confinement.summary(Isolate::Strict, &two[..1]).unwrap();
        assert_eq!(told, "bots: isolated (own user, processes, files, network)");
    }
}
