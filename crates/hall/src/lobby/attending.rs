//! Who is here, as it is told to another owner of the hall, and taken up by it.

use rules::Game;
use table::{ConnId, Post, TableNo};

use super::people::Waiting;
use super::{Lobby, Visitor};
use crate::Attendance;

impl<G: Game> Lobby<G> {
    pub fn attendance(&self, conn: ConnId) -> Attendance {
        let Some(visitor) = self.visitors.get(&conn) else { return Attendance::default() };
        let post = visitor.at.and_then(|no| Some((no, self.tables.get(no)?.post_of(conn)?)));
        let awaits = visitor.awaits.clone().map(|name| {
            let via = self.people.joined_via(&name);
            (name, via)
        });
        let person = visitor.person.as_ref().and_then(|name| self.people.get(name));
        Attendance {
            person: visitor.person.clone(),
            window_left: person.and_then(|person| person.window_left),
            at: post,
            follows: visitor.follows,
            introduction: visitor.introduction.clone(),
            key: visitor.key.clone(),
            awaits,
            place: None,
        }
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
        let is_open = |no| self.tables.is_open(no);
        if let Some(name) = &known.person {
            self.people.enter(name.clone(), conn);
            if let Some((no, Post::Seat(_) | Post::SeatLate(_))) = at.filter(|(no, _)| is_open(*no))
            {
                self.people.sit(name, no);
            }
            self.people.set_window_left(name, known.window_left);
        }
        if known.follows && !at.is_some_and(|(no, _)| is_open(no)) {
            self.idle.insert(conn);
        }
        if let Some((name, joined_via)) = &known.awaits {
            self.people.wait(name.clone(), Waiting { conn, joined_via: joined_via.clone() });
        }
        let visitor = Visitor {
            person: known.person.clone(),
            at: at.map(|(no, _)| no),
            follows: known.follows,
            introduction: known.introduction.clone(),
            key: known.key.clone(),
            awaits: known.awaits.as_ref().map(|(name, _)| name.clone()),
        };
        self.visitors.insert(conn, visitor);
    }

    /// Where names are unique, everybody at a table has its own: house bots, and those who are away,
    /// since they went, but for the time in which nobody could come back.
    pub fn know_seated(&mut self, no: TableNo, gap_ms: u64) {
        if !self.are_names_unique() {
            return;
        }
        let live = self.tables.live(no);
        for (seat, chair) in live.table().seated() {
            if self.people.is_known(&chair.name) || chair.retired {
                continue;
            }
            match chair.away_since {
                _ if chair.bot.is_some() => self.people.enter_bot(chair.name.clone(), no),
                Some(since) => {
                    let until = live.hold(seat).window_ms().map(|ms| since + ms + gap_ms);
                    self.people.keep_away(chair.name.clone(), no, until);
                }
                None => {}
            }
        }
    }

    /// Nothing is known of a connection any more.
    pub fn forget(&mut self, conn: ConnId) {
        self.visitors.remove(&conn);
    }
}
