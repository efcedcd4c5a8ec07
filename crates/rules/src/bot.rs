//! A bot: from what its seat may know, an action.

use std::fmt;

use crate::{Dice, Game};

/// A player made of code. It sees what its seat may see, nothing more, and is called whenever
/// its seat owes a move; the action it gives must be legal.
pub trait Bot<G: Game>: Send {
    fn choose(&mut self, view: &G::View, dice: &mut Dice) -> G::Action;
}

/// A bot without memory is a function.
impl<G: Game, F> Bot<G> for F
where
    F: FnMut(&G::View, &mut Dice) -> G::Action + Send,
{
    fn choose(&mut self, view: &G::View, dice: &mut Dice) -> G::Action {
        self(view, dice)
    }
}

/// A strategy by name, as `house_bots` and the command line know it.
pub struct BotKind<G: Game> {
    pub name: &'static str,
    pub about: &'static str,
    pub make: fn() -> Box<dyn Bot<G>>,
}

impl<G: Game> Clone for BotKind<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for BotKind<G> {}

impl<G: Game> fmt::Debug for BotKind<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BotKind({})", self.name)
    }
}
