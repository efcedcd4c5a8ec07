//! The house players play by the rules, and skill shows.

use rules::{BotKind, Dice, Game, Seat, Seed, Viewer};

use super::act;
use crate::gamba::{BOTS, Config, Deal, Gamba, Reason};

fn kind(name: &str) -> &'static BotKind<Gamba> {
    BOTS.iter().find(|kind| kind.name == name).expect("a house player's name")
}

/// Plays one game; `act` checks every action.
fn duel(deal: Deal, number: u64, players: [&BotKind<Gamba>; 2]) -> Gamba {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "bots", 0);
    let mut bots = players.map(|kind| (kind.make)());
    let mut game = Gamba::setup(&Config { deal }, 2, seed).unwrap();
    while let Some(seat) = game.to_act().first() {
        let view = game.view(Viewer::Seat(seat));
        let action = bots[seat.index()].choose(&view, &mut dice);
        act(&mut game, action);
    }
    game
}

/// Games out of a hundred, fifty in each seat, that thrifty wins against random.
fn thrifty_wins(deal: Deal) -> usize {
    let (thrifty, random) = (kind("thrifty"), kind("random"));
    let won = |number: &u64| {
        let own = Seat((number % 2) as u8);
        let players = if own == Seat(0) { [thrifty, random] } else { [random, thrifty] };
        duel(deal, *number / 2, players).ending.unwrap().winner == Some(own)
    };
    (0..100).filter(won).count()
}

/// Six cards leave much to luck: the same two are further apart with the full deck.
#[test]
fn thrifty_beats_random() {
    let (guide, full_deck) = (thrifty_wins(Deal::Guide), thrifty_wins(Deal::FullDeck));
    assert!(guide >= 65, "thrifty won only {guide} of 100 games of the guide's deal");
    assert!(full_deck >= 85, "thrifty won only {full_deck} of 100 games with the full deck");
}

#[test]
fn thrifty_does_not_play_for_ever_against_itself() {
    for deal in [Deal::Guide, Deal::FullDeck] {
        for number in 0..200 {
            let game = duel(deal, number, [kind("thrifty"); 2]);
            assert_eq!(game.ending.unwrap().reason, Reason::NoCardsRemaining, "seed {number}");
        }
    }
}
