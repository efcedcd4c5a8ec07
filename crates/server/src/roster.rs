//! The games a server has.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use anyhow::Result;
use wire::{AnyGame, GameOf, Games, Playable, Visitor};

use crate::opening::Opening;

/// The games a server has, and how it hosts each. For everything else it is a list of [`Games`].
#[derive(Clone, Debug, Default)]
pub struct Roster {
    games: Games,
    hostable: Vec<Arc<dyn Hostable>>,
}

impl Roster {
    /// One more game. It must be called otherwise than those before, and so must its wires.
    #[must_use]
    pub fn with<G: Playable>(mut self) -> Roster {
        self.visit::<G>();
        self
    }

    pub(crate) fn hostable(&self) -> impl Iterator<Item = &dyn Hostable> {
        self.hostable.iter().map(|game| &**game)
    }
}

impl Visitor for Roster {
    fn visit<G: Playable>(&mut self) {
        self.games.add::<G>();
        self.hostable.push(Arc::new(GameOf::<G>::new()));
    }
}

impl Deref for Roster {
    type Target = Games;

    fn deref(&self) -> &Games {
        &self.games
    }
}

/// A game of whatever type that a server can open.
pub(crate) trait Hostable: AnyGame {
    fn host(&self, opening: &mut Opening) -> Result<()>;
}

impl<G: Playable> Hostable for GameOf<G> {
    fn host(&self, opening: &mut Opening) -> Result<()> {
        opening.host::<G>()
    }
}

impl fmt::Debug for dyn Hostable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
