//! What a review of Gamba weighs: each play once, whatever the suits.

use rules::{Dice, Game, Past, Reviewable, Seat, Viewer};

use super::super::{Action, Card, Cards, Gamba, Known, View};
use super::{position, thrift};

/// One quick move in this many is a casual one: else two could pass the same cards back and
/// forth for ever.
const WHIM: usize = 20;

impl Reviewable for Gamba {
    /// Which cards the other seat has picked up.
    type Memory = Known;

    const KINDS: &'static [&'static str] = &["play", "pick up", "reserve"];
    const DEALS: u32 = 512;

    fn remember(memory: &mut Known, view: &View) {
        memory.see(view);
    }

    fn redeal(past: &Past<'_, Gamba>, dice: &mut Dice) -> Option<Gamba> {
        Gamba::imagine(&past.game.view(Viewer::Seat(past.seat)), past.memory, dice)
    }

    /// Nobody knows the reserves, the deck and what is out of play.
    fn shuffle_future(&mut self, dice: &mut Dice) {
        let reserves = self.reserves.iter().flat_map(|cards| cards.iter().copied());
        let rest = self.deck.iter().chain(self.out_of_play.iter()).copied();
        let mut hidden: Vec<Card> = reserves.chain(rest).collect();
        dice.shuffle(&mut hidden);
        let mut next = hidden.into_iter();
        for cards in &mut self.reserves {
            let count = cards.len();
            cards.clear();
            next.by_ref().take(count).for_each(|card| cards.push(card));
        }
        self.deck = drawn(&mut next, self.deck.len());
        self.out_of_play = drawn(&mut next, self.out_of_play.len());
    }

    fn candidates(view: &View, _: &Known, _: &mut Dice) -> Vec<Action> {
        let position = position(view);
        let others = [Action::Reserve, Action::PickUp];
        let others = others.into_iter().filter(|action| position.check(action).is_ok());
        position.plays().map(Action::Play).chain(others).collect()
    }

    /// The first cards of their rank in the hand.
    fn canonical(view: &View, action: &Action) -> Action {
        let Action::Play(cards) = action else { return *action };
        let alike =
            |play: &super::Play| play.len() == cards.len() && play[0].value() == cards[0].value();
        position(view).plays().find(alike).map_or(*action, Action::Play)
    }

    fn kind(_: &View, action: &Action) -> &'static str {
        match action {
            Action::Play(_) => "play",
            Action::PickUp => "pick up",
            Action::Reserve => "reserve",
        }
    }

    fn quick_move(&self, seat: Seat, dice: &mut Dice) -> Action {
        let position = self.position(seat);
        if dice.one_in(WHIM) {
            return position.casual(dice);
        }
        thrift(&position, self.deck.len())
    }
}

fn drawn(from: &mut impl Iterator<Item = Card>, count: usize) -> Cards {
    let mut cards = Cards::EMPTY;
    from.take(count).for_each(|card| cards.push(card));
    cards
}
