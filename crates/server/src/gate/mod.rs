//! Decides who may connect, and how much one address may take of everything.

mod admission;
mod allowance;
mod bucket;
mod holdings;
mod limits;
mod listen;
mod peer;
mod proxies;
mod share;

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use hall::{KeyHash, Time};

use crate::house::{Complaints, Metrics, RegisterHandle, Settings, clock};

use share::{Party, Share, Shares};

pub use admission::Admission;
pub use allowance::Allowance;
pub use holdings::Holdings;
pub use limits::{Limit, Limits};
pub use listen::{Entrance, Ports, Sockets, bind};
pub use peer::{Network, Peer};
pub use proxies::{ForwardingHeader, Proxies};
pub use share::{Reached, TableBill};

/// Counts connections, and what each address takes. Its lock is held for a map look-up and never
/// across an await.
#[derive(Debug)]
pub struct Gate {
    limits: Limits,
    pub proxies: Proxies,
    metrics: Arc<Metrics>,
    /// The source of bans.
    register: Option<RegisterHandle>,
    open: Mutex<Open>,
    /// Connections that could not be accepted.
    pub complaints: Complaints,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    shares: HashMap<Party, Arc<Share>>,
    /// Number of shares at which unused ones are dropped.
    forget_at: usize,
    /// How many were turned away since that was last logged, and when it may be logged again.
    turned_away: u64,
    log_at: Time,
}

/// Connections and requests are also counted for IPv6 networks of this many bits.
const NETWORKS: [u8; 2] = [56, 48];

/// An address with fewer connections than this is let in while others are not.
const FEW: usize = 8;

const HOUR_MS: u64 = 60 * 60 * 1000;

/// Minimum interval between two log lines about rejected clients.
const LOG_EVERY_MS: u64 = 60_000;

/// The current state of the gate.
#[derive(Debug, PartialEq, Eq)]
struct Crowd {
    open: usize,
    turned_away: u64,
    /// The party with the most connections.
    most: Option<(Party, usize)>,
}

impl Gate {
    pub fn new(
        settings: &Settings,
        metrics: Arc<Metrics>,
        register: Option<RegisterHandle>,
    ) -> Arc<Gate> {
        let (limits, proxies) = (settings.limits.clone(), settings.network.proxies());
        Arc::new(Gate {
            limits,
            proxies,
            metrics,
            register,
            open: Mutex::default(),
            complaints: Complaints::default(),
        })
    }

    /// None: there are too many, or this one is banned.
    pub fn admit(self: &Arc<Gate>, peer: Peer) -> Option<Admission> {
        self.admit_at(clock::now(), peer).ok()
    }

    /// Lets a new connection in, or says which limit it has reached.
    fn admit_at(self: &Arc<Gate>, now: Time, peer: Peer) -> Result<Admission, Limit> {
        let admission = self.place(now, peer)?;
        let is_slow = self.exempts(peer) || {
            let share = admission.shares().own;
            let connects = &mut share.taken().connects;
            let has = connects.has(now);
            connects.take(u64::from(has));
            has
        };
        let limit = Limit::ConnectsPerSPerAddress;
        if is_slow { Ok(admission) } else { Err(self.turned_away(now, peer, limit)) }
    }

    /// A place for the operator, who connects over another way: there is always one.
    pub fn admit_operator(self: &Arc<Gate>) -> Admission {
        let peer = Peer::direct(Ipv4Addr::LOCALHOST.into());
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let share = self.share(clock::now(), Party::Address(peer.share()), &mut open);
        share.taken().connections += 1;
        open.total += 1;
        drop(open);
        Admission::new(self, peer, share, true)
    }

    /// A place for a peer, or the limit that it has reached.
    fn place(self: &Arc<Gate>, now: Time, peer: Peer) -> Result<Admission, Limit> {
        if self.bans(peer) {
            self.metrics.rejected_connections.inc();
            tracing::debug!(%peer, "banned");
            return Err(Limit::ConnectionsPerAddress);
        }
        let exempt = self.exempts(peer);
        match self.count(now, peer, exempt) {
            Ok((share, networks)) => {
                let mut admission = Admission::new(self, peer, share, exempt);
                admission.networks = networks;
                Ok(admission)
            }
            Err(limit) => Err(self.turned_away(now, peer, limit)),
        }
    }

    /// Counts and logs that a peer is turned away because of this limit.
    fn turned_away(&self, now: Time, peer: Peer, limit: Limit) -> Limit {
        self.metrics.rejected_connections.inc();
        self.metrics.hit(limit);
        tracing::debug!(%peer, limit = limit.name(), "too many connections");
        if let Some(Crowd { open, turned_away, most }) = self.turn_away(now) {
            let most = most.map(|(party, count)| format!("{count} from {party}"));
            let most = most.unwrap_or_default();
            tracing::warn!(
                limit = limit.name(), last = %peer, turned_away, open, most,
                "connections are turned away; this is logged once a minute"
            );
        }
        limit
    }

    /// Whether a peer is exempt. A proxy's connections are its clients'.
    fn exempts(&self, peer: Peer) -> bool {
        (self.limits.exempt_loopback && peer.is_here())
            || (!peer.via_proxy && self.proxies.include(peer.address))
    }

