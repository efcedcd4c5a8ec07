//! The owner's side: gateways, and what is on its way to them.

mod asked;
mod downlink;
mod missing;
mod open_tables;
mod telling;
mod watching;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hall::{
    Attendance, BanSubject, ConnId, Hall, Input, Listing, OpenRecords, TableNo, TableStanding, Time,
};
use store::Row;

use super::link::{
    self, Attach, Companies, FromGateway, FromOwner, Outgoing, Pages, Parcel, Players, Spoken,
    Trust, Unheard,
};

use super::node_of;
use asked::Requests;
use open_tables::OpenTables;

pub use downlink::{Newcomer, attach, receive, serve_gateway, serve_link};

/// No two links have the same number, whichever hall they are for.
static LINKS: AtomicU64 = AtomicU64::new(1);

/// A gateway that leaves so much unread is cut off.
const UNREAD: usize = 64 * 1024 * 1024;

/// More tables than this, and than two for each connection, are not remembered.
pub const MANY: usize = 64;

/// The gateways to a hall, by their nodes. Without a fleet there is none, and nothing is made.
#[derive(Debug, Default)]
pub struct Gateways {
    known: BTreeMap<u32, Gateway>,
    /// The number of the last frame.
    frames: u64,
    /// Requests that came over a link: which gateway's, and its number there.
    asked: HashMap<u64, (u32, u64)>,
    requests: u64,
    pages: Pages,
    /// Whom the next owner may believe.
    trust: Trust,
    /// That has changed, and is to be written down.
    has_news: bool,
    /// What organisers at nodes that were given up have asked.
    left: BTreeMap<u32, Requests>,
    /// Clocks were put off, and gateways do not know it.
    clocks_moved: bool,
    /// None without a fleet.
    open: Option<OpenTables>,
    arriving: Arriving,
}

/// The changes of lists, with their numbers, since the lists are read for gateways that will attach next.
type Arriving = BTreeMap<u64, Vec<(u64, Vec<Listing>)>>;

/// Requests that came over links have numbers from here on, those of this node lower ones.
const FIRST_REQUEST: u64 = 1 << 63;

#[derive(Debug, Default)]
struct Gateway {
    outgoing: Outgoing,
    /// The number of its link, so that the end of an older one is known as such.
    link: u64,
    conns: BTreeSet<ConnId>,
    /// Those whose players have come back over other nodes. The gateway may not know it yet.
    parted: BTreeSet<ConnId>,
    /// What the gateway was told that the hall knows of its connections.
    attending: HashMap<ConnId, Attendance>,
    /// How it was told that tables stand.
    tables: BTreeMap<TableNo, TableStanding>,
    /// The last command that each connection has said.
    spoken: HashMap<ConnId, u64>,
    requests: Requests,
    companies: Companies,
    /// The tables that it follows, and who it knows to play there.
    follows: HashMap<TableNo, Players>,
    /// It is to forget them, and all companies, with the next frame.
    afresh: bool,
    /// Frames that the gateway has not confirmed.
    unheard: VecDeque<(u64, Arc<[u8]>)>,
    /// The last frame that it has confirmed; none: it may not have heard what was said before this
    /// owner.
    confirmed: Option<u64>,
    /// The last frame that was made for it.
    last: u64,
}

/// What a new owner has found for a gateway.
#[derive(Debug)]
pub struct Inherited<'a> {
    /// What it has not heard.
    pub missed: Vec<&'a str>,
    /// An earlier owner has counted its connections as gone.
    pub is_given_up: bool,
    /// Clocks were put off by this much.
    pub gap_ms: u64,
}

impl Gateways {
    /// For a new owner of a hall, at this node, with the records of its tables.
    pub fn new(
        node: u32,
        pages: Pages,
        unheard: &Unheard,
        received: BTreeSet<u32>,
        records: OpenRecords,
    ) -> Gateways {
        let mut given_up = unheard.given_up();
        // Its own connections were told, or are known again.
        given_up.remove(&node);
        // That there is another owner is written down before it says anything.
        let (trust, has_news) = (Trust { given_up, received }, true);
        let open = Some(OpenTables::new(records));
        Gateways { pages, trust, has_news, open, ..Gateways::default() }
    }

    /// Whether a connection is at a gateway.
    pub fn have(&self, conn: ConnId) -> bool {
        self.known.get(&node_of(conn)).is_some_and(|gateway| gateway.conns.contains(&conn))
    }

    /// How many gateways there are, and how many frames they have not confirmed.
    pub fn links(&self) -> (usize, usize) {
        let lag = self.known.values().map(|gateway| gateway.unheard.len()).sum();
        (self.known.len(), lag)
    }

    /// Lists have changed.
    pub fn tell_lists(&mut self, number: u64, listed: &Vec<Listing>) {
        for since in self.arriving.values_mut() {
            since.push((number, listed.clone()));
        }
        if self.known.is_empty() || listed.is_empty() {
            return;
        }
        #[derive(serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        enum Borrowed<'a> {
            Listed(&'a Vec<Listing>),
        }
        let frame = link::frame(&Borrowed::Listed(listed));
        self.known.values().for_each(|gateway| gateway.outgoing.put(&frame));
    }

