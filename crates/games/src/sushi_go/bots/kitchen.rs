//! A round in numbers, so that it can be played to its end some thousand times for one move.

use rules::Dice;

use super::super::rules::{Card, ROUNDS, SushiGo, scoring};
use super::plate::Plate;

/// How many of each card.
pub(super) type Hand = [u8; Card::DECK.len()];

/// What a seat lays in a turn: one card, or two for its chopsticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Laid(pub Card, pub Option<Card>);

#[derive(Clone, Debug)]
pub(super) struct Kitchen {
    places: Vec<Place>,
    /// To which seat the hand of each seat goes.
    targets: Vec<usize>,
    /// Turns to come in this round.
    pub left: usize,
    is_last_round: bool,
    penalty_for_two: bool,
}

#[derive(Clone, Debug)]
struct Place {
    hand: Hand,
    plate: Plate,
    /// Of the rounds before.
    score: i64,
    /// Of the rounds before.
    puddings: u32,
    /// Plays no more, and lays whatever comes first.
    gone: bool,
}

/// One time in so many a quick player lays any card: nobody is quite as it is thought to be.
const WHIM: usize = 10;

impl Kitchen {
    pub fn of(game: &SushiGo) -> Kitchen {
        let place = |seat: &super::super::rules::Tableau| {
            let plate = Plate::of(&seat.table);
            Place {
                hand: counted(&seat.hand),
                plate,
                score: seat.score,
                puddings: seat.puddings.saturating_sub(u32::from(plate.puddings)),
                gone: seat.exit.is_some(),
            }
        };
        let targets = game.config.pass_direction.targets(game.round, game.seats.len());
        Kitchen {
            places: game.seats.iter().map(place).collect(),
            targets: targets.into_iter().map(|seat| seat.index()).collect(),
            left: game.seats[0].hand.len(),
            is_last_round: game.round == ROUNDS,
            penalty_for_two: game.config.two_player_pudding_penalty,
        }
    }

    pub fn seats(&self) -> usize {
        self.places.len()
    }

    /// Everything that can be laid, each kind of card once.
    pub fn choices(&self, seat: usize) -> Vec<Laid> {
        let place = &self.places[seat];
        let mut choices: Vec<Laid> = kinds(&place.hand).map(|card| Laid(card, None)).collect();
        if place.can_lay_two(self.left) {
            choices.extend(pairs(&place.hand).map(|(first, second)| Laid(first, Some(second))));
        }
        choices
    }

    /// What would be in sight at once.
    pub fn promise(&self, seat: usize, laid: Laid) -> i64 {
        self.places[seat].plate_after(laid).worth(self.left)
    }

    /// The choice of somebody who takes what is worth most in sight, unless it has a whim.
    pub fn quick_choice(&self, seat: usize, dice: &mut Dice) -> Laid {
        let place = &self.places[seat];
        if place.gone || dice.one_in(WHIM) {
            let any = dice.below(kinds(&place.hand).count());
            return Laid(kinds(&place.hand).nth(any).expect("counted"), None);
        }
        let single = kinds(&place.hand).map(|card| Laid(card, None));
        let best =
            single.map(|laid| (self.promise(seat, laid), laid)).max_by_key(|(worth, _)| *worth);
        let best = best.expect("a hand is never empty");
        if !place.can_lay_two(self.left) {
            return best.1;
        }
        let two = pairs(&place.hand).map(|(first, second)| Laid(first, Some(second)));
        let two = two.map(|laid| (self.promise(seat, laid), laid)).max_by_key(|(worth, _)| *worth);
        two.filter(|two| two.0 > best.0).map_or(best.1, |two| two.1)
    }

    /// A turn of everybody; the hands go on.
    pub fn turn(&mut self, laid: &[Laid]) {
        let mut hands = [[0; Card::DECK.len()]; 5];
        for ((place, laid), target) in self.places.iter_mut().zip(laid).zip(&self.targets) {
            hands[*target] = place.lay(*laid);
        }
        for (place, hand) in self.places.iter_mut().zip(hands) {
            place.hand = hand;
        }
        self.left -= 1;
    }

    /// How far a seat is ahead of the best other once the round is over, in points.
    pub fn lead(&self, seat: usize) -> f64 {
        let icons: Vec<u32> = self.places.iter().map(|p| u32::from(p.plate.icons)).collect();
        let puddings: Vec<u32> = self.places.iter().map(Place::all_puddings).collect();
        let maki = scoring::maki(&icons);
        let desserts: Vec<f64> = if self.is_last_round {
            let prizes = scoring::puddings(&puddings, self.penalty_for_two);
            prizes.into_iter().map(|prize| prize as f64).collect()
        } else {
            puddings.iter().map(|&puddings| PUDDING * f64::from(puddings)).collect()
        };
        let total = |index: usize| {
            let place = &self.places[index];
            (place.score + place.plate.points() + maki[index]) as f64 + desserts[index]
        };
        let others = (0..self.places.len()).filter(|other| *other != seat);
        total(seat) - others.map(total).fold(f64::MIN, f64::max)
    }
}

/// What a pudding is thought to be worth while rounds are to come.
const PUDDING: f64 = 2.0;

impl Place {
    fn can_lay_two(&self, left: usize) -> bool {
        left > 1 && self.plate.chopsticks > 0
    }

    fn plate_after(&self, Laid(first, second): Laid) -> Plate {
        match second {
            Some(second) => self.plate.with_two(first, second),
            None => self.plate.with(first),
        }
    }

    /// What is left of the hand.
    fn lay(&mut self, laid: Laid) -> Hand {
        self.plate = self.plate_after(laid);
        let mut hand = self.hand;
        hand[laid.0 as usize] -= 1;
        if let Some(second) = laid.1 {
            hand[second as usize] -= 1;
            hand[Card::Chopsticks as usize] += 1;
        }
        hand
    }

    fn all_puddings(&self) -> u32 {
        self.puddings + u32::from(self.plate.puddings)
    }
}

fn counted(cards: &[Card]) -> Hand {
    let mut hand = Hand::default();
    cards.iter().for_each(|&card| hand[card as usize] += 1);
    hand
}

fn kinds(hand: &Hand) -> impl Iterator<Item = Card> + Clone {
    Card::DECK.iter().zip(hand).filter(|(_, count)| **count > 0).map(|((card, _), _)| *card)
}

/// Two cards of a hand, in either order.
fn pairs(hand: &Hand) -> impl Iterator<Item = (Card, Card)> {
    kinds(hand).flat_map(move |first| {
        let other = move |second: &Card| *second != first || hand[first as usize] > 1;
        kinds(hand).filter(other).map(move |second| (first, second))
    })
}
