//! The strategies, the weakest first.

use rules::{BotKind, Dice, Grade, Seat};

use super::board::Square;
use super::{TicTacToe, View};

pub const BOTS: &[BotKind<TicTacToe>] = &[
    BotKind {
        name: "random",
        about: "any free square",
        grade: Grade::Beginner,
        make: || Box::new(random),
    },
    BotKind {
        name: "careful",
        about: "completes its row, else blocks yours, else takes the middle",
        grade: Grade::Decent,
        make: || Box::new(careful),
    },
];

fn random(view: &View, dice: &mut Dice) -> Square {
    let free: Vec<Square> = view.board.free().collect();
    *dice.pick(&free)
}

fn careful(view: &View, dice: &mut Dice) -> Square {
    let own = view.board.to_move();
    let other = Seat(1 - own.0);
    let middle = || view.board.free().find(|square| *square == Square::ALL[4]);
    let rows = view.board.completes(own).or_else(|| view.board.completes(other));
    rows.or_else(middle).unwrap_or_else(|| random(view, dice))
}
