//! What holds in every state of every game.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rules::{Dice, Exit, Game, Move, Seat, Seed, Step};

use super::{act, act_at_random, cards, play};
use crate::gamba::{Action, Card, Config, Deal, Gamba, Reason, TURN_LIMIT, View};

/// 52 = hands + reserves + pile + burned + out of play + deck, each card once.
fn cards_are_conserved(game: &Gamba) {
    let heaps: [&[Card]; 8] = [
        &game.hands[0],
        &game.hands[1],
        &game.reserves[0],
        &game.reserves[1],
        &game.pile,
        &game.burned,
        &game.out_of_play,
        &game.deck,
    ];
    let count: usize = heaps.iter().map(|heap| heap.len()).sum();
    let distinct: BTreeSet<&Card> = heaps.iter().flat_map(|heap| heap.iter()).collect();
    assert_eq!((count, distinct.len()), (52, 52), "{game:?}");
}

/// What follows from the rules without being one.
fn state_is_sound(game: &Gamba) {
    if game.hands.iter().any(|hand| hand.is_empty()) {
        assert!(game.deck.is_empty(), "a hand is empty before the deck is: {game:?}");
    }
    if game.must_play_low {
        assert_eq!(game.pile.last().map(|top| top.value()), Some(7), "{game:?}");
    }
    let view: View = game.view(rules::Viewer::Public);
    assert_eq!(view.ending.is_some(), game.outcome().is_some());
    assert_eq!(view.to_act, game.to_act().first());
}

fn deals() -> impl Strategy<Value = Deal> {
    prop_oneof![Just(Deal::Guide), Just(Deal::FullDeck)]
}

fn setup(deal: Deal, number: u64) -> Gamba {
    Gamba::setup(&Config { deal }, 2, Seed::from_number(number)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_card_is_lost_or_doubled(deal in deals(), number: u64) {
        let mut game = setup(deal, number);
        let mut dice = Dice::new(&Seed::from_number(number), "players", 0);
        cards_are_conserved(&game);
        while game.outcome().is_none() {
            act_at_random(&mut game, &mut dice);
            cards_are_conserved(&game);
            state_is_sound(&game);
            if let Some(seat) = game.to_act().first() {
                let listed = game.legal(seat).map(|legal| legal.len());
                assert_eq!(game.legal_at_most(seat), listed);
            }
            assert_eq!(game.view(rules::Viewer::Public).deal, deal);
        }
    }

    /// However many turns were played, a player who leaves loses and the other wins.
    #[test]
    fn who_retires_loses(deal in deals(), number: u64, turns in 0..30, goes in 0..2u8, joins: bool) {
        let mut game = setup(deal, number);
        let mut dice = Dice::new(&Seed::from_number(number), "players", 0);
        for _ in 0..turns {
            if game.outcome().is_none() {
                act_at_random(&mut game, &mut dice);
            }
        }
        prop_assume!(game.outcome().is_none());
        let (goes, stays) = (Seat(goes), Seat(goes).next(2));
        // A player who is to move may retire as its move; any player may between moves.
        if joins && game.to_act().contains(goes) {
            game.advance(Step::Turn(&[(goes, Move::Retire(Exit::Left))]));
        } else {
            game.advance(Step::Departure(&[(goes, Exit::Left)]));
        }
        cards_are_conserved(&game);
        state_is_sound(&game);
        let outcome = game.outcome().unwrap();
        prop_assert_eq!(outcome.winners().iter().collect::<Vec<_>>(), vec![stays]);
        prop_assert_eq!(&outcome.standings[goes.index()].exit, &Some(Exit::Left));
        prop_assert_eq!(&outcome.standings[stays.index()].exit, &None);
    }
}

/// Every listed action is drawn sooner or later.
#[test]
fn sampling_reaches_every_legal_action() {
    let mut dice = Dice::new(&Seed::from_number(5), "players", 0);
    let mut widest = 0;
    for number in 0..40 {
        let mut game = setup(Deal::FullDeck, number);
        for _ in 0..number {
            act_at_random(&mut game, &mut dice);
        }
        let seat = game.to_act().first().expect("no full deck is played out in forty turns");
        let mut missing = game.legal(seat).unwrap();
        widest = widest.max(missing.len());
        for _ in 0..20_000 {
            let drawn = game.sample(seat, &mut dice);
            missing.retain(|action| *action != drawn);
        }
        assert!(missing.is_empty(), "seed {number}: never drawn: {missing:?}");
    }
    assert!(widest >= 10, "only up to {widest} actions were to be drawn");
}

/// Four threes go round and round: one, another on it, and both are picked up.
#[test]
fn an_endless_game_is_drawn() {
    let mut game = setup(Deal::Guide, 1);
    game.hands = [cards("3H 3D"), cards("3C 3S")];
    while let Some(seat) = game.to_act().first() {
        let action = match game.pile.len() {
            2 => Action::PickUp,
            _ => play(game.hands[seat.index()][0].code()),
        };
        act(&mut game, action);
    }
    assert_eq!(game.turns_played, TURN_LIMIT);
    let ending = game.ending.unwrap();
    assert_eq!((ending.winner, ending.reason), (None, Reason::TurnLimit));
    let places: Vec<u32> = game.outcome().unwrap().standings.iter().map(|s| s.place).collect();
    assert_eq!(places, [1, 1]);
}
