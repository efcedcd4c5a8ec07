//! The frames of a finished game that is chosen only at run time.

use std::sync::Arc;

use hall::{Closing, Eyes, Opened, Table, TableRecord, Time};
use rules::{Exit, Game, Seat, Seed};
use serde_json::{Value, json};
use wire::Playable;

use crate::sushi_go::{Options, SushiGo};

/// Ann moves, the clock moves for Bob, and then Bob leaves.
fn records() -> Vec<(u64, String)> {
    let opened = Opened {
        id: "t".into(),
        version: SushiGo::VERSION,
        terms: SushiGo::terms(&Options::default()).unwrap(),
        seed: Seed::from_number(1),
        reserved: Vec::new(),
        house: false,
        game_ref: None,
        at: Time(0),
        promise: None,
    };
    let seated = |seat, name: &str| TableRecord::Seated {
        seat: Seat(seat),
        name: name.into(),
        token: None,
        bot: None,
        joined_via: None,
        person: false,
        version: None,
    };
    // What an earlier release has written says nothing of how a move was made.
    let moved = r#"{"moved":{"seq":0,"seat":0,"action":{"play":3}}}"#;
    let rules = opened.terms.config.rules();
    let moved: TableRecord = rules.reading(|| serde_json::from_str(moved)).expect("a record");
    let mut records = vec![
        (0, TableRecord::Opened(Arc::new(opened))),
        (10, seated(0, "Ann")),
        (20, seated(1, "Bob")),
        (1000, TableRecord::Started { order: vec![Seat(0), Seat(1)], settled: None, seed: None }),
        (1100, moved),
        (13_000, TableRecord::Expired { seq: 0, spared: rules::SeatSet::EMPTY }),
        (14_000, TableRecord::Retired { seats: vec![(Seat(1), Exit::Left)] }),
    ];
    let table = Table::fold(records.iter().map(|(_, record)| record)).expect("it was opened");
    let outcome = table.game().and_then(|game| game.outcome().cloned()).expect("Ann is alone");
    records.push((14_000, TableRecord::Closed(Closing::Over(outcome))));
    let text = |record| serde_json::to_string(&record).expect("records are plain data");
    records.into_iter().map(|(at, record)| (at, text(record))).collect()
}

fn told(eyes: Eyes) -> Vec<Value> {
    let records = records();
    let records: Vec<(u64, &str)> = records.iter().map(|(at, text)| (*at, &**text)).collect();
    let text = crate::list()
        .find("sushi-go")
        .expect("a game")
        .frames(&records, eyes)
        .expect("it is verified");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn frames_say_which_player_did_what_and_how() {
    let all = told(Eyes::All);
    assert_eq!(all.len(), 5, "the table, three steps, the end");
    assert_eq!(all[0]["seats"][1]["name"], "Bob");
    let move_of = |seat: u8, action: Value, ms: u64, how: &str| json!({"seat": seat, "action": action, "ms": ms, "how": how, "refused": 0});
    let made = move_of(0, json!({"play": 3}), 100, "made");
    let clock = move_of(1, json!({"play": 0}), 12_000, "clock");
    let left = move_of(1, Value::Null, 1000, "left");
    assert_eq!(all[1]["moves"], json!([]));
    assert_eq!(all[2]["moves"], json!([made, clock]));
    assert_eq!(all[2]["seq"], 1);
    assert_eq!(all[2]["time_left_ms"], all[2]["clock_ms"]);
    assert_eq!(all[3]["moves"], json!([left]));
    assert_eq!((&all[3]["to_move"], &all[3]["time_left_ms"]), (&json!([]), &Value::Null));
    let over = &all[4];
    assert_eq!((&over["places"], &over["how"]), (&json!([1, 2]), &json!(["finished", "left"])));
    assert_eq!(told(Eyes::Seat(Seat(1)))[2]["moves"], json!([clock]));
    assert_eq!(told(Eyes::Public)[2]["moves"], json!([]));
    assert!(told(Eyes::Public)[2].get("seat_views").is_none(), "only for all");
}
