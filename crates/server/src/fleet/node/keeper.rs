//! The thread that keeps a node's lease: it says that the node is alive, looks who owns what, and tells
//! each game's thread.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hall::Time;
use store::StoreError;
use store::folder::Folder;
use store::leases::{Division, Duty, Fleet, Lease, Leases};
use tokio::sync::{oneshot, watch};

use super::addresses::Addresses;
use crate::fleet::{Owner, Ownership, Sight};
use crate::house::{Metrics, clock};

/// So often a node says that it is alive while it is believed to be for one time to live.
pub(super) const BEATS: u32 = 20;

/// While a game is on its way from one node to another, nodes look this often, so that players wait for none
/// of them.
const QUICK: Duration = Duration::from_millis(20);

/// But not for ever: what nobody takes for so many looks waits for something else.
const QUICK_LOOKS: u32 = 100;

/// What the thread is asked.
enum Ask {
    /// A game's thread has let go of its hall.
    LetGo(String),
    /// The node is about to leave; told when it has nothing any more, or nobody takes it.
    Retire(SyncSender<()>),
    Leave,
}

/// What a node knows of its fleet, for every thread.
pub struct Standing {
    incarnation: AtomicU64,
    owners: BTreeMap<&'static str, watch::Sender<Owner>>,
    /// How much other streams have grown.
    changes: Mutex<BTreeMap<&'static str, watch::Sender<u64>>>,
    others: Mutex<Vec<u32>>,
    /// Until when the last owners of games were alive that have ended since.
    lost: Mutex<BTreeMap<&'static str, Time>>,
    /// Until when the node may speak for what it has.
    lease: Mutex<Lease>,
    sight: Mutex<Option<Sight>>,
    asks: SyncSender<Ask>,
    metrics: OnceLock<Arc<Metrics>>,
    addresses: Addresses,
}

impl Standing {
    /// The present one: another follows if the node was silent for too long.
    pub fn incarnation(&self) -> u64 {
        self.incarnation.load(Ordering::Acquire)
    }

    /// The number of a stream's last batch.
    pub fn changes(&self, stream: &'static str) -> watch::Receiver<u64> {
        let mut changes = self.changes.lock().expect("no holder of this lock panics");
        changes.entry(stream).or_default().subscribe()
    }

    /// Counts the fleet here from now on.
    pub fn count_in(&self, metrics: Arc<Metrics>) {
        // It is told once.
        let _ = self.metrics.set(metrics);
    }
}

impl Ownership for Standing {
    fn owner_of(&self, game: &str) -> watch::Receiver<Owner> {
        self.owners[game].subscribe()
    }

    fn others(&self) -> Vec<u32> {
        self.others.lock().expect("no holder of this lock panics").clone()
    }

    fn lost_at(&self, game: &str) -> Option<Time> {
        self.lost.lock().expect("no holder of this lock panics").get(game).copied()
    }

    fn doubt(&self, address: SocketAddr) {
        self.addresses.doubt(address);
    }

    fn has_ended(&self, node: u32) -> bool {
        !self.others().contains(&node)
    }

    fn let_go(&self, game: &str) {
        // A thread that has ended has left the fleet, and owns nothing.
        let _ = self.asks.try_send(Ask::LetGo(game.to_owned()));
    }

    fn retire(&self) {
        // Nobody waits for it. A thread that has ended has handed over everything.
        let _ = self.asks.try_send(Ask::Retire(sync_channel(1).0));
    }

    fn is_believed(&self) -> bool {
        !self.lease.lock().expect("no holder of this lock panics").is_over(Instant::now())
    }

    fn sight(&self) -> Option<Sight> {
        self.sight.lock().expect("no holder of this lock panics").clone()
    }
}

impl std::fmt::Debug for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Standing").field("incarnation", &self.incarnation).finish_non_exhaustive()
    }
}

