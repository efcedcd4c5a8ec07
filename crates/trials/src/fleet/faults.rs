//! Random faults for a fleet: nodes are killed, paused and stopped, cables cut and stalled, and the
//! database taken away.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use rules::{Dice, Seed};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::FleetTrial;
use super::cable::Way;
use super::cluster::Cluster;
use super::nodes::Nodes;
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
        }
    }

    /// The next fault; owners and gateways are the same processes.
    fn choose(dice: &mut Dice) -> Fault {
        match dice.below(29) {
            0..7 => Fault::Kill,
            7..11 => Fault::Pause,
            11..13 => Fault::Drain,
            13..16 => Fault::CutLinks,
            16..18 => Fault::StallLinks,
            18..20 => Fault::CutDatabase,
            20..22 => Fault::StallDatabase,
            22 => Fault::EndBackends,
            23 => Fault::CrashDatabase,
            24..26 => Fault::ForgetLinks,
            26 => Fault::Hang,
            _ => Fault::PauseBackend,
        }
    }

    /// Whether the node is not there meanwhile.
    fn takes_a_node(self) -> bool {
        matches!(self, Fault::Kill | Fault::Pause | Fault::Hang | Fault::Drain)
    }
}

/// A node that hangs does so for this long at least: by then its links have ended and its players are gone.
const HANGS: Duration = Duration::from_secs(5);
/// No client waits longer than this for the database.
const SILENCE: Duration = Duration::from_secs(6);

/// How often each was done.
pub type Done = BTreeMap<&'static str, u64>;

/// Injects a number of faults into a fleet and repairs everything afterwards.
///
/// A file in the given folder, next to the nodes' logs, records what was done and when.
pub async fn wreak(
    cluster: Arc<Cluster>,
    nodes: Nodes,
    trial: FleetTrial,
    folder: &Path,
) -> Result<Done> {
    let mut dice = Dice::new(&Seed::from_number(trial.seed), "faults", 0);
    let mut book = File::create(folder.join("faults.log"))?;
    let mut done = Done::new();
    let mut running: JoinSet<Result<usize>> = JoinSet::new();
    // Nodes to which something is being done, and whether the database is.
    let mut busy: BTreeMap<usize, Fault> = BTreeMap::new();
    for _ in 0..trial.kills {
        sleep(Duration::from_millis(100 + dice.below(700) as u64)).await;
        let fault = Fault::choose(&mut dice);
        let node = dice.below(nodes.len());
        let while_ms = Duration::from_millis(50 + dice.below(2500) as u64);
        let ways = [&[Way::There][..], &[Way::Back], &[Way::There, Way::Back]];
        let ways = *dice.pick(&ways);
        loop {
            while let Some(ended) = running.try_join_next() {
                busy.remove(&ended??);
            }
            let gone = busy.values().filter(|fault| fault.takes_a_node()).count();
            // One node at least is there.
            if !busy.contains_key(&node) && (!fault.takes_a_node() || gone + 1 < nodes.len()) {
                break;
            }
            let ended = running.join_next().await.context("something is being done")?;
            busy.remove(&ended??);
        }
        busy.insert(node, fault);
        let (hour, name, ms) = (hour(), fault.name(), while_ms.as_millis());
        writeln!(book, "{hour} {name} of {}, {ms} ms, {ways:?}", nodes[node].name)?;
        *done.entry(fault.name()).or_default() += 1;
        running.spawn(inflict(cluster.clone(), nodes.clone(), node, fault, while_ms, ways));
    }
    while let Some(ended) = running.join_next().await {
        ended??;
    }
    writeln!(book, "{} everything is put right", hour())?;
    Ok(done)
}

async fn inflict(
    cluster: Arc<Cluster>,
    nodes: Nodes,
    number: usize,
    fault: Fault,
    lasts: Duration,
    ways: &'static [Way],
) -> Result<usize> {
    let settling = nodes.clone();
    let act = move || -> Result<()> {
        let node = &nodes[number];
        let wait = || std::thread::sleep(lasts);
        match fault {
            Fault::Kill => {
                node.kill();
                wait();
                node.start()
            }
            Fault::Pause => {
                node.signal("STOP")?;
                wait();
                node.signal("CONT")
            }
            Fault::Hang => {
                node.signal("STOP")?;
                std::thread::sleep(lasts + HANGS);
                node.signal("CONT")
            }
            Fault::Drain => {
                node.terminate()?;
                node.start()
            }
            Fault::CutLinks => {
                node.links.cut();
                Ok(())
            }
            Fault::StallLinks => {
                node.links.stall(ways);
                wait();
                node.links.flow();
                Ok(())
            }
            Fault::ForgetLinks => {
                node.links.forget();
                Ok(())
            }
            Fault::CutDatabase => {
                node.database.cut();
                Ok(())
            }
            Fault::StallDatabase => {
                node.database.stall(ways);
                wait();
                node.database.flow();
                Ok(())
            }
            Fault::EndBackends => {
                // If the database is down at the moment, all connections have ended anyway.
                let _ = cluster.cut_off_everybody();
                Ok(())
            }
            Fault::CrashDatabase => {
                if cluster.crash().is_ok() {
                    std::thread::sleep(lasts / 2);
                    cluster.start_again()?;
                }
                Ok(())
            }
            Fault::PauseBackend => {
                // If the database is down at the moment, there is no process to pause.
                let _ = cluster.pause_a_backend(lasts.as_millis() as usize, lasts + SILENCE);
                Ok(())
            }
        }
    };
    spawn_blocking(act).await?.with_context(|| format!("{} of node {number}", fault.name()))?;
    if fault.takes_a_node() {
        // The node is back only when it knows every game; otherwise no node that does might be
        // left.
        let wait = move || settling[number].settle();
        spawn_blocking(wait).await?;
    }
    Ok(number)
}
