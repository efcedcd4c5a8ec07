//! A whole game from what one viewer knows of it.

use rules::{Determinise, Dice, Seat};

use super::{Card, Cards, Deal, Gamba, News, RESERVES, SEATS, View};

impl Determinise for Gamba {
    fn determinise(view: &View, dice: &mut Dice) -> Option<Gamba> {
        Gamba::imagine(view, &[], dice)
    }
}

impl Gamba {
    /// The viewer knows its own hand, the pile and what was burned. All reserves, the deck, what
    /// is out of play and the other hands could be any of the remaining cards. Those of `held` are
    /// known to be in the hand of the viewer's opponent, if there is room for them.
    pub(in crate::gamba) fn imagine(view: &View, held: &[Card], dice: &mut Dice) -> Option<Gamba> {
        let turn = view.to_act?;
        let mut hidden = hidden(view);
        dice.shuffle(&mut hidden);
        // What is known to be held is dealt first.
        hidden.sort_by_key(|card| held.contains(card));
        let mut hands = [Cards::EMPTY; SEATS];
        for (hand, seat) in hands.iter_mut().zip(&view.seats) {
            match &seat.hand {
                Some(own) => *hand = *own,
                None => *hand = take(&mut hidden, seat.hand_size)?,
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

/// Every card the viewer has not in sight.
fn hidden(view: &View) -> Vec<Card> {
    let own = view.seats.iter().filter_map(|seat| seat.hand.as_deref());
    let seen = own.flatten().chain(view.pile.iter()).chain(view.burned.iter());
    let seen = seen.fold(0_u64, |seen, card| seen | card.bit());
    Card::all().filter(|card| seen & card.bit() == 0).collect()
}

fn take<const CAPACITY: usize>(from: &mut Vec<Card>, count: usize) -> Option<Cards<CAPACITY>> {
    Cards::from_slice(&from.split_off(from.len().checked_sub(count)?))
}
