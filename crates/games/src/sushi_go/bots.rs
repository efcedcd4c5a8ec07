//! House players: `random`; `greedy`, which takes what is worth most now; and `gourmet`, which looks
//! ahead.

mod gourmet;
mod kitchen;
mod plate;
mod values;

use rules::{BotKind, Dice, Grade, mixed};

use super::rules::{Action, Card, SushiGo, View};
use gourmet::Gourmet;
use plate::Plate;

pub const BOTS: &[BotKind<SushiGo>] = &[
    BotKind {
        name: "random",
        about: "any legal move, each equally likely",
        grade: Grade::Beginner,
        make: || Box::new(random),
    },
    BotKind {
        name: "pip",
        about: "for people: level 1 of 5",
        grade: Grade::Beginner,
        make: || mixed(55, Box::new(greedy), Box::new(random)),
    },
    BotKind {
        name: "mika",
        about: "for people: level 2 of 5",
        grade: Grade::Beginner,
        make: || mixed(93, Box::new(greedy), Box::new(random)),
    },
    BotKind {
        name: "greedy",
        about: "the most valuable card in sight",
        grade: Grade::Decent,
        make: || Box::new(greedy),
    },
    BotKind {
        name: "otto",
        about: "for people: level 3 of 5",
        grade: Grade::Strong,
        make: || mixed(11, Box::new(Gourmet::default()), Box::new(greedy)),
    },
    BotKind {
        name: "vera",
        about: "for people: level 4 of 5",
        grade: Grade::Strong,
        make: || mixed(30, Box::new(Gourmet::default()), Box::new(greedy)),
    },
    BotKind {
        name: "sage",
        about: "for people: level 5 of 5",
        grade: Grade::Strong,
        make: || mixed(62, Box::new(Gourmet::default()), Box::new(greedy)),
    },
    BotKind {
        name: "gourmet",
        about: "remembers the hands that went by, and plays the round to its end",
        grade: Grade::Strong,
        make: || Box::new(Gourmet::default()),
    },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    let hand = hand(view);
    Action::random(hand, view.has_chopsticks() && hand.len() > 1, dice)
}

/// Looks one move ahead: every action, one card or two, judged by what the table would be worth.
fn greedy(view: &View, _dice: &mut Dice) -> Action {
    let hand = hand(view);
    let plate = Plate::of(&view.own().expect("a bot has a seat").table);
    let can_pick_two = view.has_chopsticks() && hand.len() > 1;
    let value = |action: &Action| {
        let after = match *action {
            Action::Play(index) => plate.with(hand[index]),
            Action::Chopsticks(first, second) => plate.with_two(hand[first], hand[second]),
        };
        after.worth(hand.len())
    };
    Action::all(hand.len(), can_pick_two)
        .into_iter()
        .rev()
        .max_by_key(value)
        .expect("a hand is never empty")
}

fn hand(view: &View) -> &[Card] {
    view.hand.as_deref().expect("a bot has a seat")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Game, Move, Seat, Seed, Step, Viewer};

    fn named(name: &str) -> &'static BotKind<SushiGo> {
        BOTS.iter().find(|kind| kind.name == name).expect("a strategy")
    }

    /// How many games of two the strategy `one` wins against another.
    fn wins(one: &str, other: &str, games: u64) -> usize {
        let won = |number: &u64| {
            let seed = Seed::from_number(*number);
            let mut dice = Dice::new(&seed, "players", 0);
            let mut game = SushiGo::setup(&Default::default(), 2, seed).unwrap();
            let clever = Seat((number % 2) as u8);
            let strategy = |seat: Seat| named(if seat == clever { one } else { other });
            let mut bots = [Seat(0), Seat(1)].map(|seat| (strategy(seat).make)());
            while !game.to_act().is_empty() {
                let turn: Vec<_> = Seat::all(2)
                    .map(|seat| {
                        let view = game.view(Viewer::Seat(seat));
                        (seat, Move::Act(bots[seat.index()].choose(&view, &mut dice)))
                    })
                    .collect();
                for (seat, part) in &turn {
                    let Move::Act(action) = part else { unreachable!() };
                    game.check(*seat, action).unwrap();
                }
                game.advance(Step::Turn(&turn));
            }
            game.outcome().unwrap().winners().contains(clever)
        };
        (0..games).filter(won).count()
    }

    #[test]
    fn greedy_beats_random_clearly() {
        let wins = wins("greedy", "random", 200);
        assert!(wins > 160, "greedy won only {wins} of 200");
    }

    #[test]
    fn the_gourmet_beats_greedy_clearly() {
        let wins = wins("gourmet", "greedy", 6);
        assert!(wins >= 5, "the gourmet won only {wins} of 6");
    }
}
