//! The tools over the JSON protocol.

use std::process::Command;
use std::time::Duration;

use crate::kit::{BINARY, Running, parlor};

/// Two house strategies of every game, as clients of the JSON protocol.
#[test]
fn every_game_is_played_by_bots_over_the_house_wire() {
    for game in ["sushi-go", "gamba", "tiger-dragon", "subsim", "labyrinth"] {
        let (wire, games) = (["--wire", "house"], ["--games", "2"]);
        let bots = ["--bot", "house:random", "--bot", "house:random"];
        let ended = parlor(&[&["play", game][..], &wire, &games, &bots].concat());
        assert_eq!(ended.code, Some(0), "{game}: {ended:?}");
    }
}

#[test]
fn a_bot_of_the_house_wire_passes_the_exam() {
    let bot =
        format!("{BINARY} bot gamba --wire house --connect {{host}}:{{port}} --name {{name}}");
    let mut check = Command::new(BINARY);
    check.args(["check", "gamba", "--wire", "house", "--bot", &bot]);
    // Messages that arrive in pieces take their time.
    let ended = Running::spawn(&mut check, "").end_within(Duration::from_secs(240));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stdout.contains("\"wrong\""), "{ended:?}");
    for item in ["normal game", "refused move", "reconnect", "many games"] {
        let line = ended.stdout.lines().find(|line| line.contains(item)).expect(item);
        assert!(line.contains("\"ok\""), "{line}");
    }
}

/// A command that ends with its game returns under another name, where names are kept; then the
/// table is opened again. A house bot that sat there already was refused because its own name was
/// taken, and forfeited every game after the first.
#[test]
fn a_house_bot_gets_its_name_back_at_a_table_that_is_opened_anew() {
    let bot =
        format!("{BINARY} bot gamba --wire house --connect {{host}}:{{port}} --name {{name}}");
    let sides = ["--new", &bot, "--base", "house:random", "--games", "6", "--seed", "3"];
    let wire = ["match", "--json", "--game", "gamba", "--wire", "house"];
    let ended = parlor(&[&wire[..], &sides].concat());
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a report");
    assert_eq!((ended.code, &report["games"]), (Some(0), &6.into()), "{ended:?}");
    for side in ["new", "base"] {
        assert_eq!(report["sides"][side]["forfeits"], 0, "{report}");
    }
}