/// The way to the thread.
#[derive(Debug)]
pub struct Keeper {
    pub standing: Arc<Standing>,
    /// Why the node cannot stay in the fleet.
    failed: oneshot::Receiver<StoreError>,
    thread: JoinHandle<()>,
    /// The server's own, for as long as it is a node.
    _folder: Option<Folder>,
}

/// A node that leaves waits so long for others to take its games.
const HAND_OVER: Duration = Duration::from_secs(5);

impl Keeper {
    pub fn start(
        leases: impl Leases + 'static,
        division: Division,
        games: &[&'static str],
        time_to_live: Duration,
        folder: Option<Folder>,
    ) -> std::io::Result<Keeper> {
        let (mut keeping, asked) = Keeping::new(leases, division, games, time_to_live);
        let standing = keeping.standing.clone();
        let (fail, failed) = oneshot::channel();
        let run = move || {
            if let Err(error) = keeping.keep(&asked) {
                keeping.let_everything_go();
                // The server may be gone already.
                let _ = fail.send(error);
            }
        };
        let thread = std::thread::Builder::new().name("lease".to_owned()).spawn(run)?;
        Ok(Keeper { standing, failed, thread, _folder: folder })
    }

    /// Waits until the node cannot stay in the fleet, and says why.
    pub async fn expelled(&mut self) -> StoreError {
        match (&mut self.failed).await {
            Ok(error) => error,
            // It has left.
            Err(_) => std::future::pending().await,
        }
    }

    /// Whether the node may speak for what it has.
    pub fn is_believed(&self) -> bool {
        self.standing.is_believed()
    }

    /// Hands everything over to other nodes, if there are any.
    pub async fn retire(&self) {
        let (done, is_done) = sync_channel(1);
        if self.standing.asks.send(Ask::Retire(done)).is_ok() {
            let wait = move || is_done.recv_timeout(HAND_OVER);
            // Whether or not it was in time, the server goes on ending.
            let _ = tokio::task::spawn_blocking(wait).await;
        }
    }

    /// Leaves the fleet while the server goes on ending: nobody waits for it any more.
    pub fn part(&self) {
        // A thread that has failed has left already.
        let _ = self.standing.asks.try_send(Ask::Leave);
    }

    /// Leaves the fleet.
    pub async fn leave(self) {
        // A thread that has failed has left already.
        let _ = self.standing.asks.send(Ask::Leave);
        let _ = tokio::task::spawn_blocking(|| self.thread.join()).await;
    }
}

struct Keeping<L> {
    leases: L,
    division: Division,
    every: Duration,
    standing: Arc<Standing>,
    /// The last owner of each game, and when it has last said that it is alive.
    seen: BTreeMap<&'static str, (u64, Time)>,
    /// Until then it takes nothing up.
    patient_until: Instant,
    /// What it had may have been another's meanwhile.
    has_rejoined: bool,
    /// It is to give up what it has, from then on.
    leaves: Option<Instant>,
    /// A game is on its way to another node.
    is_moving: bool,
    /// How often it has looked since.
    looks: u32,
    /// Since when the database does not answer.
    trouble: Option<Instant>,
}

impl<L: Leases> Keeping<L> {
    /// What the thread begins with, and what it will be asked.
    fn new(
        leases: L,
        division: Division,
        games: &[&'static str],
        time_to_live: Duration,
    ) -> (Keeping<L>, Receiver<Ask>) {
        let (asks, asked) = sync_channel(64);
        let lease = Lease::from(Instant::now(), time_to_live);
        let standing = Arc::new(Standing {
            lease: Mutex::new(lease),
            sight: Mutex::default(),
            incarnation: AtomicU64::new(leases.incarnation()),
            owners: games.iter().map(|game| (*game, watch::Sender::default())).collect(),
            changes: Mutex::default(),
            others: Mutex::default(),
            lost: Mutex::default(),
            asks,
            metrics: OnceLock::new(),
            addresses: Addresses::of_system(),
        });
        let keeping = Keeping {
            leases,
            division,
            every: time_to_live / BEATS,
            standing,
            seen: BTreeMap::new(),
            patient_until: Instant::now(),
            has_rejoined: false,
            leaves: None,
            is_moving: false,
            looks: 0,
            trouble: None,
        };
        (keeping, asked)
    }

    /// Until it is told to leave, or the node has been replaced.
    fn keep(&mut self, asked: &Receiver<Ask>) -> Result<(), StoreError> {
        let mut retired: Option<SyncSender<()>> = None;
        loop {
            let has_all_gone = self.beat()?;
            if let Some(done) = retired.take_if(|_| has_all_gone) {
                // Whoever waits may have given up.
                let _ = done.try_send(());
            }
            match asked.recv_timeout(self.pause()) {
                Ok(Ask::LetGo(game)) => _ = self.answered(|leases| leases.resign(&game)),
                Ok(Ask::Retire(done)) => {
                    // By then everybody has seen it and looks often, so whoever takes a game has it at once.
                    self.leaves = Some(Instant::now() + self.every + QUICK);
                    self.answered(L::retire);
                    retired = Some(done);
                }
                Ok(Ask::Leave) => {
                    self.answered(L::leave);
                    self.let_everything_go();
                    return Ok(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// How long it waits until it looks again.
    fn pause(&mut self) -> Duration {
        self.looks = if self.is_moving { self.looks.saturating_add(1) } else { 0 };
        let hurries = (1..=QUICK_LOOKS).contains(&self.looks);
        if hurries { self.every.min(QUICK) } else { self.every }
    }

    /// Says that the node is alive, and tells what it has seen. Whether nothing is left that another
    /// node could take.
    fn beat(&mut self) -> Result<bool, StoreError> {
        let begin = Instant::now();
        match self.leases.beat() {
            Ok(fleet) => {
                if let Some(since) = self.trouble.take() {
                    let ms = since.elapsed().as_millis() as u64;
                    tracing::info!(ms, "the database answers again");
                }
                // The database may not have answered, or the node has joined anew since.
                let is_me =
                    |node: &&store::leases::Node| node.incarnation == self.leases.incarnation();
                if self.leaves.is_some()
                    && fleet.nodes.iter().find(is_me).is_some_and(|me| !me.leaving)
                {
                    self.answered(L::retire);
                }
                let has_all_gone = self.tell(&fleet);
                // From here on it is believed again; by now everybody knows what is another's.
                self.see(&fleet, begin);
                Ok(has_all_gone)
            }
            Err(StoreError::Expired(node)) => {
                tracing::warn!(node, "the lease was over: others may have what this node had");
                if let Some(incarnation) = self.answered(L::rejoin) {
                    self.standing.incarnation.store(incarnation, Ordering::Release);
                    // If everybody was silent, everybody gets its own back first.
                    self.patient_until = Instant::now() + self.every * BEATS / 2;
                    self.has_rejoined = true;
                }
                Ok(false)
            }
            Err(error @ StoreError::Replaced(_)) => Err(error),
            Err(error) => {
                if self.trouble.is_none() {
                    tracing::warn!(%error, "the database does not answer; everybody waits");
                    self.trouble = Some(Instant::now());
                }
                if let Some(sight) = &mut *self.sight() {
                    sight.is_blind = true;
                }
                Ok(false)
            }
        }
    }

    fn sight(&self) -> MutexGuard<'_, Option<Sight>> {
        self.standing.sight.lock().expect("no holder of this lock panics")
    }

    /// Keeps what a beat has shown for everybody who asks.
    fn see(&self, fleet: &Fleet, begin: Instant) {
        let (me, at, took) = (self.leases.incarnation(), Instant::now(), begin.elapsed());
        *self.standing.lease.lock().expect("no holder of this lock panics") = fleet.lease;
        *self.sight() = Some(Sight { me, fleet: fleet.clone(), took, at, is_blind: false });
        if let Some(metrics) = self.standing.metrics.get() {
            metrics.database_ms.set(took.as_millis() as i64);
        }
    }

    /// What the database answers, or nothing: then the next beat finds out more.
    fn answered<T>(&mut self, ask: impl FnOnce(&mut L) -> Result<T, StoreError>) -> Option<T> {
        ask(&mut self.leases)
            .inspect_err(|error| tracing::warn!(%error, "the database does not answer"))
            .ok()
    }

    /// Nobody speaks for a game here from now on.
    fn let_everything_go(&self) {
        for owner in self.standing.owners.values() {
            turn(owner, Owner::Nobody);
        }
    }

    /// Remembers until when owners were alive. Nobody was served after that, whatever else they did.
    fn watch_owners(&mut self, now: Time, fleet: &Fleet) {
        let mut lost = self.standing.lost.lock().expect("no holder of this lock panics");
        for game in self.standing.owners.keys().copied() {
            if let Some(owner) = fleet.owner(game) {
                let alive = Time(now.0.saturating_sub(owner.silent_ms));
                self.seen.insert(game, (owner.incarnation, alive));
                lost.remove(game);
            } else if let Some((owner, alive)) = self.seen.get(game)
                && fleet.node(*owner).is_none()
            {
                lost.insert(game, *alive);
            }
        }
    }

    fn tell(&mut self, fleet: &Fleet) -> bool {
        self.watch_owners(clock::now(), fleet);
        let me = self.leases.incarnation();
        let mut duties = self.division.duties(me, fleet);
        if Instant::now() < self.patient_until {
            duties.retain(|duty| !matches!(duty, Duty::Load(_)));
        }
        if self.leaves.is_some_and(|from| Instant::now() < from) {
            duties.retain(|duty| !matches!(duty, Duty::Resign(_)));
        }
        let has_rejoined = std::mem::take(&mut self.has_rejoined);
        let others = fleet.nodes.iter().filter(|node| node.incarnation != me);
        *self.standing.others.lock().expect("no holder of this lock panics") =
            others.map(|node| node.number as u32).collect();
        let mut is_owner = false;
        for (game, told) in &self.standing.owners {
            let owner = fleet.owner(game);
            let duty = duties.iter().find(|duty| {
                let (Duty::Load(stream) | Duty::Resign(stream)) = duty;
                stream == game
            });
            let holding = fleet.holding(game);
            let next = match (owner, duty) {
                (_, Some(Duty::Resign(_))) => Owner::Nobody,
                // What was not kept was another's since, whoever has it now.
                (None, _) if has_rejoined => Owner::Nobody,
                (_, Some(Duty::Load(_))) => Owner::Me,
                (Some(node), None) if node.incarnation == me => Owner::Me,
                (Some(node), None) => {
                    let address = self.standing.addresses.find(&node.address);
                    let epoch = holding.map_or(0, |holding| holding.epoch);
                    address.map_or(Owner::Nobody, |address| Owner::Node { address, epoch })
                }
                (None, None) => Owner::Nobody,
            };
            turn(told, next);
            let is_mine = owner.is_some_and(|node| node.incarnation == me);
            is_owner |= is_mine;
            if let (Some(metrics), Some(holding)) = (self.standing.metrics.get(), holding) {
                metrics.holds(game, is_mine, holding.epoch);
            }
        }
        if let Some(metrics) = self.standing.metrics.get() {
            metrics.fleet_nodes.set(fleet.nodes.len() as i64);
        }
        for (stream, told) in &*self.standing.changes.lock().expect("no holder of this lock panics")
        {
            let batch = fleet.holding(stream).map_or(0, |holding| holding.batch);
            told.send_if_modified(|known| std::mem::replace(known, batch) != batch);
        }
        let is_followed = fleet.nodes.iter().any(|node| !node.leaving);
        let moves = |game: &&str| fleet.owner(game).is_none_or(|owner| owner.leaving);
        self.is_moving = is_followed && self.standing.owners.keys().any(moves);
        !is_owner || !is_followed
    }
}

fn turn(told: &watch::Sender<Owner>, owner: Owner) {
    told.send_if_modified(|known| std::mem::replace(known, owner) != owner);
}

#[cfg(test)]
#[path = "keeper_tests.rs"]
mod tests;
