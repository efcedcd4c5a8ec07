//! Which turn a move answers, where moves carry no number of their turn.

use hall::Time;

/// A move that comes sooner than this after the clock has played a turn was meant for that turn. People take
/// longer to look at a new position.
const JUST_AFTER_MS: u64 = 1000;

/// Counts the turns that a client was asked for and has not answered.
///
/// A client that thinks a little longer than its clock sends its answer when it has been asked for the next
/// move already. That answer is for the turn before, and must not count for a position that the
/// client has not looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unanswered {
    /// The turn that waits for an answer.
    asked: Option<u64>,
    /// When the client was asked for it.
    since: Time,
    /// Turns before it that the clock has played.
    missed: u32,
}

impl Unanswered {
    /// The client is asked for its move in this turn.
    pub fn ask(&mut self, now: Time, seq: u64) {
        let former = self.asked.replace(seq);
        if former != Some(seq) {
            self.since = now;
            self.missed += u32::from(former.is_some());
        }
    }

    /// The client sends a move. Whether that answers a turn which is over.
    pub fn is_late(&mut self, now: Time) -> bool {
        let late = self.missed > 0 && now < self.since + JUST_AFTER_MS;
        if late {
            self.missed -= 1;
        } else {
            *self = Unanswered::default();
        }
        late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Time = Time(JUST_AFTER_MS - 1);

    #[test]
    fn every_turn_gets_one_answer_in_order() {
        let mut turns = Unanswered::default();
        turns.ask(Time(0), 0);
        assert!(!turns.is_late(SOON));
        for seq in [1, 1, 4, 5] {
            turns.ask(Time(0), seq);
        }
        assert!(turns.is_late(SOON), "this is for turn 1");
        assert!(turns.is_late(SOON), "and this for turn 4");
        assert!(!turns.is_late(SOON));
        assert!(!turns.is_late(SOON), "a second try is not for an earlier turn");
        turns.ask(Time(0), 6);
        assert!(!turns.is_late(SOON));
    }

    #[test]
    fn a_player_who_has_looked_at_the_new_position_may_move() {
        let mut turns = Unanswered::default();
        turns.ask(Time(0), 0);
        turns.ask(Time(5000), 1);
        assert!(!turns.is_late(Time(5000 + JUST_AFTER_MS)));
    }

    #[test]
    fn an_answer_in_the_turn_of_another_leaves_nothing_open() {
        let mut turns = Unanswered::default();
        turns.ask(Time(0), 0);
        assert!(!turns.is_late(SOON), "the clock has played, and somebody else is to move");
        turns.ask(Time(0), 2);
        assert!(!turns.is_late(SOON));
    }
}
