//! Plays positions out with quick moves.

use rules::{Dice, Move, Reviewable, Seat, Step};

/// The value of a position for each seat, in one game played to its end.
pub fn play_out<G: Reviewable>(mut game: G, seats: usize, dice: &mut Dice) -> Vec<f64> {
    let mut moves = Vec::with_capacity(seats);
    for _ in 0..G::LONGEST {
        if game.outcome().is_some() {
            break;
        }
        quick_turn(&game, &mut moves, dice);
        game.advance(Step::Turn(&moves));
    }
    result(&game, seats)
}

/// The share of opponents that each seat has finished ahead of, or is ahead of.
pub fn result<G: Reviewable>(game: &G, seats: usize) -> Vec<f64> {
    match game.outcome() {
        Some(outcome) => outcome.shares().collect(),
        None => game.unfinished(seats),
    }
}

/// The quick moves of all seats that are to move.
pub fn quick_turn<G: Reviewable>(
    game: &G,
    moves: &mut Vec<(Seat, Move<G::Action>)>,
    dice: &mut Dice,
) {
    moves.clear();
    let act = |seat| (seat, Move::Act(game.quick_move(seat, dice)));
    moves.extend(game.to_act().iter().map(act));
}

/// The value of a position for each seat after a turn in which one seat does something, and the
/// others that are to move make quick ones.
pub fn play_out_with<G: Reviewable>(
    mut game: G,
    seats: usize,
    (seat, made): (Seat, &Move<G::Action>),
    dice: &mut Dice,
) -> Vec<f64> {
    let mut moves = Vec::with_capacity(seats);
    quick_turn(&game, &mut moves, dice);
    match moves.iter_mut().find(|(other, _)| *other == seat) {
        Some((_, quick)) => *quick = made.clone(),
        None => {
            let place = moves.partition_point(|(other, _)| *other < seat);
            moves.insert(place, (seat, made.clone()));
        }
    }
    game.advance(Step::Turn(&moves));
    play_out(game, seats, dice)
}
