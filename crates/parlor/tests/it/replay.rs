//! `parlor replay`: a game played again, and the first difference if there is one.

use crate::kit::{Server, parlor, parlor_reading, play_a_game};

/// A finished game as a file's text, its id, and the folder it is kept in.
fn a_game() -> (String, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let id = play_a_game(server.sushi_go());
    let text = server.get(&format!("/api/v1/results/sushi-go/{id}/replay"));
    assert_eq!(server.terminate().code, Some(0));
    (text, id, folder)
}

#[test]
fn a_game_is_verified_from_the_archive_a_file_and_standard_input() {
    let (text, id, folder) = a_game();
    let data = folder.path().display().to_string();
    let shown = parlor(&["replay", &id, "--data", &data]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let out = &shown.stdout;
    assert!(out.starts_with(&format!("sushi-go {id}\n")), "{out}");
    for line in ["Ada takes seat 0\n", "the game begins\n", "\nverified\n"] {
        assert!(out.contains(line), "{line} is not in {out}");
    }
    let file = folder.path().join("game.jsonl");
    std::fs::write(&file, &text).unwrap();
    let from_file = parlor(&["replay", &file.display().to_string(), "--data", "/nowhere"]);
    assert_eq!(from_file.stdout, *out);
    let from_input = parlor_reading(&["replay", "-"], &text);
    assert_eq!(from_input.stdout, *out);
    let quiet = parlor_reading(&["replay", "--quiet", "-"], &text);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(0), "verified\n"));
}

#[test]
fn the_first_difference_is_named() {
    let (text, _, _folder) = a_game();
    let lines: Vec<&str> = text.lines().collect();
    let place = |part: &str| lines.iter().position(|line| line.contains(part)).expect(part);
    let judge = |lines: &[String]| {
        let ended = parlor_reading(&["replay", "--quiet", "-"], &(lines.join("\n") + "\n"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended.stderr
    };
    let changed = |at: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert!(lines[at].contains(from), "{}", lines[at]);
        lines[at] = lines[at].replace(from, to);
        judge(&lines)
    };
    // The first line is the head, so the record on line n is number n.
    let first = place("\"moved\":{\"seq\":0");
    let said = changed(first, "{\"play\":0}", "{\"play\":10}");
    assert!(
        said.contains(&format!("not verified: record {first}: seat 0 plays Play(10)")),
        "{said}"
    );
    let closed = place("\"closed\"");
    let said = changed(first, "\"seq\":0", "\"seq\":1");
    assert!(said.contains("a move of turn 1 in turn 0"), "{said}");
    let said = changed(closed, "\"points\":", "\"points\":9");
    assert!(said.contains(&format!("record {closed}: the result was")), "{said}");
    let said = changed(place("\"started\""), "[0,1]", "[0,7]");
    assert!(said.contains("nobody sits in seat 7"), "{said}");
    let said = changed(place("\"started\""), "[0,1]", "[0,0]");
    assert!(said.contains("a seat is twice"), "{said}");
    let said = changed(place("\"ready\""), "\"seat\":", "\"seat\":1");
    assert!(said.contains("nobody sits in seat"), "{said}");
    let said = changed(place("\"opened\""), "\"version\":", "\"version\":9");
    assert!(said.contains("this build has version"), "{said}");
    let said = changed(0, "sushi-go", "whist");
    assert!(said.contains("does not know the game 'whist'"), "{said}");
    let said = changed(first, "\"record\"", "\"rekord\"");
    assert!(said.contains(&format!("line {} is no record", first + 1)), "{said}");
}

#[test]
fn records_that_are_missing_added_or_moved_are_noticed() {
    let (text, _, _folder) = a_game();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let refused = |lines: &[String]| {
        let ended = parlor_reading(&["replay", "--quiet", "-"], &(lines.join("\n") + "\n"));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    };
    refused(&lines[..1]);
    refused(&lines[..lines.len() - 1]);
    for at in (1..lines.len()).step_by(7).chain([1, 2, 3, 4, 5, 6]) {
        let mut without = lines.clone();
        let gone = without.remove(at);
        // Whether somebody was ready is of no account once the game has begun.
        if !gone.contains("\"ready\"") {
            refused(&without);
        }
        let mut twice = lines.clone();
        twice.insert(at, lines[at].clone());
        if !gone.contains("\"ready\"") && !gone.contains("\"seated\"") {
            refused(&twice);
        }
        let mut late = without.clone();
        late.push(gone);
        refused(&late);
    }
}
