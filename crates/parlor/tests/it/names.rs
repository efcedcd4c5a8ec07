//! Names that have a key: claimed from the command line, kept over kills, and their keys shown to
//! no one else.

use std::path::Path;
use std::process::Command;

use crate::kit::{BINARY, Line, Running, Server, parlor, serve};

/// The key that a command prints.
fn key_of(arguments: &[&str]) -> String {
    let ended = parlor(arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("not shown again"), "{ended:?}");
    let key = ended.stdout.trim().to_owned();
    assert!(key.starts_with("pk_") && key.len() == 29, "{key}");
    key
}

/// What a player who gives this name at a table of Sushi Go receives.
fn joins(server: &Server, said: &str) -> String {
    let mut line = Line::connect(server.sushi_go()).expect("connects");
    let list = line.ask("GAMES", &["GAMES"]);
    let list: serde_json::Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open");
    line.ask(&format!("JOIN {id} {said}"), &["WELCOME", "ERROR"])
}

#[test]
fn names_stay_claimed_after_a_kill_and_can_be_changed_while_nothing_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = Server::start(folder.path());
    let first = key_of(&["names", "claim", "ann", "--data", data]);
    let url = server.addresses["http"].to_string();
    let bob = key_of(&["names", "claim", "bob", "--url", &url]);
    let listed = parlor(&["names", "list", "--data", data]);
    assert_eq!(listed.stdout, "ann\nbob\n", "{listed:?}");
    let shown = parlor(&["names", "show", "BOB", "--url", &url]);
    assert!(shown.stdout.starts_with("bob is claimed since 2"), "{shown:?}");
    let shown = parlor(&["names", "show", "bob", "--url", &url, "--key", &bob]);
    assert!(shown.stdout.ends_with(", and this is its key\n"), "{shown:?}");
    // Anyone who lists the processes can read it, too.
    assert!(shown.stderr.contains("Use --key-file FILE."), "{shown:?}");
    let file = folder.path().join("key");
    std::fs::write(&file, &first).unwrap();
    let file = file.to_str().unwrap();
    let shown = parlor(&["names", "show", "bob", "--url", &url, "--key-file", file]);
    assert_eq!((shown.code, &*shown.stderr), (Some(1), "parlor: this is not the key of bob\n"));
    let wrong = parlor(&["names", "revoke", "bob", "--url", &url, "--key", &first]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stderr.contains("this is not the key of the name 'bob'"), "{wrong:?}");
    server.kill();

    let shown = parlor(&["names", "show", "ann", "--data", data, "--key", &first]);
    assert!(shown.stdout.ends_with(", and this is its key\n"), "{shown:?}");
    let second = key_of(&["names", "rotate", "Ann", "--data", data]);
    let shown = parlor(&["names", "show", "ann", "--data", data, "--key", &first]);
    assert_eq!(shown.code, Some(1), "{shown:?}");
    let listed = parlor(&["names", "list", "--data", data]);
    assert_eq!(listed.stdout, "ann\nbob\n", "{listed:?}");
    let taken = parlor(&["names", "claim", "ANN", "--data", data]);
    assert!(taken.stderr.contains("the name 'ann' is claimed already"), "{taken:?}");

    let server = Server::start(folder.path());
    assert!(joins(&server, "ann").starts_with("ERROR E010"));
    assert!(joins(&server, &format!("ann:{first}")).starts_with("ERROR E010"));
    assert!(joins(&server, &format!("ann:{second}")).starts_with("WELCOME"));
    let url = server.addresses["http"].to_string();
    let freed = parlor(&["names", "revoke", "bob", "--url", &url, "--key", &bob]);
    assert_eq!(freed.stdout, "bob is released: anyone can use it\n", "{freed:?}");
    assert!(joins(&server, "bob").starts_with("WELCOME"));
    server.kill();
    let listed = parlor(&["names", "list", "--data", data]);
    assert_eq!(listed.stdout, "ann\n", "{listed:?}");
}

/// Every file below a folder that holds one of these texts.
fn holding(folder: &Path, secrets: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holding(&path, secrets));
            continue;
        }
        let bytes = std::fs::read(&path).expect("a readable file");
        let holds =
            |secret: &&&str| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        found.extend(secrets.iter().find(holds).map(|_| path.display().to_string()));
    }
    found
}

