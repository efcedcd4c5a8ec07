//! The rehearsals, and what they must show together.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::gamba::Gamba;

/// The wire document's testing checklist, item by item.
const CHECKLIST: [&str; 21] = [
    "Connect to server",
    "Join room",
    "Second player joins",
    "Start game",
    "Receive initial game state",
    "Play valid cards",
    "Server rejects invalid plays",
    "Pick up pile",
    "Play reserve cards",
    "Win condition (all cards gone)",
    "Disconnect during game",
    "Other player notified",
    "Reconnect within 60s (short-term)",
    "Game state restored",
    "Disconnect for 2+ minutes (long-term)",
    "Game ends, winner declared",
    "Invalid message → disconnected",
    "Name already taken",
    "Play when not your turn",
    "Try to reconnect as different player",
    "Connection timeout (no ping)",
];

const ERRORS: [&str; 20] = [
    "Player name cannot be empty",
    "Player name too long (max 32 characters)",
    "Player name contains invalid characters (only letters, numbers, _, - allowed)",
    "Connection failed - name already taken",
    "Connection failed - name belongs to whoever has its key (name=NAME:KEY)",
    "Connection failed - this is not the key of this name",
    "Must connect first",
    "Player name required",
    "Cannot reconnect as different player",
    "Reconnection failed",
    "Error occurred while joining room",
    "Not in any room",
    "Cannot start game",
    "No cards specified",
    "Invalid card play",
    "Cannot pickup pile",
    "Unknown message type",
    "Invalid message format|disconnect=true",
    "Unknown message type|disconnect=true",
    "Message too large|disconnect=true",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/gamba/rehearsals")
}

fn texts() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Everything a player's client receives in any rehearsal.
fn heard() -> BTreeSet<String> {
    let texts = texts();
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.filter_map(|line| line.split_once("< ").map(|(_, said)| said));
    lines.filter(|line| !line.starts_with('{')).map(str::to_owned).collect()
}

#[test]
fn they_sound_as_written() {
    trials::rehearsal::rehearse::<Gamba>(folder());
}

#[test]
fn every_item_of_the_guides_checklist_is_rehearsed() {
    let texts = texts();
    let lines = texts.iter().flat_map(|text| text.lines());
    let claims: BTreeSet<&str> = lines
        .filter_map(|line| line.strip_prefix("# checklist: "))
        .flat_map(|items| items.split("; "))
        .collect();
    assert_eq!(claims, BTreeSet::from(CHECKLIST));
}

#[test]
fn every_error_is_rehearsed_and_no_other_is_said() {
    let heard = heard();
    let said: BTreeSet<&str> =
        heard.iter().filter_map(|line| line.strip_prefix("103|||error=")).collect();
    assert_eq!(said, BTreeSet::from(ERRORS));
}

#[test]
fn every_line_the_server_says_is_well_formed() {
    for line in heard() {
        super::referee::check_form(&line);
    }
}

/// Where the cards allow it, the guide's own lines.
#[test]
fn the_guides_example_lines_are_heard_as_they_are_printed() {
    let heard = heard();
    for line in include_str!("guide_lines.txt").lines().filter(|line| !line.starts_with('#')) {
        assert!(heard.contains(line), "never heard: {line}");
    }
}
