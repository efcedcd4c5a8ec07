//! A ladder on a server: real bots of every game enter under claimed names, play over sockets, and
//! continue after the server was killed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::kit::{BINARY, Running, Server, parlor};

/// A server with every game's main port.
fn start(data: &Path) -> Server {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--data", data.to_str().unwrap()]);
    for name in games::list().ports() {
        command.args(["--port", &format!("{name}=0")]);
    }
    Server::await_ready(Running::spawn(&mut command, ""))
}

fn ask(data: &Path, words: &[&str]) -> String {
    let ended = parlor(&[words, &["--data", data.to_str().unwrap()]].concat());
    assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
    ended.stdout.trim().to_owned()
}

/// Claims a name and enters it; at Labyrinth's tables it is a colour.
fn enter(data: &Path, game: &str, name: &str, colour: &str) -> (String, String) {
    let claimed = format!("{name}-{game}");
    let key = ask(data, &["names", "claim", &claimed]);
    let (entrant, at_tables) = match game {
        "labyrinth" => (format!("{claimed}={colour}"), colour.to_owned()),
        _ => (claimed.clone(), claimed),
    };
    let said = ask(data, &["ladder", "enter", game, "bots", &entrant, "--key", &key]);
    assert!(said.starts_with(&format!("{game} bots: ladder, running")), "{said}");
    (at_tables, key)
}

/// A bot that plays a given number of games, one after the other.
fn bot(server: &Server, game: &str, (name, key): &(String, String), games: u32) -> Running {
    let pages = format!("http://{}", server.addresses["http"]);
    let mut command = Command::new(BINARY);
    command.args(["bot", game, "--connect", &pages, "--name", name, "--key", key]);
    command.args(["--games", &games.to_string()]);
    Running::spawn(&mut command, "")
}

fn shown(data: &Path, game: &str) -> Value {
    serde_json::from_str(&ask(data, &["ladder", "show", game, "bots", "--json"])).unwrap()
}

fn played(ladder: &Value) -> u64 {
    let standings = ladder["standings"].as_array().unwrap().iter();
    standings.map(|standing| standing["played"].as_u64().unwrap()).sum()
}

#[test]
fn bots_of_every_game_climb_a_ladder_and_go_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let server = start(data);
    let games = ["sushi-go", "gamba", "tiger-dragon", "subsim", "labyrinth"];
    let mut players = Vec::new();
    for game in games {
        let made = ask(data, &["ladder", "create", "--game", game, "--id", "bots", "--wait", "2"]);
        assert_eq!(made, format!("{game} bots: ladder, running, 0 entrants, 0 waiting, 0 playing"));
        for (name, colour) in [("ann", "red"), ("bob", "blue")] {
            players.push((game, enter(data, game, name, colour)));
        }
    }
    let run = |server: &Server| {
        let bots: Vec<Running> =
            players.iter().map(|(game, player)| bot(server, game, player, 2)).collect();
        for (running, (game, _)) in bots.into_iter().zip(&players) {
            let ended = running.end_within(Duration::from_secs(120));
            assert_eq!(ended.code, Some(0), "{game}: {ended:?}");
        }
    };
    run(&server);
    let before: Vec<Value> = games.iter().map(|game| shown(data, game)).collect();
    for ladder in &before {
        assert_eq!(played(ladder), 4, "{ladder}");
        let first = &ladder["standings"][0];
        assert!(first["low"].as_i64() < first["elo"].as_i64(), "{ladder}");
    }
    server.kill();

    let server = start(data);
    for (game, before) in games.iter().zip(&before) {
        assert_eq!(shown(data, game)["standings"], before["standings"]);
    }
    run(&server);
    for game in games {
        assert_eq!(played(&shown(data, game)), 8);
    }
    let text = ask(data, &["ladder", "show", "gamba", "bots"]);
    assert!(text.contains("ann-gamba") && text.contains("latest games:"), "{text}");
    assert!(text.contains("away"), "{text}");
    let (name, key) = &players[2].1;
    let left = ask(data, &["ladder", "leave", "gamba", "bots", name, "--key", key]);
    assert_eq!(left, "gamba bots: ladder, running, 1 entrant, 0 waiting, 0 playing");
    let back = ask(data, &["ladder", "enter", "gamba", "bots", name, "--key", key]);
    assert!(back.contains("2 entrants"), "{back}");
    assert_eq!(ask(data, &["ladder", "list", "gamba"]), "gamba bots: running, 2 entrants");
    let ended =
        parlor(&["ladder", "enter", "gamba", "bots", "x", "--data", data.to_str().unwrap()]);
    assert!(ended.stderr.contains("--key-file is needed"), "{ended:?}");
}

/// A wrong key file was reported as a missing server.
#[test]
fn a_wrong_key_file_is_told_before_the_server_is_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ann.key");
    std::fs::write(&file, "not a key\n").expect("a file");
    let (missing, file) = (folder.path().join("missing.key"), file.to_str().expect("UTF-8"));
    let missing = missing.to_str().expect("UTF-8");
    // No server listens at port 1.
    let at = ["--url", "127.0.0.1:1", "--key-file"];
    for command in
        [["tournament", "enter"], ["ladder", "enter"], ["ladder", "leave"]].map(|it| it.to_vec())
    {
        let told = |key_file: &str| {
            let which = ["gamba", "cup", "ann"];
            let words: Vec<&str> =
                command.iter().chain(&which).chain(&at).copied().chain([key_file]).collect();
            parlor(&words)
        };
        let ended = told(file);
        assert!(ended.stderr.contains("this is not a key"), "{command:?}: {ended:?}");
        let ended = told(missing);
        assert!(ended.stderr.contains("cannot read"), "{command:?}: {ended:?}");
    }
}
