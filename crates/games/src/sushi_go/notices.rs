//! When a player may hear of its tournament.
//!
//! After GAME_END the clients of tournaments send LEAVE and discard every line up to its OK;
//! others never LEAVE. A line sent in between would be lost, and its client would wait for ever:
//!
//! 1. while a player is bound to a match, its next TOURNAMENT lines are held;
//! 2. they are released after the OK to its LEAVE, or a second after the match has ended;
//! 3. to who LEAVEs later than that, and has not gone on to its next match, they are said again.

use hall::Time;

/// So long after its match a player who is going to LEAVE has done so.
const LEAVE_WITHIN_MS: u64 = 1000;

/// The TOURNAMENT lines of one player.
#[derive(Debug, Default)]
pub struct Notices {
    held: Vec<String>,
    /// Released while the player was still bound: it may not have heard them.
    doubtful: Vec<String>,
    /// The player is bound to a match, and when that ended.
    bound: Option<Option<Time>>,
}

impl Notices {
    /// The player sits down: whatever it had to know, it knows.
    pub fn sit_down(&mut self) {
        *self = Notices { bound: Some(None), ..Notices::default() };
    }

    pub fn match_ended(&mut self, now: Time) {
        self.bound = Some(Some(now));
    }

    /// A line for the player: itself, if it may be said now.
    pub fn add(&mut self, line: String) -> Option<String> {
        match self.bound {
            None => Some(line),
            Some(_) => {
                self.held.push(line);
                None
            }
        }
    }

    /// The player is bound to nothing any more: what to say now.
    pub fn stand_up(&mut self) -> Vec<String> {
        self.bound = None;
        let mut lines = std::mem::take(&mut self.doubtful);
        lines.append(&mut self.held);
        lines
    }

    /// When held lines are released although the player has not left.
    pub fn deadline(&self) -> Option<Time> {
        let ended = self.bound.flatten()?;
        (!self.held.is_empty()).then(|| ended + LEAVE_WITHIN_MS)
    }

    /// The deadline has come: what to say now.
    pub fn release(&mut self) -> Vec<String> {
        let lines = std::mem::take(&mut self.held);
        self.doubtful.extend(lines.iter().cloned());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> String {
        "TOURNAMENT_MATCH t token 2 Bob".to_owned()
    }

    #[test]
    fn a_player_without_a_match_hears_at_once() {
        assert_eq!(Notices::default().add(line()), Some(line()));
    }

    #[test]
    fn nothing_is_said_during_a_match_and_everything_after_leave() {
        let mut notices = Notices::default();
        notices.sit_down();
        assert_eq!(notices.add(line()), None);
        assert_eq!(notices.deadline(), None);
        notices.match_ended(Time(5000));
        assert_eq!(notices.deadline(), Some(Time(6000)));
        assert_eq!(notices.stand_up(), [line()]);
        assert_eq!(notices.stand_up(), [""; 0]);
    }

    #[test]
    fn who_leaves_late_hears_again_and_who_goes_on_does_not() {
        let mut notices = Notices::default();
        notices.sit_down();
        notices.match_ended(Time(0));
        notices.add(line());
        assert_eq!(notices.release(), [line()]);
        assert_eq!(notices.deadline(), None);
        assert_eq!(notices.stand_up(), [line()]);

        notices.sit_down();
        notices.match_ended(Time(0));
        notices.add(line());
        notices.release();
        notices.sit_down();
        assert_eq!(notices.stand_up(), [""; 0]);
    }
}
