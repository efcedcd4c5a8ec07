//! Who may come in, and what one address may take of everything.

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

use share::{Party, Share, Shares, TakenEntry};

pub use allowance::Allowance;
pub use holdings::Holdings;
pub use limits::{Limit, Limits};
pub use listen::{Entrance, Ports, Sockets, bind};
pub use peer::{Network, Peer};
pub use proxies::{ForwardingHeader, Proxies};
pub use share::Reached;

/// Counts connections, and what each address takes. Its lock is held for a map look-up and never
/// across an await.
#[derive(Debug)]
pub struct Gate {
    limits: Limits,
    pub proxies: Proxies,
    metrics: Arc<Metrics>,
    /// Who knows of bans.
    register: Option<RegisterHandle>,
    open: Mutex<Open>,
    /// Connections that could not be accepted.
    pub complaints: Complaints,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    shares: HashMap<Party, Arc<Share>>,
    /// How many shares there may be until those that nobody needs are forgotten.
    forget_at: usize,
    /// How many were turned away since that was last logged, and when it may be logged again.
    turned_away: u64,
    log_at: Time,
}

/// Who is turned away is logged so often at most.
const LOG_EVERY_MS: u64 = 60_000;

/// What goes on at the gate.
#[derive(Debug, PartialEq, Eq)]
struct Crowd {
    open: usize,
    turned_away: u64,
    /// Who has the most connections.
    most: Option<(Party, usize)>,
}

/// One connection's place; dropping the last share of it gives the place back.
#[derive(Debug)]
pub struct Admission {
    gate: Arc<Gate>,
    peer: Peer,
    /// Where it takes from.
    shares: Mutex<Shares>,
    /// It may take any number of what is counted by address.
    exempt: bool,
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

    /// A place for the operator, who comes in by another way than everybody else: there always is one.
    pub fn admit_operator(self: &Arc<Gate>) -> Admission {
        let peer = Peer::direct(Ipv4Addr::LOCALHOST.into());
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let share = self.share(clock::now(), Party::Address(peer.share()), &mut open);
        share.taken().connections += 1;
        open.total += 1;
        drop(open);
        Admission::new(self, peer, share, true)
    }

    /// A place for somebody, or which limit it has reached.
    fn place(self: &Arc<Gate>, now: Time, peer: Peer) -> Result<Admission, Limit> {
        if self.bans(peer) {
            self.metrics.rejected_connections.inc();
            tracing::debug!(%peer, "banned");
            return Err(Limit::ConnectionsPerAddress);
        }
        let exempt = self.exempts(peer);
        match self.count(now, peer, exempt) {
            Ok(share) => Ok(Admission::new(self, peer, share, exempt)),
            Err(limit) => Err(self.turned_away(now, peer, limit)),
        }
    }

    /// Counts and logs that somebody is turned away because of this limit.
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

    /// Whether somebody may take any number. A proxy's connections are its clients'.
    fn exempts(&self, peer: Peer) -> bool {
        (self.limits.exempt_loopback && peer.is_here())
            || (!peer.via_proxy && self.proxies.include(peer.address))
    }

    /// Where whoever asks over HTTP takes from; none for whom nothing is counted.
    fn shares_of(&self, now: Time, peer: Peer, key: Option<&KeyHash>) -> Option<Shares> {
        if self.exempts(peer) {
            return None;
        }
        let mut open = self.open.lock().expect("no holder of this lock panics");
        Some(match key.and_then(|key| self.owner(key)) {
            Some(name) => self.shares_by_key(now, peer, name, &mut open),
            None => {
                let address = Party::Address(peer.share());
                Shares { own: self.share(now, address, &mut open), keys: None }
            }
        })
    }

    fn shares_by_key(&self, now: Time, peer: Peer, name: Party, open: &mut Open) -> Shares {
        let keys = self.share(now, Party::Keys(peer.share()), open);
        Shares { own: self.share(now, name, open), keys: Some(keys) }
    }

    /// Takes a request of somebody's that costs so much.
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

