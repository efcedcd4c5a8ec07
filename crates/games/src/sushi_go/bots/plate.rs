//! One seat's cards of a round as numbers: what they score, and what they promise.

use super::super::rules::Card;

/// Everything about the cards a seat has laid that its score depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plate {
    tempura: u8,
    sashimi: u8,
    dumplings: u8,
    /// Points of the nigiri.
    nigiri: u8,
    free_wasabi: u8,
    pub icons: u8,
    pub puddings: u8,
    pub chopsticks: u8,
}

impl Plate {
    pub fn of(table: &[Card]) -> Plate {
        let mut plate = Plate::default();
        table.iter().for_each(|&card| plate.lay(card));
        plate
    }

    pub fn lay(&mut self, card: Card) {
        match card {
            Card::Tempura => self.tempura += 1,
            Card::Sashimi => self.sashimi += 1,
            Card::Dumpling => self.dumplings += 1,
            Card::Maki1 | Card::Maki2 | Card::Maki3 => self.icons += card.maki() as u8,
            Card::Egg | Card::Salmon | Card::Squid => {
                let dipped = self.free_wasabi > 0;
                self.free_wasabi -= u8::from(dipped);
                let value = card.nigiri().expect("one of the three") as u8;
                self.nigiri += if dipped { 3 * value } else { value };
            }
            Card::Pudding => self.puddings += 1,
            Card::Wasabi => self.free_wasabi += 1,
            Card::Chopsticks => self.chopsticks += 1,
        }
    }

    pub fn with(mut self, card: Card) -> Plate {
        self.lay(card);
        self
    }

    /// Two cards at once: the chopsticks go back into the hand.
    pub fn with_two(self, first: Card, second: Card) -> Plate {
        let mut plate = self.with(first).with(second);
        plate.chopsticks -= 1;
        plate
    }

    /// What the cards score, whatever the others have: all but maki and puddings.
    pub fn points(&self) -> i64 {
        i64::from(self.tempura / 2) * 5
            + i64::from(self.sashimi / 3) * 10
            + [0, 1, 3, 6, 10, 15][usize::from(self.dumplings.min(5))]
            + i64::from(self.nigiri)
    }

    /// Twelfths of a point: what the cards score, and what the unfinished sets promise while
    /// `left` cards are still to come.
    pub fn worth(&self, left: usize) -> i64 {
        let some_left = left.min(6) as i64;
        12 * self.points()
            + 4 * some_left * i64::from(self.tempura % 2)
            + [0, 3, 9][usize::from(self.sashimi % 3)] * some_left
            + 2 * some_left * i64::from(self.dumplings.min(4))
            + 5 * some_left * i64::from(self.free_wasabi.min(2))
            + 13 * i64::from(self.icons)
            + 40 * i64::from(self.puddings)
            + some_left * i64::from(self.chopsticks.min(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sushi_go::rules::scoring;
    use rules::{Dice, Seed};

    #[test]
    fn a_plate_scores_as_the_rule_book_does() {
        let mut dice = Dice::new(&Seed::from_number(1), "plates", 0);
        for _ in 0..2000 {
            let size = dice.below(11);
            let table: Vec<Card> = (0..size).map(|_| dice.pick(&Card::DECK).0).collect();
            assert_eq!(Plate::of(&table).points(), scoring::own(&table).total(), "{table:?}");
        }
    }
}
