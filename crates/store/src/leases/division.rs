//! Decides which node should own which stream. Every node computes this from what the store shows
//! to all nodes.
//!
//! A stream without an owner goes at once to the living node that owns the fewest. A node that owns
//! two more than another gives one away, but only after the fleet has been stable for a while: a
//! returning node gets its share slowly, and a node that keeps leaving gets none. Each move makes
//! the division more even, so there is no loop.

use std::collections::BTreeMap;

use super::Fleet;

/// A node's next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Load this stream: it has no owner.
    Load(String),
    /// Give this stream up: another node has too little.
    Resign(String),
}

/// What a node remembers about the fleet between two looks.
#[derive(Clone, Debug)]
pub struct Division {
    /// The streams there are to be, whether or not they were ever loaded.
    streams: Vec<String>,
    /// How long the fleet must be stable before a stream is given away.
    calm_ms: u64,
    /// How often every node looks at least.
    look_ms: u64,
    /// Number of consecutive looks at which a stream had no owner, and this node's age at the first.
    forsaken: BTreeMap<String, (u32, u64)>,
}

/// Number of looks after which any node loads a stream that its intended node hasn't loaded. A node that
/// looks more often than the others waits until they have looked as often.
const FORSAKEN: u32 = 3;

impl Division {
    pub fn new(streams: impl IntoIterator<Item = String>, calm_ms: u64) -> Division {
        let streams = streams.into_iter().collect();
        Division { streams, calm_ms, look_ms: 0, forsaken: BTreeMap::new() }
    }

    /// Every node looks at least this often.
    pub fn looking_every(self, look_ms: u64) -> Division {
        Division { look_ms, ..self }
    }

    /// What the node with this incarnation should do about the fleet it sees.
    pub fn duties(&mut self, me: u64, fleet: &Fleet) -> Vec<Duty> {
        let staying = fleet.nodes.iter().filter(|node| !node.leaving);
        let mut load: BTreeMap<u64, usize> = staying.map(|node| (node.incarnation, 0)).collect();
        let (mut vacant, mut mine) = (Vec::new(), Vec::new());
        for stream in &self.streams {
            let owner = fleet.owner(stream).map(|owner| owner.incarnation);
            match owner {
                Some(owner) if owner == me => mine.push(stream.clone()),
                Some(_) => {}
                None => vacant.push(stream.clone()),
            }
            if let Some(load) = owner.and_then(|owner| load.get_mut(&owner)) {
                *load += 1;
            }
        }
        self.forsaken.retain(|stream, _| vacant.contains(stream));
        if !load.contains_key(&me) {
            // A leaving node hands its streams over; the last node keeps them to the end.
            let hands_on = !load.is_empty() && fleet.node(me).is_some();
            return mine.into_iter().filter(|_| hands_on).map(Duty::Resign).collect();
        }
        let age_ms = fleet.node(me).map_or(0, |node| node.age_ms);
        let mut duties = Vec::new();
        for stream in vacant {
            let (looks, since) = self.forsaken.entry(stream.clone()).or_insert((0, age_ms));
            (*looks, *since) = (*looks + 1, age_ms.min(*since));
            let is_forsaken =
                *looks >= FORSAKEN && age_ms - *since >= self.look_ms * u64::from(FORSAKEN);
            let least = *load.iter().min_by_key(|(node, load)| (**load, **node)).expect("me").0;
            *load.entry(least).or_default() += 1;
            if least == me || is_forsaken {
                duties.push(Duty::Load(stream));
            }
        }
        if duties.is_empty() {
            duties.extend(self.surplus(me, fleet, &load).map(Duty::Resign));
        }
        duties
    }