    /// Somebody claims a name, or changes something about its own.
    fn take_claim(&self, now: Time, peer: Peer, key: Option<&KeyHash>) -> Result<(), Reached> {
        let shares = self.shares_of(now, peer, key);
        shares.map_or(Ok(()), |shares| shares.check(|share| share.take_claim(now)))
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

    fn count(&self, now: Time, peer: Peer, exempt: bool) -> Result<Arc<Share>, Limit> {
        let mut open = self.open.lock().expect("no holder of this lock panics");
        if open.total >= self.limits.connections {
            return Err(Limit::Connections);
        }
        let share = self.share(now, Party::Address(peer.share()), &mut open);
        share.enter(&self.limits, exempt)?;
        open.total += 1;
        Ok(share)
    }

    /// Who is counted by its key, if it has shown one of a claimed name: others could make keys up.
    fn owner(&self, key: &KeyHash) -> Option<Party> {
        Some(Party::Name(self.register.as_ref()?.read().owner(key)?.clone()))
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

impl Admission {
    fn new(gate: &Arc<Gate>, peer: Peer, own: Arc<Share>, exempt: bool) -> Admission {
        let shares = Mutex::new(Shares { own, keys: None });
        Admission { gate: gate.clone(), peer, shares, exempt }
    }

    fn shares(&self) -> Shares {
        self.shares.lock().expect("no holder of this lock panics").clone()
    }

    /// Its player has shown a key. From now on it takes from the share of that name, and leaves its
    /// place at its address to others; unless the name has as many connections as it may, or all
    /// names at the address have.
    pub fn count_by(&self, key: &KeyHash) {
        let Some(name) = self.gate.owner(key) else { return };
        let mut shares = self.shares.lock().expect("no holder of this lock panics");
        if shares.own.party == name {
            return;
        }
        let mut open = self.gate.open.lock().expect("no holder of this lock panics");
        let mut by_key = self.gate.shares_by_key(clock::now(), self.peer, name, &mut open);
        if shares.keys.is_some() {
            // It was among the keys of its address before.
            by_key.keys = None;
        }
        let mut entered = Vec::new();
        for share in by_key.each() {
            if share.enter(self.limits(), self.exempt).is_err() {
                entered.into_iter().for_each(Share::leave);
                return;
            }
            entered.push(share);
        }
        shares.own.leave();
        shares.own = by_key.own;
        shares.keys = by_key.keys.or(shares.keys.take());
    }

    /// Whether its address was banned meanwhile.
    pub fn is_banned(&self, peer: Peer) -> bool {
        self.gate.bans(peer)
    }

    /// Whose connection this is.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// The place of a proxy's connection becomes its client's. None: that has too many.
    pub fn handed_to(self, client: Peer) -> Option<Admission> {
        let gate = self.gate.clone();
        drop(self);
        gate.admit(client)
    }

    /// A place beside this one, for a client of the proxy whose connection this is.
    pub fn beside(&self, client: Peer) -> Option<Admission> {
        self.gate.place(clock::now(), client).ok()
    }

    /// Who sends a request over this connection.
    pub fn who_asks(&self, headers: &axum::http::HeaderMap) -> Peer {
        self.gate.proxies.who_asks(self.peer, headers)
    }

    /// Whether its address may be heard once more, which it then is.
    pub fn take_message(&self, now: Time) -> bool {
        self.exempt || {
            let shares = self.shares();
            let has = shares.each().all(|share| share.taken().messages.has(now));
            if has {
                shares.each().for_each(|share| share.taken().messages.take(1));
            }
            has
        }
    }

    /// A message turns out to cost nothing.
    pub fn give_message_back(&self) {
        if !self.exempt {
            self.shares().each().for_each(|share| share.taken().messages.give_back(1));
        }
    }

    /// Whether its address may sit down once more: which limit it has reached, if not.
    pub fn may_sit_down(&self, now: Time) -> Result<(), Limit> {
        let allowed = |share: &Share| share.may_sit_down(now, self.limits());
        if self.exempt { Ok(()) } else { self.shares().check(allowed) }
    }

    /// It has a seat more, or less.
    pub fn count_seat(&self, has_one: bool) {
        for share in self.shares().each() {
            let seats = &mut share.taken().seats;
            *seats = if has_one { *seats + 1 } else { *seats - 1 };
        }
    }

    /// It was the first at a table, or that table was played to its end.
    pub fn count_table(&self, is_open: bool) {
        for share in self.shares().each() {
            let tables = &mut share.taken().tables;
            if is_open { tables.take(1) } else { tables.give_back(1) }
        }
    }

    /// Whether its address may enter a tournament once more.
    pub fn may_enter(&self, now: Time) -> Result<(), Reached> {
        if self.exempt { Ok(()) } else { self.shares().check(|share| share.may_enter(now)) }
    }

    pub fn count_entry(&self) {
        self.shares().each().for_each(|share| share.taken().entries.take(1));
    }

    /// Takes an entry for a tournament, of whoever asks for it over this connection.
    pub fn take_entry(&self, who_asks: Peer, key: Option<&KeyHash>) -> Result<TakenEntry, Reached> {
        let now = clock::now();
        let taken = TakenEntry::of(now, self.gate.shares_of(now, who_asks, key));
        taken.inspect_err(|reached| self.hit(reached.limit))
    }

    /// Takes a request that costs so much, of whoever sends it over this connection.
    pub fn take_request(
        &self,
        who_asks: Peer,
        key: Option<&KeyHash>,
        cost: u64,
    ) -> Result<(), Reached> {
        self.gate.take_request(clock::now(), who_asks, key, cost)
    }

    /// Whoever sends a request over this connection claims a name, or changes its own.
    pub fn take_claim(&self, who_asks: Peer, key: Option<&KeyHash>) -> Result<(), Reached> {
        let taken = self.gate.take_claim(clock::now(), who_asks, key);
        taken.inspect_err(|reached| self.hit(reached.limit))
    }

    pub fn limits(&self) -> &Limits {
        &self.gate.limits
    }

    /// It has reached a limit.
    pub fn hit(&self, limit: Limit) {
        self.gate.metrics.hit(limit);
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.gate.open.lock().expect("no holder of this lock panics").total -= 1;
        self.shares().each().for_each(Share::leave);
    }
}

#[cfg(test)]
mod tests;
