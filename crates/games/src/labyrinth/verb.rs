//! What clients say: the text alone, without context. The memo's players make calls, the
//! course's players answer them.

use hall::split_key;
use serde_json::Value;

use super::board::{Choice, Coordinate, Degree, Direction, Slide};
use super::json::{self, Defined, Malformed, expected, index, members};
use super::rules::Color;

/// A message of the memo's player.
#[derive(Clone, Debug, PartialEq)]
pub enum Verb {
    Join(Color, Option<String>),
    Take(Step),
    Ask(Query),
}

/// A piece of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Rotate(Degree),
    Shift(Slide),
    Move(Coordinate),
    Pass,
}

impl Step {
    pub fn name(self) -> &'static str {
        match self {
            Step::Rotate(_) => "rotate_spare_tile",
            Step::Shift(_) => "shift_and_insert",
            Step::Move(_) => "move_avatar",
            Step::Pass => "pass",
        }
    }
}

/// A request for information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    LegalShiftOps,
    LegalMoveDestinations,
    TreasureLocation,
    CurrentState,
}

impl Query {
    pub const ALL: [Query; 4] = [
        Query::LegalShiftOps,
        Query::LegalMoveDestinations,
        Query::TreasureLocation,
        Query::CurrentState,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Query::LegalShiftOps => "get_legal_shift_ops",
            Query::LegalMoveDestinations => "get_legal_move_destinations",
            Query::TreasureLocation => "get_treasure_location",
            Query::CurrentState => "get_current_state",
        }
    }
}

/// Reads a message of the memo's player: a JoinRequest or a call. The error is for the log.
pub fn parse(text: &str) -> Result<Verb, Malformed> {
    let value = json::parse(text)?;
    match &value {
        Value::Object(_) => join_request(&value),
        Value::Array(items) => match &items[..] {
            [Value::String(name), Value::Array(arguments)] => call(name, arguments),
            _ => Err(expected("[MName, [argument, ...]]", &value)),
        },
        _ => Err(expected("a JoinRequest or a call", &value)),
    }
}

/// The color may have a key behind it, which says who the player is: `orange:pk_…`.
fn join_request(value: &Value) -> Result<Verb, Malformed> {
    let said = &members(value, "a JoinRequest", &["color"], &[])?["color"];
    let (color, key) = said.as_str().map_or(("", None), split_key);
    let color = Color::parse(color).ok_or_else(|| expected("a Color", &hidden(said)))?;
    Ok(Verb::Join(color, key.map(str::to_owned)))
}

/// What a client said, without the key that may be in it.
fn hidden(said: &Value) -> Value {
    said.as_str().map_or_else(|| said.clone(), |text| split_key(text).0.into())
}

fn call(name: &str, arguments: &[Value]) -> Result<Verb, Malformed> {
    match (name, arguments) {
        ("rotate_spare_tile", [degree]) => Degree::read(degree).map(Step::Rotate).map(Verb::Take),
        ("shift_and_insert", [number, direction]) => {
            let direction = Direction::read(direction)?;
            Ok(Verb::Take(Step::Shift(Slide { index: index(number)?, direction })))
        }
        ("move_avatar", [to]) => Coordinate::read(to).map(Step::Move).map(Verb::Take),
        ("pass", []) => Ok(Verb::Take(Step::Pass)),
        (name, []) => match Query::ALL.into_iter().find(|query| query.name() == name) {
            Some(query) => Ok(Verb::Ask(query)),
            None => Err(expected("a call", &name.into())),
        },
        _ => Err(expected("a call with its arguments", &name.into())),
    }
}

/// A message of the course's player.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A name, "void" or "PASS".
    Word(String),
    Choice(Choice),
}

/// Reads a message of the course's player. The error is for the log.
pub fn parse_reply(text: &str) -> Result<Reply, Malformed> {
    match json::parse(text)? {
        Value::String(word) => Ok(Reply::Word(word)),
        value => Choice::read(&value).map(Reply::Choice),
    }
}

