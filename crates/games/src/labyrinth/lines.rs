//! What the server says: each message as it looks on the wire, on both of them.

use serde::Serialize;

use super::board::{Coordinate, Treasure};
use super::rules::{Ending, State, View};
use super::verb::Query;

// The memo's wire.

pub const SUCCESS: &str = r#""SUCCESS""#;
pub const COLOR_TAKEN: &str = r#""COLOR_TAKEN""#;

/// The start announcement, the same for all.
pub fn state(state: &State) -> String {
    json(state)
}

/// The private part of the announcement.
pub fn treasure(Treasure([one, two]): Treasure) -> String {
    format!(r#"["{}","{}"]"#, one.name(), two.name())
}

/// The end of a turn: the next State, or how the game ended.
pub fn turn_result(view: &View) -> String {
    match view.ending {
        None => state(&view.state()),
        Some(Ending::Home(seat)) => format!(r#"{{"winner":{}}}"#, json(&view.avatar(seat).color)),
        Some(Ending::AllEjected) => r#""ALL_EJECTED""#.to_owned(),
        // "The referee then deems everybody to have passed."
        Some(Ending::AllPassed | Ending::RoundLimit) => r#""ALL_PASSED""#.to_owned(),
    }
}

pub fn answer(query: Query, result: &impl Serialize) -> String {
    format!(r#"["{}",{}]"#, query.name(), json(result))
}

pub fn not_started(query: Query) -> String {
    format!(r#"["{}",{{"error":"NOT_STARTED"}}]"#, query.name())
}

pub fn not_your_turn(query: Query) -> String {
    format!(r#"["{}",{{"error":"NOT_YOUR_TURN"}}]"#, query.name())
}

// The course's wire.

/// The first `setup` call: the state, its receiver first, and its goal.
pub fn setup(state: &State, goal: Coordinate) -> String {
    format!(r#"["setup",[{},{}]]"#, json(state), json(&goal))
}

/// A later `setup` call: where to go next.
pub fn setup_again(goal: Coordinate) -> String {
    format!(r#"["setup",[false,{}]]"#, json(&goal))
}

pub fn take_turn(state: &State) -> String {
    format!(r#"["take-turn",[{}]]"#, json(state))
}

pub fn win(won: bool) -> String {
    format!(r#"["win",[{won}]]"#)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the definitions are plain JSON")
}
