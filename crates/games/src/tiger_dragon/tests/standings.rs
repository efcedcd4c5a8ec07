//! Who comes where when seats have left.

use rules::{Exit, Game, Move, Seat, Seed, Step};

use crate::tiger_dragon::{Action, Config, Phase, Row, TigerDragon, Tile};

const SEATS: [Seat; 3] = [Seat(0), Seat(1), Seat(2)];

/// Three seats with these scores; seat 0 is one face-down tile from the end of the round.
fn last_act(scores: [u32; 3]) -> TigerDragon {
    let mut game = TigerDragon::setup(&Config::default(), 3, Seed::from_number(1)).unwrap();
    game.scores = Row::from_iter(scores);
    game.hands[0] = Row::from_iter([Tile::Seven, Tile::Eight]);
    let passes = [(SEATS[1], Action::Pass), (SEATS[2], Action::Pass)];
    for (seat, action) in [(SEATS[0], Action::Play(Tile::Seven))].into_iter().chain(passes) {
        game.advance(Step::Turn(&[(seat, Move::Act(action))]));
    }
    assert_eq!((game.phase, game.current), (Phase::BonusReceive, SEATS[0]));
    game
}

fn check(game: &TigerDragon, points: [i64; 3], places: [u32; 3], gone: [bool; 3]) {
    let standings = &game.outcome().expect("the match is over").standings;
    assert_eq!(standings.iter().map(|s| s.points).collect::<Vec<_>>(), points);
    assert_eq!(standings.iter().map(|s| s.place).collect::<Vec<_>>(), places);
    assert_eq!(standings.iter().map(|s| s.exit.is_some()).collect::<Vec<_>>(), gone);
}

#[test]
fn the_score_decides_among_those_who_stayed() {
    let mut game = last_act([5, 9, 9]);
    game.advance(Step::Turn(&[(SEATS[0], Move::Act(Action::Play(Tile::Eight)))]));
    check(&game, [10, 9, 9], [1, 2, 2], [false; 3]);
}

#[test]
fn nobody_who_left_comes_before_one_who_stayed() {
    let mut game = last_act([5, 9, 1]);
    game.advance(Step::Departure(&[(SEATS[1], Exit::Left)]));
    game.advance(Step::Turn(&[(SEATS[0], Move::Act(Action::Play(Tile::Eight)))]));
    check(&game, [10, 9, 1], [1, 3, 2], [false, true, false]);
}

#[test]
fn one_who_leaves_as_the_match_ends_has_left() {
    let mut game = last_act([5, 9, 1]);
    game.advance(Step::Turn(&[
        (SEATS[0], Move::Act(Action::Play(Tile::Eight))),
        (SEATS[1], Move::Retire(Exit::TimedOut)),
    ]));
    check(&game, [10, 9, 1], [1, 3, 2], [false, true, false]);
}

#[test]
fn the_last_act_counts_though_everybody_else_leaves_with_it() {
    let mut game = last_act([0, 9, 1]);
    game.advance(Step::Turn(&[
        (SEATS[0], Move::Act(Action::Play(Tile::Eight))),
        (SEATS[1], Move::Retire(Exit::Left)),
        (SEATS[2], Move::Retire(Exit::Left)),
    ]));
    check(&game, [5, 9, 1], [1, 2, 3], [false, true, true]);
    assert_eq!(game.round, 1, "no round is dealt for nobody");
}

#[test]
fn when_all_leave_together_the_score_decides() {
    let mut game = last_act([3, 9, 3]);
    game.advance(Step::Turn(&SEATS.map(|seat| (seat, Move::Retire(Exit::Left)))));
    check(&game, [3, 9, 3], [2, 1, 2], [true; 3]);
}
