//! The usual turn: a move is accepted, and all who play are told of the next turn. Most of what a hall says
//! is that, so it has a short way to be said.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hall::{Answer, Company, ConnId, Event, Output, TableEntry, TableRecord};
use rules::{Game, Seat};

use super::super::link::{BareUpdate, Spoken, Turn};
use super::super::node_of;
use super::Gateways;

/// What follows a move, if that is the usual.
pub struct Usual<'a, G: Game> {
    /// Whoever has made it, if somebody is answered.
    by: Option<ConnId>,
    /// What the players are told.
    told: &'a [Output<G>],
    company: &'a Arc<Company>,
    turn: Turn,
}

impl<'a, G: Game> Usual<'a, G> {
    /// What these outputs begin with, after a record.
    pub fn after(entry: &TableEntry<G>, outputs: &'a [Output<G>]) -> Option<Usual<'a, G>> {
        let TableRecord::Moved { seq, .. } = *entry.record else { return None };
        let (by, told) = match outputs.split_first()? {
            (Output::Answer(conn, Answer::Accepted), told) => (Some(*conn), told),
            _ => (None, outputs),
        };
        let Output::Tell(_, Event::Update(first)) = told.first()? else { return None };
        let (company, deadline) = (&first.company, first.deadline);
        let mut count = 0;
        for output in told {
            let Output::Tell(_, Event::Update(update)) = output else { break };
            let is_next = update.seq == seq + 1
                && update.deadline == deadline
                && Arc::ptr_eq(&update.company, company)
                && BareUpdate::is_of_turn(update).is_some();
            if !is_next {
                return None;
            }
            count += 1;
        }
        Some(Usual { by, told: &told[..count], company, turn: Turn { at: entry.at, deadline } })
    }

    /// Who is at the table that it is about.
    pub fn company(&self) -> &'a Arc<Company> {
        self.company
    }

    /// How many outputs say it.
    pub fn len(&self) -> usize {
        usize::from(self.by.is_some()) + self.told.len()
    }

    /// Whom it is told, and where they sit.
    fn told(&self) -> impl Iterator<Item = (ConnId, Seat)> + Clone {
        self.told.iter().filter_map(|output| match output {
            Output::Tell(conn, Event::Update(update)) => Some((*conn, update.viewer.seat()?)),
            _ => None,
        })
    }
}

impl<G: Game> Gateways<G> {
    /// Says it to all who follow the table. False: somebody is told who does not follow it yet.
    pub(super) fn say_usual(
        &mut self,
        entry: &TableEntry<G>,
        usual: &Usual<'_, G>,
        said: &mut BTreeMap<u32, Vec<Spoken<G>>>,
        concerned: &mut BTreeSet<ConnId>,
    ) -> bool {
        let no = entry.table;
        let mut heard_by = usual.told().map(|(conn, _)| conn).chain(usual.by);
        let follows = |conn| {
            let gateway = self.known.get(&node_of(conn));
            gateway.is_none_or(|to| to.follows.contains_key(&no) || !to.conns.contains(&conn))
        };
        if !heard_by.all(follows) {
            return false;
        }
        for (node, gateway) in &mut self.known {
            let Some(players) = gateway.follows.get_mut(&no) else { continue };
            let said = said.entry(*node).or_default();
            if gateway.companies.learn(usual.company) {
                said.push(Spoken::Meet(usual.company.clone()));
            }
            let is_here = |conn: &ConnId| node_of(*conn) == *node && gateway.conns.contains(conn);
            let here = usual.told().filter(|(conn, _)| is_here(conn));
            if !here.clone().eq(players.iter().copied()) {
                *players = here.collect();
                said.push(Spoken::Play(no, players.clone()));
            }
            let by = usual.by.filter(is_here);
            concerned.extend(players.iter().map(|(conn, _)| *conn).chain(by));
            said.push(Spoken::Moved(no, entry.record.clone(), by, usual.turn));
            if let Some(stands) = usual.turn.standing(&entry.record) {
                gateway.know(no, stands);
            }
        }
        true
    }
}
