//! House bots against each other.

use ::rules::{Bot, Dice, Game, Move, Seat, Seed, Step, Viewer, kit::Subject};

use super::super::bots::BOTS;
use super::super::rules::{Action, Command, Config, Order, SubSim};

/// Plays a game between bots, by name, and checks every order they give.
pub(super) fn game_ref(config: &Config, names: &[&str], number: u64) -> SubSim {
    watched(config, names, number, |_, _| {})
}

/// The same, with a callback for every order.
fn watched(
    config: &Config,
    names: &[&str],
    number: u64,
    mut look: impl FnMut(Seat, &Action),
) -> SubSim {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "bots", 0);
    let mut game = SubSim::setup(config, names.len(), seed).expect("a legal table");
    let make = |name: &&str| {
        let kind = BOTS.iter().find(|kind| kind.name == *name).expect("a known bot");
        (kind.make)()
    };
    let mut bots: Vec<Box<dyn Bot<SubSim>>> = names.iter().map(make).collect();
    while !game.to_act().is_empty() {
        let mut turn = Vec::new();
        for seat in game.to_act().iter() {
            let view = game.view(Viewer::Seat(seat));
            let action = bots[seat.index()].choose(&view, &mut dice);
            assert_eq!(
                game.check(seat, &action),
                Ok(()),
                "{} in game {number}",
                names[seat.index()]
            );
            look(seat, &action);
            turn.push((seat, Move::Act(action)));
        }
        game.advance(Step::Turn(&turn));
    }
    game
}

/// How many games of a hundred the first of two bots wins outright; they change seats each game.
fn wins(config: &Config, one: &str, two: &str) -> usize {
    let won = |number: &u64| {
        let first = number.is_multiple_of(2);
        let names = if first { [one, two] } else { [two, one] };
        let game = game_ref(config, &names, *number);
        let winners = game.outcome().expect("over").winners();
        winners.len() == 1 && winners.contains(Seat(u8::from(!first)))
    };
    (0..100).filter(won).count()
}

#[test]
fn the_hunter_beats_the_random_bot() {
    let won = wins(&Config::default(), "hunter", "random");
    assert!(won >= 90, "the hunter won {won} of 100");
}

#[test]
fn the_hunter_beats_the_random_bot_with_a_fleet_among_obstacles() {
    let obstacles = (1..=10).map(|n| [2 * n, (7 * n) % 20 + 1]).collect();
    let config = Config { subs_per_player: 3, obstacles, ..Config::default() };
    let won = wins(&config, "hunter", "random");
    assert!(won >= 90, "the hunter won {won} of 100");
}

#[test]
fn the_admiral_beats_the_hunter() {
    let won = wins(&Config::default(), "admiral", "hunter");
    assert!(won >= 90, "the admiral won {won} of 100");
}

#[test]
fn the_admiral_beats_the_hunter_with_a_fleet_among_obstacles() {
    let obstacles = (1..=10).map(|n| [2 * n, (7 * n) % 20 + 1]).collect();
    let config = Config { subs_per_player: 3, obstacles, ..Config::default() };
    let won = wins(&config, "admiral", "hunter");
    assert!(won >= 70, "the admiral won {won} of 100");
}

/// Some existing bots crash when they receive a sprint, so this one is seated for them.
#[test]
fn the_captain_beats_the_hunter_without_sprints() {
    let won = wins(&Config::default(), "captain", "hunter");
    assert!(won >= 60, "the captain won {won} of 100");
}

/// What `--house-bots` seats: existing bots that crash on a sprint can play against it.
#[test]
fn the_default_house_bot_never_sprints() {
    let usual = BOTS.last().expect("there are bots").name;
    assert_eq!(usual, "captain");
    let is_sprint = |order: &Order| matches!(order.command, Command::Sprint(..));
    let sprints = |names: [&str; 2], seat: Seat| {
        let mut sprints = 0;
        for number in 0..50 {
            watched(&Config::default(), &names, number, |at, action| match action {
                Action::Orders(orders) if at == seat => {
                    sprints += orders.iter().filter(|order| is_sprint(order)).count();
                }
                _ => {}
            });
        }
        sprints
    };
    assert_eq!(sprints([usual, "admiral"], Seat(0)), 0);
    assert_eq!(sprints(["hunter", usual], Seat(1)), 0);
    assert!(sprints([usual, "admiral"], Seat(1)) > 0, "an admiral would have");
}

#[test]
fn admirals_find_each_other() {
    let sunk = |number: &u64| {
        game_ref(&Config::default(), &["admiral", "admiral"], *number).executed < 1000
    };
    let ended = (0..20).filter(sunk).count();
    assert!(ended >= 18, "{ended} of 20 games ended before the turn limit");
}

#[test]
fn hunters_sink_each_other() {
    let sunk =
        |number: &u64| game_ref(&Config::default(), &["hunter", "hunter"], *number).executed < 1000;
    let ended = (0..20).filter(sunk).count();
    assert!(ended >= 18, "{ended} of 20 games ended before the turn limit");
}

#[test]
fn bots_give_legal_orders_at_every_table() {
    for (config, seats) in SubSim::tables() {
        let names: Vec<&str> = (0..seats).map(|seat| BOTS[seat % BOTS.len()].name).collect();
        (0..20).for_each(|number| drop(game_ref(&config, &names, number)));
    }
}
