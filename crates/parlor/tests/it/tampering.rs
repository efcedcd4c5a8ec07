//! `parlor replay --verify` finds and names every change to a finished game, even if all hashes
//! were computed again.

use serde_json::{Value, json};
use store::{Cause, StoredRecord};

use crate::kit::{Ended, Server, parlor_reading, play_a_game};

/// A finished game as its text, with the commitment that was public before its first card.
fn a_game() -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let id = play_a_game(server.sushi_go());
    let text = server.get(&format!("/api/v1/results/sushi-go/{id}/replay"));
    let shown = server.get_json(&format!("/api/v1/results/sushi-go/{id}"));
    assert_eq!(server.terminate().code, Some(0));
    let commitment = shown["deal"]["commitment"].as_str().expect("a commitment").to_owned();
    (text.lines().map(str::to_owned).collect(), commitment)
}

/// The record of this kind, by its line: the first line is the head, so it is record number so.
fn place(lines: &[String], kind: &str) -> usize {
    let found = lines.iter().position(|line| line.contains(&format!("\"record\":{{\"{kind}\"")));
    found.unwrap_or_else(|| panic!("no {kind}"))
}

/// Changes a record as text.
fn changed(lines: &[String], at: usize, change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut record: Value = serde_json::from_str(&read(&lines[at]).record).expect("a record");
    change(&mut record);
    let mut lines = lines.to_vec();
    let mut line: Value = serde_json::from_str(&lines[at]).expect("a line");
    line["record"] = record;
    lines[at] = line.to_string();
    lines
}

fn read(line: &str) -> StoredRecord {
    StoredRecord::read(line).expect("a record")
}

/// The same records with hashes as if they had been written so.
fn hashed_anew(lines: &[String]) -> Vec<String> {
    let mut hash = "parlor sushi-go\0".to_owned();
    let mut forged = vec![lines[0].clone()];
    for line in &lines[1..] {
        let StoredRecord { at, record, .. } = read(line);
        let stored = StoredRecord::after(&hash, at, Cause::default(), record);
        forged.push(format!(
            r#"{{"at":{at},"by":{},"cause":"{}","hash":"{}","record":{}}}"#,
            stored.by, stored.cause, stored.hash, stored.record
        ));
        hash = stored.hash;
    }
    forged
}

fn verify(lines: &[String], more: &[&str]) -> Ended {
    let arguments = [&["replay", "--verify", "-"], more].concat();
    parlor_reading(&arguments, &(lines.join("\n") + "\n"))
}

fn refused(lines: &[String], words: &str) {
    let ended = verify(lines, &[]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.stderr.contains(words), "{words} is not in {}", ended.stderr);
}

#[test]
fn a_changed_card_a_removed_record_another_seed_and_another_commitment_are_named() {
    let (lines, _) = a_game();
    let (opened, started) = (place(&lines, "opened"), place(&lines, "started"));
    let moved = place(&lines, "moved");
    let another = json!("11".repeat(32));
    // No hand has a card 99. Another legal card could be of the same kind and change nothing.
    let cards = |record: &mut Value| record["moved"]["action"]["play"] = json!(99);
    let seed = |record: &mut Value| record["opened"]["seed"] = another.clone();
    let dealt = |record: &mut Value| record["started"]["seed"] = another.clone();
    let promise = |record: &mut Value| record["opened"]["promise"]["commitment"] = another.clone();
    let salt = |record: &mut Value| record["opened"]["promise"]["salt"] = another.clone();
    let mut removed = lines.clone();
    removed.remove(moved);
    // If only the file was changed, the record is named.
    for (tampered, at) in [
        (changed(&lines, moved, cards), moved),
        (removed.clone(), moved),
        (changed(&lines, opened, seed), opened),
        (changed(&lines, started, dealt), started),
        (changed(&lines, opened, promise), opened),
    ] {
        refused(&tampered, &format!("record {at} is not what was written there"));
    }
    // If the hashes were computed again, the rules and the promise give it away.
    let honest = hashed_anew(&lines);
    assert_eq!(verify(&honest, &[]).code, Some(0), "{:?}", verify(&honest, &[]));
    refused(&hashed_anew(&removed), &format!("record {}", moved + 1));
    let seeds = changed(&changed(&lines, opened, seed), started, dealt);
    refused(&hashed_anew(&changed(&lines, started, dealt)), "dealt from another seed");
    refused(&hashed_anew(&seeds), "record ");
    for change in [&promise as &dyn Fn(&mut Value), &salt] {
        let tampered = hashed_anew(&changed(&lines, opened, change));
        refused(&tampered, "the deal is not the one that was promised");
    }
    let tampered = hashed_anew(&changed(&lines, moved, cards));
    refused(&tampered, "record ");
}

/// A whole invented game with its own promise is found by comparing with the commitment that was
/// noted before the first card.
#[test]
fn a_commitment_cannot_be_changed_after_the_fact() {
    let (lines, commitment) = a_game();
    let kept = verify(&lines, &["--commitment", &commitment]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(kept.stdout.contains(&commitment), "{kept:?}");
    let (others, _) = a_game();
    let broken = verify(&others, &["--commitment", &commitment]);
    assert_eq!((broken.code, broken.stdout.as_str()), (Some(1), ""), "{broken:?}");
    let words = format!("its commitment is not {commitment}");
    assert!(broken.stderr.contains(&words), "{broken:?}");
}