    /// The stream that this node should give away, if any.
    fn surplus(&self, me: u64, fleet: &Fleet, load: &BTreeMap<u64, usize>) -> Option<String> {
        let most = *load.iter().max_by_key(|(node, load)| (**load, **node))?.0;
        let (mine, least) = (load[&most], *load.values().min()?);
        let mut holdings = self.streams.iter().filter_map(|stream| fleet.holding(stream));
        let is_calm = fleet.nodes.iter().all(|node| node.age_ms >= self.calm_ms)
            && holdings.clone().all(|holding| holding.age_ms >= self.calm_ms);
        let given = holdings.find(|holding| holding.owner == Some(me))?;
        (most == me && mine >= least + 2 && is_calm).then(|| given.stream.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::{Holding, Lease, Node};
    use super::*;

    const GAMES: [&str; 5] = ["gamba", "labyrinth", "subsim", "sushi-go", "tiger-dragon"];

    /// Nodes that carry out their duties, look after look.
    struct Play {
        divisions: BTreeMap<u64, Division>,
        owners: BTreeMap<&'static str, (Option<u64>, u64)>,
        /// When each node has joined.
        joined: BTreeMap<u64, u64>,
        leaving: Vec<u64>,
        now: u64,
        moves: usize,
    }

    impl Play {
        fn new() -> Play {
            let owners = GAMES.map(|game| (game, (None, 0))).into();
            let (divisions, joined) = (BTreeMap::new(), BTreeMap::new());
            Play { divisions, owners, joined, leaving: Vec::new(), now: 0, moves: 0 }
        }

        fn join(&mut self, node: u64) {
            self.joined.insert(node, self.now);
            self.divisions.insert(node, Division::new(GAMES.map(str::to_owned), 30_000));
        }

        fn end(&mut self, node: u64) {
            self.joined.remove(&node);
            self.divisions.remove(&node);
            for (owner, _) in self.owners.values_mut() {
                owner.take_if(|owner| *owner == node);
            }
        }

        fn fleet(&self) -> Fleet {
            let node = |(incarnation, joined): (&u64, &u64)| Node {
                incarnation: *incarnation,
                number: *incarnation,
                name: incarnation.to_string(),
                address: String::new(),
                leaving: self.leaving.contains(incarnation),
                age_ms: self.now - joined,
                silent_ms: 0,
            };
            let holding = |(stream, (owner, since)): (&&str, &(Option<u64>, u64))| Holding {
                stream: (*stream).to_owned(),
                owner: *owner,
                epoch: 1,
                batch: 0,
                age_ms: self.now - since,
            };
            Fleet {
                lease: Lease::from(Instant::now(), Duration::ZERO),
                nodes: self.joined.iter().map(node).collect(),
                streams: self.owners.iter().map(holding).collect(),
            }
        }

        fn look(&mut self, node: u64) {
            let fleet = self.fleet();
            for duty in self.divisions.get_mut(&node).unwrap().duties(node, &fleet) {
                self.moves += 1;
                let (Duty::Load(stream) | Duty::Resign(stream)) = &duty;
                let game = GAMES.into_iter().find(|game| game == stream).unwrap();
                let owner = matches!(duty, Duty::Load(_)).then_some(node);
                self.owners.insert(game, (owner, self.now));
            }
        }

        fn pass(&mut self, seconds: u64) {
            for _ in 0..seconds {
                self.now += 1000;
                for node in self.joined.keys().copied().collect::<Vec<_>>() {
                    self.look(node);
                }
            }
        }

        fn loads(&self) -> Vec<usize> {
            let of = |node| self.owners.values().filter(|(owner, _)| *owner == Some(node)).count();
            self.joined.keys().map(|node| of(*node)).collect()
        }
    }

    #[test]
    fn one_node_has_everything_at_once_and_three_share() {
        let mut play = Play::new();
        play.join(1);
        play.pass(1);
        assert_eq!(play.loads(), [5]);
        let mut play = Play::new();
        (1..=3).for_each(|node| play.join(node));
        play.pass(1);
        assert_eq!(play.loads(), [2, 2, 1]);
        assert_eq!(play.moves, 5);
    }

    #[test]
    fn what_an_ended_node_had_is_shared_at_once_and_comes_back_slowly() {
        let mut play = Play::new();
        (1..=3).for_each(|node| play.join(node));
        play.pass(100);
        play.end(1);
        play.pass(1);
        assert_eq!(play.loads(), [3, 2]);
        play.join(4);
        play.pass(20);
        assert_eq!(play.loads(), [3, 2, 0], "not at once");
        play.pass(20);
        assert_eq!(play.loads(), [2, 2, 1]);
        let moves = play.moves;
        play.pass(1000);
        assert_eq!(play.moves, moves, "and then nothing moves");
    }

    #[test]
    fn a_node_that_comes_and_goes_gets_nothing_that_others_have() {
        let mut play = Play::new();
        play.join(1);
        play.pass(100);
        for node in 2..12 {
            play.join(node);
            play.pass(10);
            play.end(node);
            play.pass(10);
        }
        assert_eq!((play.loads(), play.moves), (vec![5], 5));
    }

    #[test]
    fn who_leaves_hands_everything_on_and_the_last_keeps_it() {
        let mut play = Play::new();
        (1..=3).for_each(|node| play.join(node));
        play.pass(1);
        play.leaving.push(1);
        play.pass(2);
        assert_eq!(play.loads(), [0, 3, 2]);
        play.leaving.extend([2, 3]);
        play.pass(100);
        assert_eq!(play.loads().iter().sum::<usize>(), 5);
    }

    /// A node that gave a game away looked every 20 ms while it had no owner, took the game back before the other
    /// node had looked once, and did the same again half a minute later.
    #[test]
    fn what_a_node_gives_away_goes_to_the_node_that_has_too_little() {
        let mut play = Play::new();
        play.join(1);
        play.pass(1);
        play.join(2);
        for division in play.divisions.values_mut() {
            *division = division.clone().looking_every(250);
        }
        play.now += 60_000;
        play.look(1);
        assert_eq!(play.loads(), [4, 0]);
        for _ in 0..12 {
            play.now += 20;
            play.look(1);
        }
        assert_eq!(play.loads(), [4, 0], "the other node has not looked yet");
        play.look(2);
        assert_eq!(play.loads(), [4, 1]);
    }

    #[test]
    fn what_nobody_loads_is_loaded_by_somebody_else() {
        let mut play = Play::new();
        (1..=2).for_each(|node| play.join(node));
        // The first is alive and loads nothing.
        for _ in 0..FORSAKEN {
            play.look(2);
        }
        assert_eq!(play.loads(), [0, 5]);
    }
}
