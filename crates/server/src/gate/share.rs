//! What one address, or one name by its key, has taken of everything that is counted.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use hall::{Name, Time};

use super::bucket::Bucket;
use super::limits::{Limit, Limits};
use super::peer::Network;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

/// The party that limits are counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// All clients at an address.
    Address(IpAddr),
    /// A client that has shown the key of a claimed name, at any address.
    Name(Name),
    /// All clients at an address that are counted by a name. Names are free to claim, so they are
    /// no way around the limits of an address.
    Keys(IpAddr),
    /// Clients of a proxy at an address that does not say who they are. The proxy's own connections are
    /// not among them.
    Unnamed(IpAddr),
    /// All clients in a larger network, of which one customer may have all addresses. Connections
    /// are counted for it, and HTTP requests, claims and entries.
    Network(Network),
}

/// All keys at an address together may take this many times the address's own share.
const KEYS_TAKE: u32 = 8;

/// An IPv6 network of 56 bits may ask for four times as much as an address, and one of 48 for sixteen times.
const NETWORK_56_TAKES: u32 = 4;
const NETWORK_48_TAKES: u32 = 16;

impl Party {
    /// How many times the usual limits it has.
    fn times(&self) -> u32 {
        match self {
            Party::Keys(_) => KEYS_TAKE,
            Party::Network(network) if network.bits() == 56 => NETWORK_56_TAKES,
            Party::Network(_) => NETWORK_48_TAKES,
            _ => 1,
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Address(address) => address.fmt(f),
            Party::Name(name) => write!(f, "{name}, by its key"),
            Party::Keys(address) => write!(f, "{address}, by keys"),
            Party::Unnamed(address) => write!(f, "clients of a proxy at {address}"),
            Party::Network(network) => network.fmt(f),
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
    /// What its tables have written.
    pub records: Bucket,
    pub entries: Bucket,
    /// Names that were claimed, and changes of those.
    pub claims: Bucket,
    /// Names that were claimed.
    pub new_names: Bucket,
    pub seats: usize,
}

impl Taken {
    /// Whether to forget it makes no difference.
    pub fn is_nothing(&mut self, now: Time) -> bool {
        let Taken {
            connections,
            connects,
            messages,
            requests,
            tables,
            records,
            entries,
            claims,
            new_names,
            seats: _,
        } = self;
        let buckets = [connects, messages, requests, tables, records, entries, claims, new_names];
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
            records: slow(limits.records_per_min_per_address, MINUTE),
            entries: slow(limits.entries_per_h_per_address, HOUR),
            claims: slow(limits.claims_per_h_per_address, HOUR),
            new_names: slow(limits.claims_per_day_per_address, 24 * HOUR),
            seats: 0,
        };
        Share { party, taken: Mutex::new(taken) }
    }

    pub fn taken(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().expect("no holder of this lock panics")
    }

    pub fn enter(&self, limits: &Limits, exempt: bool) -> Result<(), Limit> {
        let (limit, most) = match &self.party {
            Party::Network(network) if network.bits() == 56 => {
                (Limit::ConnectionsPerNetwork56, limits.connections_per_network_56)
            }
            Party::Network(_) => {
                (Limit::ConnectionsPerNetwork48, limits.connections_per_network_48)
            }
            _ => (Limit::ConnectionsPerAddress, self.most(limits.connections_per_address)),
        };
        let mut taken = self.taken();
        if !exempt && taken.connections >= most {
            return Err(limit);
        }
        taken.connections += 1;
        Ok(())
    }

    /// One connection less.
    pub fn leave(&self) {
        self.taken().connections -= 1;
    }

    /// The limit here, if an address may have `of_address`.
    fn most(&self, of_address: usize) -> usize {
        of_address.saturating_mul(self.party.times() as usize)
    }

    /// Whether this many more seats may be taken; otherwise the limit reached.
    pub fn may_sit_down(&self, now: Time, seats: usize, limits: &Limits) -> Result<(), Limit> {
        let mut taken = self.taken();
        match () {
            () if taken.seats + seats > self.most(limits.seats_per_address) => {
                Err(Limit::SeatsPerAddress)
            }
            () if !taken.tables.has(now) => Err(Limit::TablesPerMinPerAddress),
            () if !taken.records.has(now) => Err(Limit::RecordsPerMinPerAddress),
            () => Ok(()),
        }
    }

    pub fn take_request(&self, now: Time, cost: u64) -> Result<(), Reached> {
        take(now, &mut self.taken().requests, cost, Limit::RequestsPerSPerAddress)
    }

    pub fn take_claim(&self, now: Time) -> Result<(), Reached> {
        take(now, &mut self.taken().claims, 1, Limit::ClaimsPerHPerAddress)
    }

    pub fn take_new_name(&self, now: Time) -> Result<(), Reached> {
        take(now, &mut self.taken().new_names, 1, Limit::ClaimsPerDayPerAddress)
    }

    pub fn may_enter(&self, now: Time) -> Result<(), Reached> {
        take(now, &mut self.taken().entries, 0, Limit::EntriesPerHPerAddress)
    }
}

/// The shares a client draws from: its own, that of all keys at its address if its own is a name's,
/// and over HTTP those of the surrounding networks.
#[derive(Clone, Debug)]
pub struct Shares {
    pub own: Arc<Share>,
    pub keys: Option<Arc<Share>>,
    pub networks: Vec<Arc<Share>>,
}

impl Shares {
    pub fn each(&self) -> impl Iterator<Item = &Share> {
        let own = [Some(&self.own), self.keys.as_ref()].into_iter().flatten();
        own.chain(&self.networks).map(|share| &**share)
    }

    /// Whether all of them allow something; the first that does not says why.
    pub fn check<E>(&self, check: impl FnMut(&Share) -> Result<(), E>) -> Result<(), E> {
        self.each().try_for_each(check)
    }
}

/// Who pays for a table's records.
#[derive(Clone, Debug)]
pub struct TableBill(pub Shares);

impl TableBill {
    /// The table has written a record.
    pub fn charge(&self) {
        self.0.each().for_each(|share| share.taken().records.take(1));
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

/// A rate limit that was reached, and the milliseconds until there is room again.
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
