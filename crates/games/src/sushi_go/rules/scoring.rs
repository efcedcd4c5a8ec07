//! Scoring, as the rule book has it: one round's table cards, and the puddings of the game.

use serde::{Deserialize, Serialize};

use super::card::Card;

/// What one seat's cards of one round are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    pub maki: i64,
    pub tempura: i64,
    pub sashimi: i64,
    pub dumpling: i64,
    pub nigiri: i64,
}

impl Worth {
    pub fn total(&self) -> i64 {
        self.maki + self.tempura + self.sashimi + self.dumpling + self.nigiri
    }
}

/// Scores a round: each seat's cards in the order in which they were laid.
pub fn round<'a>(tables: impl Iterator<Item = &'a [Card]> + Clone) -> Vec<Worth> {
    let icons: Vec<u32> =
        tables.clone().map(|cards| cards.iter().map(|c| c.maki()).sum()).collect();
    tables.zip(maki(&icons)).map(|(cards, maki)| Worth { maki, ..own(cards) }).collect()
}

/// The part of a round that depends on nobody else: everything but maki.
pub fn own(cards: &[Card]) -> Worth {
    let count = |card| cards.iter().filter(|&&c| c == card).count() as i64;
    Worth {
        maki: 0,
        tempura: count(Card::Tempura) / 2 * 5,
        sashimi: count(Card::Sashimi) / 3 * 10,
        dumpling: [0, 1, 3, 6, 10, 15][count(Card::Dumpling).min(5) as usize],
        nigiri: nigiri(cards),
    }
}

/// A nigiri goes on a free wasabi if one was laid before it, and is then worth three times as much.
fn nigiri(cards: &[Card]) -> i64 {
    let mut free_wasabi = 0;
    let mut points = 0;
    for card in cards {
        if *card == Card::Wasabi {
            free_wasabi += 1;
        } else if let Some(value) = card.nigiri() {
            let dipped = free_wasabi > 0;
            free_wasabi -= i32::from(dipped);
            points += if dipped { 3 * value } else { value };
        }
    }
    points
}

/// Wasabi still waiting for a nigiri.
pub fn free_wasabi(cards: &[Card]) -> usize {
    cards.iter().fold(0, |free: usize, card| match card {
        Card::Wasabi => free + 1,
        card if card.nigiri().is_some() => free.saturating_sub(1),
        _ => free,
    })
}

/// Most icons 6, second most 3, each split among equals with the remainder dropped. A tie for
/// most takes the second prize with it; nobody without maki is counted.
pub fn maki(icons: &[u32]) -> Vec<i64> {
    let most = icons.iter().copied().max().unwrap_or(0);
    let second = icons.iter().copied().filter(|&n| n < most).max().unwrap_or(0);
    let holders = |n: u32| icons.iter().filter(|&&other| other == n).count() as i64;
    let prize = |&n: &u32| match n {
        0 => 0,
        n if n == most => 6 / holders(most),
        n if n == second && holders(most) == 1 => 3 / holders(second),
        _ => 0,
    };
    icons.iter().map(prize).collect()
}

/// Most puddings +6, fewest -6, each split among equals and rounded towards zero; nothing if
/// all have equally many. The rule book spares two players the -6; `penalty_for_two` does not.
pub fn puddings(counts: &[u32], penalty_for_two: bool) -> Vec<i64> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let fewest = counts.iter().copied().min().unwrap_or(0);
    let holders = |n: u32| counts.iter().filter(|&&other| other == n).count() as i64;
    let prize = |&n: &u32| match n {
        _ if most == fewest => 0,
        n if n == most => 6 / holders(most),
        n if n == fewest && (counts.len() > 2 || penalty_for_two) => -6 / holders(fewest),
        _ => 0,
    };
    counts.iter().map(prize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Card::*;

    #[test]
    fn cards_of_one_seat() {
        let cases: [(&[Card], i64); 12] = [
            (&[], 0),
            (&[Wasabi, Squid], 9),
            (&[Squid, Wasabi], 3),
            (&[Wasabi, Wasabi, Egg, Squid], 12),
            (&[Wasabi, Egg, Squid], 6),
            (&[Tempura; 5], 10),
            (&[Sashimi; 7], 20),
            (&[Dumpling; 4], 10),
            (&[Dumpling; 6], 15),
            (&[Chopsticks, Wasabi], 0),
            (&[Pudding, Pudding], 0),
            (&[Salmon, Wasabi, Tempura, Salmon, Tempura], 13),
        ];
        for (cards, points) in cases {
            assert_eq!(own(cards).total(), points, "{cards:?}");
        }
    }

    #[test]
    fn maki_prizes() {
        let cases: [(&[u32], &[i64]); 7] = [
            (&[3, 2, 1], &[6, 3, 0]),
            (&[3, 3, 2], &[3, 3, 0]),
            (&[3, 2, 2], &[6, 1, 1]),
            (&[3, 2, 2, 2, 2], &[6, 0, 0, 0, 0]),
            (&[3, 0], &[6, 0]),
            (&[0, 0], &[0, 0]),
            (&[1, 1, 1, 1, 0], &[1, 1, 1, 1, 0]),
        ];
        for (icons, points) in cases {
            assert_eq!(maki(icons), points, "{icons:?}");
        }
    }

    #[test]
    fn pudding_prizes() {
        let cases: [(&[u32], bool, &[i64]); 9] = [
            (&[4, 2, 0], true, &[6, 0, -6]),
            (&[3, 3, 0], true, &[3, 3, -6]),
            (&[4, 0, 0], true, &[6, -3, -3]),
            (&[1, 1, 1], true, &[0, 0, 0]),
            (&[2, 2, 2, 2, 1], true, &[1, 1, 1, 1, -6]),
            (&[3, 0, 0, 0, 0], true, &[6, -1, -1, -1, -1]),
            (&[3, 1], true, &[6, -6]),
            (&[3, 1], false, &[6, 0]),
            (&[4, 2, 0], false, &[6, 0, -6]),
        ];
        for (counts, penalty_for_two, points) in cases {
            assert_eq!(puddings(counts, penalty_for_two), points, "{counts:?}");
        }
    }

    #[test]
    fn wasabi_waits_for_the_next_nigiri_only() {
        assert_eq!(free_wasabi(&[Egg, Wasabi, Wasabi, Squid]), 1);
        assert_eq!(free_wasabi(&[Wasabi, Squid, Squid]), 0);
    }
}
