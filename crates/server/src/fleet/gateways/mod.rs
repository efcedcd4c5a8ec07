//! The owner's side: gateways, and what is on its way to them.

mod downlink;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hall::{Attendance, ConnId, Hall, Input, Listing, Output, TableNo, TableStanding, Time};
use rules::Game;
use store::Row;

use super::link::{
    self, Frame, FromGateway, FromOwner, GivenUp, Outgoing, Pages, Parcel, Spoken, Unheard,
};

use super::node_of;
pub use downlink::{Newcomer, attach, receive, serve_gateway, serve_link};

/// No two links have the same number, whichever hall they are for.
static LINKS: AtomicU64 = AtomicU64::new(1);

/// A gateway that leaves so much unread is cut off.
const UNREAD: usize = 64 * 1024 * 1024;

/// So many gateways that were given up are remembered.
const REMEMBERED: usize = 64;

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
    /// Whose connections have counted as gone, and may not know it.
    given_up: GivenUp,
    /// That has changed, and is to be written down.
    has_given_up: bool,
}

/// Requests that came over links have numbers from here on, those of this node lower ones.
const FIRST_REQUEST: u64 = 1 << 63;

#[derive(Debug, Default)]
struct Gateway {
    outgoing: Outgoing,
    /// The number of its link, so that the end of an older one is known as such.
    link: u64,
    conns: BTreeSet<ConnId>,
    /// What the gateway was told that the hall knows of its connections.
    attending: HashMap<ConnId, Attendance>,
    /// How it was told that tables stand.
    tables: HashMap<TableNo, TableStanding>,
    /// The last command that each connection has said.
    spoken: HashMap<ConnId, u64>,
    /// The last request that has come.
    asked: u64,
    /// Frames that the gateway has not confirmed.
    unheard: VecDeque<(u64, Arc<[u8]>)>,
    /// The last frame that it has confirmed; none: it may not have heard what was said before this
    /// owner.
    confirmed: Option<u64>,
}

/// What a new owner has found for a gateway.
#[derive(Debug)]
pub struct Inherited<'a> {
    /// What it has not heard.
    pub missed: Vec<&'a str>,
    /// An earlier owner has counted its connections as gone.
    pub is_given_up: bool,
}

