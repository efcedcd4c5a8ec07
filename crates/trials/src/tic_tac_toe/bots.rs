//! The strategies, the weakest first.

use rules::{BotKind, Dice, Grade, Seat};

use super::board::{Board, Square};
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
    BotKind {
        name: "perfect",
        about: "looks at every game that can follow, and never loses",
        grade: Grade::Strong,
        make: || Box::new(perfect),
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

pub(super) fn perfect(view: &View, dice: &mut Dice) -> Square {
    let free: Vec<Square> = view.board.free().collect();
    // Nothing is lost by any first move, and there are many games to look at.
    if free.len() == 9 {
        return careful(view, dice);
    }
    let worths: Vec<i32> = free.iter().map(|square| -worth(view.board.with(*square))).collect();
    let most = worths.iter().max();
    let best = free.into_iter().zip(&worths).filter(|(_, worth)| Some(*worth) == most);
    *dice.pick(&best.map(|(square, _)| square).collect::<Vec<_>>())
}

/// What a board is worth to the player to move: 1 wins, 0 is a draw, -1 loses.
pub(super) fn worth(board: Board) -> i32 {
    match board.row() {
        Some(_) => -1,
        None => board.free().map(|square| -worth(board.with(square))).max().unwrap_or(0),
    }
}
