//! What a review of Tiger & Dragon weighs: everything that is legal, which is little.

use rules::{Dice, Game, Past, Reviewable, Seat, Viewer};

use super::super::rules::{Action, Phase, TigerDragon, View};
use super::general::{imagine, quick_move};

impl Reviewable for TigerDragon {
    type Memory = ();

    const KINDS: &'static [&'static str] = &["attack", "defend", "face down"];
    const DEALS: u32 = 256;

    fn redeal(past: &Past<'_, TigerDragon>, dice: &mut Dice) -> Option<TigerDragon> {
        imagine(&past.game.view(Viewer::Seat(past.seat)), dice)
    }

    /// The tiles of the rounds to come.
    fn shuffle_future(&mut self, dice: &mut Dice) {
        self.seed = dice.seed();
    }

    fn candidates(view: &View, _: &(), _: &mut Dice) -> Vec<Action> {
        view.legal.iter().collect()
    }

    fn kind(view: &View, _: &Action) -> &'static str {
        match view.phase {
            Phase::Attack | Phase::Finished => "attack",
            Phase::Defend => "defend",
            Phase::BonusReceive => "face down",
        }
    }

    fn quick_move(&self, seat: Seat, _: &mut Dice) -> Action {
        quick_move(self, seat)
    }
}
