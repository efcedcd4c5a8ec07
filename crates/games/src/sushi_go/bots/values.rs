//! What a review of Sushi Go weighs: each kind of card once, and the best pairs for chopsticks.

use rules::{Dice, Past, Reviewable, Seat};

use super::super::rules::{Action, Card, SushiGo, View};
use super::gourmet::Gourmet;
use super::plate::Plate;

/// How many pairs are weighed: those that promise most.
const PAIRS: usize = 6;
/// One quick move in this many is any card: players are not quite as one thinks they are.
const WHIM: usize = 10;

impl Reviewable for SushiGo {
    /// The gourmet remembers the hands that went by.
    type Memory = Gourmet;

    const KINDS: &'static [&'static str] = &["take", "chopsticks"];
    const DEALS: u32 = 256;

    fn remember(memory: &mut Gourmet, view: &View) {
        memory.remember(view);
    }

    fn redeal(past: &Past<'_, SushiGo>, dice: &mut Dice) -> Option<SushiGo> {
        past.game.redealt(past.seat, past.memory.known(), dice)
    }

    /// The hands of the rounds to come.
    fn shuffle_future(&mut self, dice: &mut Dice) {
        dice.shuffle(&mut self.deck);
    }

    fn candidates(view: &View, _: &Gourmet, _: &mut Dice) -> Vec<Action> {
        let hand = super::hand(view);
        let singles = (0..hand.len()).map(Action::Play);
        let mut actions: Vec<Action> = singles.filter(|a| is_canonical(view, a)).collect();
        if view.has_chopsticks() && hand.len() > 1 {
            let all = Action::all(hand.len(), true).into_iter().skip(hand.len());
            let mut pairs: Vec<Action> = all.filter(|a| is_canonical(view, a)).collect();
            let plate = own_plate(view);
            pairs.sort_by_key(|action| -promise(hand, plate, action));
            actions.extend(pairs.into_iter().take(PAIRS));
        }
        actions
    }

    /// Of equal cards the first. Two cards come in the order of the hand, except that wasabi and
    /// nigiri differ by which comes first.
    fn canonical(view: &View, action: &Action) -> Action {
        let hand = super::hand(view);
        let first = |card: Card| hand.iter().position(|held| *held == card).unwrap_or_default();
        let second = |card: Card, other: usize| {
            (0..hand.len()).find(|&index| index != other && hand[index] == card)
        };
        match *action {
            Action::Play(index) => Action::Play(first(hand[index])),
            Action::Chopsticks(one, two) => {
                let (one, two) = (hand[one], hand[two]);
                let swaps = first(one) > first(two) && !is_dip(one, two);
                let (one, two) = if swaps { (two, one) } else { (one, two) };
                let place = first(one);
                Action::Chopsticks(place, second(two, place).unwrap_or_default())
            }
        }
    }

    fn kind(view: &View, _: &Action) -> &'static str {
        let chooses = view.has_chopsticks() && super::hand(view).len() > 1;
        if chooses { "chopsticks" } else { "take" }
    }

    /// What is worth most in sight.
    fn quick_move(&self, seat: Seat, dice: &mut Dice) -> Action {
        let place = &self.seats[seat.index()];
        let hand = &place.hand[..];
        if dice.one_in(WHIM) {
            return Action::Play(dice.below(hand.len()));
        }
        let plate = Plate::of(&place.table);
        let worth = |action: &Action| promise(hand, plate, action);
        let mut best = (i64::MIN, Action::Play(0));
        let mut look = |action: Action| {
            let worth = worth(&action);
            if worth > best.0 {
                best = (worth, action);
            }
        };
        (0..hand.len()).map(Action::Play).for_each(&mut look);
        if plate.chopsticks > 0 && hand.len() > 1 {
            let ends = hand.len()..Action::count(hand.len(), true);
            ends.map(|n| Action::nth(hand.len(), n)).for_each(&mut look);
        }
        best.1
    }
}

fn is_canonical(view: &View, action: &Action) -> bool {
    SushiGo::canonical(view, action) == *action
}

/// Whether the order of two cards matters.
fn is_dip(one: Card, two: Card) -> bool {
    let wasabi = |card: Card| card == Card::Wasabi;
    (wasabi(one) && two.nigiri().is_some()) || (wasabi(two) && one.nigiri().is_some())
}

fn own_plate(view: &View) -> Plate {
    Plate::of(&view.own().expect("a seat decides").table)
}

/// What the own cards would promise.
fn promise(hand: &[Card], plate: Plate, action: &Action) -> i64 {
    let after = match *action {
        Action::Play(index) => plate.with(hand[index]),
        Action::Chopsticks(one, two) => plate.with_two(hand[one], hand[two]),
    };
    after.worth(hand.len())
}
