//! The house bots play legally, and the better one shows it.

use rules::{Dice, Game, Move, Seat, Seed, Step, Viewer};

use crate::tiger_dragon::{BOTS, Config, Ruleset, TigerDragon};

/// How often a seat of `name` wins a hundred matches against `others` in all other seats.
fn wins(config: &Config, seats: usize, name: &str, others: &str) -> usize {
    wins_of(100, config, seats, name, others)
}

fn wins_of(matches: u64, config: &Config, seats: usize, name: &str, others: &str) -> usize {
    let bot = |name: &str| BOTS.iter().find(|bot| bot.name == name).expect("a known bot").make;
    let won = |number: &u64| {
        let seed = Seed::from_number(*number);
        let ours = Seat((number % seats as u64) as u8);
        let mut dice = Dice::new(&seed, "bots", 0);
        let mut game = TigerDragon::setup(config, seats, seed).expect("a fair table");
        while let Some(seat) = game.to_act().first() {
            let mut player = bot(if seat == ours { name } else { others })();
            let action = player.choose(&game.view(Viewer::Seat(seat)), &mut dice);
            assert_eq!(game.check(seat, &action), Ok(()), "{:?}", game.view(Viewer::Seat(seat)));
            game.advance(Step::Turn(&[(seat, Move::Act(action))]));
        }
        game.outcome().expect("it is over").winners().contains(ours)
    };
    (0..matches).filter(won).count()
}

#[test]
fn the_counter_beats_random_players() {
    let config = Config::default();
    for (seats, at_least) in [(2, 75), (3, 65), (4, 60), (5, 50)] {
        let wins = wins(&config, seats, "counter", "random");
        assert!(wins >= at_least, "{wins} of 100 with {seats} seats, wanted {at_least}");
    }
}

#[test]
fn the_general_beats_the_counter() {
    let config = Config { target: 5, ..Config::default() };
    for seats in [2, 4] {
        let wins = wins_of(8, &config, seats, "general", "counter");
        assert!(wins >= 5, "{wins} of 8 with {seats} seats");
    }
}

#[test]
fn every_bot_plays_by_the_original_rules_too() {
    let config = Config { rules: Ruleset::Original, ..Config::default() };
    let wins: Vec<usize> = [2, 5].map(|seats| wins(&config, seats, "counter", "random")).into();
    assert!(wins.iter().all(|wins| *wins >= 50), "{wins:?}");
}
