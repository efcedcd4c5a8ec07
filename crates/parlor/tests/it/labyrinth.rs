//! Labyrinth tables that begin from a State in a file.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::kit::{BINARY, Ended, Line, Running, Server, parlor, serve};

/// A referee's state in the middle of a game. Its `last` may be null, which TOML cannot say.
fn state(last: Value) -> Value {
    let at = |row: u8, column: u8| json!({"row#": row, "column#": column});
    json!({
        "board": {
            "connectors": [["├", "┤", "─", "│"], ["─", "┐", "─", "└"]],
            "treasures": [
                [["ruby", "zircon"], ["ruby", "diamond"], ["ruby", "emerald"], ["ruby", "garnet"]],
                [["beryl", "zircon"], ["beryl", "diamond"], ["beryl", "emerald"], ["beryl", "garnet"]],
            ],
        },
        "last": last,
        "plmt": [
            {"color": "pink", "current": at(0, 2), "home": at(1, 1), "goto": at(1, 3)},
            {"color": "white", "current": at(1, 0), "home": at(1, 3), "goto": at(1, 1)},
        ],
        "spare": {"1-image": "jasper", "2-image": "zircon", "tilekey": "┌"},
    })
}

fn write(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("start.json");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_table_begins_from_the_state_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let given = state(Value::Null);
    let file = write(folder.path(), &given.to_string());
    let data = folder.path().join("data");
    let mut command = Command::new(BINARY);
    command.args(serve(&data)).args(["--port", "labyrinth=0"]);
    command.args(["--set", &format!("labyrinth.state_file={}", file.display())]);
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    // The server has read it: what becomes of the file is nothing to its tables.
    std::fs::remove_file(file).unwrap();
    let mut red = Line::connect(server.addresses["labyrinth"]).unwrap();
    red.ask(r#"{"color":"red"}"#, &["\"SUCCESS\""]);
    let mut blue = Line::connect(server.addresses["labyrinth"]).unwrap();
    blue.ask(r#"{"color":"blue"}"#, &["\"SUCCESS\""]);
    let begun: Value = serde_json::from_str(&red.expect(&["{"])).unwrap();
    for key in ["board", "spare", "last"] {
        assert_eq!(begun[key], given[key], "{key}");
    }
    for (place, color) in ["red", "blue"].into_iter().enumerate() {
        let (ours, theirs) = (&begun["plmt"][place], &given["plmt"][place]);
        assert_eq!(ours["color"], color, "a joiner's colour replaces the file's");
        assert_eq!((&ours["current"], &ours["home"]), (&theirs["current"], &theirs["home"]));
    }
    assert_eq!(red.expect(&["["]), r#"["beryl","garnet"]"#, "the tile of its goto");
    red.ask(r#"["pass",[]]"#, &["{"]);
    blue.ask(r#"["pass",[]]"#, &["\"ALL_PASSED\""]);
    assert_eq!(server.terminate().code, Some(0));
    let replayed = parlor(&["replay", "labyrinth-1", "--data", data.to_str().unwrap()]);
    assert!(replayed.stdout.ends_with("verified\n"), "{replayed:?}");
}

fn refused(setting: &str) -> Ended {
    let ended = parlor(&["serve", "--ephemeral", "--set", setting]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    ended
}

#[test]
fn a_file_that_will_not_do_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let ended = refused("labyrinth.state_file=nowhere.json");
    assert!(ended.stderr.contains("labyrinth.state_file: cannot read nowhere.json"), "{ended:?}");
    let lone = {
        let mut state = state(json!([0, "LEFT"]));
        state["plmt"].as_array_mut().unwrap().pop();
        state.to_string()
    };
    let cases = [
        ("{\"board\":", "is not JSON"),
        ("{\"board\":1}", "a State has no"),
        (&lone, "2 players cannot start from a state with 1"),
    ];
    for (text, why) in cases {
        let file = write(folder.path(), text);
        let ended = refused(&format!("labyrinth.state_file={}", file.display()));
        assert!(ended.stderr.contains("start.json"), "{why}: {ended:?}");
        assert!(ended.stderr.contains(why), "{why}: {ended:?}");
    }
    let ended = refused("labyrinth.state_file=[1]");
    assert!(ended.stderr.contains("labyrinth.state_file is not the name of a file"), "{ended:?}");
    let ended = refused("sushi-go.colour_file=nowhere.json");
    assert!(ended.stderr.contains("nowhere.json"), "{ended:?}");
}

/// A state with a null within is shown as a comment: it has to come from a file again.
#[test]
fn the_configuration_with_a_state_is_still_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &state(Value::Null).to_string());
    let setting = format!("labyrinth.state_file={}", file.display());
    let printed = parlor(&["config", "--set", &setting]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("# state_file = \"FILE\" with {"), "{}", printed.stdout);
    let toml = folder.path().join("parlor.toml");
    std::fs::write(&toml, printed.stdout).unwrap();
    let again = parlor(&["config", "--config", toml.to_str().unwrap()]);
    assert_eq!(again.code, Some(0), "{again:?}");
}
