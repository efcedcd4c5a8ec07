//! One connection's place at the gate, and what it may take there.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use hall::{KeyHash, Time};

use super::share::{Reached, Share, Shares, TableBill, TakenEntry};
use super::{Gate, Limit, Limits, Peer};
use crate::house::clock;

/// One connection's place; dropping the last share of it gives the place back.
#[derive(Debug)]
pub struct Admission {
    pub(super) gate: Arc<Gate>,
    pub(super) peer: Peer,
    /// The shares it draws from.
    pub(super) shares: Mutex<Shares>,
    /// The networks around its address, where its connection is counted too.
    pub(super) networks: Vec<Arc<Share>>,
    /// It may take any number of what is counted by address.
    pub(super) exempt: bool,
}

impl Admission {
    pub(super) fn new(gate: &Arc<Gate>, peer: Peer, own: Arc<Share>, exempt: bool) -> Admission {
        let shares = Mutex::new(Shares { own, keys: None, networks: Vec::new() });
        Admission { gate: gate.clone(), peer, shares, networks: Vec::new(), exempt }
    }

    pub(super) fn shares(&self) -> Shares {
        self.shares.lock().expect("no holder of this lock panics").clone()
    }

    /// Its player has shown a key. From now on it takes from the share of that name, and leaves its
    /// place at its address to others; unless the name has as many connections as it may, or all
    /// names at the address have.
    pub fn count_by(&self, key: &KeyHash) {
        let now = clock::now();
        let Some(name) = self.gate.owner(now, key) else { return };
        let mut shares = self.shares.lock().expect("no holder of this lock panics");
        if shares.own.party == name {
            return;
        }
        let mut open = self.gate.open.lock().expect("no holder of this lock panics");
        let mut by_key = self.gate.shares_by_key(now, self.peer, name, &mut open);
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

    /// The peer of this connection.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// The place of a proxy's connection becomes its client's. None: that has too many.
    pub fn handed_to(self, client: Peer) -> Option<Admission> {
        let gate = self.gate.clone();
        drop(self);
        gate.admit(client)
    }

    /// A place next to this one, for a client of the proxy that owns this connection.
    pub fn beside(&self, client: Peer) -> Option<Admission> {
        self.gate.place(clock::now(), client).ok()
    }

    /// The sender of a request over this connection.
    pub fn who_asks(&self, headers: &axum::http::HeaderMap) -> Peer {
        self.gate.proxies.who_asks(self.peer, headers)
    }

    /// Takes one message from the address's allowance, if there is one left.
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

    /// Counts messages that were processed.
    pub fn take_messages(&self, count: u64) {
        if !self.exempt {
            self.shares().each().for_each(|share| share.taken().messages.take(count));
        }
    }

    /// A message turns out to cost nothing.
    pub fn give_message_back(&self) {
        if !self.exempt {
            self.shares().each().for_each(|share| share.taken().messages.give_back(1));
        }
    }

    /// Maximum number of seats at a table it opens; `None`: no limit.
    pub fn own_table_seats(&self) -> Option<usize> {
        Some(self.limits().own_table_seats).filter(|most| !self.exempt && *most > 0)
    }

    /// Whether its address may take this many more seats; otherwise the limit that it has reached.
    pub fn may_sit_down(&self, now: Time, seats: usize) -> Result<(), Limit> {
        let allowed = |share: &Share| share.may_sit_down(now, seats, self.limits());
        if self.exempt { Ok(()) } else { self.shares().check(allowed) }
    }

    /// Counts seats taken or given up.
    pub fn count_seats(&self, count: usize, more: bool) {
        for share in self.shares().each() {
            let seats = &mut share.taken().seats;
            *seats = if more { *seats + count } else { *seats - count };
        }
    }

    /// It was the first at a table, or that table was played to its end.
    pub fn count_table(&self, is_open: bool) {
        for share in self.shares().each() {
            let tables = &mut share.taken().tables;
            if is_open { tables.take(1) } else { tables.give_back(1) }
        }
    }

    /// Who pays for the records of a private table; `None`: no one.
    pub fn table_bill(&self) -> Option<TableBill> {
        (!self.exempt).then(|| TableBill(self.shares()))
    }

    /// Whether its address may enter a tournament once more.
    pub fn may_enter(&self, now: Time) -> Result<(), Reached> {
        if self.exempt { Ok(()) } else { self.shares().check(|share| share.may_enter(now)) }
    }

    pub fn count_entry(&self) {
        self.shares().each().for_each(|share| share.taken().entries.take(1));
    }

    /// Takes a tournament entry, for the sender of a request over this connection.
    pub fn take_entry(&self, who_asks: Peer, key: Option<&KeyHash>) -> Result<TakenEntry, Reached> {
        let now = clock::now();
        let taken = TakenEntry::of(now, self.gate.shares_of(now, who_asks, key));
        taken.inspect_err(|reached| self.hit(reached.limit))
    }

    /// Takes a request of this cost, for its sender over this connection.
    pub fn take_request(
        &self,
        who_asks: Peer,
        key: Option<&KeyHash>,
        cost: u64,
    ) -> Result<(), Reached> {
        self.gate.take_request(clock::now(), who_asks, key, cost)
    }

    /// Whether requests of this peer over this connection are counted.
    pub fn counts(&self, who_asks: Peer) -> bool {
        !self.gate.exempts(who_asks)
    }

    /// Charges a sender over this connection for requests, whether or not the allowance suffices.
    pub fn charge(&self, who_asks: Peer, key: Option<&KeyHash>, requests: u64) {
        let shares = self.gate.shares_of(clock::now(), who_asks, key);
        shares
            .iter()
            .flat_map(Shares::each)
            .for_each(|share| share.taken().requests.take(requests));
    }

    /// The sender of a request over this connection claims a name, or changes their own.
    pub fn take_claim(&self, who_asks: Peer, key: Option<&KeyHash>) -> Result<(), Reached> {
        let taken = self.gate.take_claim(clock::now(), who_asks, key);
        taken.inspect_err(|reached| self.hit(reached.limit))
    }

    /// The sender of a request over this connection claims a new name.
    pub fn take_new_name(&self, who_asks: Peer) -> Result<(), Reached> {
        let taken = self.gate.take_new_name(clock::now(), who_asks);
        taken.inspect_err(|reached| self.hit(reached.limit))
    }

    /// The address that it is counted by; none: it may take any number.
    pub fn counted_at(&self) -> Option<IpAddr> {
        (!self.exempt).then(|| self.peer.share())
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
        self.networks.iter().for_each(|network| network.leave());
    }
}
