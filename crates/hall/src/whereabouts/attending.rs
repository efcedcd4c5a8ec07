//! The presence of connections as passed to a new owner of the hall and restored by it, and the
//! absent players when a hall restarts.

use table::{ConnId, Post, TableNo, Time};

use super::Whereabouts;
use crate::Attendance;
use crate::desk::Desk;

impl Whereabouts {
    pub fn attendance(&self, conn: ConnId) -> Attendance {
        Attendance { at: self.post_of(conn), ..self.visitors.attendance(conn) }
    }

    /// A connection's table and its role there.
    pub fn post_of(&self, conn: ConnId) -> Option<(TableNo, Post)> {
        let no = self.visitors.at(conn)?;
        Some((no, self.tables.get(no)?.post_of(conn)?))
    }

    /// A connection is where it was with an earlier owner. A table that this one does not remember
    /// is over.
    pub fn take_up(&mut self, conn: ConnId, known: &Attendance) {
        let at = known.at.filter(|(no, _)| self.tables.get(*no).is_some());
        if let Some((no, post)) = at
            && let Some(live) = self.tables.live_mut(no)
        {
            live.take_up(conn, post, known.introduction.clone());
        }
        let open = at.filter(|(no, _)| self.tables.is_open(*no));
        let seated = matches!(open, Some((_, Post::Seat(_) | Post::SeatLate(_))));
        self.visitors.take_up(conn, known, at.map(|(no, _)| no), seated);
        if known.follows && open.is_none() {
            self.visitors.stand_by(conn);
        }
    }

    /// Where names are unique, all members of a table have one: house bots, and absent players
    /// since they left, without the time in which reconnecting was impossible.
    pub fn know_seated(&mut self, desk: &Desk, no: TableNo, gap_ms: u64) {
        if !desk.premises.are_names_unique() {
            return;
        }
        let (live, people) = (self.tables.live(no), self.visitors.people_mut());
        for (seat, chair) in live.table().seated() {
            if people.is_known(&chair.name) || chair.retired {
                continue;
            }
            match chair.away_since {
                _ if chair.bot.is_some() => people.enter_bot(chair.name.clone(), no),
                Some(since) => {
                    let until = live.hold(seat).window_ms().map(|ms| since + ms + gap_ms);
                    people.keep_away(chair.name.clone(), no, until);
                }
                None => {}
            }
        }
    }

    /// After a restart, where names are unique in the hall, all players of an open table are known
    /// there.
    pub fn remember_people(&mut self, desk: &Desk, no: TableNo, last_written: Time) {
        let (live, people) = (self.tables.live(no), self.visitors.people_mut());
        if live.policy().names != table::Names::UniqueInHall {
            return;
        }
        for (seat, chair) in live.table().seated() {
            if chair.bot.is_some() {
                people.enter_bot(chair.name.clone(), no);
            } else if !chair.retired {
                let left = |ms| live.hold(seat).left_after_restart(ms, last_written);
                let until = live.hold(seat).window_ms().map(|ms| desk.now + left(ms));
                people.remember(chair.name.clone(), no, until);
            }
        }
    }
}
