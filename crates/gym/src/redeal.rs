//! The input for dealing a game again, for one seat.

use rules::Seat;

use crate::Encode;

/// A game as one seat has come to know it. The game itself is here for what the table knows and no
/// view shows, such as its settings; what the seat cannot know must not be taken from it.
#[derive(Debug)]
pub struct Past<'a, G: Encode> {
    pub game: &'a G,
    pub config: &'a G::Config,
    pub seat: Seat,
    pub memory: &'a G::Memory,
    /// Everything that was done so far, in order.
    pub actions: Vec<&'a G::Action>,
}

/// A seat's memory, before and after a deal for another seat.
#[derive(Debug)]
pub struct Recall<'a, G: Encode> {
    pub seat: Seat,
    pub memory: &'a G::Memory,
    /// What it saw in the original game.
    pub was: G::View,
    /// What each seat sees in the new game.
    pub now: &'a [G::View],
}
