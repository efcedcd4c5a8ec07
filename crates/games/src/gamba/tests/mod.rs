//! Gamba's promises: the conformance kit, known answers, properties, bots that earn their keep, and
//! a protocol that holds under any client.

mod bots;
mod client;
mod crossing;
mod deal;
mod kit;
mod known;
mod lines;
mod options;
mod people;
mod properties;
mod referee;
mod rehearsals;
mod sessions;
mod views;

use rules::{Dice, Game, Move, Seat, Step};

use super::{Action, Card, Cards, Gamba};

fn card(code: &str) -> Card {
    code.parse().expect("tests name real cards")
}

/// Cards from codes with spaces between them.
fn cards<const CAPACITY: usize>(codes: &str) -> Cards<CAPACITY> {
    let all: Vec<Card> = codes.split_whitespace().map(card).collect();
    Cards::from_slice(&all).expect("tests name as many cards as fit")
}

fn play(codes: &str) -> Action {
    Action::Play(cards(codes))
}

/// The seat to act does this; it must be legal.
fn act(game: &mut Gamba, action: Action) {
    let seat = game.to_act().first().expect("the game goes on");
    assert_eq!(game.check(seat, &action), Ok(()));
    game.advance(Step::Turn(&[(seat, Move::Act(action))]));
}

fn act_at_random(game: &mut Gamba, dice: &mut Dice) {
    let seat: Seat = game.to_act().first().expect("the game goes on");
    let action = game.sample(seat, dice);
    act(game, action);
}
