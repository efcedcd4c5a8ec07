//! What a hall says becomes frames for the gateways of those it says it to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hall::{ConnId, Event, Hall, Output, TableEntry, TableNo};
use rules::Game;

use super::super::link::{self, BareUpdate, Frame, FromOwner, Parcel, Spoken};
use super::super::node_of;
use super::open_tables::OpenTables;
use super::usual::Usual;
use super::{Gateways, MANY};

impl<G: Game> Gateways<G> {
    /// What these outputs say to gateways, one frame each.
    pub fn wrap(&mut self, hall: &Hall<G>, outputs: &[Output<G>]) -> Vec<Parcel> {
        if self.open.is_none() && self.known.is_empty() && self.asked.is_empty() {
            return Vec::new();
        }
        self.forget_what_is_too_much();
        let mut said: BTreeMap<u32, Vec<Spoken<G>>> = BTreeMap::new();
        let mut concerned = BTreeSet::new();
        let mut outputs = outputs.iter();
        while let Some(output) = outputs.next() {
            match output {
                Output::TableRecord(entry) => {
                    self.open.iter_mut().for_each(|open| open.apply(entry));
                    let usual = Usual::after(entry, outputs.as_slice());
                    match usual {
                        Some(usual) if self.say_usual(entry, &usual, &mut said, &mut concerned) => {
                            outputs = outputs.as_slice()[usual.len()..].iter();
                        }
                        _ => self.follow(entry, &mut said),
                    }
                }
                Output::Answer(conn, answer) if self.have(*conn) => {
                    concerned.insert(*conn);
                    let said = said.entry(node_of(*conn)).or_default();
                    said.push(Spoken::Answer(*conn, answer.clone()));
                }
                Output::Tell(conn, event) if self.have(*conn) => {
                    concerned.insert(*conn);
                    let node = node_of(*conn);
                    let said = said.entry(node).or_default();
                    match said.last_mut() {
                        Some(Spoken::Tell(conns, last)) if is_same(last, event) => {
                            conns.push(*conn);
                        }
                        _ => said.extend(self.tell(hall, node, vec![*conn], event)),
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
                        said.entry(node).or_default().extend(self.tell(hall, node, conns, event));
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
        self.forget_what_is_over();
        for conn in concerned {
            let Some(gateway) = self.known.get_mut(&node_of(conn)) else { continue };
            let attends = hall.attendance(conn);
            if gateway.attending.get(&conn) != Some(&attends) {
                gateway.attending.insert(conn, attends.clone());
                let said = said.entry(node_of(conn)).or_default();
                said.push(Spoken::Attends(conn, Box::new(attends.clone())));
            }
            if let Some((no, _)) = attends.at
                && let Some(stands) = gateway.news_of(hall, no)
            {
                said.entry(node_of(conn)).or_default().push(stands);
            }
        }
        if std::mem::take(&mut self.clocks_moved) {
            for (node, gateway) in &mut self.known {
                let tables: Vec<TableNo> = gateway.tables.keys().copied().collect();
                let news = tables.into_iter().filter_map(|no| gateway.news_of(hall, no));
                let news: Vec<Spoken<G>> = news.collect();
                if !news.is_empty() {
                    said.entry(*node).or_default().extend(news);
                }
            }
        }
        let wrap = |(node, said): (u32, Vec<Spoken<G>>)| {
            self.frames += 1;
            let replies = said.iter().filter_map(|said| match said {
                Spoken::Reply(request, reply) => Some((*request, reply.clone())),
                _ => None,
            });
            let replies = replies.collect();
            let to = self.known.get_mut(&node);
            let afresh = to.is_some_and(|to| std::mem::take(&mut to.afresh));
            let (epoch, number) = (self.pages.epoch(), self.frames);
            let frame = Frame { epoch, number, afresh, said };
            let bytes = link::frame(&FromOwner::Frame(frame)).into();
            Parcel { node, number: self.frames, bytes, replies }
        };
        said.into_iter().map(wrap).collect()
    }

    /// A gateway that was told of too many tables begins again.
    fn forget_what_is_too_much(&mut self) {
        for gateway in self.known.values_mut() {
            let most = MANY + 2 * gateway.attending.len();
            if gateway.companies.len().max(gateway.follows.len()) > most {
                gateway.companies.clear();
                gateway.follows.clear();
                gateway.afresh = true;
            }
        }
    }

    /// Nobody follows a table that is over.
    fn forget_what_is_over(&mut self) {
        for no in self.open.iter_mut().flat_map(OpenTables::end) {
            for gateway in self.known.values_mut() {
                gateway.follows.remove(&no);
            }
        }
    }

    /// Something has happened at a table: those who follow it are told.
    fn follow(&self, entry: &TableEntry<G>, said: &mut BTreeMap<u32, Vec<Spoken<G>>>) {
        for (node, gateway) in &self.known {
            if gateway.follows.contains_key(&entry.table) {
                let happened = Spoken::Happened(entry.table, entry.record.clone());
                said.entry(*node).or_default().push(happened);
            }
        }
    }

    /// Says something to connections of a gateway. What they see of a table that it follows, it makes itself.
    fn tell(
        &mut self,
        hall: &Hall<G>,
        node: u32,
        conns: Vec<ConnId>,
        event: &Event<G>,
    ) -> Vec<Spoken<G>> {
        let whole = |conns| Spoken::Tell(conns, event.clone());
        let (Event::Update(update), Some(gateway)) = (event, self.known.get_mut(&node)) else {
            return vec![whole(conns)];
        };
        let mut said = Vec::new();
        if gateway.companies.learn(&update.company) {
            said.push(Spoken::Meet(update.company.clone()));
        }
        let followed = self.open.as_ref().and_then(|open| {
            let (no, bare) = (open.of_update(hall, update)?, BareUpdate::of(update)?);
            if !gateway.follows.contains_key(&no) {
                said.push(Spoken::Follow(no, open.records(no)?));
                gateway.follows.insert(no, Vec::new());
            }
            Some((no, bare))
        });
        said.push(match followed {
            Some((no, bare)) => Spoken::See(conns, no, Box::new(bare)),
            None => whole(conns),
        });
        said
    }
}

/// Whether two events are one that is told to several.
fn is_same<G: Game>(one: &Event<G>, other: &Event<G>) -> bool {
    use Event::{Company, Over, Update};
    match (one, other) {
        (Update(one), Update(other)) => Arc::ptr_eq(one, other),
        (Over(one), Over(other)) => Arc::ptr_eq(one, other),
        (Company(one, change), Company(other, same)) => Arc::ptr_eq(one, other) && change == same,
        _ => false,
    }
}
