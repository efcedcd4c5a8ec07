//! Rounds written out: given hands, each act and what comes of it.
//!
//! A scenario begins with `#` and its name, then says what differs from a fresh match of the
//! default configuration (`hands` always, one per seat; the rest of the deal does not matter),
//! then what is done: `SEAT TILE`, `SEAT pass`, `SEAT leaves`. Behind each `->` stand the news
//! and where the match is now.

use rules::{Exit, Game, Move, Scene, Seat, Seed, Step, Viewer};

use crate::tiger_dragon::rules::picture::told;
use crate::tiger_dragon::{Action, Config, News, Phase, Ruleset, TigerDragon, Tile, View};

fn check(text: &str) {
    for scenario in text.split("\n\n") {
        let played = replay(scenario);
        let expected = scenario.trim_end();
        assert!(played == expected, "---- expected\n{expected}\n---- played\n{played}\n----");
    }
}

/// The scenario again, with what the rules make of it.
fn replay(scenario: &str) -> String {
    let mut config = Config::default();
    let mut game = None;
    let mut lines = Vec::new();
    for line in scenario.trim_end().lines() {
        let (word, rest) = line.split_once(' ').expect("a word and what belongs to it");
        match word {
            "#" => {}
            "rules" if rest == "original" => config.rules = Ruleset::Original,
            "target" => config.target = rest.parse().expect("a number"),
            "battlefield" => config.battlefield = rest.to_owned(),
            "hands" => game = Some(deal(&config, rest)),
            _ => {
                let asked = line.split(" ->").next().expect("the part before the arrow");
                let game = game.as_mut().expect("hands come first");
                lines.push(format!("{asked} -> {}", act(game, asked)));
                continue;
            }
        }
        lines.push(line.to_owned());
    }
    lines.join("\n")
}

fn deal(config: &Config, hands: &str) -> TigerDragon {
    let hands: Vec<&str> = hands.split('|').collect();
    let mut game = TigerDragon::setup(config, hands.len(), Seed::from_number(1)).unwrap();
    for (hand, labels) in game.hands.iter_mut().zip(hands) {
        *hand = labels.split_whitespace().map(|label| label.parse::<Tile>().unwrap()).collect();
    }
    game
}

fn act(game: &mut TigerDragon, asked: &str) -> String {
    let (seat, word) = asked.split_once(' ').expect("a seat and an act");
    let seat = Seat(seat.parse().expect("a seat"));
    if word == "leaves" {
        if seat == game.current {
            game.advance(Step::Turn(&[(seat, Move::Retire(Exit::Left))]));
        } else {
            game.advance(Step::Departure(&[(seat, Exit::Left)]));
        }
    } else {
        let action: Action = word.parse().expect("a tile or a pass");
        assert_eq!(seat, game.current, "{asked}");
        if let Err(why) = game.check(seat, &action) {
            return format!("refused: {why}");
        }
        game.advance(Step::Turn(&[(seat, Move::Act(action))]));
    }
    let view = game.view(Viewer::Seat(game.current));
    let news: Vec<String> = view.news.iter().map(|news| tell(&view, news)).collect();
    format!("{}; {}", news.join("; "), situation(&view))
}

fn tell(view: &View, news: &News) -> String {
    let News::RoundEnded(result) = news else {
        let names = ["seat 0", "seat 1", "seat 2", "seat 3", "seat 4"];
        return told(&Scene::of(view, &names), news).trim_end().to_owned();
    };
    let discards: Vec<String> = result.discards.iter().map(ToString::to_string).collect();
    let scores: Vec<String> = result.scores.iter().map(ToString::to_string).collect();
    format!(
        "round {} won by {} with {} from {}, {} face down, worth {}, scores {}",
        result.round,
        result.winner,
        result.last_tile,
        discards.join(","),
        result.face_down,
        result.points,
        scores.join(",")
    )
}

/// A round that has just been dealt says nothing of its legal tiles: they are chance.
fn situation(view: &View) -> String {
    let attack = match view.attack {
        Some(attack) => format!(" against {}", attack.tile),
        None => String::new(),
    };
    let legal = match (view.phase, view.turn) {
        (Phase::Finished, _) | (_, 0) => String::new(),
        _ => format!(" of {}", view.legal),
    };
    format!("{} {}{attack}{legal}", view.phase, view.current)
}

#[test]
fn phases() {
    check(include_str!("phases.txt"));
}

#[test]
fn ways_to_go_out() {
    check(include_str!("going_out.txt"));
}

#[test]
fn seats_that_leave() {
    check(include_str!("leaving.txt"));
}
