//! When a player may hear of its tournament.
//!
//! After GAME_END the clients of tournaments send LEAVE and discard every line up to its OK;
//! others never LEAVE. A line sent in between would be lost, and its client would wait for ever:
//!
//! 1. while a player is bound to a match, its next TOURNAMENT lines are held;
//! 2. they are released after the OK to its LEAVE, or a second after the match has ended;
//! 3. to who LEAVEs later than that, and has not gone on to its next match, they are said again.
//!
//! Only the last match and the end count: a client that heard of a match that is over would try to
//! join it.

use hall::Time;

/// So long after its match a player who is going to LEAVE has done so.
const LEAVE_WITHIN_MS: u64 = 1000;

/// The TOURNAMENT lines of one player.
#[derive(Debug, Default)]
pub struct Notices {
    held: Vec<Notice>,
    /// Released while the player was still bound: it may not have heard them.
    doubtful: Vec<Notice>,
    /// The player is bound to a match, and when that ended.
    bound: Option<Option<Time>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Somebody has entered.
    News(String),
    /// A match, a bye or the end: what the player has to do next.
    Call(String),
}

impl Notices {
    /// The player goes on to its next match: whatever it had to know, it knows.
    pub fn go_on(&mut self) {
        *self = Notices { bound: Some(None), ..Notices::default() };
    }

    /// The player sits down to another game: what it has not heard has to wait for the end of that.
    pub fn sit_down(&mut self) {
        self.bound = Some(None);
        self.doubtful.clear();
    }

    pub fn match_ended(&mut self, now: Time) {
        self.bound = Some(Some(now));
    }

    /// Something for the player to hear: the line, if it may be said now.
    pub fn add(&mut self, notice: Notice) -> Option<String> {
        if self.bound.is_none() {
            return Some(notice.line());
        }
        if let Notice::Call(_) = notice {
            self.forget_calls();
        }
        self.held.push(notice);
        None
    }

    /// What the player had to do next, it has to do no more.
    pub fn forget_calls(&mut self) {
        let is_news = |notice: &Notice| matches!(notice, Notice::News(_));
        self.held.retain(is_news);
        self.doubtful.retain(is_news);
    }

    /// The player is bound to nothing any more: what to say now.
    pub fn stand_up(&mut self) -> Vec<String> {
        self.bound = None;
        let doubtful = std::mem::take(&mut self.doubtful);
        let held = std::mem::take(&mut self.held);
        doubtful.into_iter().chain(held).map(Notice::line).collect()
    }

    /// When held lines are released although the player has not left.
    pub fn deadline(&self) -> Option<Time> {
        let ended = self.bound.flatten()?;
        (!self.held.is_empty()).then(|| ended + LEAVE_WITHIN_MS)
    }

    /// The deadline has come: what to say now.
    pub fn release(&mut self) -> Vec<String> {
        let notices = std::mem::take(&mut self.held);
        self.doubtful.extend(notices.iter().cloned());
        notices.into_iter().map(Notice::line).collect()
    }
}

impl Notice {
    fn line(self) -> String {
        match self {
            Notice::News(line) | Notice::Call(line) => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: &str = "TOURNAMENT_MATCH t token 2 Bob";
    const COMPLETE: &str = "TOURNAMENT_COMPLETE t Bob";
    const JOINED: &str = "TOURNAMENT_JOINED t Cy 3/4";
    const NOTHING: [&str; 0] = [];

    fn call(line: &str) -> Notice {
        Notice::Call(line.to_owned())
    }

    #[test]
    fn a_player_without_a_match_hears_at_once() {
        assert_eq!(Notices::default().add(call(MATCH)).as_deref(), Some(MATCH));
    }

    #[test]
    fn nothing_is_said_during_a_match_and_everything_after_leave() {
        let mut notices = Notices::default();
        notices.go_on();
        assert_eq!(notices.add(call(MATCH)), None);
        assert_eq!(notices.deadline(), None);
        notices.match_ended(Time(5000));
        assert_eq!(notices.deadline(), Some(Time(6000)));
        assert_eq!(notices.stand_up(), [MATCH]);
        assert_eq!(notices.stand_up(), NOTHING);
    }

    #[test]
    fn who_leaves_late_hears_again_and_who_goes_on_does_not() {
        let mut notices = Notices::default();
        notices.go_on();
        notices.match_ended(Time(0));
        notices.add(call(MATCH));
        assert_eq!(notices.release(), [MATCH]);
        assert_eq!(notices.deadline(), None);
        assert_eq!(notices.stand_up(), [MATCH]);

        notices.go_on();
        notices.match_ended(Time(0));
        notices.add(call(MATCH));
        notices.release();
        notices.go_on();
        assert_eq!(notices.stand_up(), NOTHING);
    }

    #[test]
    fn only_the_last_call_is_said_and_all_of_the_news() {
        let mut notices = Notices::default();
        notices.go_on();
        notices.match_ended(Time(0));
        notices.add(Notice::News(JOINED.to_owned()));
        notices.add(call(MATCH));
        assert_eq!(notices.release(), [JOINED, MATCH]);
        notices.add(call(COMPLETE));
        assert_eq!(notices.stand_up(), [JOINED, COMPLETE]);
    }

    #[test]
    fn who_sits_down_to_another_game_hears_after_it() {
        let mut notices = Notices::default();
        notices.go_on();
        notices.match_ended(Time(0));
        notices.add(call(COMPLETE));
        notices.sit_down();
        assert_eq!(notices.deadline(), None);
        notices.match_ended(Time(9000));
        assert_eq!(notices.stand_up(), [COMPLETE]);
    }
}
