//! What one address, or one name by its key, has taken of everything that is counted.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use hall::{Name, Time};

use super::bucket::Bucket;
use super::limits::{Limit, Limits};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

/// Whom limits are counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// Everybody at an address.
    Address(IpAddr),
    /// Whoever has shown the key of a claimed name, wherever it is.
    Name(Name),
    /// Everybody at an address who is counted by a name. Anybody may claim names, so they are no
    /// way around what an address may take.
    Keys(IpAddr),
}

/// All keys at an address may take so many times what the address may.
const KEYS_TAKE: u32 = 8;

impl Party {
    /// How many times the usual limits it has.
    fn times(&self) -> u32 {
        if matches!(self, Party::Keys(_)) { KEYS_TAKE } else { 1 }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Address(address) => address.fmt(f),
            Party::Name(name) => write!(f, "{name}, by its key"),
            Party::Keys(address) => write!(f, "{address}, by keys"),
        }
    }
}

/// What one party has taken.
#[derive(Debug)]
pub struct Share {
    pub party: Party,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
pub struct Taken {
    pub connections: usize,
    pub connects: Bucket,
    pub messages: Bucket,
    pub requests: Bucket,
    pub tables: Bucket,
    pub entries: Bucket,
    /// Names that were claimed, and changes of those.
    pub claims: Bucket,
    pub seats: usize,
}

impl Taken {
    /// Whether to forget it makes no difference.
    pub fn is_nothing(&mut self, now: Time) -> bool {
        let Taken { connections, connects, messages, requests, tables, entries, claims, seats: _ } =
            self;
        let buckets = [connects, messages, requests, tables, entries, claims];
        *connections == 0 && buckets.into_iter().all(|bucket| bucket.is_full(now))
    }
}

impl Share {
    pub fn new(party: Party, limits: &Limits, now: Time) -> Share {
        let rate = |limit: u32| u64::from(limit) * u64::from(party.times());
        let quick = |limit: u32| Bucket::new(rate(limit), now);
        let slow = |limit: u32, period_ms| Bucket::slow(rate(limit), period_ms, now);
        let taken = Taken {
            connections: 0,
            connects: quick(limits.connects_per_s_per_address),
            messages: quick(limits.messages_per_s_per_address),
            requests: quick(limits.requests_per_s_per_address),
            tables: slow(limits.tables_per_min_per_address, MINUTE),
            entries: slow(limits.entries_per_h_per_address, HOUR),
            claims: slow(limits.claims_per_h_per_address, HOUR),
            seats: 0,
        };
        Share { party, taken: Mutex::new(taken) }
    }

    pub fn taken(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().expect("no holder of this lock panics")
    }

    pub fn enter(&self, limits: &Limits, exempt: bool) -> Result<(), Limit> {
        let mut taken = self.taken();
        if !exempt && taken.connections >= self.most(limits.connections_per_address) {
            return Err(Limit::ConnectionsPerAddress);
        }
        taken.connections += 1;
        Ok(())
    }

    /// One connection less.
    pub fn leave(&self) {
        self.taken().connections -= 1;
    }

    /// How many of something there may be here, of which an address may have so many.
    fn most(&self, of_address: usize) -> usize {
        of_address.saturating_mul(self.party.times() as usize)
    }

    /// Whether one more may sit down: which limit is reached, if not.
    pub fn may_sit_down(&self, now: Time, limits: &Limits) -> Result<(), Limit> {
        let mut taken = self.taken();
        match () {
            () if taken.seats >= self.most(limits.seats_per_address) => Err(Limit::SeatsPerAddress),
            () if !taken.tables.has(now) => Err(Limit::TablesPerMinPerAddress),
            () => Ok(()),
        }
    }

    pub fn take_request(&self, now: Time, cost: u64) -> Result<(), Reached> {
        take(now, &mut self.taken().requests, cost, Limit::RequestsPerSPerAddress)
    }

    pub fn take_claim(&self, now: Time) -> Result<(), Reached> {
        take(now, &mut self.taken().claims, 1, Limit::ClaimsPerHPerAddress)
    }

    pub fn may_enter(&self, now: Time) -> Result<(), Reached> {
        take(now, &mut self.taken().entries, 0, Limit::EntriesPerHPerAddress)
    }
}

/// Where somebody takes from: its own share, and that of all keys at its address if its own is a name's.
#[derive(Clone, Debug)]
pub struct Shares {
    pub own: Arc<Share>,
    pub keys: Option<Arc<Share>>,
}

impl Shares {
    pub fn each(&self) -> impl Iterator<Item = &Share> {
        [Some(&self.own), self.keys.as_ref()].into_iter().flatten().map(|share| &**share)
    }

    /// Whether all of them allow something; the first that does not says why.
    pub fn check<E>(&self, check: impl FnMut(&Share) -> Result<(), E>) -> Result<(), E> {
        self.each().try_for_each(check)
    }
}

/// An entry for a tournament, and where it was taken from: it is given back if it comes to nothing.
#[derive(Debug)]
pub struct TakenEntry(Option<Shares>);

impl TakenEntry {
    /// Takes one, unless there is none left. Of no shares any number may be taken.
    pub fn of(now: Time, shares: Option<Shares>) -> Result<TakenEntry, Reached> {
        if let Some(shares) = &shares {
            shares.check(|share| share.may_enter(now))?;
            shares.each().for_each(|share| share.taken().entries.take(1));
        }
        Ok(TakenEntry(shares))
    }

    pub fn give_back(self) {
        if let Some(shares) = self.0 {
            shares.each().for_each(|share| share.taken().entries.give_back(1));
        }
    }
}

/// A limit by time that somebody has reached, and in how many milliseconds there is room again.
#[derive(Debug, PartialEq, Eq)]
pub struct Reached {
    pub limit: Limit,
    pub wait_ms: u64,
}

fn take(now: Time, bucket: &mut Bucket, cost: u64, limit: Limit) -> Result<(), Reached> {
    if !bucket.has(now) {
        return Err(Reached { limit, wait_ms: bucket.refills_in() });
    }
    bucket.take(cost);
    Ok(())
}
