//! The tables to try: configurations and numbers of seats of every game.

use games::gamba::{self, Deal, Gamba};
use games::labyrinth::{self, Coordinate, Labyrinth};
use games::subsim::{self, SubConfig, SubId, SubSim};
use games::sushi_go::{SushiGo, rules as sushi_go};
use games::tiger_dragon::{self, Ruleset, TigerDragon};

use super::{Look, play_at};
use crate::Encode;

/// Some tables of one game.
pub(super) enum Tables {
    SushiGo(Vec<(sushi_go::Config, usize)>),
    Gamba(Vec<(gamba::Config, usize)>),
    TigerDragon(Vec<(tiger_dragon::Config, usize)>),
    SubSim(Vec<(subsim::Config, usize)>),
    Labyrinth(Vec<(labyrinth::Config, usize)>),
}

impl Tables {
    pub fn play(&self, look: &impl Look) {
        match self {
            Tables::SushiGo(tables) => all::<SushiGo>(tables, look),
            Tables::Gamba(tables) => all::<Gamba>(tables, look),
            Tables::TigerDragon(tables) => all::<TigerDragon>(tables, look),
            Tables::SubSim(tables) => all::<SubSim>(tables, look),
            Tables::Labyrinth(tables) => all::<Labyrinth>(tables, look),
        }
    }
}

fn all<G: Encode>(tables: &[(G::Config, usize)], look: &impl Look) {
    for (config, seats) in tables {
        play_at::<G>(config, *seats, look);
    }
}

pub(super) fn each(visit: &mut dyn FnMut(Tables)) {
    let alternate = sushi_go::Config {
        pass_direction: sushi_go::PassDirection::Alternate,
        ..sushi_go::Config::default()
    };
    let plain = (2..=5).map(|seats| (sushi_go::Config::default(), seats));
    visit(Tables::SushiGo(plain.chain([(alternate, 3)]).collect()));
    visit(Tables::Gamba(
        [Deal::Guide, Deal::FullDeck].map(|deal| (gamba::Config { deal }, 2)).to_vec(),
    ));
    visit(Tables::TigerDragon(tiger_dragon_tables()));
    visit(Tables::SubSim(subsim_tables()));
    visit(Tables::Labyrinth(labyrinth_tables()));
}

fn tiger_dragon_tables() -> Vec<(tiger_dragon::Config, usize)> {
    let config = |rules, battlefield: &str| tiger_dragon::Config {
        rules,
        battlefield: battlefield.to_owned(),
        ..tiger_dragon::Config::default()
    };
    vec![
        (tiger_dragon::Config::default(), 2),
        (config(Ruleset::Original, "volcano"), 3),
        (config(Ruleset::Official, "cave"), 4),
        (config(Ruleset::Official, "game-market"), 5),
    ]
}

fn subsim_tables() -> Vec<(subsim::Config, usize)> {
    let small = |subs_per_player| subsim::Config {
        map_size: [12, 10],
        subs_per_player,
        max_turns: 100,
        ..subsim::Config::default()
    };
    let placed = SubConfig { start_location: Some([3, 4]), ..SubConfig::default() };
    let fast = SubConfig { max_sprint_charge: Some(1000), ..SubConfig::default() };
    let slow = SubConfig { max_sprint_charge: Some(2), torpedo_count: Some(1), ..placed };
    let with = |config: subsim::Config, subs: Vec<SubConfig>| subsim::Config {
        sub: (0..).map(SubId).zip(subs).collect(),
        ..config
    };
    let rocky = subsim::Config { obstacles: vec![[1, 1], [5, 5], [5, 6]], ..small(2) };
    vec![
        (subsim::Config::default(), 2),
        (small(1), 3),
        (rocky, 2),
        (with(small(3), vec![SubConfig::default(), placed, fast]), 2),
        (with(small(1), vec![slow]), 4),
    ]
}

fn labyrinth_tables() -> Vec<(labyrinth::Config, usize)> {
    let limited = |max_rounds| labyrinth::Config { max_rounds, ..labyrinth::Config::default() };
    let goals = [(1, 1), (3, 3)].map(|(row, column)| Coordinate { row, column }).to_vec();
    vec![
        (limited(6), 2),
        (labyrinth::Config { goals, ..limited(4).for_course() }, 3),
        (labyrinth::Config { size: [4, 5], ..limited(4) }, 4),
        (labyrinth::Config { size: [5, 14], ..limited(1).for_course() }, 3),
        (limited(1), 9),
    ]
}
