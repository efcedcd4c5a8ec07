//! The promises of [`Encode`], kept in random games of every kind of table.

mod batches;
mod chance;
mod deals;
mod memories;
mod redeals;
mod specs;
mod states;
mod tables;
mod values;

use std::collections::BTreeSet;

use rules::{Dice, Move, Seat, Seed, Step, Viewer};

use crate::{Encode, Play};
use tables::each;

/// Random games at every table of every game; `look` is shown each turn of each seat.
fn in_random_games(look: impl Look) {
    each(&mut |tables| tables.play(&look));
}

/// What a test does with every turn.
trait Look {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>);
}

struct Turn<'a, G: Encode> {
    game: &'a G,
    seat: Seat,
    view: &'a G::View,
    memory: &'a G::Memory,
    codes: usize,
    numbers: usize,
    dice: &'a std::cell::RefCell<Dice>,
    name: &'a str,
}

impl<G: Encode> Turn<'_, G> {
    fn mask(&self, draft: &[usize]) -> Vec<u8> {
        let mut mask = vec![0; self.codes];
        G::mask(self.view, draft, &mut mask);
        mask
    }

    fn legal_codes(&self, draft: &[usize]) -> Vec<usize> {
        let mask = self.mask(draft);
        (0..self.codes).filter(|&code| mask[code] == 1).collect()
    }

    fn random_codes(&self) -> Vec<usize> {
        let mut draft = Vec::new();
        while draft.len() < G::parts(self.view) {
            let legal = self.legal_codes(&draft);
            draft.push(*self.dice.borrow_mut().pick(&legal));
        }
        draft
    }
}

/// Random codes stand for legal actions, and every legal action has its code in the mask.
struct MaskEqualsLegal;

impl Look for MaskEqualsLegal {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>) {
        for _ in 0..4 {
            let codes = turn.random_codes();
            let action = G::decode(turn.view, &codes).expect("a code of the mask means something");
            if let Err(why) = turn.game.check(turn.seat, &action) {
                panic!("{}: {codes:?} is {action:?}: {why}", turn.name);
            }
        }
        let Some(legal) = turn.game.legal(turn.seat) else { return };
        let encoded: BTreeSet<usize> = legal
            .iter()
            .map(|action| G::encode(turn.view, action).expect("a legal action has a code")[0])
            .collect();
        let masked: BTreeSet<usize> = turn.legal_codes(&[]).into_iter().collect();
        assert_eq!(masked, encoded, "{}: the mask and what is legal differ", turn.name);
        let mut listed = Vec::new();
        G::legal_codes(turn.view, &[], turn.codes, &mut listed);
        assert_eq!(listed, turn.legal_codes(&[]), "{}: the list and the mask differ", turn.name);
    }
}

#[test]
fn mask_equals_legal() {
    in_random_games(MaskEqualsLegal);
}

/// A code that is decoded and encoded again is the same code.
struct DecodeInvertsEncode;

impl Look for DecodeInvertsEncode {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>) {
        for _ in 0..4 {
            let codes = turn.random_codes();
            let action = G::decode(turn.view, &codes).expect("a code of the mask means something");
            let again = G::encode(turn.view, &action).expect("what it means has a code");
            assert_eq!(again, codes, "{}: {action:?}", turn.name);
        }
    }
}

#[test]
fn decode_inverts_encode() {
    in_random_games(DecodeInvertsEncode);
}

/// Every action the game itself would play has codes that the mask allows. They stand for that
/// action or for one that leads to the same numbers for every seat.
struct OneCodeOrATwin;

impl Look for OneCodeOrATwin {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>) {
        let action = turn.game.sample(turn.seat, &mut turn.dice.borrow_mut());
        let codes = G::encode(turn.view, &action).expect("a legal action has a code");
        assert_eq!(codes.len(), G::parts(turn.view), "{}: {action:?}", turn.name);
        for part in 0..codes.len() {
            let mask = turn.mask(&codes[..part]);
            assert_eq!(mask[codes[part]], 1, "{}: {action:?} is not in the mask", turn.name);
        }
        let twin = G::decode(turn.view, &codes).expect("its code means something");
        if twin == action || turn.game.to_act().len() > 1 {
            return;
        }
        let led_to = |action: G::Action| {
            let mut game = turn.game.clone();
            game.advance(Step::Turn(&[(turn.seat, Move::Act(action))]));
            let mut numbers = vec![0.0; turn.numbers];
            let view = game.view(Viewer::Seat(turn.seat));
            G::observe(&view, turn.memory, &[], &mut numbers);
            numbers
        };
        assert_eq!(led_to(twin), led_to(action), "{}: the twin differs", turn.name);
    }
}

#[test]
fn every_legal_action_has_one_code_or_a_canonical_twin() {
    in_random_games(OneCodeOrATwin);
}

/// A game dealt again from the view gives the same numbers: they depend on the view alone.
struct EqualViewsEqualTensors;

impl Look for EqualViewsEqualTensors {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>) {
        let other = G::determinise(turn.view, &mut turn.dice.borrow_mut());
        let Some(other) = other else { return };
        let view = other.view(Viewer::Seat(turn.seat));
        let numbers = |view: &G::View| {
            let mut out = vec![0.0; turn.numbers];
            let mut memory = turn.memory.clone();
            G::remember(&mut memory, view);
            G::observe(view, &memory, &[], &mut out);
            assert!(out.iter().all(|number| number.is_finite()), "{}", turn.name);
            out
        };
        assert_eq!(numbers(&view), numbers(turn.view), "{}", turn.name);
        let mut mask = vec![0; turn.codes];
        G::mask(&view, &[], &mut mask);
        assert_eq!(mask, turn.mask(&[]), "{}", turn.name);
    }
}

#[test]
fn equal_views_give_equal_tensors() {
    in_random_games(EqualViewsEqualTensors);
}

/// A table of one game, and random play at it.
fn play_at<G: Encode>(config: &G::Config, seats: usize, look: &impl Look) {
    let config = G::seated(config.clone(), seats);
    let spec = G::spec(&config, seats);
    for number in 0..3 {
        let seed = Seed::from_number(number);
        let name = format!("{} of {seats} with {config:?}, seed {number}", G::NAME);
        let dice = std::cell::RefCell::new(Dice::new(&seed, "gym", 0));
        let game = G::setup(&config, seats, seed).expect("the table can begin");
        let mut play = Play::new(game, seats);
        let mut actions = 0;
        while let Some((seat, view)) = play.current() {
            let seat = *seat;
            look.look(&Turn {
                game: play.game(),
                seat,
                view,
                memory: play.memory(seat),
                codes: spec.actions,
                numbers: spec.observation,
                dice: &dice,
                name: &name,
            });
            let action = play.game().sample(seat, &mut dice.borrow_mut());
            play.act(action).expect("a sampled action is legal");
            actions += 1;
            if actions > 400 {
                break;
            }
        }
    }
}
