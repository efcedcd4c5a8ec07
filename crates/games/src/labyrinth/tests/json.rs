//! The JSON definitions, to the letter.

use serde_json::json;

use super::super::exercises::{self, Failure};
use super::super::json::{Defined, Malformed, parse, parse_stream};
use super::super::{Action, Board, Config, Coordinate, Degree, Slide, State, Tile};

fn read<T: Defined>(text: &str) -> Result<T, Malformed> {
    T::read(&parse(text)?)
}

fn refused<T: Defined + std::fmt::Debug>(text: &str, fragment: &str) {
    let why = read::<T>(text).expect_err(text);
    assert!(why.to_string().contains(fragment), "{text}: {why}");
}

const BOARD: &str =
    r#"{"connectors":[["┌","─"]],"treasures":[[["ruby","ruby"],["zircon","ruby"]]]}"#;

fn state_text() -> String {
    format!(
        r#"{{"board":{BOARD},"last":[0,"LEFT"],"plmt":[{{"color":"red","current":{{"column#":0,"row#":0}},"home":{{"column#":1,"row#":0}}}}],"spare":{{"1-image":"beryl","2-image":"azurite","tilekey":"┼"}}}}"#
    )
}

#[test]
fn what_is_read_is_written_again_canonically() {
    let state: State = read(&state_text()).unwrap();
    assert_eq!(serde_json::to_string(&state).unwrap(), state_text());
    let escaped = state_text().replace('┌', "\\u250C").replace('─', "\\u2500");
    assert_eq!(read::<State>(&escaped).unwrap(), state);
    let pretty = serde_json::to_string_pretty(&parse(&state_text()).unwrap()).unwrap();
    assert_eq!(read::<State>(&pretty).unwrap(), state);
    for text in ["\"PASS\"", "\"ACKNOWLEDGE\"", r#"[2,"UP",270,{"column#":1,"row#":3}]"#] {
        let action: Action = read(text).unwrap();
        assert_eq!(serde_json::to_string(&action).unwrap(), text);
    }
}

#[test]
fn keys_come_in_any_order() {
    let one: Coordinate = read(r#"{"row#":3,"column#":1}"#).unwrap();
    assert_eq!(one, read(r#" { "column#" : 1 , "row#" : 3 } "#).unwrap());
    assert_eq!(one, Coordinate { row: 3, column: 1 });
}

#[test]
fn what_the_definitions_do_not_allow_is_refused() {
    for text in ["90.0", "9e1", "true", "\"90\"", "45", "-90", "360", "[90]", "1e400"] {
        read::<Degree>(text).expect_err(text);
    }
    refused::<Coordinate>(r#"{"row#":1,"row#":1,"column#":1}"#, "repeated");
    refused::<Coordinate>(r#"{"row#":1,"column#":1,"layer#":1}"#, "layer#");
    refused::<Coordinate>(r#"{"row#":1}"#, "column#");
    refused::<Coordinate>("[1,1]", "a Coordinate");
    refused::<Coordinate>(r#"{"row#":-1,"column#":1}"#, "natural number");
    refused::<Coordinate>(r#"{"row#":1.0,"column#":1}"#, "natural number");
    refused::<Coordinate>(r#"{"row#":99999999999999999999999,"column#":1}"#, "natural number");
    refused::<Slide>(r#"[0,"left"]"#, "a Direction");
    refused::<Slide>(r#"[0,"LEFT",0]"#, "an Index with a Direction");
    refused::<Action>("\"pass\"", "PASS");
    refused::<Action>(r#"[0,"LEFT",0]"#, "PASS");
    refused::<Tile>(r#"{"tilekey":"──","1-image":"ruby","2-image":"ruby"}"#, "a Connector");
    refused::<Tile>(r#"{"tilekey":"─","1-image":"glass","2-image":"ruby"}"#, "a Gem");
    refused::<Board>(&BOARD.replace(r#"["ruby","ruby"],"#, ""), "differ in size");
    refused::<Board>(r#"{"connectors":[],"treasures":[]}"#, "at least one tile");
    refused::<Board>(r#"{"connectors":[[]],"treasures":[[]]}"#, "at least one tile");
    let uneven = r#"{"connectors":[["─"],["─","─"]],"treasures":[[["ruby","ruby"]],[["ruby","ruby"],["ruby","ruby"]]]}"#;
    refused::<Board>(uneven, "differ in length");
    refused::<State>(&state_text().replace(r#""last":[0,"LEFT"],"#, ""), "last");
    refused::<State>(&state_text().replace(r#""row#":0},"home""#, r#""row#":9},"home""#), "(9, 0)");
}

/// Far off every board, and still a number.
#[test]
fn a_huge_index_is_well_formed() {
    let far: Coordinate = read(r#"{"row#":18446744073709551615,"column#":70000}"#).unwrap();
    assert_eq!(far, Coordinate { row: u16::MAX, column: u16::MAX });
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let deep = "[".repeat(100_000);
    parse(&deep).expect_err("too deep");
    assert!(matches!(exercises::reach(&deep), Err(Failure::IllFormed(_))));
}

#[test]
fn a_stream_needs_no_white_space() {
    let values: Result<Vec<_>, _> =
        parse_stream("{\"a\":1}\"LEFT\"[0]\n\n null 0\"UP\"90").collect();
    let expected = json!([{"a": 1}, "LEFT", [0], null, 0, "UP", 90]);
    assert_eq!(values.unwrap(), *expected.as_array().unwrap());
}

#[test]
fn questions_that_cannot_be_read_say_why() {
    let start = r#"{"row#":0,"column#":0}"#;
    let ill_formed = |input: &str, fragment: &str| match exercises::reach(input) {
        Err(Failure::IllFormed(why)) => assert!(why.to_string().contains(fragment), "{why}"),
        other => panic!("{input}: {other:?}"),
    };
    ill_formed("", "expected a Board");
    ill_formed(BOARD, "expected a Coordinate");
    ill_formed(&format!("{BOARD} {start}").replace(']', ""), "expected");
    let extra = exercises::reach(&format!("{BOARD}{start} 7")).unwrap();
    assert_eq!(extra.warnings, ["there is more input than the question needs"]);
    let twice = BOARD.replace("zircon", "ruby");
    let repeated = exercises::reach(&format!("{twice}{start}")).unwrap();
    assert_eq!(repeated.warnings, ["the treasure ruby and ruby occurs twice"]);
    assert_eq!(repeated.output, r#"[{"column#":0,"row#":0},{"column#":1,"row#":0}]"#);
    match exercises::game(&format!("[]{}", state_text()), exercises::GameFlags::default()) {
        Err(Failure::IllFormed(why)) => assert!(why.to_string().contains("goto"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_configuration_carries_its_state() {
    let text = format!(r#"{{"passes":"round","state":{}}}"#, state_text());
    let config: Config = serde_json::from_str(&text).unwrap();
    let written = serde_json::to_string(&config).unwrap();
    assert_eq!(serde_json::from_str::<Config>(&written).unwrap(), config);
    assert_eq!(config.state.unwrap().players.len(), 1);
    serde_json::from_str::<Config>(r#"{"colour":1}"#).expect_err("an unknown key");
    // Options are known by the keys of their defaults.
    let plain = serde_json::to_string(&Config::default()).unwrap();
    assert!(plain.contains(r#""state":null"#), "{plain}");
    assert_eq!(serde_json::from_str::<Config>(&plain).unwrap(), Config::default());
}
