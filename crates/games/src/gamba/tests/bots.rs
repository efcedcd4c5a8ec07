//! The house bots play by the rules, and skill shows.

use rules::{BotKind, Dice, Game, Seat, Seed, Viewer};

use super::{act, cards};
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

/// The number of games that one wins against another, half of them in each seat.
fn wins(one: &str, other: &str, deal: Deal, games: u64) -> usize {
    let (one, other) = (kind(one), kind(other));
    let won = |number: &u64| {
        let own = Seat((number % 2) as u8);
        let players = if own == Seat(0) { [one, other] } else { [other, one] };
        duel(deal, *number / 2, players).ending.unwrap().winner == Some(own)
    };
    (0..games).filter(won).count()
}

/// Six cards leave much to luck: the same two are further apart with the full deck.
#[test]
fn thrifty_beats_random() {
    let hundred = |deal| wins("thrifty", "random", deal, 100);
    let (guide, full_deck) = (hundred(Deal::Guide), hundred(Deal::FullDeck));
    assert!(guide >= 65, "thrifty won only {guide} of 100 games of the guide's deal");
    assert!(full_deck >= 85, "thrifty won only {full_deck} of 100 games with the full deck");
}

#[test]
fn the_gambler_takes_a_win_at_once() {
    let mut game = Gamba::setup(&Config { deal: Deal::Guide }, 2, Seed::from_number(1)).unwrap();
    game.hands = [cards("9H 9S"), cards("2C 4D 7S")];
    game.reserves[0] = cards("");
    game.pile = cards("8C");
    let mut dice = Dice::new(&Seed::from_number(1), "bots", 0);
    let view = game.view(Viewer::Seat(Seat(0)));
    act(&mut game, (kind("gambler").make)().choose(&view, &mut dice));
    assert_eq!(game.ending.unwrap().winner, Some(Seat(0)));
}

/// A short deal proves little in few games; `docs/reference/house-bots.md` has the figures of many.
#[test]
fn the_gambler_beats_thrifty_with_the_full_deck() {
    let won = wins("gambler", "thrifty", Deal::FullDeck, 10);
    assert!(won >= 6, "the gambler won only {won} of 10 games");
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
