//! The promises every game keeps.

use ::rules::kit;

use super::super::bots::BOTS;
use super::super::rules::{Config, SubConfig, SubId, SubSim};

impl kit::Subject for SubSim {
    /// The placing and the most turns of any table below.
    const TURN_BOUND: u64 = 1 + 150;

    fn tables() -> Vec<(Config, usize)> {
        let small = |subs_per_player| Config {
            map_size: [10, 10],
            subs_per_player,
            max_turns: 100,
            ..Config::default()
        };
        let rocky = Config { obstacles: checkered(), ..small(2) };
        let scarce = SubConfig {
            torpedo_count: Some(2),
            mine_count: Some(1),
            max_mine_charge: Some(0),
            max_reactor_damage: Some(40),
            ..SubConfig::default()
        };
        let frail = SubConfig {
            max_shields: Some(0),
            max_reactor_damage: Some(0),
            max_sonar_charge: Some(2),
            surface_turn_count: Some(0),
            size: Some(50),
            ..SubConfig::default()
        };
        let tough = SubConfig {
            max_shields: Some(9),
            max_reactor_damage: Some(1000),
            max_mine_charge: Some(1),
            max_sprint_charge: Some(30),
            surface_turn_count: Some(9),
            start_location: Some([3, 3]),
            ..SubConfig::default()
        };
        let with = |config: Config, subs: &[&SubConfig]| {
            let sub = (0..).map(SubId).zip(subs.iter().copied().cloned()).collect();
            Config { sub, ..config }
        };
        vec![
            (Config { map_size: [14, 11], max_turns: 150, ..Config::default() }, 2),
            (with(small(1), &[&tough]), 2),
            (with(rocky.clone(), &[&scarce]), 3),
            (with(small(3), &[&tough, &frail, &scarce]), 4),
            (Config { subs_per_player: 4, ..rocky }, 6),
        ]
    }
}

/// Obstacles on a sixth of a map of ten by ten, none next to another.
fn checkered() -> Vec<[u16; 2]> {
    let columns = [2, 4, 6, 9];
    let rows = [2, 5, 7, 9];
    columns.iter().flat_map(|&x| rows.map(|y| [x, y])).collect()
}

#[test]
fn keeps_the_promises_of_a_game() {
    kit::conform::<SubSim>(200);
}

#[test]
fn every_strategy_plays_by_the_rules() {
    kit::bots_conform::<SubSim>(BOTS, 2);
}

#[test]
fn is_reviewed_by_what_players_knew() {
    let (config, seats) = <SubSim as kit::Subject>::tables().swap_remove(0);
    review::kit::conform(&config, seats, BOTS, 2);
}