/// "Name: 1..20 characters of a-zA-Z0-9."
pub fn is_name(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_one_form() {
        let shift = Slide { index: 0, direction: Direction::Left };
        let to = Coordinate { row: 3, column: 1 };
        let calls = [
            (r#"{"color":"orange"}"#, Verb::Join(Color::parse("orange").unwrap(), None)),
            (r#"{"color":"00FFA9"}"#, Verb::Join(Color::parse("00FFA9").unwrap(), None)),
            (r#"["rotate_spare_tile",[90]]"#, Verb::Take(Step::Rotate(Degree::D90))),
            (r#"["shift_and_insert",[0,"LEFT"]]"#, Verb::Take(Step::Shift(shift))),
            (r#"["move_avatar",[{"row#":3,"column#":1}]]"#, Verb::Take(Step::Move(to))),
            (r#"["move_avatar",[{"column#":1,"row#":3}]]"#, Verb::Take(Step::Move(to))),
            (r#"["pass",[]]"#, Verb::Take(Step::Pass)),
            (r#" [ "p\u0061ss" , [ ] ] "#, Verb::Take(Step::Pass)),
            (r#"["get_legal_shift_ops",[]]"#, Verb::Ask(Query::LegalShiftOps)),
            (r#"["get_legal_move_destinations",[]]"#, Verb::Ask(Query::LegalMoveDestinations)),
            (r#"["get_treasure_location",[]]"#, Verb::Ask(Query::TreasureLocation)),
            (r#"["get_current_state",[]]"#, Verb::Ask(Query::CurrentState)),
        ];
        for (text, verb) in calls {
            assert_eq!(parse(text), Ok(verb), "{text}");
        }
    }

    /// "Duplicate or unknown object keys rejected; integers only (90.0, 9e1, true are not a
    /// Degree)."
    #[test]
    fn whatever_is_nearly_a_call_is_none() {
        for text in [
            r#"{"color":"Orange"}"#,
            r#"{"color":"00ffa9"}"#,
            r#"{"color":"AB|DEF"}"#,
            r##"{"color":"#00FFA"}"##,
            r#"{"color":"red","color":"red"}"#,
            r#"{"color":"red","name":"x"}"#,
            r#"{"color":1}"#,
            r#"{}"#,
            r#""pass""#,
            r#"["pass"]"#,
            r#"["pass",[1]]"#,
            r#"["pass",{}]"#,
            r#"["pass",[],[]]"#,
            r#"["Pass",[]]"#,
            r#"["jump",[]]"#,
            r#"["rotate_spare_tile",[]]"#,
            r#"["rotate_spare_tile",[45]]"#,
            r#"["rotate_spare_tile",[360]]"#,
            r#"["rotate_spare_tile",[-90]]"#,
            r#"["rotate_spare_tile",[90.0]]"#,
            r#"["rotate_spare_tile",[9e1]]"#,
            r#"["rotate_spare_tile",[true]]"#,
            r#"["rotate_spare_tile",["90"]]"#,
            r#"["rotate_spare_tile",[1e999]]"#,
            r#"["shift_and_insert",[0]]"#,
            r#"["shift_and_insert",["LEFT",0]]"#,
            r#"["shift_and_insert",[0,"left"]]"#,
            r#"["shift_and_insert",[-2,"LEFT"]]"#,
            r#"["shift_and_insert",[0.0,"LEFT"]]"#,
            r#"["move_avatar",[3,1]]"#,
            r#"["move_avatar",[{"row#":3}]]"#,
            r#"["move_avatar",[{"row#":3,"column#":1,"row#":3}]]"#,
            r#"["move_avatar",[{"row#":3,"column#":1,"x":0}]]"#,
            r#"["move_avatar",[{"row#":3,"column#":-1}]]"#,
            r#"["get_current_state",[0]]"#,
            r#"["get_current_state"]"#,
            "7",
            "null",
            "[]",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    /// A number no board has is a natural number all the same: illegal, not ill-formed.
    #[test]
    fn huge_indices_are_natural_numbers() {
        let read = parse(r#"["shift_and_insert",[18446744073709551614,"UP"]]"#);
        let slide = Slide { index: u16::MAX, direction: Direction::Up };
        assert_eq!(read, Ok(Verb::Take(Step::Shift(slide))));
    }

    #[test]
    fn replies_are_words_and_choices() {
        assert_eq!(parse_reply(r#""void""#), Ok(Reply::Word("void".to_owned())));
        let choice = r#"[0,"LEFT",90,{"row#":3,"column#":1}]"#;
        let to = Coordinate { row: 3, column: 1 };
        let slide = Slide { index: 0, direction: Direction::Left };
        let expected = Reply::Choice(Choice { slide, degree: Degree::D90, to });
        assert_eq!(parse_reply(choice), Ok(expected));
        for text in [
            "null",
            "{}",
            "[]",
            r#"[0,"LEFT",90]"#,
            r#"[0,"LEFT",45,{"row#":3,"column#":1}]"#,
            r#"[0,"LEFT",90,{"row#":3,"column#":1},0]"#,
            r#"["LEFT",0,90,{"row#":3,"column#":1}]"#,
        ] {
            assert!(parse_reply(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_one_to_twenty_letters_and_digits() {
        for (text, fits) in [
            ("a", true),
            ("aB9", true),
            ("x2345678901234567890", true),
            ("x23456789012345678901", false),
            ("", false),
            ("a b", false),
            ("é", false),
            ("a_b", false),
        ] {
            assert_eq!(is_name(text), fits, "{text:?}");
        }
    }
}