impl Gateways {
    /// For a new owner of a hall, at this node.
    pub fn new(node: u32, pages: Pages, unheard: &Unheard) -> Gateways {
        let mut given_up = unheard.given_up().clone();
        // Its own connections were told, or are known again.
        given_up.remove(&node);
        Gateways { pages, given_up, ..Gateways::default() }
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
    pub fn tell_lists<G: Game>(&self, listed: &Vec<Listing<G>>) {
        if self.known.is_empty() || listed.is_empty() {
            return;
        }
        #[derive(serde::Serialize)]
        #[serde(bound = "", rename_all = "kebab-case")]
        enum Borrowed<'a, G: Game> {
            Listed(&'a Vec<Listing<G>>),
        }
        let frame = link::frame(&Borrowed::Listed(listed));
        self.known.values().for_each(|gateway| gateway.outgoing.put(&frame));
    }

    /// What these outputs say to gateways, one frame each.
    pub fn wrap<G: Game>(&mut self, hall: &Hall<G>, outputs: &[Output<G>]) -> Vec<Parcel> {
        if self.known.is_empty() {
            return Vec::new();
        }
        let mut said: BTreeMap<u32, Vec<Spoken<G>>> = BTreeMap::new();
        let mut concerned = BTreeSet::new();
        for output in outputs {
            match output {
                Output::Answer(conn, answer) if self.have(*conn) => {
                    concerned.insert(*conn);
                    let said = said.entry(node_of(*conn)).or_default();
                    said.push(Spoken::Answer(*conn, answer.clone()));
                }
                Output::Tell(conn, event) if self.have(*conn) => {
                    concerned.insert(*conn);
                    let said = said.entry(node_of(*conn)).or_default();
                    match said.last_mut() {
                        Some(Spoken::Tell(conns, last)) if is_same(last, event) => {
                            conns.push(*conn);
                        }
                        _ => said.push(Spoken::Tell(vec![*conn], event.clone())),
                    }
                }
                Output::Show(conns, event) => {
                    let mut here: BTreeMap<u32, Vec<ConnId>> = BTreeMap::new();
                    for conn in conns.iter().filter(|conn| self.have(**conn)) {
                        here.entry(node_of(*conn)).or_default().push(*conn);
                    }
                    for (node, conns) in here {
                        // What is shown changes nothing for those who watch, but for their table.
                        concerned.extend(conns.first());
                        said.entry(node).or_default().push(Spoken::Tell(conns, event.clone()));
                    }
                }
                Output::Reply(request, reply) => {
                    if let Some((node, number)) = self.asked.remove(request) {
                        said.entry(node).or_default().push(Spoken::Reply(number, reply.clone()));
                    }
                }
                _ => {}
            }
        }
        for conn in concerned {
            let Some(gateway) = self.known.get_mut(&node_of(conn)) else { continue };
            let attends = hall.attendance(conn);
            if gateway.attending.get(&conn) != Some(&attends) {
                gateway.attending.insert(conn, attends.clone());
                let said = said.entry(node_of(conn)).or_default();
                said.push(Spoken::Attends(conn, Box::new(attends.clone())));
            }
            if let Some((no, _)) = attends.at
                && let Some(stands) = hall.table_standing(no)
                && gateway.tables.get(&no) != Some(&stands)
            {
                gateway.tables.insert(no, stands.clone());
                let said = said.entry(node_of(conn)).or_default();
                said.push(Spoken::Stands(no, Box::new(stands)));
            }
        }
        let wrap = |(node, said)| {
            self.frames += 1;
            let frame = Frame { epoch: self.pages.epoch(), number: self.frames, said };
            let bytes = link::frame(&FromOwner::Frame(frame)).into();
            Parcel { node, number: self.frames, bytes }
        };
        said.into_iter().map(wrap).collect()
    }

    /// Whether something is to be written down although nothing is said.
    pub fn have_news(&self) -> bool {
        self.has_given_up
    }

    /// The rows that keep what is said until it has arrived.
    pub fn write_down(&mut self, now: Time, parcels: &[Parcel]) -> Vec<Row> {
        let has_news = std::mem::take(&mut self.has_given_up);
        if parcels.is_empty() && !has_news {
            return Vec::new();
        }
        let confirmed = self.known.values().map(|gateway| gateway.confirmed).min().flatten();
        self.pages.write(now, parcels, &self.given_up, confirmed)
    }

    /// Sends what is durable.
    pub fn send(&mut self, parcels: Vec<Parcel>) {
        for Parcel { node, number, bytes } in parcels {
            // A gateway may be given up meanwhile.
            let Some(gateway) = self.known.get_mut(&node) else { continue };
            gateway.outgoing.put(&bytes);
            gateway.unheard.push_back((number, bytes));
            if gateway.outgoing.len() > UNREAD {
                gateway.outgoing.abandon();
            }
        }
    }

    /// A gateway is here, or here again. Who takes a hall over has heard before who is there; else a
    /// gateway that is new here has nobody who is known. The number of its link, and which of its
    /// connections have gone while there was none.
    pub fn attach<G: Game>(
        &mut self,
        newcomer: &Newcomer,
        epoch: u64,
        inherited: Option<Inherited<'_>>,
        lists: Vec<Listing<G>>,
    ) -> (u64, Vec<ConnId>) {
        let Newcomer { node, attach, outgoing, .. } = newcomer;
        let heard = attach.heard.filter(|(of, _)| *of == epoch).map_or(0, |(_, number)| number);
        let gateway = self.known.entry(*node).or_default();
        gateway.outgoing.close();
        gateway.outgoing = outgoing.clone();
        gateway.link = LINKS.fetch_add(1, Ordering::Relaxed);
        let here: BTreeSet<ConnId> = attach.attending.iter().map(|(conn, _)| *conn).collect();
        if let Some(Inherited { missed, is_given_up }) = inherited {
            gateway.conns = if is_given_up { BTreeSet::new() } else { here.clone() };
            missed.iter().for_each(|frame| outgoing.put(&link::wrap(frame)));
        }
        gateway.forget_heard(heard);
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
    pub fn hear<G: Game>(
        &mut self,
        node: u32,
        link: u64,
        said: FromGateway<G>,
    ) -> Option<Input<G>> {
        // What comes over an older link is said again over the one that has followed it.
        let gateway = self.known.get_mut(&node).filter(|gateway| gateway.link == link)?;
        match said {
            // A link has one beginning.
            FromGateway::Attach(_) => None,
            FromGateway::Heard(number) => {
                gateway.confirmed = Some(number);
                gateway.forget_heard(number);
                // It has ended the connections that were not known any more.
                self.given_up.remove(&node);
                None
            }
            FromGateway::Said(conn, ..)
            | FromGateway::Showed(conn, _)
            | FromGateway::Gone(conn)
                if node_of(conn) != node =>
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
                if gateway.asked >= number {
                    return None;
                }
                gateway.asked = number;
                self.requests += 1;
                let asked = FIRST_REQUEST + self.requests;
                self.asked.insert(asked, (node, number));
                Some(Input::Asked(asked, request))
            }
        }
    }

    /// A gateway whose link was cut has not come back: its connections are gone.
    pub fn give_up(&mut self, node: u32, link: u64) -> BTreeSet<ConnId> {
        if self.known.get(&node).is_none_or(|gateway| gateway.link != link) {
            return BTreeSet::new();
        }
        let gone = self.known.remove(&node).map_or_else(BTreeSet::new, |gateway| gateway.conns);
        if !gone.is_empty() {
            self.given_up.insert(node, (self.pages.epoch(), self.frames));
            self.has_given_up = true;
            // Nodes that are dead never come back; nobody need remember all of them.
            if self.given_up.len() > REMEMBERED {
                let oldest = self.given_up.values().min().copied();
                self.given_up.retain(|_, place| Some(*place) != oldest);
            }
        }
        gone
    }

    /// Ends all links, after what was said before.
    pub fn close(&mut self) {
        for gateway in std::mem::take(&mut self.known).into_values() {
            gateway.outgoing.close();
        }
    }
}

impl Gateway {
    /// Everything up to this frame has arrived.
    fn forget_heard(&mut self, number: u64) {
        while self.unheard.front().is_some_and(|(unheard, _)| *unheard <= number) {
            self.unheard.pop_front();
        }
    }

    /// Whether the connection was known.
    fn forget(&mut self, conn: ConnId) -> bool {
        self.spoken.remove(&conn);
        self.attending.remove(&conn);
        self.conns.remove(&conn)
    }
}

/// Whether two events are one that is told to several.
fn is_same<G: Game>(one: &hall::Event<G>, other: &hall::Event<G>) -> bool {
    use hall::Event::{Company, Over, Update};
    match (one, other) {
        (Update(one), Update(other)) => Arc::ptr_eq(one, other),
        (Over(one), Over(other)) => Arc::ptr_eq(one, other),
        (Company(one, change), Company(other, same)) => Arc::ptr_eq(one, other) && change == same,
        _ => false,
    }
}
