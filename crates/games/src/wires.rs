//! Every wire protocol of every game from a player's side, whatever the game's types. Errors are
//! free text: they only ever reach the person at the command line.

use rules::Seed;
use wire::{Client, Dialect, Framing, Playable, Player, Signs};

use crate::roster::{self, Visitor};

/// One wire protocol, for those who play over it or listen in.
pub struct Wire {
    pub game: &'static str,
    /// The name of its port.
    pub name: &'static str,
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
    /// The house strategies: name and what they do.
    pub strategies: Vec<(&'static str, &'static str)>,
    make: MakeClient,
}

type MakeClient = Box<dyn Fn(usize, &str, Seed, bool) -> Box<dyn Client> + Send + Sync>;

impl Wire {
    /// Every wire, the main one of each game first.
    pub fn all() -> Vec<Wire> {
        let mut all = All(Vec::new());
        roster::each(&mut all);
        all.0
    }

    /// The wire of a game by the name of its port, or the game's main one. The error says what
    /// there is.
    pub fn find(game: &str, name: Option<&str>) -> Result<Wire, String> {
        let mut wires = Wire::all();
        let games: Vec<&str> = roster::GAMES.to_vec();
        wires.retain(|wire| wire.game == game);
        if wires.is_empty() {
            return Err(format!("no game '{game}'; there are {}", games.join(", ")));
        }
        let Some(name) = name else { return Ok(wires.remove(0)) };
        match wires.iter().position(|wire| wire.name == name) {
            Some(index) => Ok(wires.remove(index)),
            None => {
                let known: Vec<&str> = wires.iter().map(|wire| wire.name).collect();
                Err(format!("{game} has no wire '{name}'; there are {}", known.join(", ")))
            }
        }
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

    /// One that says as little as it can, for benchmarks.
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
        self.strategies.iter().position(|(known, _)| *known == name).ok_or_else(|| {
            let known: Vec<&str> = self.strategies.iter().map(|(known, _)| *known).collect();
            format!("{} has no strategy '{name}'; there are {}", self.game, known.join(", "))
        })
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Wire({})", self.name)
    }
}

struct All(Vec<Wire>);

impl Visitor for All {
    fn visit<G: Playable>(&mut self) {
        self.0.extend(G::dialects().iter().map(wire_of));
    }
}

fn wire_of<G: Playable>(dialect: &'static Dialect<G>) -> Wire {
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    Wire {
        game: G::NAME,
        name: dialect.name,
        default_port: dialect.default_port,
        framing: dialect.framing,
        signs: dialect.signs,
        way_back: terms.policy.way_back != hall::WayBack::None,
        keeps_names: terms.policy.names == hall::Names::UniqueInHall,
        is_name: G::is_name,
        names: G::NAMES,
        strategies: G::bots().iter().map(|kind| (kind.name, kind.about)).collect(),
        make: Box::new(move |strategy, name, seed, thorough| {
            let mut player = Player::new(name, G::bots()[strategy], seed);
            player.thorough = thorough;
            (dialect.client)(player)
        }),
    }
}
