//! The end of a table.

use super::Moment;
use super::clocks::Clocks;
use crate::{AfterEnd, Closing, Dismissal, Phase, Role, TableEvent, TableRecord};

impl Moment<'_> {
    /// The game's own code has failed.
    pub fn break_down(&mut self, fault: String) {
        self.live.aftermath.break_down();
        self.close(Closing::Void(fault));
    }

    /// No player came, or none is left.
    pub fn give_up(&mut self) {
        let reason = match self.live.phase() {
            Phase::Gathering => "the table waited too long for players",
            Phase::Playing => "all players have gone",
            Phase::Closed => return,
        };
        self.close(Closing::Void(reason.to_owned()));
    }

    /// Closes a table before its end. There is exactly one closing record. Who follows play from
    /// table to table is sent on by the hall.
    pub fn close(&mut self, closing: Closing) {
        if self.live.phase() == Phase::Closed {
            return;
        }
        let reason = match &closing {
            Closing::Void(reason) => reason.clone(),
            Closing::Over(_) => String::new(),
        };
        self.record(TableRecord::Closed(closing));
        if self.live.table.game().is_none() {
            for conn in self.live.audience.all() {
                if self.live.audience.role_of(conn) != Some(Role::Follower) {
                    let closed = Dismissal::TableClosed(reason.clone());
                    self.out.tell(conn, TableEvent::Dismissed(closed));
                    self.unbind(conn);
                }
            }
        }
        self.conclude();
    }

    /// Says that it is over and lets go of what only a running table needs.
    pub fn conclude(&mut self) {
        if let Some(over) = self.live.showing().over().filter(|_| self.live.table.game().is_some())
        {
            self.tell_others(None, &over);
        }
        let live = &mut *self.live;
        live.audience.take_late();
        live.clocks = Clocks::of(live.table.seats());
        live.bots.clear();
        live.progress.forget_past();
        if live.policy().after_end == AfterEnd::Lobby {
            let players = live.audience.players().map(|(_, attached)| attached.conn);
            for conn in players.collect::<Vec<_>>() {
                self.unbind(conn);
            }
        }
    }
}
