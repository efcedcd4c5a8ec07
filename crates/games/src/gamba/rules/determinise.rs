//! A whole game from what one viewer knows of it.

use rules::{Determinise, Dice, Seat};

use super::known::{Known, in_sight};
use super::{Card, Cards, Deal, Gamba, News, RESERVES, SEATS, View};

impl Determinise for Gamba {
    fn determinise(view: &View, dice: &mut Dice) -> Option<Gamba> {
        Gamba::imagine(view, &Known::default(), dice)
    }
}

impl Gamba {
    /// The viewer knows its own hand, the pile, what was burned, and of the other hand what it
    /// remembers. All reserves, the deck, what is out of play and the rest of the other hand could
    /// be any of the remaining cards: every such deal is equally likely.
    pub fn imagine(view: &View, known: &Known, dice: &mut Dice) -> Option<Gamba> {
        let turn = view.to_act?;
        // A player that builds its view from what a protocol tells may miss what was burned.
        let others = view.seats.iter().filter(|seat| seat.hand.is_none());
        let room = others.map(|seat| seat.hand_size).min().unwrap_or(0);
        let nothing = Known::default();
        let known = if known.held(view).count() > room { &nothing } else { known };
        let seen = in_sight(view) | known.held(view).fold(0, |bits, card| bits | card.bit());
        let mut hidden: Vec<Card> = Card::all().filter(|card| seen & card.bit() == 0).collect();
        dice.shuffle(&mut hidden);
        let mut hands = [Cards::EMPTY; SEATS];
        for (hand, seat) in hands.iter_mut().zip(&view.seats) {
            match &seat.hand {
                Some(own) => *hand = *own,
                None => *hand = other_hand(view, known, seat.hand_size, &mut hidden)?,
            }
        }
        let mut reserves = [Cards::<RESERVES>::EMPTY; SEATS];
        for (cards, seat) in reserves.iter_mut().zip(&view.seats) {
            *cards = take(&mut hidden, seat.reserves)?;
        }
        let deck = take(&mut hidden, view.deck_size)?;
        let out_of_play = match view.deal {
            Deal::Guide => Cards::from_slice(&hidden)?,
            Deal::FullDeck => Cards::EMPTY,
        };
        let mut last = view.news.first().cloned();
        if let Some(News::ReserveFailed { seat, card, .. }) = &mut last {
            // A reserve that failed is the oldest card of its new hand.
            *card = hands[seat.index()].first().copied();
        }
        Some(Gamba {
            deal: view.deal,
            hands,
            reserves,
            pile: view.pile,
            must_play_low: view.must_play_low,
            deck,
            burned: view.burned,
            out_of_play,
            turn: Seat(turn.0 % SEATS as u8),
            turns_played: view.turns_played,
            last,
            exits: [None, None],
            ending: None,
            outcome: None,
        })
    }
}

/// What is not known of a hand is dealt first: a reserve that failed is its oldest card.
fn other_hand(view: &View, known: &Known, size: usize, hidden: &mut Vec<Card>) -> Option<Cards> {
    let held: Vec<Card> = known.held(view).collect();
    let mut hand = Cards::EMPTY;
    if let Some(ranks) = known.failed() {
        let fits = hidden.iter().rposition(|card| ranks.contains(card.value()))?;
        hand.push(hidden.remove(fits));
    }
    let unknown = size.checked_sub(held.len() + hand.len())?;
    hand.extend(&take::<{ Card::COUNT }>(hidden, unknown)?);
    hand.extend(&held);
    Some(hand)
}

fn take<const CAPACITY: usize>(from: &mut Vec<Card>, count: usize) -> Option<Cards<CAPACITY>> {
    Cards::from_slice(&from.split_off(from.len().checked_sub(count)?))
}
