//! What a review of tic-tac-toe weighs: every free square, in games that are then played perfectly.

use rules::{Dice, Game, Reviewable, Seat};

use super::board::Square;
use super::bots::perfect;
use super::{TicTacToe, View};

impl Reviewable for TicTacToe {
    type Memory = ();

    const KINDS: &'static [&'static str] = &["mark"];
    const DEALS: u32 = 16;

    fn candidates(view: &View, _: &(), _: &mut Dice) -> Vec<Square> {
        view.board.free().collect()
    }

    fn kind(_: &View, _: &Square) -> &'static str {
        "mark"
    }

    fn quick_move(&self, _: Seat, dice: &mut Dice) -> Square {
        perfect(&self.view(rules::Viewer::Public), dice)
    }
}
