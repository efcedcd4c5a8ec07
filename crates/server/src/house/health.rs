//! What is wrong with this server at the moment. Everything here is computed on request: a gauge
//! that is set only while all is well would freeze when it is needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use store::postgres::{Database, OpenTransaction};
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

use super::{Complaints, Metrics, clock};
use crate::fleet::Ownership;

/// Extra time for a takeover, beyond a lease, before it counts as a fault.
const TAKEOVER: Duration = Duration::from_secs(3);

/// Links are looked at this often, and open transactions at every tenth look.
const LOOKS_EVERY: Duration = Duration::from_secs(1);
const LOOKS_PER_QUESTION: u32 = 10;

/// A transaction that is open for longer than this slows appends down, and so does one since which this
/// many others have begun.
const LONG_SECONDS: u64 = 60;
const MANY_LATER: u64 = 50_000;

/// What a server knows about its own state.
pub struct Health {
    metrics: Arc<Metrics>,
    fleet: Option<Arc<dyn Ownership>>,
    games: Vec<&'static str>,
    /// The wait that counts as a fault: one lease.
    patience: Duration,
    links: Mutex<BTreeMap<&'static str, Link>>,
    transaction: Mutex<Option<OpenTransaction>>,
    complaints: Complaints,
}

/// How a game is reached from here.
#[derive(Clone, Copy)]
enum Link {
    Up,
    /// It was up until then.
    DownSince(Instant),
}

impl Health {
    pub fn new(
        metrics: Arc<Metrics>,
        fleet: Option<Arc<dyn Ownership>>,
        games: Vec<&'static str>,
        patience: Duration,
    ) -> Health {
        let (links, transaction) = (Mutex::default(), Mutex::default());
        let complaints = Complaints::default();
        Health { metrics, fleet, games, patience, links, transaction, complaints }
    }

    /// Looks at links and at the database until the server ends.
    pub async fn watch(self: Arc<Health>, database: Option<Database>, closing: CancellationToken) {
        let mut looks = interval(LOOKS_EVERY);
        for look in 0u32.. {
            tokio::select! {
                _ = looks.tick() => {}
                () = closing.cancelled() => return,
            }
            self.look();
            if look.is_multiple_of(LOOKS_PER_QUESTION)
                && let Some(database) = database.clone()
            {
                tokio::select! {
                    () = self.ask_for_transactions(database) => {}
                    () = closing.cancelled() => return,
                }
            }
        }
    }

    /// Puts every number right that time alone changes.
    pub fn look(&self) {
        let sight = self.fleet.as_ref().and_then(|fleet| fleet.sight());
        let is_believed = self.is_believed();
        for game in &self.games {
            self.metrics.set_pending(game, self.pending(game).as_secs_f64());
            if self.fleet.is_none() {
                continue;
            }
            let is_up = self.is_linked(game);
            self.metrics.set_link(game, is_up);
            let mut links = self.links.lock().expect("no holder of this lock panics");
            match (is_up, links.get(game)) {
                (true, _) => _ = links.insert(game, Link::Up),
                (false, Some(Link::Up)) => _ = links.insert(game, Link::DownSince(Instant::now())),
                (false, _) => {}
            }
            if let Some(sight) = &sight {
                let is_mine =
                    sight.fleet.owner(game).is_some_and(|node| node.incarnation == sight.me);
                let epoch = sight.fleet.holding(game).map_or(0, |holding| holding.epoch);
                self.metrics.holds(game, is_mine && is_believed, epoch);
            }
        }
        if let Some(sight) = sight {
            let age = sight.at.elapsed();
            // An unanswered call has taken at least as long as it has been waiting.
            let took = if sight.is_blind { age.max(sight.took) } else { sight.took };
            self.metrics.lease_age_ms.set(age.as_millis() as i64);
            self.metrics.database_ms.set(took.as_millis() as i64);
            let nodes = if is_believed { sight.fleet.nodes.len() } else { 0 };
            self.metrics.fleet_nodes.set(nodes as i64);
        }
    }

    /// What keeps this server from serving players.
    pub fn faults(&self) -> Vec<String> {
        self.look();
        let mut faults = Vec::new();
        let sight = self.fleet.as_ref().and_then(|fleet| fleet.sight());
        if let Some(sight) = &sight
            && (sight.is_blind || !self.is_believed())
        {
            let seconds = sight.at.elapsed().as_secs();
            faults.push(format!(
                "the database does not answer; games wait until it does (last answer {seconds} s ago)"
            ));
        }
        for game in &self.games {
            let pending = self.pending(game);
            if pending > self.patience {
                let seconds = pending.as_secs();
                faults.push(format!("moves of {game} have not been saved for {seconds} s"));
            }
            faults.extend(self.unlinked(game));
        }
        faults
    }

    /// What will become a fault unless the operator acts.
    pub fn warnings(&self) -> Vec<String> {
        let open = self.transaction.lock().expect("no holder of this lock panics");
        open.as_ref().map(describe).into_iter().collect()
    }

