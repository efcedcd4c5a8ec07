//! Every wire protocol of every game from a player's side, whatever the game's types. Errors are
//! free text: they only ever reach the person at the command line.

use hall::Terms;
use rules::{Grade, Seed};

use crate::{Client, Framing, Session, Signs};

/// One wire protocol, for players and listeners.
pub struct AnyDialect {
    pub game: &'static str,
    /// The name of its port, or `house`.
    pub name: &'static str,
    /// The name of the port on which it is spoken.
    pub port: &'static str,
    /// The path on that port, if it is a WebSocket among others.
    pub path: String,
    pub default_port: u16,
    pub framing: Framing,
    pub signs: Signs,
    /// Whether the protocol brings a player back to its seat after a drop.
    pub way_back: bool,
    /// Whether a player who went keeps its name in the hall for a while.
    pub keeps_names: bool,
    /// Whether the protocol could say this name.
    pub is_name: fn(&str) -> bool,
    /// Which names those are, in words.
    pub names: &'static str,
    /// The house strategies, the weakest first.
    pub strategies: Vec<HouseStrategy>,
    /// How long a new connection may stay silent.
    pub first_message_ms: Option<u64>,
    /// Whether a connection that begins like HTTP is handed to HTTP.
    pub yields_to_http: bool,
    /// The one message that a banned address gets; see [`Dialect`].
    pub banned: &'static str,
    /// A line to try on a terminal.
    pub try_it: &'static str,
    /// One connection's side of the protocol.
    pub session: fn(&Terms) -> Box<dyn Session>,
    pub(crate) make: MakeClient,
}

/// A house strategy, whatever the game's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseStrategy {
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    pub grade: Grade,
}

pub(crate) type MakeClient = Box<dyn Fn(usize, &str, Seed, bool) -> Box<dyn Client> + Send + Sync>;

impl AnyDialect {
    /// Whether it is the one that every game has.
    pub fn is_house(&self) -> bool {
        self.name == hall::HOUSE_WIRE
    }

    /// A player with a house strategy. The error says which strategies there are.
    pub fn client(
        &self,
        strategy: &str,
        name: &str,
        seed: Seed,
    ) -> Result<Box<dyn Client>, String> {
        Ok((self.make)(self.strategy(strategy)?, name, seed, true))
    }

    /// A client that sends as little as it can, for benchmarks.
    pub fn terse_client(
        &self,
        strategy: &str,
        name: &str,
        seed: Seed,
    ) -> Result<Box<dyn Client>, String> {
        Ok((self.make)(self.strategy(strategy)?, name, seed, false))
    }

    /// Whether there is such a house strategy. The error says which there are.
    pub fn check_strategy(&self, name: &str) -> Result<(), String> {
        self.strategy(name).map(|_| ())
    }

    fn strategy(&self, name: &str) -> Result<usize, String> {
        self.strategies.iter().position(|known| known.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.strategies.iter().map(|known| known.name).collect();
            format!("{} has no strategy '{name}'; there are {}", self.game, known.join(", "))
        })
    }
}

impl std::fmt::Debug for AnyDialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AnyDialect({})", self.name)
    }
}

/// The default HTTP port and its name.
pub const HTTP_PORT: (&str, u16) = ("http", 7800);
