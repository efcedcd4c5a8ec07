//! Who should have what: every node works it out for itself, from what the store shows to all.
//!
//! A stream without an owner goes to the living node that has the fewest, at once. A node that has two
//! more than another gives one away, but only after the fleet was the same for a while and nothing has
//! moved: a node that comes back gets its share slowly, and a node that comes and goes gets none. Each
//! move makes the division more even, so there is no loop.

use std::collections::BTreeMap;

use super::Fleet;

/// What a node does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Load this stream: nobody has it.
    Load(String),
    /// Give this stream up: another node has too little.
    Resign(String),
}

/// What a node remembers of the fleet to divide it.
#[derive(Clone, Debug)]
pub struct Division {
    /// The streams there are to be, whether or not they were ever loaded.
    streams: Vec<String>,
    /// The fleet must have been the same for so long before anything is given away.
    calm_ms: u64,
    /// Looks in a row at which a stream belonged to nobody.
    forsaken: BTreeMap<String, u32>,
}

/// Whoever should have loaded a stream has not, after so many looks: then anybody does.
const FORSAKEN: u32 = 3;

impl Division {
    pub fn new(streams: impl IntoIterator<Item = String>, calm_ms: u64) -> Division {
        let streams = streams.into_iter().collect();
        Division { streams, calm_ms, forsaken: BTreeMap::new() }
    }

    /// What a node, by its incarnation, should do about what it sees.
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
            // Who leaves hands on what it has; who is the last keeps it to the end.
            let hands_on = !load.is_empty() && fleet.node(me).is_some();
            return mine.into_iter().filter(|_| hands_on).map(Duty::Resign).collect();
        }
        let mut duties = Vec::new();
        for stream in vacant {
            let looks = self.forsaken.entry(stream.clone()).or_default();
            *looks += 1;
            let least = *load.iter().min_by_key(|(node, load)| (**load, **node)).expect("me").0;
            *load.entry(least).or_default() += 1;
            if least == me || *looks >= FORSAKEN {
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
