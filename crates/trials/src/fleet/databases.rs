//! The database of a fleet, and how a standby takes its place.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::cluster::Cluster;
use super::nodes::Nodes;

/// After a switch every game saves something within this time: it always has players.
const GOES_ON: Duration = Duration::from_secs(60);

/// What a node sent before the switch has arrived after this time.
const ARRIVES: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Databases {
    /// Locked while something is done to it.
    primary: Mutex<Cluster>,
    games: Vec<&'static str>,
}

impl Databases {
    pub fn start(games: Vec<&'static str>) -> Result<Databases> {
        Ok(Databases { primary: Mutex::new(Cluster::start()?), games })
    }

    /// The primary, which nothing else is done to meanwhile.
    pub fn primary(&self) -> MutexGuard<'_, Cluster> {
        self.primary.lock().expect("no holder of this lock panics")
    }

    /// Switches all nodes to an asynchronous standby that lacks the last moves. Returns when every game
    /// continues there. What players receive meanwhile may be undone.
    pub fn fail_over(&self, nodes: &Nodes, behind: Duration) -> Result<()> {
        let mut primary = self.primary();
        let standby = primary.standby()?;
        nodes.doubt.begin();
        standby.catch_up(&primary)?;
        standby.fall_behind()?;
        sleep(behind);
        primary.crash()?;
        standby.promote()?;
        let before = progress(&standby, &self.games)?;
        for node in nodes.iter() {
            node.database.lead_to(standby.address);
            node.database.cut();
        }
        *primary = standby;
        let deadline = Instant::now() + GOES_ON;
        // An owner whose moves are saved agrees with the database again.
        while progress(&primary, &self.games)?.iter().zip(&before).any(|(now, then)| now == then) {
            if Instant::now() > deadline {
                let now = progress(&primary, &self.games)?;
                bail!("a game saves nothing after the switch: {before:?} became {now:?}");
            }
            sleep(Duration::from_millis(100));
        }
        nodes.iter().for_each(|node| node.settle());
        sleep(ARRIVES);
        nodes.doubt.end();
        Ok(())
    }
}

/// Epoch and last batch of every game.
fn progress(database: &Cluster, games: &[&str]) -> Result<Vec<String>> {
    let rows = database.ask("SELECT stream, epoch, batch FROM streams ORDER BY stream")?;
    let is_game = |row: &&str| row.split('|').next().is_some_and(|name| games.contains(&name));
    Ok(rows.lines().filter(is_game).map(str::to_owned).collect())
}

/// Counts the times at which what players receive becomes doubtful, and certain again.
#[derive(Debug, Default)]
pub struct Doubt(AtomicU64);

impl Doubt {
    fn begin(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn end(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Odd while there is doubt.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// The count when everything was certain for the last time.
    pub fn certain(&self) -> u64 {
        self.count() & !1
    }
}
