//! Lists of games.

use crate::any_dialect::HTTP_PORT;
use crate::{AnyDialect, AnyGame, Playable};

/// Something done for each game of a list, whatever its types.
pub trait Visitor {
    fn visit<G: Playable>(&mut self);
}

/// Games whatever their types, in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct Games(Vec<&'static dyn AnyGame>);

impl Games {
    /// One more game. It must be called otherwise than those before, and so must its wires.
    pub fn add<G: Playable>(&mut self) {
        let ports = self.ports();
        let is_new = |name: &str| name != hall::HOUSE_WIRE && !ports.contains(&name);
        assert!(self.find(G::NAME).is_err(), "two games are called {}", G::NAME);
        for dialect in G::dialects() {
            assert!(is_new(dialect.name), "two wires are called {}", dialect.name);
        }
        self.0.push(<dyn AnyGame>::of::<G>());
    }

    /// The same, as a value.
    #[must_use]
    pub fn with<G: Playable>(mut self) -> Games {
        self.add::<G>();
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyGame> {
        self.0.iter().copied()
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(|game| game.name()).collect()
    }

    /// The names of all ports of a server with these games.
    pub fn ports(&self) -> Vec<&'static str> {
        let own = self.iter().flat_map(|game| game.own_wires());
        own.map(|wire| wire.port).chain([HTTP_PORT.0]).collect()
    }

    /// A game by its name. The error lists the games, for the person who typed it.
    pub fn find(&self, name: &str) -> Result<&'static dyn AnyGame, String> {
        let found = self.iter().find(|game| game.name() == name);
        found.ok_or_else(|| format!("no game '{name}'; there are {}", self.names().join(", ")))
    }

    /// The wire of a game by its name, `house` included, or the game's main one. The error says
    /// what there is.
    pub fn wire(&self, game: &str, name: Option<&str>) -> Result<AnyDialect, String> {
        let mut wires = self.find(game)?.wires();
        let Some(name) = name else { return Ok(wires.remove(0)) };
        match wires.iter().position(|wire| wire.name == name) {
            Some(index) => Ok(wires.remove(index)),
            None => {
                let known: Vec<&str> = wires.iter().map(|wire| wire.name).collect();
                Err(format!("{game} has no wire '{name}'; there are {}", known.join(", ")))
            }
        }
    }
}

impl Visitor for Games {
    fn visit<G: Playable>(&mut self) {
        self.add::<G>();
    }
}
