//! A bot that looks ahead. It remembers which cards the other has picked up, deals the rest of what
//! it cannot see at random, again and again, and finds what does best in such games.

use rules::search::{self, Budget, Outlook};
use rules::{Bot, Dice, Game, Seat};

use super::super::{Action, Gamba, Known, View};
use super::thrift;

const BUDGET: Budget = Budget { iterations: 800, turns: 60, curiosity: 0.5 };

#[derive(Debug, Default)]
pub(super) struct Gambler {
    known: Known,
}

impl Bot<Gamba> for Gambler {
    fn choose(&mut self, view: &View, dice: &mut Dice) -> Action {
        let position = view.position().expect("a bot sits at the table");
        self.known.see(view);
        let seat = view.viewer.seat().expect("it has a position");
        let table = Table { view, known: self.known };
        let best = search::best_move(&table, seat, BUDGET, dice);
        best.unwrap_or_else(|| thrift(&position, view.deck_size))
    }
}

/// The game as the seat to move knows it.
struct Table<'a> {
    view: &'a View,
    known: Known,
}

impl Outlook for Table<'_> {
    type Game = Gamba;

    /// Of a play the rank and how many: suits do not matter.
    type Key = (u8, u8);

    fn imagine(&self, dice: &mut Dice) -> Option<Gamba> {
        Gamba::imagine(self.view, &self.known, dice)
    }

    fn is_over(&self, game: &Gamba) -> bool {
        game.outcome.is_some()
    }

    fn moves(&self, game: &Gamba, seat: Seat, moves: &mut Vec<((u8, u8), Action)>) {
        let position = game.position(seat);
        if position.hand.is_empty() {
            moves.push(((0, 0), Action::Reserve));
        }
        let play = |play: super::Play| ((play[0].value(), play.len() as u8), Action::Play(play));
        moves.extend(position.plays().map(play));
        if !position.pile.is_empty() {
            moves.push(((0, 1), Action::PickUp));
        }
    }

    fn quick_move(&self, game: &Gamba, seat: Seat, _: &mut Dice) -> Action {
        thrift(&game.position(seat), game.deck.len())
    }

    /// A game that goes on is the better the fewer cards one has, next to the other.
    fn worth(&self, game: &Gamba, seat: Seat) -> f64 {
        if let Some(outcome) = game.outcome() {
            let winners = outcome.winners();
            return if !winners.contains(seat) { 0.0 } else { 1.0 / winners.len() as f64 };
        }
        let left = |seat: Seat| {
            (game.hands[seat.index()].len() + game.reserves[seat.index()].len()) as f64
        };
        let (own, other) = (left(seat), left(seat.next(2)));
        0.25 + 0.5 * other / (own + other)
    }
}