    /// The shares an HTTP client draws from; `None` if nothing is counted.
    fn shares_of(&self, now: Time, peer: Peer, key: Option<&KeyHash>) -> Option<Shares> {
        if self.exempts(peer) {
            return None;
        }
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let mut shares = match key.and_then(|key| self.owner(now, key)) {
            Some(name) => self.shares_by_key(now, peer, name, &mut open),
            None => {
                let own = self.share(now, Party::Address(peer.share()), &mut open);
                Shares { own, keys: None, networks: Vec::new() }
            }
        };
        shares.networks = self.networks(now, peer, &mut open);
        Some(shares)
    }

    /// The shares of the IPv6 networks around an address.
    fn networks(&self, now: Time, peer: Peer, open: &mut Open) -> Vec<Arc<Share>> {
        let networks = NETWORKS.into_iter().filter_map(|bits| peer.network(bits));
        networks.map(|network| self.share(now, Party::Network(network), open)).collect()
    }

    fn shares_by_key(&self, now: Time, peer: Peer, name: Party, open: &mut Open) -> Shares {
        let keys = self.share(now, Party::Keys(peer.share()), open);
        Shares { own: self.share(now, name, open), keys: Some(keys), networks: Vec::new() }
    }

    /// Takes a request of this cost.
    fn take_request(
        &self,
        now: Time,
        peer: Peer,
        key: Option<&KeyHash>,
        cost: u64,
    ) -> Result<(), Reached> {
        let shares = self.shares_of(now, peer, key);
        shares.map_or(Ok(()), |shares| shares.check(|share| share.take_request(now, cost)))
    }

    /// A peer claims a name, or changes their own.
    fn take_claim(&self, now: Time, peer: Peer, key: Option<&KeyHash>) -> Result<(), Reached> {
        let shares = self.shares_of(now, peer, key);
        shares.map_or(Ok(()), |shares| shares.check(|share| share.take_claim(now)))
    }

    /// A peer claims a new name.
    fn take_new_name(&self, now: Time, peer: Peer) -> Result<(), Reached> {
        let shares = self.shares_of(now, peer, None);
        shares.map_or(Ok(()), |shares| shares.check(|share| share.take_new_name(now)))
    }

    /// Counts one who is turned away; what there is to log, if it is time.
    fn turn_away(&self, now: Time) -> Option<Crowd> {
        let mut open = self.open.lock().expect("no holder of this lock panics");
        open.turned_away += 1;
        if now < open.log_at {
            return None;
        }
        open.log_at = now + LOG_EVERY_MS;
        let turned_away = std::mem::take(&mut open.turned_away);
        let shares = open.shares.values().map(|share| (&share.party, share.taken().connections));
        let most = shares.max_by_key(|(_, connections)| *connections);
        let most = most.map(|(party, connections)| (party.clone(), connections));
        Some(Crowd { open: open.total, turned_away, most })
    }

    /// Counts a connection for its address and the networks around that.
    fn count(
        &self,
        now: Time,
        peer: Peer,
        exempt: bool,
    ) -> Result<(Arc<Share>, Vec<Arc<Share>>), Limit> {
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let most = self.limits.connections;
        let own = self.share(now, self.party(peer), &mut open);
        let has_few = exempt || own.taken().connections < FEW;
        if open.total >= most || open.total >= most - most / 10 && !has_few {
            return Err(Limit::Connections);
        }
        let networks = self.networks(now, peer, &mut open);
        let mut entered: Vec<&Share> = Vec::new();
        for share in std::iter::once(&own).chain(&networks) {
            if let Err(limit) = share.enter(&self.limits, exempt) {
                entered.into_iter().for_each(Share::leave);
                return Err(limit);
            }
            entered.push(share);
        }
        open.total += 1;
        Ok((own, networks))
    }

    /// The owner of a key, if it belongs to a claimed name: other keys could be invented. Names are
    /// free, so one counts only after a finished game and when it wasn't claimed today.
    fn owner(&self, now: Time, key: &KeyHash) -> Option<Party> {
        let register = self.register.as_ref()?.read();
        let known = register.claimed(register.owner(key)?)?;
        let is_old = now.0 >= known.claimed_at.0.saturating_add(self.limits.name_age_h * HOUR_MS);
        let counts = self.limits.name_age_h == 0 || known.proven && is_old;
        counts.then(|| Party::Name(known.name.clone()))
    }

    fn share(&self, now: Time, party: Party, open: &mut Open) -> Arc<Share> {
        if open.shares.len() >= open.forget_at {
            open.shares.retain(|_, share| !share.taken().is_nothing(now));
            open.forget_at = (2 * open.shares.len()).max(1024);
        }
        let fresh = || Arc::new(Share::new(party.clone(), &self.limits, now));
        open.shares.entry(party.clone()).or_insert_with(fresh).clone()
    }
}

impl Gate {
    /// Whether an address is banned. This machine never is: its operator would be locked out.
    pub fn bans(&self, peer: Peer) -> bool {
        let register = self.register.as_ref().filter(|_| !peer.is_here());
        register
            .is_some_and(|known| known.read().bans.of_address(peer.address, clock::now()).is_some())
    }
}

#[cfg(test)]
mod tests;
