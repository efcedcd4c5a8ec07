//! A bot: from what its seat may know, an action.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Dice, Game};

/// A player made of code. It sees what its seat may see, nothing more, and is called whenever its
/// seat is to move; the action it gives must be legal.
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

/// Mixes two strategies: the better one makes this percentage of the moves and the weaker one the
/// others, which gives a level between them.
pub fn mixed<G: Game>(
    percent: usize,
    mut better: Box<dyn Bot<G>>,
    mut weaker: Box<dyn Bot<G>>,
) -> Box<dyn Bot<G>> {
    Box::new(move |view: &G::View, dice: &mut Dice| {
        // The better one sees every turn, since it may remember them.
        let chosen = better.choose(view, dice);
        if dice.below(100) < percent { chosen } else { weaker.choose(view, dice) }
    })
}

/// A strategy by name, as `house_bots` and the command line know it. A game lists its strategies
/// the weakest first.
pub struct BotKind<G: Game> {
    pub name: &'static str,
    pub about: &'static str,
    pub grade: Grade,
    pub make: fn() -> Box<dyn Bot<G>>,
}

/// How well a strategy plays, next to the others of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Knows the rules and little more.
    Beginner,
    /// Follows a sound rule of thumb.
    Decent,
    /// Looks ahead, for some milliseconds per move.
    Strong,
}

impl Grade {
    pub const ALL: [Grade; 3] = [Grade::Beginner, Grade::Decent, Grade::Strong];

    /// The grade as a number: from 1, the weakest, to 3.
    pub fn level(self) -> u8 {
        self as u8 + 1
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Beginner => "beginner",
            Grade::Decent => "decent",
            Grade::Strong => "strong",
        })
    }
}

impl<G: Game> BotKind<G> {
    /// The strategy to ask when there is no time for this one: the best with a lower grade. `kinds`
    /// is the game's own list.
    pub fn next_weaker(&self, kinds: &'static [BotKind<G>]) -> Option<&'static BotKind<G>> {
        kinds.iter().rfind(|kind| kind.grade < self.grade)
    }
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
