//! Gateways that are out of touch: their links have ended, or nothing comes over them.

use std::collections::BTreeSet;

use hall::ConnId;

use super::super::link::{self, FromGateway, FromOwner};
use super::super::node_of;
use super::{Gateway, Gateways};

/// This many gateways that were given up are remembered.
const REMEMBERED: usize = 64;

impl Gateways {
    /// Whether a gateway is out of touch.
    pub fn miss_somebody(&self) -> bool {
        self.known.values().any(|gateway| gateway.outgoing.is_unsure())
    }

    /// Those of these connections whose gateways are out of touch are gone, and their gateways hear so when
    /// they are back.
    pub fn part_from_missed(&mut self, conns: &[ConnId]) -> Vec<ConnId> {
        let mut parted = Vec::new();
        for (node, gateway) in &mut self.known {
            if !gateway.outgoing.is_unsure() {
                continue;
            }
            let is_there =
                |conn: &&ConnId| node_of(**conn) == *node && gateway.conns.contains(conn);
            let gone: Vec<ConnId> = conns.iter().filter(is_there).copied().collect();
            if gone.is_empty() {
                continue;
            }
            gone.iter().for_each(|conn| _ = gateway.forget(*conn));
            gateway.parted.extend(&gone);
            gateway.outgoing.put(&link::frame(&FromOwner::Parted(gone.clone())));
            parted.extend(gone);
        }
        parted
    }

    /// Whether this is the link of a gateway, or the last that it had.
    pub fn is_linked_by(&self, node: u32, link: u64) -> bool {
        self.known.get(&node).is_some_and(|gateway| gateway.link == link)
    }

    /// A gateway whose link was cut has not come back: its connections are gone.
    pub fn give_up(&mut self, node: u32, link: u64) -> BTreeSet<ConnId> {
        if !self.is_linked_by(node, link) {
            return BTreeSet::new();
        }
        let Some(Gateway { conns: gone, requests, .. }) = self.known.remove(&node) else {
            return BTreeSet::new();
        };
        self.left.insert(node, requests);
        // Nodes that are dead never come back; nobody need remember all of them.
        while self.left.len() > REMEMBERED {
            self.left.pop_first();
        }
        if !gone.is_empty() {
            let given_up = &mut self.trust.given_up;
            given_up.insert(node, (self.pages.epoch(), self.frames));
            if given_up.len() > REMEMBERED {
                let oldest = given_up.values().min().copied();
                given_up.retain(|_, place| Some(*place) != oldest);
            }
            self.has_news = true;
        }
        gone
    }
}

impl Gateway {
    /// Whether this comes from a connection that the hall knows no more.
    pub(super) fn has_parted_from(&mut self, conn: ConnId, said: &FromGateway) -> bool {
        match said {
            FromGateway::Gone(_) => self.parted.remove(&conn),
            _ => self.parted.contains(&conn),
        }
    }
}
