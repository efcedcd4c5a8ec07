//! From what one viewer knows, a whole game.

use crate::{Dice, Game};

/// A game that can be completed from a view of it. Bots that look ahead play on in such games, and
/// the kit holds the views of the game against them.
pub trait Determinise: Game {
    /// An unfinished game that its viewer can't tell from the one in view: `dice` deals what the
    /// view hides. Bookkeeping that no view shows has its usual values.
    ///
    /// `None` if the view is of a finished game or isn't consistent: a player that builds its view
    /// from a protocol's messages may lack some of it.
    fn determinise(view: &Self::View, dice: &mut Dice) -> Option<Self>;
}