    /// How long the oldest move of a game waits to be saved.
    pub fn pending(&self, game: &'static str) -> Duration {
        let since = self.metrics.of_game(game).unsaved_since.get();
        let waited = clock::now().0.saturating_sub(since.unsigned_abs());
        Duration::from_millis(if since == 0 { 0 } else { waited })
    }

    /// Whether the game is hosted here, or the server that hosts it is reached.
    pub fn is_linked(&self, game: &'static str) -> bool {
        let here = self.metrics.of_game(game);
        match here.is_driven.get() > 0 {
            true => self.is_believed(),
            false => here.links.get() > 0,
        }
    }

    fn is_believed(&self) -> bool {
        self.fleet.as_ref().is_none_or(|fleet| fleet.is_believed())
    }

    /// Why a game has not been reached for too long.
    fn unlinked(&self, game: &'static str) -> Option<String> {
        self.fleet.as_ref()?;
        let link = self.links.lock().expect("no holder of this lock panics").get(game).copied();
        match link {
            Some(Link::Up) => None,
            Some(Link::DownSince(since)) => {
                let seconds = since.elapsed().as_secs();
                (since.elapsed() > self.patience + TAKEOVER)
                    .then(|| format!("{game} is out of reach for {seconds} s"))
            }
            None => Some(format!("{game} was not reached yet")),
        }
    }

    async fn ask_for_transactions(&self, database: Database) {
        let asked = tokio::task::spawn_blocking(move || database.oldest_transaction()).await;
        // A database that does not answer is a fault already.
        let Ok(Ok(open)) = asked else { return };
        let later = open.as_ref().map_or(0, |open| open.later);
        self.metrics.transactions_behind.set(later as i64);
        let long = open.filter(is_long);
        if let Some(open) = &long
            && let Some(times) = self.complaints.hear(clock::now())
        {
            let (pid, seconds, program) = (open.pid, open.seconds, &open.program);
            tracing::warn!(pid, seconds, program, times, "{}", describe(open));
        }
        *self.transaction.lock().expect("no holder of this lock panics") = long;
    }
}

fn is_long(open: &OpenTransaction) -> bool {
    open.seconds >= LONG_SECONDS || open.later >= MANY_LATER
}

fn describe(open: &OpenTransaction) -> String {
    let OpenTransaction { pid, program, seconds, later } = open;
    let program = if program.is_empty() { String::new() } else { format!(" ({program})") };
    format!(
        "a transaction in the database slows every move down: process {pid}{program} has it open for \
         {seconds} s, and {later} others have begun since. End it, or wait until it has ended"
    )
}

impl std::fmt::Debug for Health {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Health").field("games", &self.games).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use tokio::sync::watch;

    use super::*;
    use crate::fleet::Owner;

    /// A fleet that believes in this node, or not.
    #[derive(Default)]
    struct Believed(AtomicBool);

    impl Ownership for Believed {
        fn owner_of(&self, _: &str) -> watch::Receiver<Owner> {
            watch::channel(Owner::Me).1
        }

        fn others(&self) -> Vec<u32> {
            Vec::new()
        }

        fn let_go(&self, _: &str) {}

        fn is_believed(&self) -> bool {
            self.0.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn a_game_that_is_not_reached_is_a_fault() {
        let (metrics, fleet) = (Metrics::new(), Arc::new(Believed::default()));
        let health = Health::new(
            metrics.clone(),
            Some(fleet.clone()),
            vec!["gamba"],
            Duration::from_secs(5),
        );
        assert_eq!(health.faults(), ["gamba was not reached yet"]);
        let here = metrics.of_game("gamba");
        here.is_driven.set(1);
        assert!(!health.is_linked("gamba"), "others may have it");
        fleet.0.store(true, Ordering::SeqCst);
        assert_eq!(health.faults(), [""; 0]);
        here.is_driven.set(0);
        here.links.set(0);
        assert!(!health.is_linked("gamba"));
        assert_eq!(health.faults(), [""; 0], "a takeover lasts as long");
        assert!(metrics.text().contains("parlor_link_up{game=\"gamba\"} 0"));
    }

    #[test]
    fn moves_that_wait_longer_than_a_lease_are_a_fault() {
        let metrics = Metrics::new();
        let health = Health::new(metrics.clone(), None, vec!["gamba"], Duration::from_secs(5));
        assert_eq!(health.faults(), [""; 0]);
        let now = clock::now().0;
        metrics.of_game("gamba").unsaved_since.set(now as i64 - 9_000);
        let faults = health.faults();
        assert!(faults[0].starts_with("moves of gamba have not been saved for"), "{faults:?}");
    }

    #[test]
    fn a_transaction_that_slows_moves_down_is_named() {
        let open = |seconds, later| OpenTransaction {
            pid: 4711,
            program: "pg_dump".to_owned(),
            seconds,
            later,
        };
        assert!(!is_long(&open(LONG_SECONDS - 1, MANY_LATER - 1)));
        assert!(is_long(&open(LONG_SECONDS, 0)));
        // Another user's is known by what has begun since alone.
        assert!(is_long(&open(0, MANY_LATER)));
        let told = describe(&open(75, 9));
        assert!(told.contains("process 4711 (pg_dump) has it open for 75 s"), "{told}");
    }
}
