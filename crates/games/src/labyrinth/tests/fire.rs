//! Both wires against anything a client can send.

use proptest::prelude::*;
use rules::Dice;
use serde_json::Value;
use trials::stress::{Exchange, stress};

use super::super::json::{self, Defined};
use super::super::{Action, Choice, Coordinate, Labyrinth, State, Strategy};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Every message is one JSON value on its own line, whatever was sent before.
    #[test]
    fn any_bytes_are_answered_in_json(seed: u64) {
        for Exchange { heard, .. } in stress::<Labyrinth>(seed, 400, speak) {
            for line in heard {
                prop_assert!(json::parse(&line).is_ok(), "{line}");
            }
        }
    }
}

/// The property above is worth something only if its games get somewhere.
#[test]
fn the_bytes_reach_every_phase() {
    let exchanges = (0..8).flat_map(|seed| stress::<Labyrinth>(seed, 1500, speak));
    let heard: Vec<String> = exchanges.flat_map(|exchange| exchange.heard).collect();
    for begin in [
        r#""SUCCESS""#,
        r#""COLOR_TAKEN""#,
        r#"{"board":"#,
        r#"{"winner":"#,
        r#""ALL_EJECTED""#,
        r#""ALL_PASSED""#,
        r#"["get_treasure_location",{"#,
        r#"["get_legal_shift_ops",[["#,
        r#"["get_legal_move_destinations",[{"#,
        r#"["get_current_state",{"error":"NOT_STARTED"}]"#,
        r#"["get_legal_shift_ops",{"error":"NOT_YOUR_TURN"}]"#,
        r#"["setup",[{"#,
        r#"["setup",[false,"#,
        r#"["take-turn","#,
        r#"["win",[true]]"#,
        r#"["win",[false]]"#,
    ] {
        assert!(heard.iter().any(|line| line.starts_with(begin)), "nobody heard {begin}");
    }
}

/// What a client of either protocol may send: mostly what suits its last message.
fn speak(dice: &mut Dice, heard: &[String]) -> String {
    let last = heard.last().map_or("", String::as_str);
    let begins = |begin: &str| last.starts_with(begin);
    match dice.below(40) {
        0 => stray(dice),
        1 => hello(dice),
        2 => query(dice).to_owned(),
        3 if begins(r#"["take-turn""#) => r#""PASS""#.to_owned(),
        3 if begins(r#"["get_legal_shift_ops",[["#) => r#"["pass",[]]"#.to_owned(),
        _ if begins(r#"["setup""#) || begins(r#"["win""#) => r#""void""#.to_owned(),
        _ if begins(r#"["take-turn""#) => {
            let call = json::parse(last).unwrap();
            serde_json::to_string(&turn(dice, &call[1][0], heard)).unwrap()
        }
        _ if begins(r#"["get_legal_shift_ops",[["#) => {
            let state = latest(heard, r#"{"board""#).expect("whoever may move was told the State");
            let action = turn(dice, &state, heard);
            in_pieces(dice, action)
        }
        _ if begins(r#"{"board""#) || begins(r#"["get"#) => {
            r#"["get_legal_shift_ops",[]]"#.to_owned()
        }
        _ if begins(r#"[""#) => r#"["get_treasure_location",[]]"#.to_owned(),
        _ if last == r#""SUCCESS""# && dice.one_in(4) => query(dice).to_owned(),
        _ if last == r#""SUCCESS""# => " ".repeat(dice.below(3)),
        _ => hello(dice),
    }
}

fn latest(heard: &[String], begin: &str) -> Option<Value> {
    let line = heard.iter().rev().find(|line| line.starts_with(begin))?;
    Some(json::parse(line).unwrap())
}

fn hello(dice: &mut Dice) -> String {
    match dice.below(5) {
        0 => r#""oli""#.to_owned(),
        1 => r#""red""#.to_owned(),
        2 => r#"{"color": "red"}"#.to_owned(),
        3 => "{\n  \"color\": \"blue\"\n}".to_owned(),
        _ => format!(r#"{{"color":"{:06X}"}}"#, dice.below(4)),
    }
}

fn query(dice: &mut Dice) -> &'static str {
    let queries = [
        r#"["get_legal_shift_ops",[]]"#,
        r#"["get_legal_move_destinations",[]]"#,
        r#"["get_treasure_location",[]]"#,
        r#"["get_current_state",[]]"#,
    ];
    queries[dice.below(4)]
}

fn stray(dice: &mut Dice) -> String {
    let values = ["null", "{}", "[[", "7 8", r#""void""#, r#""PASS""#, r#"["pass",[]]"#];
    match dice.below(values.len() + 2) {
        0 => format!(r#"["rotate_spare_tile",[{}]]"#, 45 * dice.below(9)),
        1 => format!(r#"["shift_and_insert",[{},"UP"]]"#, dice.below(9)),
        number => values[number - 2].to_owned(),
    }
}

/// A turn of the first player in a State, towards its goal as far as it knows that, or home.
fn turn(dice: &mut Dice, state: &Value, heard: &[String]) -> Action {
    let state = State::read(state).expect("the server writes what is defined");
    let first = latest(heard, r#"["setup",[{"#).map(|call| call[1][1].clone());
    let next = latest(heard, r#"["setup",[false"#).map(|call| call[1][1].clone());
    let asked = latest(heard, r#"["get_treasure_location",{"#).map(|answer| answer[1].clone());
    let mut goals = vec![state.players[0].home];
    goals.extend([first, next, asked].iter().flatten().flat_map(Coordinate::read));
    let from = state.players[0].current;
    let choice = Strategy::Euclid.choose(&state.maze, from, *dice.pick(&goals));
    choice.map_or(Action::Pass, Action::Play)
}

/// The same turn in the memo's words, sometimes with a query in the middle.
fn in_pieces(dice: &mut Dice, action: Action) -> String {
    let Action::Play(Choice { slide, degree, to }) = action else {
        return r#"["pass",[]]"#.to_owned();
    };
    let query = if dice.one_in(3) { query(dice) } else { "" };
    let [slide, degree, to] = [
        serde_json::to_string(&slide).unwrap(),
        serde_json::to_string(&degree).unwrap(),
        serde_json::to_string(&to).unwrap(),
    ];
    format!(
        r#"["rotate_spare_tile",[{degree}]]["shift_and_insert",{slide}]{query}["move_avatar",[{to}]]"#
    )
}