/// Tokens stood in traces in clear; keys stand nowhere.
#[test]
fn keys_are_in_no_journal_trace_log_feed_or_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (data, trace) = (folder.path().join("data"), folder.path().join("trace"));
    // The kit takes such variables away, so another program gives it.
    let mut command = Command::new("env");
    command.args(["PARLOR_LOG=trace", BINARY]).args(serve(&data)).arg("--trace").arg(&trace);
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let place = data.to_str().unwrap();
    let ann = key_of(&["names", "claim", "ann", "--data", place]);
    let create = ["tournament", "create", "--game", "sushi-go", "--id", "cup", "--entrant", "ann"];
    let keys = folder.path().join("keys.txt");
    let rest = ["--entrant", "bob", "--data", place, "--keys", keys.to_str().unwrap()];
    let made = parlor(&[&create[..], &rest].concat());
    assert_eq!(made.code, Some(0), "{made:?}");
    let slips = std::fs::read_to_string(&keys).expect("the keys");
    let (_, bob) = slips.split_once("join as  bob:").expect("bob's key");
    let bob = bob.lines().next().unwrap().to_owned();
    assert!(slips.contains("sushi-go 127.0.0.1:"), "{slips}");

    let mut players = [("ann", &ann), ("bob", &bob)].map(|(name, key)| {
        let mut line = Line::connect(server.sushi_go()).expect("connects");
        // A key in a word that is none of the protocol's, and one with a name that is none.
        line.ask(&format!("{key} x"), &["ERROR E001"]);
        line.ask(&format!("JOIN g no;name:{key}"), &["ERROR E001"]);
        line.ask(&format!("TOURNEY cup {name}:{key}"), &["TOURNAMENT_WELCOME"]);
        line
    });
    let started = parlor(&["tournament", "start", "sushi-go", "cup", "--data", place]);
    assert_eq!(started.code, Some(0), "{started:?}");
    for line in &mut players {
        let called = line.expect(&["TOURNAMENT_MATCH"]);
        let token = called.split(' ').nth(2).expect("a token").to_owned();
        line.ask(&format!("TJOIN {token}"), &["WELCOME"]);
    }
    let watched = server.get("/api/v1/tables");
    for _ in 0..30 {
        for line in &mut players {
            line.expect(&["HAND"]);
            line.ask("PLAY 0", &["OK"]);
        }
    }
    for line in &mut players {
        line.expect(&["TOURNAMENT_COMPLETE"]);
    }
    let results = server.get_json("/api/v1/results");
    let id = results["results"][0]["id"].as_str().unwrap_or_else(|| panic!("{results}")).to_owned();
    let mut answers = watched + &results.to_string();
    for path in [
        "/api/v1/tournaments",
        "/api/v1/tournaments/sushi-go/cup",
        "/api/v1/tables",
        "/api/v1/ratings/sushi-go",
        "/metrics",
        &format!("/api/v1/results/sushi-go/{id}/replay"),
    ] {
        answers += &server.get(path);
    }
    drop(players);
    let ended = server.terminate();
    std::fs::remove_file(&keys).expect("the organiser's own list");
    for secret in [&ann, &bob] {
        assert!(!answers.contains(secret.as_str()), "an answer shows a key");
        assert!(!ended.stderr.contains(secret.as_str()), "the log shows a key");
    }
    assert!(ended.stderr.contains("closed"), "the log says something: {}", ended.stderr);
    assert_eq!(holding(folder.path(), &[&ann, &bob]), Vec::<String>::new());
    let traced = holding(&trace, &["ann:pk_…"]);
    assert!(!traced.is_empty(), "a trace shows where a key was");
}

#[test]
fn bans_tokens_and_the_audit_log_outlast_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let on = |words: &[&str]| {
        let ended = parlor(&[words, &["--data", data]].concat());
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        ended.stdout
    };
    let server = Server::start(folder.path());
    let key = key_of(&["names", "claim", "ann", "--data", data]);
    on(&["bans", "add", "--name", "eve"]);
    on(&["bans", "add", "--key", &key]);
    on(&["bans", "add", "--address", "203.0.113.9", "--for", "2h"]);
    on(&["tokens", "add", "desk", "--scope", "organise"]);
    let (bans, audit) = (on(&["bans", "list"]), on(&["audit"]));
    assert_eq!((bans.lines().count(), audit.contains("POST /api/v1/bans")), (3, true), "{audit}");
    server.kill();
    let server = Server::start(folder.path());
    assert_eq!(on(&["bans", "list"]), bans);
    assert!(on(&["tokens", "list"]).contains("desk"));
    assert!(on(&["audit"]).ends_with(&audit), "{audit}");
    // As a file it is all of it, a line of JSON for each act.
    let file = folder.path().join("audit.jsonl");
    assert_eq!(on(&["audit", "--out", file.to_str().unwrap()]), "");
    let acts = std::fs::read_to_string(&file).unwrap();
    let acts: Vec<serde_json::Value> =
        acts.lines().map(|act| serde_json::from_str(act).unwrap()).collect();
    assert_eq!(acts.len(), on(&["audit"]).lines().count(), "{acts:?}");
    assert!(acts.iter().any(|act| act["what"] == "POST /api/v1/bans"), "{acts:?}");
    on(&["tokens", "revoke", "desk"]);
    let refused = joins(&server, "Eve");
    assert_eq!(refused, "ERROR E001 The name 'Eve' is banned here.");
    let refused = joins(&server, &format!("ann:{key}"));
    assert_eq!(refused, "ERROR E001 Your key is banned here.");
    // The server's own log has every act too.
    let ended = server.terminate();
    assert!(ended.stderr.contains("DELETE /api/v1/tokens/desk"), "{}", ended.stderr);
}

#[test]
fn a_tournament_of_open_names_says_loudly_what_it_gives_up() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = Server::start(folder.path());
    let create = |id: &str, more: &[&str]| {
        let words = ["tournament", "create", "--game", "gamba", "--id", id, "--data", data];
        parlor(&[&words[..], more].concat())
    };
    let made = create("open", &["--entrant", "ann", "--entrant", "bob", "--open-names"]);
    let warning = "Names are open: anyone who joins under an entrant's name plays for that entrant";
    assert!(made.code == Some(0) && made.stderr.contains(warning), "{made:?}");
    assert!(!made.stdout.contains("pk_") && !made.stderr.contains("pk_"), "{made:?}");
    let made = create("keyed", &["--entrant", "cy", "--entrant", "di"]);
    assert!(made.stdout.contains("pk_") && !made.stderr.contains(warning), "{made:?}");
    server.kill();
}
