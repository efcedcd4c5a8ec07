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
    for line in ["\n  Ada\n  Bob\n", "\nturn 1, Ada and Bob to move\n", "\nverified\n"] {
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

/// The page needs a server, and gets one that ends with the command.
#[test]
fn a_game_is_shown_on_a_page_from_a_file_and_from_the_archive() {
    let (text, id, folder) = a_game();
    let data = folder.path().display().to_string();
    let file = folder.path().join("game.jsonl");
    std::fs::write(&file, &text).unwrap();
    for game in [&id, &file.display().to_string()] {
        let mut command = std::process::Command::new(crate::kit::BINARY);
        command.args(["replay", game, "--data", &data, "--browser"]);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let shown = crate::kit::Running::spawn(&mut command, "");
        let address = shown.first_line().trim_end().to_owned();
        assert!(address.ends_with(&format!("/sushi-go/games/{id}")), "{address}");
        let (site, _) = address.split_once("/sushi-go").expect("just seen");
        let ask = |path: &str, accept: &str| {
            let asked = ureq::get(format!("{site}{path}")).header("Accept", accept).call();
            asked.expect(path).body_mut().read_to_string().expect("text")
        };
        assert!(ask(&format!("/sushi-go/games/{id}"), "text/html").contains("main.js"));
        let frames = ask(&format!("/api/v1/results/sushi-go/{id}/frames?viewer=all"), "*/*");
        assert!(frames.lines().last().expect("an end").contains("\"over\""), "{frames}");
        shown.signal("INT");
        assert_eq!(shown.end().code, Some(0));
    }
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
    assert!(said.contains("no one sits in seat 7"), "{said}");
    let said = changed(place("\"started\""), "[0,1]", "[0,0]");
    assert!(said.contains("a seat is twice"), "{said}");
    let said = changed(place("\"ready\""), "\"seat\":", "\"seat\":1");
    assert!(said.contains("no one sits in seat"), "{said}");
    let said = changed(place("\"opened\""), "\"version\":", "\"version\":9");
    assert!(said.contains("this build has version"), "{said}");
    let said = changed(0, "sushi-go", "whist");
    assert!(said.contains("does not know the game 'whist'"), "{said}");
    let said = changed(first, "\"record\"", "\"rekord\"");
    assert!(said.contains(&format!("line {} is not a record", first + 1)), "{said}");
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
        // Readiness no longer matters once the game has begun.
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

/// A game of two strategies, as a file.
fn a_game_of(game: &str, bots: [&str; 2], folder: &std::path::Path) -> String {
    let replays = folder.display().to_string();
    let [one, two] = bots.map(|bot| format!("house:{bot}"));
    let played = parlor(&[
        "play",
        game,
        "--bot",
        &one,
        "--bot",
        &two,
        "--games",
        "1",
        "--seed",
        "5",
        "--replays",
        &replays,
    ]);
    assert_eq!(played.code, Some(0), "{played:?}");
    folder.join("game-1.jsonl").display().to_string()
}

/// Replays used to show the public's view only: a finished game of SubSim was an empty sea, and
/// Gamba's hands were known at the end alone.
#[test]
fn every_game_can_be_replayed_in_full_and_as_each_seat() {
    for (game, bots, secret) in [
        ("subsim", ["hunter", "random"], " shields"),
        ("gamba", ["thrifty", "random"], ", hand "),
        ("sushi-go", ["greedy", "random"], "\n    hand   "),
        ("tiger-dragon", ["counter", "random"], "\n    hand  "),
        ("labyrinth", ["euclid", "riemann"], " found"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = a_game_of(game, bots, folder.path());
        // How often a secret is shown in the turns before the last.
        let secrets = |viewer: &[&str]| {
            let shown = parlor(&[&["replay", &file], viewer].concat());
            assert_eq!(shown.code, Some(0), "{shown:?}");
            let turns: Vec<&str> = shown.stdout.split("\n\nturn").skip(2).collect();
            for turn in &turns {
                let wide = turn.lines().find(|line| line.chars().count() > 100);
                assert!(turn.lines().count() <= 40 && wide.is_none(), "{game}:\n{turn}");
            }
            let earlier = &turns[..turns.len() - 1];
            earlier.iter().map(|turn| turn.matches(secret).count()).sum::<usize>()
        };
        assert_eq!(secrets(&[]), 0, "{game}: the public sees no secrets");
        let [first, second] = [secrets(&["--seat", "0"]), secrets(&["--viewer", "1"])];
        assert!(first > 0 && second > 0, "{game}: {first} and {second}");
        assert_eq!(secrets(&["--all"]), first + second, "{game}: all is everybody's");
        let json = parlor(&["replay", &file, "--all", "--json"]);
        let frames: Vec<serde_json::Value> =
            json.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (last, rest) = frames.split_last().unwrap();
        assert_eq!((&rest[0]["type"], &last["type"]), (&"table".into(), &"over".into()));
        assert!(rest[1..].iter().all(|frame| frame["seat_views"][1].is_object()), "{game}");
        assert_eq!(last["how"], serde_json::json!(["finished", "finished"]), "{game}");
    }
}

#[test]
fn an_impossible_viewer_is_refused() {
    let (text, _, _folder) = a_game();
    let ended = parlor_reading(&["replay", "-", "--seat", "2"], &text);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("there is no seat 2; the seats are 0 to 1"), "{ended:?}");
    assert!(!ended.stderr.contains("verified"), "{ended:?}");
    let ended = parlor_reading(&["replay", "-", "--viewer", "me"], &text);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("public, all or the number of a seat"), "{ended:?}");
}

/// Even what no rule speaks against is found: a think time, a record that changes nothing.
#[test]
fn a_record_that_was_changed_removed_or_moved_is_named() {
    let (text, id, folder) = a_game();
    let data = folder.path().display().to_string();
    let checked = parlor(&["replay", &id, "--data", &data, "--verify"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    for part in ["deal: the one committed to as ", "none of them changed", "\nverified\n"] {
        assert!(checked.stdout.contains(part), "{part} is not in {}", checked.stdout);
    }
    let lines: Vec<&str> = text.lines().collect();
    let moved = lines.iter().position(|line| line.contains("\"moved\"")).expect("a move");
    let judge = |lines: Vec<String>| {
        let ended = parlor_reading(&["replay", "--verify", "-"], &(lines.join("\n") + "\n"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{ended:?}");
        // The first line is the head, so the record on line n is number n.
        let named = format!("record {moved} is not what was written there");
        assert!(ended.stderr.contains(&named), "{named}: {}", ended.stderr);
    };
    let copy = || lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    let mut changed = copy();
    changed[moved] = changed[moved].replace("\"ms\":", "\"ms\":1");
    judge(changed);
    let mut removed = copy();
    removed.remove(moved);
    judge(removed);
    let mut swapped = copy();
    swapped.swap(moved, moved + 1);
    judge(swapped);
}
