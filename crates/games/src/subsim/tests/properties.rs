//! What must hold in every game, whatever is played.

use ::rules::{Determinise, Dice, Exit, Game, Move, Seat, Seed, Step, Viewer};
use proptest::prelude::*;

use super::super::rules::{
    Action, Chart, Command, Config, Direction, Equipment, Order, Phase, Square, SubConfig, SubId,
    SubSim, Waters,
};

fn tables() -> impl Strategy<Value = (Config, usize)> {
    let sub = (0..5u32, 1..40u32, 0..4u32, 0..5u16, proptest::option::of(0..4u32)).prop_map(
        |(shields, reactor, mine, surface, ammunition)| SubConfig {
            max_shields: Some(shields),
            max_reactor_damage: Some(reactor),
            max_mine_charge: Some(mine),
            surface_turn_count: Some(surface),
            torpedo_count: ammunition,
            mine_count: ammunition,
            ..SubConfig::default()
        },
    );
    let rocks = proptest::collection::btree_set((1..=10u16, 1..=12u16), 0..25);
    (2..5usize, 1..4u8, sub, rocks).prop_map(|(seats, subs_per_player, sub, rocks)| {
        let config = Config {
            map_size: [10, 12],
            obstacles: rocks.into_iter().map(|(x, y)| [x, y]).collect(),
            subs_per_player,
            max_turns: 100,
            sub: [(SubId(0), sub)].into(),
            ..Config::default()
        };
        (config, seats)
    })
}

