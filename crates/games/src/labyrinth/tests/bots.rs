//! The house bots play legally, and the better ones better.

use rules::{Bot, Dice, Game, Move, Seat, Seed, Step, Viewer};

use super::super::{BOTS, Config, Ending, Labyrinth};

fn bot(name: &str) -> Box<dyn Bot<Labyrinth>> {
    (BOTS.iter().find(|kind| kind.name == name).unwrap().make)()
}

fn play(names: [&str; 2], number: u64) -> Labyrinth {
    let seed = Seed::from_number(number);
    let config = Config { max_rounds: 200, ..Config::default() };
    let mut game = Labyrinth::setup(&config, 2, seed).unwrap();
    let mut bots = names.map(bot);
    let mut dice = Dice::new(&seed, "bots", 0);
    while !game.to_act().is_empty() {
        let mut act = |seat: Seat| {
            let action = bots[seat.index()].choose(&game.view(Viewer::Seat(seat)), &mut dice);
            game.check(seat, &action).unwrap_or_else(|why| panic!("{names:?} {number}: {why}"));
            (seat, Move::Act(action))
        };
        let turn: Vec<_> = game.to_act().iter().map(&mut act).collect();
        game.advance(Step::Turn(&turn));
    }
    game
}

fn wins_against_random(name: &str) -> usize {
    wins(name, "random")
}

/// How many games of a hundred one wins against another; they change seats each game.
fn wins(name: &str, other: &str) -> usize {
    let won = |number: &u64| {
        let (names, seat) = match number % 2 {
            0 => ([name, other], Seat(0)),
            _ => ([other, name], Seat(1)),
        };
        play(names, *number).view(Viewer::Public).winners.contains(seat)
    };
    (0..100).filter(won).count()
}

#[test]
fn euclid_beats_random() {
    let wins = wins_against_random("euclid");
    assert!(wins >= 85, "{wins} of 100");
}

#[test]
fn riemann_beats_random() {
    let wins = wins_against_random("riemann");
    assert!(wins >= 85, "{wins} of 100");
}

#[test]
fn ariadne_beats_euclid() {
    let wins = wins("ariadne", "euclid");
    assert!(wins >= 58, "{wins} of 100");
}

#[test]
fn most_games_between_strategies_end_at_home() {
    let ends_at_home = |number: &u64| {
        let ending = play(["euclid", "riemann"], *number).view(Viewer::Public).ending;
        matches!(ending, Some(Ending::Home(_)))
    };
    let count = (0..50).filter(ends_at_home).count();
    assert!(count >= 40, "{count} of 50");
}
