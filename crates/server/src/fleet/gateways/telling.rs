//! What a hall says becomes frames for the gateways of those it says it to.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hall::{Company, ConnId, Event, Hall, Output, TableEntry, TableNo};
use rules::Game;

use super::super::link::{self, BareUpdate, Frame, FromOwner, Parcel, Spoken};
use super::super::node_of;
use super::open_tables::OpenTables;
use super::usual::Usual;
use super::{Gateway, Gateways, MANY};

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
                    let is_there =
                        |usual: &Usual<'_, G>| self.at(hall, usual.company()) == Some(entry.table);
                    match Usual::after(entry, outputs.as_slice()).filter(is_there) {
                        Some(usual) if self.say_usual(entry, &usual, &mut said, &mut concerned) => {
                            outputs = outputs.as_slice()[usual.len()..].iter();
                        }
                        _ => self.follow(entry, &mut said),
                    }
                }
                Output::Answer(conn, answer) if self.have(*conn) => {
                    self.open.iter_mut().for_each(OpenTables::speak_of_others);
                    concerned.insert(*conn);
                    let said = said.entry(node_of(*conn)).or_default();
                    said.push(Spoken::Answer(*conn, answer.clone()));
                }
                Output::Tell(conn, event) if self.have(*conn) => {
                    concerned.insert(*conn);
                    let node = node_of(*conn);
                    let is_over = |no| match event {
                        Event::Over(over) => self.at(hall, &over.company) == Some(no),
                        _ => false,
                    };
                    let said = said.entry(node).or_default();
                    match said.last_mut() {
                        Some(Spoken::Tell(conns, last)) if is_same(last, event) => {
                            conns.push(*conn);
                        }
                        Some(Spoken::Over(conns, no)) if is_over(*no) => conns.push(*conn),
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
                    self.open.iter_mut().for_each(OpenTables::speak_of_others);
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
            let known = gateway.attending.get(&conn).filter(|known| hall.attends_as(conn, known));
            let at = if let Some(known) = known {
                known.at
            } else {
                let attends = hall.attendance(conn);
                gateway.attending.insert(conn, attends.clone());
                let said = said.entry(node_of(conn)).or_default();
                said.push(Spoken::Attends(conn, Box::new(attends.clone())));
                attends.at
            };
            if let Some((no, _)) = at
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

    /// Which table something is said of, by who is there.
    fn at(&self, hall: &Hall<G>, company: &Arc<Company>) -> Option<TableNo> {
        self.open.as_ref()?.with(hall, company)
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
        let (mut said, open) = (Vec::new(), self.open.as_ref());
        let of_table = |company| open.and_then(|open| Some((open.with(hall, company)?, open)));
        let gateway = self.known.get_mut(&node);
        let mut meet = |gateway: &mut Gateway, company: &Arc<Company>| {
            let is_new = gateway.companies.learn(company);
            said.extend(is_new.then(|| Spoken::Meet(company.clone())));
        };
        let short = match (event, gateway) {
            (Event::Update(update), Some(gateway)) => {
                meet(gateway, &update.company);
                let followed = of_table(&update.company).and_then(|(no, open)| {
                    let bare = BareUpdate::of(update)?;
                    if let Entry::Vacant(new) = gateway.follows.entry(no) {
                        said.push(Spoken::Follow(no, open.records(no)?));
                        new.insert(Vec::new());
                    }
                    Some((no, bare))
                });
                followed.map(|(no, bare)| Spoken::See(conns.clone(), no, Box::new(bare)))
            }
            (Event::Over(over), Some(gateway)) if over.last_views.is_empty() => {
                let followed = of_table(&over.company)
                    .filter(|(no, _)| gateway.follows.contains_key(no))
                    .map(|(no, _)| no);
                if followed.is_some() {
                    meet(gateway, &over.company);
                }
                followed.map(|no| Spoken::Over(conns.clone(), no))
            }
            _ => None,
        };
        said.push(short.unwrap_or_else(|| Spoken::Tell(conns, event.clone())));
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
