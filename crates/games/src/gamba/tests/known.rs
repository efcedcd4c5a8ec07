//! Known answers: short games written out in `known.txt`, and the guide's table of valid plays.
//!
//! A state is `hand + reserves` of seat 0, then of seat 1, then what lies elsewhere; a dash is no
//! cards, and cards not named are out of play. Seat 0 acts first. A line with `>` is an action,
//! followed by the state it leads to or by why it is refused.

use rules::{Game, Seat, Seed};

use super::{act, card, cards, play};
use crate::gamba::{Action, Card, Cards, Config, Gamba, Position, Ranks};

#[test]
fn known_games() {
    let mut checked = 0;
    for case in include_str!("known.txt").split("\n\n") {
        check(case.trim());
        checked += 1;
    }
    assert!(checked > 20, "only {checked} cases were read");
}

fn check(case: &str) {
    let mut lines = case.lines().skip_while(|line| line.starts_with('#'));
    let mut game = parse(lines.next().expect("a case has a state"));
    let mut retold: String = case
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    retold += &format!("{}\n", describe(&game));
    for line in lines {
        let Some(order) = line.strip_prefix("> ") else { continue };
        let action = match order {
            "reserve" => Action::Reserve,
            "pick up" => Action::PickUp,
            _ => play(order.strip_prefix("play").expect("play, reserve or pick up")),
        };
        let seat = game.to_act().first().expect("the game goes on");
        let answer = match game.check(seat, &action) {
            Ok(()) => {
                act(&mut game, action);
                describe(&game)
            }
            Err(why) => format!("refused: {why}"),
        };
        retold += &format!("> {order}\n{answer}\n");
    }
    assert!(retold.trim() == case, "expected\n-----\n{case}\n-----\ngot\n-----\n{retold}-----");
}

fn parse(state: &str) -> Gamba {
    let mut game = Gamba::setup(&Config::default(), 2, Seed::from_number(0)).unwrap();
    let mut fields = state.split(" | ");
    for seat in 0..2 {
        let (hand, reserves) = fields.next().and_then(|field| field.split_once(" + ")).unwrap();
        game.hands[seat] = pile(hand);
        game.reserves[seat] = cards(reserves.trim_start_matches('-'));
    }
    for field in fields {
        match field.split_once(' ').unwrap_or((field, "")) {
            ("pile", codes) => game.pile = pile(codes),
            ("low", "") => game.must_play_low = true,
            ("deck", codes) => game.deck = pile(codes),
            ("burned", codes) => game.burned = pile(codes),
            _ => panic!("{field:?} is no part of a state"),
        }
    }
    let named: Vec<Card> = [game.pile, game.deck, game.burned, game.hands[0], game.hands[1]]
        .iter()
        .flat_map(|cards| cards.to_vec())
        .chain(game.reserves.iter().flat_map(|cards| cards.to_vec()))
        .collect();
    let rest: Vec<Card> = Card::all().filter(|card| !named.contains(card)).collect();
    assert_eq!(named.len() + rest.len(), Card::COUNT, "a card is named twice: {state}");
    game.out_of_play = Cards::from_slice(&rest).unwrap();
    game
}

fn pile(codes: &str) -> Cards {
    cards(codes.trim_start_matches('-'))
}

fn describe(game: &Gamba) -> String {
    let mut text = format!(
        "{} + {} | {} + {} | pile {}",
        game.hands[0], game.reserves[0], game.hands[1], game.reserves[1], game.pile
    );
    if game.must_play_low {
        text += " | low";
    }
    for (name, cards) in [("deck", &game.deck), ("burned", &game.burned)] {
        if !cards.is_empty() {
            text += &format!(" | {name} {cards}");
        }
    }
    if let Some(outcome) = game.outcome() {
        let winners: Vec<Seat> = outcome.winners().iter().collect();
        text += &format!(" | won by {winners:?}");
    }
    text
}

/// What may be played on what, rank by rank: the guide's examples first.
#[test]
fn what_goes_on_what() {
    for (top, must_play_low, accepted) in [
        ("5H", false, "2 5 6 7 8 9 10 J Q K A"),
        ("7H", true, "2 3 4 5 6 7"),
        ("-", false, "2 3 4 5 6 7 8 9 10 J Q K A"),
        ("2H", false, "2 3 4 5 6 7 8 9 10 J Q K A"),
        ("3H", false, "2 3 4 5 6 7 8 9 10 J Q K A"),
        ("4H", false, "2 4 5 6 7 8 9 10 J Q K A"),
        ("8H", false, "2 7 8 9 10 J Q K A"),
        ("JH", false, "2 7 10 J Q K A"),
        ("AH", false, "2 7 10 A"),
        // Only a starter card can be one of these.
        ("7H", false, "2 7 8 9 10 J Q K A"),
        ("10H", false, "2 7 10 J Q K A"),
    ] {
        let pile = pile(top);
        let position = Position { hand: &[], reserves: 1, pile: &pile, must_play_low };
        let ranks: Vec<&str> = "2 3 4 5 6 7 8 9 10 J Q K A"
            .split(' ')
            .filter(|rank| position.accepts(card(&format!("{rank}S")).value()))
            .collect();
        assert_eq!(ranks.join(" "), accepted, "on {top}, must_play_low {must_play_low}");
        let told = serde_json::to_value(position.fitting()).unwrap();
        assert_eq!(told, serde_json::json!(ranks), "on {top}, as views tell it");
        assert_eq!(serde_json::from_value::<Ranks>(told).unwrap(), position.fitting());
    }
}

#[test]
fn every_card_reads_as_it_is_written() {
    let codes: Vec<String> = Card::all().map(|card| card.to_string()).collect();
    assert_eq!(codes.len(), 52);
    for (card, code) in Card::all().zip(&codes) {
        assert_eq!(code.parse(), Ok(card));
        let rank = ["J", "Q", "K", "A"].iter().position(|name| *name == &code[..code.len() - 1]);
        let value = rank.map_or_else(|| code[..code.len() - 1].parse().unwrap(), |r| r as u8 + 11);
        assert_eq!(card.value(), value, "{code}");
    }
    for wrong in ["", "1S", "2", "H", "2h", "11H", "2HH", " 2H", "10", "RESERVE"] {
        assert!(wrong.parse::<Card>().is_err(), "{wrong:?} was read as a card");
    }
}

#[test]
fn actions_are_written_plainly() {
    for (action, text) in [
        (play("2H 2D"), r#"{"play":["2H","2D"]}"#),
        (Action::Reserve, r#""reserve""#),
        (Action::PickUp, r#""pick-up""#),
    ] {
        assert_eq!(serde_json::to_string(&action).unwrap(), text);
        assert_eq!(serde_json::from_str::<Action>(text).unwrap(), action);
    }
    let five = r#"{"play":["2H","2D","2C","2S","3H"]}"#;
    let wrong = serde_json::from_str::<Action>(five).unwrap_err().to_string();
    assert!(wrong.contains("5 cards, where at most 4 fit"), "{wrong}");
}
