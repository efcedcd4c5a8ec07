//! Every wire protocol of every game from a player's side, whatever the game's types. Errors are
//! free text: they only ever reach the person at the command line.

use rules::{BotKind, Grade, Seed};

use crate::{Client, Dialect, Framing, Playable, Player, Signs, house};

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
    make: MakeClient,
}

/// A house strategy, whatever the game's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseStrategy {
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    pub grade: Grade,
}

type MakeClient = Box<dyn Fn(usize, &str, Seed, bool) -> Box<dyn Client> + Send + Sync>;

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

/// The house wire of a game: whatever its own protocols have, it has.
pub(crate) fn house_wire<G: Playable>() -> AnyDialect {
    AnyDialect {
        name: hall::HOUSE_WIRE,
        port: HTTP_PORT.0,
        path: format!("/house/{}", G::NAME),
        default_port: HTTP_PORT.1,
        framing: Framing::WebSocket { max: house::MAX_MESSAGE },
        signs: house::SIGNS,
        way_back: true,
        make: Box::new(|strategy, name, seed, _| {
            house::client(Player::new(name, G::bots()[strategy], seed))
        }),
        ..wire_of(&G::dialects()[0])
    }
}

pub(crate) fn wire_of<G: Playable>(dialect: &'static Dialect<G>) -> AnyDialect {
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    let strategy =
        |kind: &BotKind<G>| HouseStrategy { name: kind.name, about: kind.about, grade: kind.grade };
    AnyDialect {
        game: G::NAME,
        name: dialect.name,
        port: dialect.name,
        path: String::new(),
        default_port: dialect.default_port,
        framing: dialect.framing,
        signs: dialect.signs,
        way_back: terms.policy.way_back != hall::WayBack::None,
        keeps_names: terms.policy.names == hall::Names::UniqueInHall,
        is_name: G::is_name,
        names: G::NAMES,
        strategies: G::bots().iter().map(strategy).collect(),
        make: Box::new(move |strategy, name, seed, thorough| {
            let mut player = Player::new(name, G::bots()[strategy], seed);
            player.thorough = thorough;
            (dialect.client)(player)
        }),
    }
}
