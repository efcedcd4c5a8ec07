//! Random faults for a fleet: nodes are killed, paused, stopped and switched off, cables cut and stalled,
//! and the database taken away.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rules::{Dice, Seed};
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::FleetTrial;
use super::cable::Way;
use super::cluster::Cluster;
use super::databases::Databases;
use super::nodes::{Node, Nodes};
use super::trail::hour;

/// One thing that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// `kill -9`, and a start after a while.
    Kill,
    /// SIGSTOP, and SIGCONT after a while.
    Pause,
    /// SIGTERM, and a start when it has ended.
    Drain,
    /// All links to the node are cut, and may be made again at once.
    CutLinks,
    /// Nothing gets to the node from others, or from it, or neither.
    StallLinks,
    /// Nothing comes over the links to the node any more, not even their end. New ones can be made.
    ForgetLinks,
    /// The same for a node that hangs longer than any other waits for it.
    Hang,
    /// The node's connections to the database are cut.
    CutDatabase,
    StallDatabase,
    /// The database closes all connections.
    EndBackends,
    /// The database crashes and is started again.
    CrashDatabase,
    /// One of the database's processes pauses for longer than any client waits.
    PauseBackend,
    /// The node's connections to the database carry nothing any more, not even their end.
    ForgetDatabase,
    /// The node's machine loses its power and is switched on again.
    PowerOff,
    /// The same, and it returns at another address.
    Move,
    /// All players leave the node and play at the others.
    Idle,
    /// The database is replaced by a standby that lacks the last moves.
    FailOver,
}

impl Fault {
    pub fn name(self) -> &'static str {
        match self {
            Fault::Kill => "kill",
            Fault::Pause => "pause",
            Fault::Drain => "drain",
            Fault::CutLinks => "cut-links",
            Fault::StallLinks => "stall-links",
            Fault::ForgetLinks => "forget-links",
            Fault::Hang => "hang",
            Fault::CutDatabase => "cut-database",
            Fault::StallDatabase => "stall-database",
            Fault::EndBackends => "end-backends",
            Fault::CrashDatabase => "crash-database",
            Fault::PauseBackend => "pause-backend",
            Fault::ForgetDatabase => "forget-database",
            Fault::PowerOff => "power-off",
            Fault::Move => "move",
            Fault::Idle => "idle",
            Fault::FailOver => "fail-over",
        }
    }

    /// The next fault; owners and gateways are the same processes. Without a network of their own,
    /// machines keep their power.
    fn choose(dice: &mut Dice, has_network: bool) -> Fault {
        let fault = match dice.below(41) {
            0..7 => Fault::Kill,
            7..10 => Fault::Pause,
            10..12 => Fault::Drain,
            12..15 => Fault::CutLinks,
            15..18 => Fault::StallLinks,
            18..20 => Fault::CutDatabase,
            20..23 => Fault::StallDatabase,
            23 => Fault::EndBackends,
            24 => Fault::CrashDatabase,
            25..27 => Fault::ForgetLinks,
            27 => Fault::Hang,
            28..30 => Fault::PauseBackend,
            30..32 => Fault::ForgetDatabase,
            32..36 => Fault::PowerOff,
            36..38 => Fault::Move,
            38..40 => Fault::Idle,
            _ => Fault::FailOver,
        };
        let needs_network = matches!(fault, Fault::PowerOff | Fault::Move);
        if needs_network && !has_network { Fault::Kill } else { fault }
    }

    fn is_of_database(self) -> bool {
        use Fault::{CrashDatabase, EndBackends, FailOver, PauseBackend};
        matches!(self, EndBackends | CrashDatabase | PauseBackend | FailOver)
    }

    /// Whether the node is not there for players meanwhile.
    fn takes_a_node(self) -> bool {
        use Fault::{Drain, Hang, Idle, Kill, Move, Pause, PowerOff};
        matches!(self, Kill | Pause | Hang | Drain | PowerOff | Move | Idle)
    }
}

/// A node that hangs does so for this long at least: by then its links have ended and its players are gone.
const HANGS: Duration = Duration::from_secs(5);
/// No client waits longer than this for the database.
const SILENCE: Duration = Duration::from_secs(6);

/// The shortest time that a node stays without players.
const IDLES: Duration = Duration::from_secs(8);
/// Within this time a journal no longer keeps more than this for a node without players.
const CONFIRMS: Duration = Duration::from_secs(30);
const KEPT_FOR_IDLERS: u64 = 256 * 1024;

/// How often each was done, and what was wrong meanwhile.
#[derive(Debug, Default)]
pub struct Done {
    pub by_kind: BTreeMap<&'static str, u64>,
    pub wrong: Vec<String>,
}

impl Done {
    /// A fault is over. Returns its node.
    fn ends(&mut self, ended: Result<Result<Ended>, JoinError>) -> Result<usize> {
        let Ended { node, wrong } = ended??;
        self.wrong.extend(wrong);
        Ok(node)
    }
}

/// A fault that is over.
struct Ended {
    node: usize,
    wrong: Option<String>,
}