    /// Has connections at gateways closed; how many of them are named. Who comes from an address the
    /// gateways know alone.
    pub fn kick(&self, subject: &BanSubject, named: &[ConnId]) -> usize {
        for (node, gateway) in &self.known {
            let theirs = named.iter().filter(|conn| node_of(**conn) == *node).copied().collect();
            let kick = FromOwner::Kick(subject.clone(), theirs);
            gateway.outgoing.put(&link::frame(&kick));
        }
        named.iter().filter(|conn| self.have(**conn)).count()
    }

    /// All clocks of the hall were put off: whoever has it next is to know it too.
    pub fn put_clocks_off(&mut self) {
        self.clocks_moved = true;
    }

    /// Whether something is to be written down although nothing is said.
    pub fn have_news(&self) -> bool {
        self.has_news
    }

    /// The rows that keep what is said until it has arrived.
    pub fn write_down(&mut self, now: Time, parcels: &[Parcel]) -> Vec<Row> {
        let has_news = std::mem::take(&mut self.has_news);
        if parcels.is_empty() && !has_news {
            return Vec::new();
        }
        for Parcel { node, number, .. } in parcels {
            if let Some(gateway) = self.known.get_mut(node) {
                gateway.last = *number;
            }
        }
        let confirmed = self.confirmed();
        self.pages.write(now, parcels, &self.trust, confirmed)
    }

    /// Everybody has heard the frames up to this one. Without gateways nobody is left to hear anything.
    fn confirmed(&self) -> Option<u64> {
        let confirmed = self.known.values().map(Gateway::has_everything_to);
        confirmed.min().unwrap_or(Some(u64::MAX))
    }

    /// How much the journal keeps for gateways that may not have heard it.
    pub fn kept_bytes(&self) -> usize {
        self.pages.bytes()
    }

    /// Sends what is durable.
    pub fn send(&mut self, parcels: Vec<Parcel>) {
        for Parcel { node, number, bytes, replies } in parcels {
            // A gateway may be given up meanwhile; what it has asked is still answered.
            let replies = replies.into_iter().map(|(request, reply)| (request, number, reply));
            let Some(gateway) = self.known.get_mut(&node) else {
                self.left.entry(node).or_default().replies.extend(replies);
                continue;
            };
            gateway.requests.replies.extend(replies);
            gateway.outgoing.put(&bytes);
            gateway.unheard.push_back((number, bytes));
            if gateway.outgoing.len() > UNREAD {
                gateway.outgoing.abandon();
            }
        }
    }

    /// The lists are about to be read for a gateway; the number is for [`lists_now`](Gateways::lists_now).
    pub fn await_lists(&mut self) -> u64 {
        let ticket = LINKS.fetch_add(1, Ordering::Relaxed);
        self.arriving.insert(ticket, Vec::new());
        ticket
    }

    /// Lists that were read, with what has changed since. None: this is another owner by now.
    pub fn lists_now(
        &mut self,
        ticket: u64,
        read: Option<(Vec<Listing>, u64)>,
    ) -> Option<Vec<Listing>> {
        let since = self.arriving.remove(&ticket)?;
        let (mut lists, number) = read?;
        let later = since.into_iter().filter(|(of, _)| *of > number);
        lists.extend(later.flat_map(|(_, changes)| changes));
        Some(lists)
    }

    /// A gateway is here, or here again. Who takes a hall over has heard before who is there; else a
    /// gateway that is new here has nobody who is known. The number of its link, and which of its
    /// connections have gone while there was none.
    pub fn attach(
        &mut self,
        (node, attach, outgoing): (u32, &Attach, &Outgoing),
        epoch: u64,
        inherited: Option<Inherited<'_>>,
        lists: Vec<Listing>,
    ) -> (u64, Vec<ConnId>) {
        let heard = attach.heard.filter(|(of, _)| *of == epoch).map(|(_, number)| number);
        let gateway = self.known.entry(node).or_default();
        if let Some(requests) = self.left.remove(&node) {
            gateway.unheard.extend(requests.say_again(epoch));
            gateway.last = gateway.unheard.back().map_or(0, |(number, _)| *number);
            gateway.requests = requests;
        }
        gateway.outgoing.close();
        gateway.outgoing = outgoing.clone();
        gateway.parted.clear();
        gateway.link = LINKS.fetch_add(1, Ordering::Relaxed);
        let here: BTreeSet<ConnId> = attach.attending.iter().map(|(conn, _)| *conn).collect();
        let has_missed = inherited.as_ref().is_some_and(|found| !found.missed.is_empty());
        if !has_missed && gateway.unheard.is_empty() {
            // Nothing is on its way to it, so nothing is kept for it, even before it says a word.
            gateway.confirmed.get_or_insert(heard.unwrap_or(0));
        }
        if let Some(Inherited { missed, is_given_up, gap_ms }) = inherited {
            gateway.conns = if is_given_up { BTreeSet::new() } else { here.clone() };
            if gap_ms > 0 {
                // It knows how tables stood before.
                gateway.tables = attach.tables.iter().cloned().collect();
                self.clocks_moved = true;
                let late = link::frame(&FromOwner::Late(gap_ms));
                gateway.unheard.extend(has_missed.then(|| (0, late.into())));
            }
            // They come before all frames of this owner: whoever confirms one of those has heard them.
            gateway.unheard.extend(missed.iter().map(|frame| (0, link::wrap(frame).into())));
        }
        if let Some(heard) = heard {
            gateway.forget_heard(heard);
        }
        for (_, bytes) in &gateway.unheard {
            outgoing.put(bytes);
        }
        let unknown = here.difference(&gateway.conns).copied().collect();
        outgoing.put(&link::frame(&FromOwner::Attached { epoch, lists, unknown }));
        let is_gone = |conn: &&ConnId| !here.contains(conn) && !attach.asking.contains(conn);
        let gone: Vec<ConnId> = gateway.conns.iter().filter(is_gone).copied().collect();
        gone.iter().for_each(|conn| _ = gateway.forget(*conn));
        (gateway.link, gone)
    }

