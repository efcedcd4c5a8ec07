//! The strategies of a game of any type.

use std::fmt;
use std::sync::Arc;

use super::reading::another_game;
use super::{AnyAction, AnyView};
use crate::{Bot, BotKind, Dice, Game, Grade, Illegal};

/// A player made of code.
pub trait AnyBot: Send {
    /// Its action. A view of another game is refused.
    fn choose(&mut self, view: &AnyView, dice: &mut Dice) -> Result<AnyAction, Illegal>;
}

/// A strategy by name, whatever the game's types.
#[derive(Clone)]
pub struct Strategy {
    pub name: &'static str,
    pub about: &'static str,
    pub grade: Grade,
    make: Arc<dyn Fn() -> Box<dyn AnyBot> + Send + Sync>,
}

struct Playing<G: Game>(Box<dyn Bot<G>>);

impl<G: Game> AnyBot for Playing<G> {
    fn choose(&mut self, view: &AnyView, dice: &mut Dice) -> Result<AnyAction, Illegal> {
        let view = view.of::<G>().ok_or_else(|| Illegal(another_game(G::NAME)))?;
        Ok(AnyAction::new::<G>(self.0.choose(view, dice)))
    }
}

impl Strategy {
    pub fn of<G: Game>(kind: &BotKind<G>) -> Strategy {
        let BotKind { name, about, grade, make } = *kind;
        Strategy { name, about, grade, make: Arc::new(move || Box::new(Playing(make()))) }
    }

    /// All strategies of a game, in the game's order.
    pub fn all<G: Game>(kinds: &[BotKind<G>]) -> Arc<[Strategy]> {
        kinds.iter().map(Strategy::of).collect()
    }

    /// A new player.
    pub fn make(&self) -> Box<dyn AnyBot> {
        (self.make)()
    }

    /// The strategy to ask when there is no time for this one: the best with a lower grade among
    /// `all` of the game.
    pub fn next_weaker<'a>(&self, all: &'a [Strategy]) -> Option<&'a Strategy> {
        all.iter().rfind(|other| other.grade < self.grade)
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strategy({})", self.name)
    }
}