/// Injects a number of faults into a fleet and repairs everything afterwards.
///
/// A file in the given folder, next to the nodes' logs, records what was done and when.
pub async fn wreak(
    databases: Arc<Databases>,
    nodes: Nodes,
    trial: FleetTrial,
    folder: &Path,
) -> Result<Done> {
    let mut dice = Dice::new(&Seed::from_number(trial.seed), "faults", 0);
    let mut book = File::create(folder.join("faults.log"))?;
    let mut done = Done::default();
    let mut running: JoinSet<Result<Ended>> = JoinSet::new();
    // Nodes to which something is being done, and whether the database is.
    let mut busy: BTreeMap<usize, Fault> = BTreeMap::new();
    for _ in 0..trial.kills {
        sleep(Duration::from_millis(100 + dice.below(700) as u64)).await;
        let fault = Fault::choose(&mut dice, trial.has_network);
        let node = dice.below(nodes.len());
        let while_ms = Duration::from_millis(50 + dice.below(2500) as u64);
        let ways = [&[Way::There][..], &[Way::Back], &[Way::There, Way::Back]];
        let ways = *dice.pick(&ways);
        loop {
            while let Some(ended) = running.try_join_next() {
                busy.remove(&done.ends(ended)?);
            }
            let gone = busy.values().filter(|fault| fault.takes_a_node()).count();
            // At least one node stays. What a paused node says too late would look like a move that is
            // undone without a cause, so a switch of the database happens on its own.
            let is_possible = match fault {
                Fault::FailOver => busy.is_empty(),
                _ => !busy.contains_key(&node) && (!fault.takes_a_node() || gone + 1 < nodes.len()),
            };
            if is_possible {
                break;
            }
            let ended = running.join_next().await.context("something is being done")?;
            busy.remove(&done.ends(ended)?);
        }
        busy.insert(node, fault);
        let asked = nodes.clone();
        let hosted = spawn_blocking(move || asked[node].hosted()).await?.join(" ");
        let (hour, name, ms) = (hour(), fault.name(), while_ms.as_millis());
        writeln!(book, "{hour} {name} of {} ({hosted}), {ms} ms, {ways:?}", nodes[node].name)?;
        *done.by_kind.entry(fault.name()).or_default() += 1;
        running.spawn(inflict(databases.clone(), nodes.clone(), node, fault, while_ms, ways));
        if fault == Fault::FailOver {
            let ended = running.join_next().await.context("the switch")?;
            busy.remove(&done.ends(ended)?);
        }
    }
    while let Some(ended) = running.join_next().await {
        done.ends(ended)?;
    }
    writeln!(book, "{} everything is put right", hour())?;
    Ok(done)
}

async fn inflict(
    databases: Arc<Databases>,
    nodes: Nodes,
    node: usize,
    fault: Fault,
    lasts: Duration,
    ways: &'static [Way],
) -> Result<Ended> {
    let act = move || {
        let wrong = match fault {
            Fault::Idle => idle(&nodes, node, lasts),
            _ if fault.is_of_database() => trouble(&databases, &nodes, fault, lasts).map(|()| None),
            _ => harm(&nodes[node], fault, lasts, ways).map(|()| None),
        }?;
        if fault.takes_a_node() {
            // The node is back only when it knows every game; otherwise no node that does might be
            // left.
            nodes[node].settle();
        }
        anyhow::Ok(Ended { node, wrong })
    };
    spawn_blocking(act).await?.with_context(|| format!("{} of node {node}", fault.name()))
}

/// Keeps players away from a node for a while. The others' journals should not grow meanwhile.
fn idle(nodes: &Nodes, number: usize, lasts: Duration) -> Result<Option<String>> {
    nodes[number].avoid(true);
    std::thread::sleep(lasts + IDLES);
    let kept = || nodes.iter().map(Node::journal_bytes).max().unwrap_or(0);
    let deadline = Instant::now() + CONFIRMS;
    let mut last = kept();
    while last > KEPT_FOR_IDLERS && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(100));
        last = kept();
    }
    nodes[number].avoid(false);
    let wrong = format!("{last} bytes are kept while {} has no players", nodes[number].name);
    Ok((last > KEPT_FOR_IDLERS).then_some(wrong))
}

/// What happens to the database.
fn trouble(databases: &Databases, nodes: &Nodes, fault: Fault, lasts: Duration) -> Result<()> {
    match fault {
        Fault::EndBackends => databases.primary().cut_off_everybody(),
        Fault::CrashDatabase => {
            let primary = databases.primary();
            primary.crash()?;
            std::thread::sleep(lasts / 2);
            primary.start_again()
        }
        Fault::PauseBackend => {
            // If every node is cut off at the moment, there is no process to pause.
            let paused = databases.primary().pause_a_backend(lasts.as_millis() as usize);
            if let Ok(pid) = paused {
                std::thread::sleep(lasts + SILENCE);
                // If the database has crashed meanwhile, the process is gone.
                let _ = Cluster::resume_a_backend(&pid);
            }
            Ok(())
        }
        Fault::FailOver => databases.fail_over(nodes, lasts),
        _ => unreachable!("{fault:?} is not of the database"),
    }
}

/// What happens to a node or its connections.
fn harm(node: &Node, fault: Fault, lasts: Duration, ways: &'static [Way]) -> Result<()> {
    let wait = || std::thread::sleep(lasts);
    match fault {
        Fault::Kill => {
            node.kill();
            wait();
            node.start()?;
        }
        Fault::PowerOff | Fault::Move => {
            node.lose_power()?;
            wait();
            node.boot(fault == Fault::Move)?;
        }
        Fault::Pause | Fault::Hang => {
            node.signal("STOP")?;
            wait();
            if fault == Fault::Hang {
                std::thread::sleep(HANGS);
            }
            node.signal("CONT")?;
        }
        Fault::Drain => {
            node.terminate()?;
            node.start()?;
        }
        Fault::CutLinks => node.links.cut(),
        Fault::StallLinks => {
            node.links.stall(ways);
            wait();
            node.links.flow();
        }
        Fault::ForgetLinks => node.links.forget(),
        Fault::CutDatabase => node.database.cut(),
        Fault::StallDatabase => {
            node.database.stall(ways);
            wait();
            node.database.flow();
        }
        Fault::ForgetDatabase => node.database.forget(),
        _ => unreachable!("{fault:?} is not of a node"),
    }
    Ok(())
}