    /// What a gateway says becomes something for the hall to hear.
    pub fn hear(&mut self, node: u32, link: u64, said: FromGateway) -> Option<Input> {
        // What comes over an older link is said again over the one that has followed it.
        let gateway = self.known.get_mut(&node).filter(|gateway| gateway.link == link)?;
        match said {
            // A link has one beginning. Whom to kick the hall is asked.
            FromGateway::Attach(_) | FromGateway::Kick(_) => None,
            FromGateway::Heard(number) => {
                gateway.confirmed = Some(number);
                gateway.forget_heard(number);
                // It has ended the connections that were not known any more.
                self.trust.given_up.remove(&node);
                self.trust.received.remove(&node);
                None
            }
            FromGateway::Said(conn, ..)
            | FromGateway::Showed(conn, _)
            | FromGateway::Gone(conn)
                if node_of(conn) != node || gateway.has_parted_from(conn, &said) =>
            {
                None
            }
            FromGateway::Said(conn, number, command) => {
                gateway.conns.insert(conn);
                let last = gateway.spoken.entry(conn).or_default();
                // Said again because the link was cut: it was heard before.
                (std::mem::replace(last, number.max(*last)) < number)
                    .then_some(Input::Said(conn, command))
            }
            FromGateway::Showed(conn, key) => {
                gateway.conns.insert(conn);
                Some(Input::Showed(conn, key))
            }
            FromGateway::Gone(conn) => gateway.forget(conn).then_some(Input::Gone(conn)),
            FromGateway::Asked(number, request) => {
                // Asked again because the link was cut.
                if gateway.requests.asked >= number {
                    return None;
                }
                gateway.requests.asked = number;
                self.requests += 1;
                let asked = FIRST_REQUEST + self.requests;
                self.asked.insert(asked, (node, number));
                Some(Input::Asked(asked, request))
            }
        }
    }

    /// Ends all links, after what was said before.
    pub fn close(&mut self) {
        for gateway in std::mem::take(&mut self.known).into_values() {
            gateway.outgoing.close();
        }
    }
}

impl Gateway {
    /// Frames up to this number need not be kept for it. Numbers are shared by all gateways, so one that has
    /// confirmed all of its own frames has nothing to wait for, however long ago they were made.
    fn has_everything_to(&self) -> Option<u64> {
        let confirmed = self.confirmed?;
        Some(if confirmed >= self.last { u64::MAX } else { confirmed })
    }

    /// Everything up to this frame has arrived.
    fn forget_heard(&mut self, number: u64) {
        while self.unheard.front().is_some_and(|(unheard, _)| *unheard <= number) {
            self.unheard.pop_front();
        }
        self.requests.replies.retain(|(_, frame, _)| *frame > number);
    }

    /// How a table stands, if that is not what the gateway was told.
    fn news_of(&mut self, hall: &Hall, no: TableNo) -> Option<Spoken> {
        let stands = hall.table_standing(no)?;
        if self.tables.get(&no) == Some(&stands) {
            return None;
        }
        self.know(no, stands.clone());
        Some(Spoken::Stands(no, Box::new(stands)))
    }

    /// The gateway is told how a table stands.
    fn know(&mut self, no: TableNo, stands: TableStanding) {
        self.tables.insert(no, stands);
        if self.tables.len() > MANY + 2 * self.attending.len() {
            retain_attended(&mut self.tables, self.attending.values());
        }
    }

    /// Whether the connection was known.
    fn forget(&mut self, conn: ConnId) -> bool {
        self.spoken.remove(&conn);
        self.attending.remove(&conn);
        self.conns.remove(&conn)
    }
}

/// Forgets tables at which nobody is any more.
pub fn retain_attended<'a>(
    tables: &mut BTreeMap<TableNo, TableStanding>,
    attending: impl Iterator<Item = &'a Attendance>,
) {
    let attended: BTreeSet<TableNo> =
        attending.filter_map(|known| known.at).map(|(no, _)| no).collect();
    tables.retain(|no, _| attended.contains(no));
}

#[cfg(test)]
mod keeping_tests;
#[cfg(test)]
mod tests;
