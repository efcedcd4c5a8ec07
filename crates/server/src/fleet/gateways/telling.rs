//! What a hall says becomes frames for the gateways of those it says it to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hall::{
    Answer, Company, ConnId, Event, Hall, Output, TableEntry, TableEvent, TableNo, TableSaid, Turn,
    Update,
};

use super::super::link::{self, BareUpdate, Frame, FromOwner, NextTurn, Parcel, Players, Spoken};
use super::super::node_of;
use super::open_tables::OpenTables;
use super::{Gateway, Gateways, MANY};

/// What one pass of the hall says to gateways.
struct Saying {
    by_node: BTreeMap<u32, Vec<Spoken>>,
    /// Connections of which the hall may know something new.
    concerned: BTreeSet<ConnId>,
}

impl Saying {
    fn to(&mut self, node: u32) -> &mut Vec<Spoken> {
        self.by_node.entry(node).or_default()
    }

    fn answer(&mut self, conn: ConnId, answer: Answer) {
        self.concerned.insert(conn);
        self.to(node_of(conn)).push(Spoken::Answer(conn, answer));
    }
}

impl Gateways {
    /// What these outputs say to gateways, one frame each.
    pub fn wrap(&mut self, hall: &Hall, outputs: &[Output]) -> Vec<Parcel> {
        if self.open.is_none() && self.known.is_empty() && self.asked.is_empty() {
            return Vec::new();
        }
        self.forget_what_is_too_much();
        let mut saying = Saying { by_node: BTreeMap::new(), concerned: BTreeSet::new() };
        for output in outputs {
            match output {
                Output::TableRecord(entry) => self.follow(entry, &mut saying),
                Output::Answer(conn, answer) if self.have(*conn) => {
                    saying.answer(*conn, answer.clone());
                }
                Output::Tell(conn, event) if self.have(*conn) => {
                    saying.concerned.insert(*conn);
                    saying.to(node_of(*conn)).push(Spoken::Tell(vec![*conn], event.clone()));
                }
                Output::At(no, said) => self.say_at(*no, said, &mut saying),
                Output::Reply(request, reply) => {
                    if let Some((node, number)) = self.asked.remove(request) {
                        saying.to(node).push(Spoken::Reply(number, reply.clone()));
                    }
                }
                Output::Answer(..)
                | Output::Tell(..)
                | Output::TournamentRecord(_)
                | Output::Recall(_)
                | Output::Think(..)
                | Output::Listed(_) => {}
            }
        }
        self.forget_what_is_over();
        self.tell_what_the_hall_knows(hall, &mut saying);
        saying.by_node.into_iter().map(|(node, said)| self.parcel(node, said)).collect()
    }

