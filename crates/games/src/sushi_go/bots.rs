//! House players: `random`, and `greedy`, which takes what is worth most now.

use rules::{BotKind, Dice};

use super::card::Card;
use super::rules::{Action, SushiGo};
use super::scoring;
use super::view::View;

pub const BOTS: &[BotKind<SushiGo>] = &[
    BotKind { name: "random", about: "any legal move", make: || Box::new(random) },
    BotKind { name: "greedy", about: "the most valuable card in sight", make: || Box::new(greedy) },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    let hand = hand(view).len();
    Action::nth(hand, dice.below(Action::count(hand, view.has_chopsticks() && hand > 1)))
}

/// Looks one move ahead: every action, one card or two, judged by what the table would be worth.
fn greedy(view: &View, _dice: &mut Dice) -> Action {
    let hand = hand(view);
    let own = view.own().expect("a bot has a seat");
    let can_pick_two = view.has_chopsticks() && hand.len() > 1;
    let promise_left = hand.len() as i64;
    let value = |action: &Action| {
        let mut table = own.table.clone();
        match *action {
            Action::Play(index) => table.push(hand[index]),
            Action::Chopsticks(first, second) => {
                table.extend([hand[first], hand[second]]);
                let sticks = table.iter().position(|&card| card == Card::Chopsticks);
                table.remove(sticks.expect("chopsticks are on the table"));
            }
        }
        worth(&table, promise_left)
    };
    Action::all(hand.len(), can_pick_two)
        .into_iter()
        .rev()
        .max_by_key(value)
        .expect("a hand is never empty")
}

/// Twelfths of a point: what the cards score, and what the unfinished sets promise while
/// `left` cards are still to come.
fn worth(table: &[Card], left: i64) -> i64 {
    let count = |card| table.iter().filter(|&&c| c == card).count() as i64;
    let some_left = left.min(6);
    let icons: u32 = table.iter().map(|card| card.maki()).sum();
    12 * scoring::own(table).total()
        + 4 * some_left * (count(Card::Tempura) % 2)
        + [0, 3, 9][(count(Card::Sashimi) % 3) as usize] * some_left
        + 2 * some_left * count(Card::Dumpling).min(4)
        + 5 * some_left * (scoring::free_wasabi(table).min(2) as i64)
        + 13 * i64::from(icons)
        + 40 * count(Card::Pudding)
        + some_left * count(Card::Chopsticks).min(1)
}

fn hand(view: &View) -> &[Card] {
    view.hand.as_deref().expect("a bot has a seat")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Game, Move, Seat, Seed, Step, Viewer};

    #[test]
    fn greedy_beats_random_clearly() {
        let mut wins = 0;
        for number in 0..200 {
            let seed = Seed::from_number(number);
            let mut dice = Dice::new(&seed, "players", 0);
            let mut game = SushiGo::setup(&Default::default(), 2, seed).unwrap();
            let clever = Seat((number % 2) as u8);
            while !game.to_act().is_empty() {
                let turn: Vec<_> = Seat::all(2)
                    .map(|seat| {
                        let view = game.view(Viewer::Seat(seat));
                        let kind = &BOTS[usize::from(seat == clever)];
                        (seat, Move::Act((kind.make)().choose(&view, &mut dice)))
                    })
                    .collect();
                for (seat, part) in &turn {
                    let Move::Act(action) = part else { unreachable!() };
                    game.check(*seat, action).unwrap();
                }
                game.advance(Step::Turn(&turn));
            }
            wins += u32::from(game.outcome().unwrap().winners().contains(clever));
        }
        assert!(wins > 160, "greedy won only {wins} of 200");
    }
}
