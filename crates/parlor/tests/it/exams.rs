//! `parlor check`, as a program.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::examples::{EXAMPLES, STARTERS};
use crate::kit::{BINARY, Ended, Running};
use crate::tools::{example, house_command, lines, shortened};

/// The marks of an exam, by item, and its exit code.
fn check(arguments: &[&str]) -> (Vec<(String, String)>, Ended) {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.push("--all");
    all.extend(shortened(arguments[0]));
    let mut command = Command::new(BINARY);
    let ended =
        Running::spawn(command.args(all), "").end_within(std::time::Duration::from_secs(240));
    let marks = lines(&ended);
    let text = |mark: &Value, key: &str| mark[key].as_str().unwrap().to_owned();
    (marks.iter().map(|mark| (text(mark, "item"), text(mark, "mark"))).collect(), ended)
}

fn wrong(marks: &[(String, String)]) -> Vec<&str> {
    marks.iter().filter(|(_, mark)| mark == "wrong").map(|(item, _)| item.as_str()).collect()
}

#[test]
fn the_house_passes_its_own_exam() {
    for game in ["sushi-go", "gamba", "tiger-dragon", "subsim", "labyrinth"] {
        let (marks, ended) = check(&[game, "--bot", &house_command(game, 1)]);
        assert_eq!(wrong(&marks), Vec::<&str>::new(), "{game}: {ended:?}");
        assert_eq!((marks.len(), ended.code), (9, Some(0)), "{game}: {ended:?}");
        let skipped = marks.iter().filter(|(_, mark)| mark == "n/a").count();
        let expected = if matches!(game, "subsim" | "labyrinth") { 2 } else { 0 };
        assert_eq!(skipped, expected, "{game}: {ended:?}");
    }
}

/// What beginners copy from does everything the exam asks for.
#[test]
fn every_starter_bot_passes_the_exam() {
    std::thread::scope(|exams| {
        for (game, file, ..) in STARTERS {
            exams.spawn(move || {
                // Ten exams at once take their time; a slow machine is no fault of a bot.
                let patience = ["--move-timeout", "60000", "--join-timeout", "60000"];
                let command = example(file);
                let (marks, ended) = check(&[&[game, "--bot", &command], &patience[..]].concat());
                assert_eq!(wrong(&marks), Vec::<&str>::new(), "{file}: {ended:?}");
                assert_eq!((marks.len(), ended.code), (9, Some(0)), "{file}: {ended:?}");
            });
        }
    });
    let mut files: Vec<_> = std::fs::read_dir(EXAMPLES).unwrap().map(Result::unwrap).collect();
    files.retain(|file| file.file_name() != "README.md");
    files.retain(|file| !STARTERS.iter().any(|(_, starter, ..)| file.file_name() == *starter));
    assert!(files.is_empty(), "not examined: {files:?}");
}

/// A bot that takes what arrives at once for a line, ignores errors and never reconnects.
#[test]
fn a_careless_bot_fails_where_it_is_careless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("careless.py");
    std::fs::write(&path, CARELESS).unwrap();
    let command = format!("python3 {} {{host}} {{port}} {{name}} {{table}}", Path::display(&path));
    let (marks, ended) =
        check(&["sushi-go", "--bot", &command, "--move-timeout", "250", "--join-timeout", "5000"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let wrong = wrong(&marks);
    for item in ["split packets", "refused move", "reconnect"] {
        assert!(wrong.contains(&item), "{item}: {ended:?}");
    }
    assert!(!wrong.contains(&"normal game"), "{ended:?}");
    // The lines of both sides are shown.
    assert!(ended.stdout.contains("bot    > PLAY 0"), "{ended:?}");
    assert!(ended.stdout.contains("server < ERROR E006"), "{ended:?}");
    // What to do depends on what happened: a bot that reads badly, and one that ignores an error.
    assert!(ended.stdout.contains("one read is not one message"), "{ended:?}");
    assert!(ended.stdout.contains("so send another move"), "{ended:?}");
}

/// An organiser closes a table while a bot thinks. A bot that takes the error of its late move for the answer to
/// what it said next asks twice for its next game, and ends with an error.
#[test]
fn a_bot_that_a_closed_table_confuses_fails_the_exam() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("confused.py");
    let starter = std::fs::read_to_string(format!("{EXAMPLES}/sushi_go.py")).unwrap();
    let confused = starter.replace("command.startswith(\"PLAY\")", "False");
    assert_ne!(confused, starter);
    std::fs::write(&path, confused).unwrap();
    let command = format!("python3 {} {{host}} {{port}} {{name}} --games 0", Path::display(&path));
    let (marks, ended) = check(&["sushi-go", "--bot", &command, "--move-timeout", "60000"]);
    assert_eq!(wrong(&marks), ["closed table"], "{ended:?}");
    assert!(ended.stdout.contains("exit status: 1"), "{ended:?}");
    assert!(ended.stdout.contains("server < ERROR E004"), "{ended:?}");
}

