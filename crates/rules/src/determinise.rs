//! From what one viewer knows, a whole game.

use crate::{Dice, Game};

/// A game that can be completed from a view of it. Bots that look ahead play on in such games, and
/// the kit holds the views of the game against them.
pub trait Determinise: Game {
    /// A game that is not over and that its viewer cannot tell from the one it sees: what the view
    /// hides is dealt by `dice`. Bookkeeping that no view shows is as it usually is.
    ///
    /// None if the view is of a finished game, or of none: a player who builds its view from what
    /// a protocol tells may have to do without some of it.
    fn determinise(view: &Self::View, dice: &mut Dice) -> Option<Self>;
}
