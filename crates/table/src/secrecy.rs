//! Decides who may know what about a game now. Everything that shows a game asks here: live feeds,
//! protocols, histories, replays, frames and agents.

use crate::{Broadcast, Eyes, Table};

/// How much the public may know about a game. Players also see their own view, and organisers
/// everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    Nothing,
    /// What is public at the table.
    Public,
    /// Every seat's view, every record, and the seed.
    Everything,
}

impl Shown {
    /// Decides by how a game is broadcast, whether it is over, and whether its tournament may deal
    /// the same cards again.
    pub fn of(broadcast: Broadcast, is_over: bool, is_dealt_again: bool) -> Shown {
        match broadcast {
            _ if is_dealt_again => Shown::Nothing,
            _ if is_over => Shown::Everything,
            Broadcast::Delayed => Shown::Nothing,
            Broadcast::Public | Broadcast::Full => Shown::Public,
        }
    }

    /// Whether the public may see the game with these eyes.
    pub fn allows(self, eyes: Eyes) -> bool {
        match eyes {
            Eyes::Public => self >= Shown::Public,
            Eyes::Seat(_) | Eyes::All => self == Shown::Everything,
        }
    }
}

impl Table {
    /// Whether its tournament may deal the same cards again.
    pub(crate) fn repeats(&self) -> bool {
        self.opened().game_ref.as_ref().is_some_and(|game| game.repeats)
    }

    /// How much the public may know, as far as the table itself can tell: it doesn't know when its
    /// tournament stops dealing the same cards.
    pub fn shown(&self) -> Shown {
        Shown::of(self.policy().broadcast, self.closing().is_some(), self.repeats())
    }
}

#[cfg(test)]
mod tests {
    use rules::Seat;

    use super::*;

    #[test]
    fn cards_that_are_dealt_again_are_shown_to_nobody() {
        for broadcast in [Broadcast::Public, Broadcast::Delayed, Broadcast::Full] {
            for is_over in [false, true] {
                let shown = Shown::of(broadcast, is_over, true);
                for eyes in [Eyes::Public, Eyes::Seat(Seat(0)), Eyes::All] {
                    assert!(!shown.allows(eyes), "{broadcast:?} {is_over} {eyes:?}");
                }
            }
            assert!(Shown::of(broadcast, true, false).allows(Eyes::All), "{broadcast:?}");
        }
        assert!(Shown::of(Broadcast::Public, false, false).allows(Eyes::Public));
        assert!(!Shown::of(Broadcast::Public, false, false).allows(Eyes::Seat(Seat(1))));
        assert!(!Shown::of(Broadcast::Delayed, false, false).allows(Eyes::Public));
    }
}