const CARELESS: &str = r#"
import socket, sys
host, port, name, table = sys.argv[1:]
s = socket.create_connection((host, int(port)))
s.sendall(f"JOIN {table} {name}\nREADY\n".encode())
while True:
    piece = s.recv(65536).decode()
    if not piece:
        break
    lines = piece.split("\n")
    if any(line.startswith("HAND ") for line in lines):
        s.sendall(b"PLAY 0\n")
    if any(line.startswith("GAME_END") for line in lines):
        break
"#;

/// The game does not wait for the clock to play the rest for a bot that is gone.
#[test]
fn the_exam_of_a_bot_that_ends_with_its_connection_goes_on_without_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quitter.py");
    std::fs::write(&path, QUITTER).unwrap();
    let command = format!("python3 {} {{host}} {{port}} {{name}} {{table}}", Path::display(&path));
    // Half an hour, if the clock had to play.
    let (marks, ended) = check(&["sushi-go", "--bot", &command, "--move-timeout", "60000"]);
    assert_eq!(wrong(&marks), ["reconnect"], "{ended:?}");
    let faults = lines(&ended)[5]["faults"].clone();
    let whats: Vec<&str> =
        faults.as_array().unwrap().iter().map(|fault| fault["what"].as_str().unwrap()).collect();
    let expected =
        ["the bot ended in the middle of the game: exit status: 0", "it did not reconnect"];
    assert_eq!(whats, expected, "{ended:?}");
}

const QUITTER: &str = r#"
import socket, sys
host, port, name, table = sys.argv[1:]
s = socket.create_connection((host, int(port)))
s.sendall(f"JOIN {table} {name}\nREADY\n".encode())
try:
    for line in s.makefile():
        if line.startswith("HAND ") or line.startswith("ERROR "):
            s.sendall(b"PLAY 0\n")
        if line.startswith("GAME_END"):
            break
except ConnectionError:
    pass
"#;

/// Every line of a traceback was a separate fault, each with the same lines of both sides; and what
/// was not text was shown as `<NotUtf8>`.
#[test]
fn a_traceback_and_the_messages_before_it_are_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("breaks.py");
    std::fs::write(&path, BREAKS).unwrap();
    let command = format!("python3 {} {{host}} {{port}} {{name}} {{table}}", Path::display(&path));
    let (_, ended) = check(&["sushi-go", "--bot", &command]);
    let faults = lines(&ended)[0]["faults"].as_array().unwrap().clone();
    let whats: Vec<&str> = faults.iter().map(|fault| fault["what"].as_str().unwrap()).collect();
    let died = "the bot ended in the middle of the game: exit status: 1";
    assert_eq!(whats[..2], [died, "its last output:"], "{ended:?}");
    let words = faults[1]["lines"].as_array().unwrap();
    assert_eq!(words[0], "Traceback (most recent call last):");
    assert_eq!(words.last().unwrap(), "RuntimeError: out of ideas");
    let transcripts = faults.iter().filter(|fault| fault["lines"].to_string().contains("HAND 0:"));
    assert_eq!(transcripts.count(), 1, "{faults:?}");
    let shown = faults[0]["lines"].to_string();
    assert!(shown.contains(r"bot    > (not UTF-8) PLAY \\xff\\x00"), "{shown}");
}

const BREAKS: &str = r#"
import socket, sys
host, port, name, table = sys.argv[1:]
s = socket.create_connection((host, int(port)))
s.sendall(f"JOIN {table} {name}\nREADY\n".encode())
for line in s.makefile():
    if line.startswith("HAND "):
        s.sendall(b"PLAY \xff\x00\n")
    if line.startswith("ERROR "):
        raise RuntimeError("out of ideas")
"#;