/// Plays a random game and shows `look` the game before and after every turn.
fn play(config: &Config, seats: usize, number: u64, mut look: impl FnMut(&SubSim, &SubSim)) {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "properties", 0);
    let mut game = SubSim::setup(config, seats, seed).expect("a legal table");
    while game.outcome().is_none() {
        let owed: Vec<Seat> = game.to_act().iter().collect();
        let turn: Vec<(Seat, Move<Action>)> =
            owed.into_iter().map(|seat| (seat, Move::Act(game.sample(seat, &mut dice)))).collect();
        let before = game.clone();
        game.advance(Step::Turn(&turn));
        look(&before, &game);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn submarines_stay_within_their_limits((config, seats) in tables(), number: u64) {
        play(&config, seats, number, |before, after| {
            let fleet = after.chart.kinds().len();
            for (index, (old, sub)) in before.subs.iter().zip(&after.subs).enumerate() {
                let kind = &after.chart.kinds()[index % fleet];
                assert!(after.chart.is_free(sub.square));
                assert!(sub.shields <= kind.max_shields);
                assert!(sub.sonar_charge <= kind.max_sonar_charge);
                assert!(sub.torpedo_charge <= kind.max_torpedo_charge);
                assert!(sub.mine_charge <= kind.max_mine_charge);
                assert!(sub.sprint_charge <= kind.max_sprint_charge);
                assert!(sub.reactor_damage >= old.reactor_damage, "reactors never heal");
                assert!(sub.torpedoes <= old.torpedoes && sub.mines <= old.mines);
                assert!(sub.dead || sub.reactor_damage == 0
                    || sub.reactor_damage < kind.max_reactor_damage);
                if old.dead && before.placed {
                    assert_eq!(sub, old, "the dead do not change");
                }
            }
            assert!(after.mines.keys().all(|square| after.chart.is_free(*square)));
        });
    }

    #[test]
    fn the_commands_of_who_has_left_are_dropped((config, seats) in tables(), number: u64) {
        let gone = Seat(0);
        play(&config, seats, number, |before, _| {
            let mut dice = Dice::new(&Seed::from_number(number), "left", 0);
            let orders = |seat| (seat, Move::Act(before.sample(seat, &mut dice)));
            let turn: Vec<_> = before.to_act().iter().map(orders).collect();
            let mut with = before.clone();
            with.advance(Step::Departure(&[(gone, Exit::Left)]));
            if with.outcome().is_none() && with.to_act() != before.to_act() {
                let mut without = with.clone();
                with.advance(Step::Turn(&turn));
                without.advance(Step::Turn(&turn[1..]));
                assert_eq!(with, without);
            }
        });
    }

    #[test]
    fn points_are_the_hits_that_were_told((config, seats) in tables(), number: u64) {
        let mut told = vec![0; seats];
        play(&config, seats, number, |_, after| {
            for seat in Seat::all(seats) {
                let view = after.view(Viewer::Seat(seat));
                for report in &view.news {
                    let hits = report.torpedo_hits.iter().chain(&report.mine_hits);
                    told[seat.index()] += hits.map(|hit| hit.damage).sum::<u32>();
                }
                let last = view.news.last().expect("the turn that was played");
                assert_eq!(last.score, told[seat.index()]);
                let survivor = view.score - last.score;
                assert!(survivor == 0 || (survivor == 1 && after.phase == Phase::Over));
            }
        });
    }

    #[test]
    fn nobody_is_hurt_without_a_detonation((config, seats) in tables(), number: u64) {
        play(&config, seats, number, |before, after| {
            let quiet = after.news.iter().all(|log| log.detonations.is_empty());
            for (old, sub) in before.subs.iter().zip(&after.subs) {
                assert!(!quiet || (sub.shields >= old.shields && sub.dead == old.dead));
            }
        });
    }

    /// A view answers as the game does, and so does every world that looks the same.
    #[test]
    fn legality_needs_nothing_hidden((config, seats) in tables(), number: u64) {
        let mut dice = Dice::new(&Seed::from_number(number), "orders", 0);
        play(&config, seats, number, |_, game| {
            for seat in game.to_act().iter() {
                let view = game.view(Viewer::Seat(seat));
                let other = SubSim::determinise(&view, &mut dice).expect("a game that goes on");
                let orders = view.fleet().active().map(|sub| any_order(sub, &mut dice)).collect();
                let action = Action::Orders(orders);
                let verdict = game.check(seat, &action);
                assert_eq!(view.check(&action), verdict);
                assert_eq!(other.check(seat, &action), verdict);
            }
        });
    }

    /// The search against a plain relaxation: a square is one step farther than its nearest
    /// passable neighbour.
    #[test]
    fn path_distance_is_the_shortest_way(
        rocks in proptest::collection::btree_set((1..=10u16, 1..=10u16), 0..25),
        objects in proptest::collection::vec((1..=10u16, 1..=10u16), 0..20),
        from in (1..=10u16, 1..=10u16),
        range in 0..30u32,
    ) {
        let obstacles = rocks.into_iter().map(|(x, y)| [x, y]).collect();
        let config = Config { map_size: [10, 10], obstacles, ..Config::default() };
        let chart = Chart::new(&config).expect("a legal map");
        let mut waters = Waters::new(&chart);
        let objects: Vec<Square> = objects.into_iter().map(|(x, y)| Square::new(x, y)).collect();
        objects.iter().for_each(|&square| waters.occupy(square));
        let from = Square::new(from.0, from.1);
        let all: Vec<Square> =
            (1..=10).flat_map(|y| (1..=10).map(move |x| Square::new(x, y))).collect();
        let passable = |square: &Square| {
            *square == from || (chart.is_free(*square) && !objects.contains(square))
        };
        let mut distance = vec![None; all.len()];
        for _ in 0..all.len() {
            for (index, square) in all.iter().enumerate() {
                let beside = all.iter().zip(&distance)
                    .filter(|(other, _)| other.steps_to(*square) == 1 && passable(other))
                    .filter_map(|(_, distance)| *distance)
                    .min();
                distance[index] = if *square == from { Some(0) } else { beside.map(|d: u32| d + 1) };
            }
        }
        for (square, distance) in all.iter().zip(distance) {
            let expected = distance.filter(|distance| *distance <= range);
            prop_assert_eq!(waters.distance(from, *square, range), expected, "{}", square);
        }
    }
}

/// An order that may be legal or not.
fn any_order(sub: u8, dice: &mut Dice) -> Order {
    let direction = *dice.pick(&Direction::ALL);
    let square = Square::new(dice.below(14) as u16, dice.below(14) as u16);
    let command = match dice.below(6) {
        0 => Command::Move(direction, Equipment::Sonar),
        1 => Command::Fire(square),
        2 => Command::Mine(direction),
        3 => Command::Sprint(direction, dice.below(6) as u32),
        4 => Command::Surface,
        _ => Command::Ping,
    };
    Order { sub: sub + u8::from(dice.one_in(10)), command }
}
