//! What players show each other without words: one of six reactions, which everyone at the table sees.
//! Nothing of this is recorded, and there are none at tables of tournaments.

use std::collections::BTreeMap;

use rules::Seat;
use table::{ConnId, Refusal, TableNo, Time};

use super::Lobby;
use crate::desk::Desk;
use crate::{Answer, Event, Reaction};

/// Shortest time between two reactions of one player, in milliseconds.
const PAUSE_MS: u64 = 3000;

/// When each player reacted, where that is not long ago.
#[derive(Debug, Default)]
pub(super) struct Reactions(BTreeMap<(TableNo, Seat), Time>);

impl Lobby {
    pub fn react(&mut self, desk: &mut Desk, conn: ConnId, reaction: Reaction) {
        let place = self.whereabouts.seat_of(conn).or_else(|| self.rematches.place_of(conn));
        let Some((no, seat)) = place else { return desk.refuse(conn, Refusal::NotSeated) };
        let Some(live) = self.whereabouts.tables.get(no) else {
            return desk.refuse(conn, Refusal::NotSeated);
        };
        if live.table().opened().game_ref.is_some() {
            let why = "there are no reactions in tournaments".to_owned();
            return desk.refuse(conn, Refusal::BadTable(why));
        }
        let now = desk.now;
        self.reactions.0.retain(|_, last| *last + PAUSE_MS > now);
        if self.reactions.0.contains_key(&(no, seat)) {
            return desk.refuse(conn, Refusal::TooSoon);
        }
        self.reactions.0.insert((no, seat), now);
        desk.answer(conn, Answer::Accepted);
        let mut all = live.everyone();
        all.extend(self.rematches.stayed(no));
        all.sort_unstable();
        all.dedup();
        for conn in all {
            desk.tell(conn, Event::Reacted(seat, reaction));
        }
    }
}
