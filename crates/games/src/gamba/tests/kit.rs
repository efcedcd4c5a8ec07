//! The conformance kit, and the worlds a viewer cannot tell apart.

use rules::kit::{Subject, conform};
use rules::{Dice, Game, Seat, Viewer};

use crate::gamba::{Card, Config, Deal, Gamba, News, TURN_LIMIT};

impl Subject for Gamba {
    const TURN_BOUND: u64 = TURN_LIMIT as u64;

    fn tables() -> Vec<(Config, usize)> {
        vec![(Config { deal: Deal::Guide }, 2), (Config { deal: Deal::FullDeck }, 2)]
    }

    /// The viewer knows its own hand, the pile and what was burned. All reserves, the deck, what
    /// is out of play and the other hands could be any of the remaining cards.
    fn shuffle_hidden(&self, viewer: Viewer, dice: &mut Dice) -> Gamba {
        let mut other = self.clone();
        if self.outcome().is_some() {
            return other;
        }
        let mut hidden: Vec<Card> = Vec::new();
        other.swap_hidden(viewer, |card| hidden.push(*card));
        dice.shuffle(&mut hidden);
        other.swap_hidden(viewer, |card| *card = hidden.pop().expect("as many as were taken"));
        // A reserve that failed is the oldest card of its new hand.
        if let Some(News::ReserveFailed { seat, card, .. }) = &mut other.last {
            *card = other.hands[seat.index()].first().copied();
        }
        other
    }
}

impl Gamba {
    /// Visits every card the viewer cannot know.
    fn swap_hidden(&mut self, viewer: Viewer, mut visit: impl FnMut(&mut Card)) {
        for seat in Seat::all(2).filter(|seat| !viewer.is(*seat)) {
            self.hands[seat.index()].iter_mut().for_each(&mut visit);
        }
        self.reserves.iter_mut().flat_map(|cards| cards.iter_mut()).for_each(&mut visit);
        self.deck.iter_mut().for_each(&mut visit);
        self.out_of_play.iter_mut().for_each(&mut visit);
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    conform::<Gamba>(200);
}