    fn parcel(&mut self, node: u32, said: Vec<Spoken>) -> Parcel {
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
        Parcel { node, number, bytes, replies }
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

    /// Tells gateways what the hall knows of their connections and how the tables stand at which those are.
    fn tell_what_the_hall_knows(&mut self, hall: &Hall, saying: &mut Saying) {
        for conn in std::mem::take(&mut saying.concerned) {
            let Some(gateway) = self.known.get_mut(&node_of(conn)) else { continue };
            let said = saying.to(node_of(conn));
            let known = gateway.attending.get(&conn).filter(|known| hall.attends_as(conn, known));
            let at = if let Some(known) = known {
                known.at
            } else {
                let attends = hall.attendance(conn);
                gateway.attending.insert(conn, attends.clone());
                said.push(Spoken::Attends(conn, Box::new(attends.clone())));
                attends.at
            };
            said.extend(at.and_then(|(no, _)| gateway.news_of(hall, no)));
        }
        if std::mem::take(&mut self.clocks_moved) {
            for (node, gateway) in &mut self.known {
                let tables: Vec<TableNo> = gateway.tables.keys().copied().collect();
                let news = tables.into_iter().filter_map(|no| gateway.news_of(hall, no));
                let news: Vec<Spoken> = news.collect();
                if !news.is_empty() {
                    saying.to(*node).extend(news);
                }
            }
        }
    }

    /// Something has happened at a table: gateways that follow it receive the record.
    fn follow(&mut self, entry: &TableEntry, saying: &mut Saying) {
        self.open.iter_mut().for_each(|open| open.apply(entry));
        for (node, gateway) in &self.known {
            if gateway.follows.contains_key(&entry.table) {
                let happened = Spoken::Happened(entry.table, entry.record.clone());
                saying.to(*node).push(happened);
            }
        }
    }

    fn say_at(&mut self, no: TableNo, said: &TableSaid, saying: &mut Saying) {
        match said {
            TableSaid::Answer(conn, answer) => {
                if self.have(*conn) {
                    saying.answer(*conn, answer.clone().into());
                }
            }
            TableSaid::Tell(conn, event) => {
                if self.have(*conn) {
                    saying.concerned.insert(*conn);
                    self.tell(no, node_of(*conn), vec![*conn], event, saying);
                }
            }
            TableSaid::Show(conns, event) => {
                let mut here: BTreeMap<u32, Vec<ConnId>> = BTreeMap::new();
                for conn in conns.iter().filter(|conn| self.have(**conn)) {
                    here.entry(node_of(*conn)).or_default().push(*conn);
                }
                for (node, conns) in here {
                    // What is shown changes nothing for those who watch, but for their table.
                    saying.concerned.extend(conns.first());
                    self.tell(no, node, conns, event, saying);
                }
            }
            TableSaid::Turn(turn) => self.begin_turn(no, turn, saying),
        }
    }

    /// A turn has begun. A gateway knows its players there, so it needs no more than when the turn ends.
    fn begin_turn(&mut self, no: TableNo, turn: &Turn, saying: &mut Saying) {
        let next = NextTurn { seq: turn.seq, at: turn.at, deadline: turn.deadline };
        let mut whole: Vec<(ConnId, &Arc<Update>)> = Vec::new();
        for (node, gateway) in &mut self.known {
            let is_here = |conn: &ConnId| node_of(*conn) == *node && gateway.conns.contains(conn);
            let here = turn.updates.iter().filter(|(conn, _)| is_here(conn));
            let mut players = Players::new();
            let mut company = None;
            for (conn, update) in here {
                saying.concerned.insert(*conn);
                match BareUpdate::is_of_turn(update).filter(|_| update.deadline == turn.deadline) {
                    Some(seat) => {
                        players.push((*conn, seat));
                        company = Some(&update.company);
                    }
                    None => whole.push((*conn, update)),
                }
            }
            let follows = gateway.follows.contains_key(&no);
            if players.is_empty() && !follows {
                continue;
            }
            let said = saying.by_node.entry(*node).or_default();
            if !gateway.begins_to_follow(self.open.as_ref(), no, said) {
                let told = turn
                    .updates
                    .iter()
                    .filter(|(conn, _)| players.iter().any(|(player, _)| player == conn));
                whole.extend(told.map(|(conn, update)| (*conn, update)));
                continue;
            }
            company.into_iter().for_each(|company| gateway.meet(company, said));
            let known = gateway.follows.entry(no).or_default();
            if *known != players {
                known.clone_from(&players);
                said.push(Spoken::Play(no, players));
            }
            said.push(Spoken::Turn(no, next));
            gateway.know(no, next.standing());
        }
        for (conn, update) in whole {
            let event = TableEvent::Update(update.clone());
            self.tell(no, node_of(conn), vec![conn], &event, saying);
        }
    }

    /// Says something to connections of a gateway. What they see of a table that it follows, it makes itself.
    fn tell(
        &mut self,
        no: TableNo,
        node: u32,
        conns: Vec<ConnId>,
        event: &TableEvent,
        saying: &mut Saying,
    ) {
        let Some(gateway) = self.known.get_mut(&node) else { return };
        let said = saying.to(node);
        match said.last_mut() {
            Some(Spoken::Tell(to, last)) if is_same(last, event) => return to.extend(conns),
            Some(Spoken::Over(to, of)) if *of == no && matches!(event, TableEvent::Over(_)) => {
                return to.extend(conns);
            }
            _ => {}
        }
        let short = match event {
            TableEvent::Update(update) => {
                gateway.meet(&update.company, said);
                let bare = BareUpdate::of(update);
                bare.filter(|_| gateway.begins_to_follow(self.open.as_ref(), no, said))
                    .map(|bare| Spoken::See(conns.clone(), no, Box::new(bare)))
            }
            TableEvent::Over(over)
                if over.last_views.is_empty() && gateway.follows.contains_key(&no) =>
            {
                gateway.meet(&over.company, said);
                Some(Spoken::Over(conns.clone(), no))
            }
            _ => None,
        };
        said.push(short.unwrap_or_else(|| Spoken::Tell(conns, event.clone().into())));
    }
}

impl Gateway {
    /// The gateway learns who sits at a table, if that is news.
    fn meet(&mut self, company: &Arc<Company>, said: &mut Vec<Spoken>) {
        if self.companies.learn(company) {
            said.push(Spoken::Meet(company.clone()));
        }
    }

    /// Lets the gateway follow a table unless it does already. False: the table is over, or nobody follows
    /// tables here.
    fn begins_to_follow(
        &mut self,
        open: Option<&OpenTables>,
        no: TableNo,
        said: &mut Vec<Spoken>,
    ) -> bool {
        if self.follows.contains_key(&no) {
            return true;
        }
        let Some(records) = open.and_then(|open| open.records(no)) else { return false };
        said.push(Spoken::Follow(no, records));
        self.follows.insert(no, Players::new());
        true
    }
}

/// Whether two events are one that is told to several.
fn is_same(one: &Event, other: &TableEvent) -> bool {
    match (one, other) {
        (Event::Update(one), TableEvent::Update(other)) => Arc::ptr_eq(one, other),
        (Event::Over(one), TableEvent::Over(other)) => Arc::ptr_eq(one, other),
        (Event::Company(one, change), TableEvent::Company(other, same)) => {
            Arc::ptr_eq(one, other) && change == same
        }
        _ => false,
    }
}
