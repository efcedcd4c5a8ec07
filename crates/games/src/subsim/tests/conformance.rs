//! The promises every game keeps, and a shuffle of what a player has not detected.

use ::rules::{Dice, Exit, Seat, Viewer, kit};

use super::super::rules::{Config, SubConfig, SubId, SubSim, random_places};

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

    /// Everything a player is told is in its own fleet, score and log entries; the rest of the
    /// world may be any other.
    fn shuffle_hidden(&self, viewer: Viewer, dice: &mut Dice) -> SubSim {
        let mut other = self.clone();
        if self.outcome.is_some() {
            return other;
        }
        let fleet = self.chart.kinds().len();
        for seat in Seat::all(self.scores.len()).filter(|seat| !viewer.is(*seat)) {
            let places = random_places(&self.chart, dice);
            for (index, square) in (seat.index() * fleet..).zip(places) {
                let sub = &mut other.subs[index];
                sub.square = square;
                sub.shields = dice.below(4) as u32;
                sub.sonar_charge = dice.below(9) as u32;
                sub.torpedo_charge = dice.below(9) as u32;
                sub.mine_charge = dice.below(4) as u32;
                sub.sprint_charge = dice.below(9) as u32;
                sub.reactor_damage = dice.below(9) as u32;
                sub.surface_remain = dice.below(3) as u16;
                sub.dead = dice.one_in(4);
                for log in &mut other.news {
                    log.subs[index] = other.subs[index];
                }
            }
            other.exits[seat.index()] = dice.one_in(4).then_some(Exit::Left);
            other.scores[seat.index()] = dice.below(20) as u32;
            for log in &mut other.news {
                log.scores[seat.index()] = dice.below(20) as u32;
                log.detected.retain(|(owner, _)| *owner != seat);
                log.heard.retain(|(owner, _)| *owner != seat);
                log.objects.retain(|(owner, _)| *owner != seat);
                log.pings.retain(|(owner, _)| *owner != seat);
                log.shots.retain(|(owner, _)| *owner != seat);
                log.hits.retain(|(owner, ..)| *owner != seat);
            }
        }
        other.mines.retain(|_, owner| owner.is_some_and(|owner| viewer.is(owner)));
        for square in random_places(&self.chart, dice) {
            let owner = Some(Seat(dice.below(self.scores.len()) as u8));
            let owner = owner.filter(|owner| !viewer.is(*owner) && !dice.one_in(4));
            other.mines.entry(square).or_insert(owner);
        }
        other
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
