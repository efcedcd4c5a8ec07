//! What a seat may do on its turn. The game and a view both hold a [`Position`], so a protocol
//! or a bot judges a play by the very functions the rules use.

use rules::{Dice, Illegal};

use super::{Action, Card, Play, Ranks};

/// Goes on anything; anything goes on it.
pub(super) const TWO: u8 = 2;
/// Goes on anything; the next play must not be higher.
pub(super) const SEVEN: u8 = 7;
/// Goes on anything, unless low cards are asked for; burns the pile.
pub(super) const TEN: u8 = 10;

/// All that decides what the seat to act may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    pub hand: &'a [Card],
    pub reserves: usize,
    pub pile: &'a [Card],
    pub must_play_low: bool,
}

impl Position<'_> {
    /// Whether a card of this value may go on the pile.
    pub fn accepts(&self, value: u8) -> bool {
        let Some(top) = self.pile.last() else { return true };
        match value {
            TWO => true,
            _ if top.value() == TWO => true,
            _ if self.must_play_low => value <= SEVEN,
            SEVEN | TEN => true,
            _ => value >= top.value(),
        }
    }

    /// Every rank that may go on the pile.
    pub fn fitting(&self) -> Ranks {
        Ranks::of(|value| self.accepts(value))
    }

    /// Whether an action is legal here, or why not.
    pub fn check(&self, action: &Action) -> Result<(), Illegal> {
        match action {
            Action::Play(cards) => self.check_play(cards),
            Action::Reserve => self.check_reserve(),
            Action::PickUp => self.check_pick_up(),
        }
    }

    fn check_play(&self, cards: &[Card]) -> Result<(), Illegal> {
        let Some((first, rest)) = cards.split_first() else {
            return Err(Illegal::new("a play needs at least one card"));
        };
        if let Some(other) = rest.iter().find(|card| card.value() != first.value()) {
            return Err(Illegal::new(format!("{first} and {other} are not of one rank")));
        }
        for (index, card) in cards.iter().enumerate() {
            if cards[..index].contains(card) {
                return Err(Illegal::new(format!("{card} is named twice")));
            }
            if !self.hand.contains(card) {
                return Err(Illegal::new(format!("{card} is not in the hand")));
            }
        }
        if self.accepts(first.value()) {
            return Ok(());
        }
        Err(Illegal::new(match self.pile.last() {
            Some(top) if !self.must_play_low => {
                format!("{first} is lower than {top}; a 2, a 7 or a 10 would do")
            }
            _ => format!("{first} is higher than 7, and after a 7 only 2 to 7 may be played"),
        }))
    }

    fn check_reserve(&self) -> Result<(), Illegal> {
        if !self.hand.is_empty() {
            return Err(Illegal::new("a reserve is played only when the hand is empty"));
        }
        if self.reserves == 0 {
            return Err(Illegal::new("no reserve is left"));
        }
        Ok(())
    }

    /// Picking up is allowed even to a seat that could play.
    fn check_pick_up(&self) -> Result<(), Illegal> {
        if self.pile.is_empty() {
            return Err(Illegal::new("the pile is empty, there is nothing to pick up"));
        }
        Ok(())
    }

    /// Every legal action. Cards of one play come to lie in the order they are named, so each
    /// order is an action of its own.
    pub fn legal(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        for &first in self.hand.iter().filter(|card| self.accepts(card.value())) {
            let mut play = Play::EMPTY;
            play.push(first);
            self.list_from(play, &mut actions);
        }
        actions.extend(
            [Action::Reserve, Action::PickUp].into_iter().filter(|a| self.check(a).is_ok()),
        );
        actions
    }

    /// How many legal actions there are.
    pub fn legal_count(&self) -> usize {
        /// The ways to lay one or more of so many cards of a rank, in any order.
        const WAYS: [usize; 5] = [0, 1, 4, 15, 64];
        let mut held = [0; 15];
        for card in self.hand {
            held[usize::from(card.value())] += 1;
        }
        let ranks = (TWO..).zip(&held[usize::from(TWO)..]);
        let plays = ranks.filter(|(value, _)| self.accepts(*value)).map(|(_, &cards)| WAYS[cards]);
        let others = [Action::Reserve, Action::PickUp].iter().filter(|a| self.check(a).is_ok());
        plays.sum::<usize>() + others.count()
    }

    /// Lists a play and all that begin with it.
    fn list_from(&self, play: Play, actions: &mut Vec<Action>) {
        actions.push(Action::Play(play));
        for &card in self.hand {
            if card.value() == play[0].value() && !play.contains(&card) {
                let mut longer = play;
                longer.push(card);
                self.list_from(longer, actions);
            }
        }
    }

    /// What there is to choose from in the hand: of each playable rank one card, two, and so on.
    /// Suits and the order of equals do not matter to the game.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        let starts = self.hand.iter().enumerate();
        starts.filter(|(_, last)| self.accepts(last.value())).map(|(index, last)| {
            let mut play = Play::EMPTY;
            for card in self.hand[..=index].iter().filter(|card| card.value() == last.value()) {
                play.push(*card);
            }
            play
        })
    }

    /// A legal action, each equally likely. Plays of as many cards of one rank are one action.
    pub fn random(&self, dice: &mut Dice) -> Action {
        let others = [Action::Reserve, Action::PickUp];
        let mut others = others.into_iter().filter(|action| self.check(action).is_ok());
        // Each playable card is the last of one play.
        let plays = self.hand.iter().filter(|card| self.accepts(card.value())).count();
        let choice = dice.below(plays + others.clone().count());
        match self.plays().nth(choice) {
            Some(play) => Action::Play(play),
            None => others.nth(choice - plays).expect("counted just now"),
        }
    }

    /// A legal action as somebody chooses who plays without a plan. Picking up without need is
    /// rare, else games drag on; any playable
    /// card may be the first, and each further card of its rank joins it by the toss of a coin.
    pub fn casual(&self, dice: &mut Dice) -> Action {
        let mut playable = self.hand.iter().filter(|card| self.accepts(card.value()));
        let plays = playable.clone().count();
        // A seat to act with an empty hand has a reserve, or it would have won.
        let can_play = plays > 0 || self.hand.is_empty();
        if !self.pile.is_empty() && (!can_play || dice.one_in(16)) {
            return Action::PickUp;
        }
        if plays == 0 {
            return Action::Reserve;
        }
        let first = playable.nth(dice.below(plays)).expect("counted just now");
        Action::Play(self.casual_play(*first, dice))
    }

    fn casual_play(&self, first: Card, dice: &mut Dice) -> Play {
        let mut play = Play::EMPTY;
        play.push(first);
        let mut rest = Play::EMPTY;
        for &card in self.hand {
            if card.value() == first.value() && card != first {
                rest.push(card);
            }
        }
        while !rest.is_empty() && dice.one_in(2) {
            play.push(rest.remove(dice.below(rest.len())));
        }
        play
    }
}
