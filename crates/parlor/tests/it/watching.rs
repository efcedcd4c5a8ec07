//! `parlor tables` and `parlor watch` against a server that runs.

use std::process::Command;

use serde_json::json;

use crate::kit::{BINARY, Running, Server, parlor};

/// A server whose house bots take every seat a player leaves free, at once.
fn house(data: &std::path::Path) -> Server {
    house_with(data, &[])
}

fn house_with(data: &std::path::Path, set: &[&str]) -> Server {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--data"]).arg(data);
    for name in games::list().ports() {
        command.args(["--port", &format!("{name}=0")]);
    }
    command.args(["--set", "labyrinth.max_rounds=40"]);
    command.args(set.iter().flat_map(|set| ["--set", set]));
    for (game, bot) in STRATEGIES {
        command.args(["--set", &format!("{game}.house_bots=['{bot}']")]);
        command.args(["--set", &format!("{game}.house_bots_after_ms=0")]);
    }
    Server::await_ready(Running::spawn(&mut command, ""))
}

const STRATEGIES: [(&str, &str); 5] = [
    ("sushi-go", "greedy"),
    ("gamba", "thrifty"),
    ("tiger-dragon", "counter"),
    ("subsim", "hunter"),
    ("labyrinth", "euclid"),
];

/// What only the seats' own views show in the middle of a game.
const HIDDEN: [(&str, &str); 5] = [
    ("sushi-go", "\n    hand   "),
    ("gamba", ", hand "),
    ("tiger-dragon", "\n    hand  "),
    ("subsim", " shields"),
    ("labyrinth", " found"),
];

impl Server {
    /// Opens a table with a seat kept for a name.
    fn open(&self, token: &str, game: &str, id: &str, name: &str) {
        let body = json!({"game": game, "id": id, "names": [name]});
        let url = format!("http://{}/api/v1/tables", self.addresses["http"]);
        let request = ureq::post(&url).header("Authorization", format!("Bearer {token}"));
        request.send_json(body).unwrap_or_else(|error| panic!("{game}: {error}"));
    }
}

/// A game is watched from before its first move, by the public and with every seat's eyes. It used
/// to list 64 free seats, call players by their seats, and draw one picture for each seat.
fn watch_a_game(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = house(folder.path());
    let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
    // Players of Labyrinth are colours.
    server.open(token.trim(), game, "show", "red");
    let watcher = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(["watch", "--data", data]).args(arguments);
        let running = Running::spawn(&mut command, "");
        assert_eq!(running.first_line(), "table show\n");
        running
    };
    let (public, full) = (watcher(&["show"]), watcher(&[game, "show", "--full"]));
    let address = server.addresses[game].to_string();
    let mut bot = vec!["bot", game, "--connect", &address, "--name", "red"];
    if game == "sushi-go" {
        bot.extend(["--table", "show"]);
    }
    let played = parlor(&bot);
    assert_eq!(played.code, Some(0), "{played:?}");
    for (watched, is_full) in [(public.end(), false), (full.end(), true)] {
        assert_eq!(watched.code, Some(0), "{watched:?}");
        let turns = watched.stdout.matches("\nturn ").count();
        assert!(turns > 3, "{turns} turns: {}", watched.stdout);
        assert!(watched.stdout.contains("\nover\n  1. "), "{}", watched.stdout);
        let hidden = HIDDEN.iter().find(|(name, _)| *name == game).expect("every game hides").1;
        let turns = watched.stdout.split("\nturn ").nth(2).expect("more than three turns");
        assert_eq!(turns.contains(hidden), is_full, "{}", watched.stdout);
        for part in watched.stdout.split("\n\n") {
            let lines = part.trim().lines();
            assert!(lines.clone().count() <= 40, "a frame fits a terminal:\n{part}");
            assert!(lines.clone().all(|line| line.chars().count() <= 100), "{part}");
        }
        let by_number = (0..5).any(|seat| watched.stdout.contains(&format!("seat {seat}")));
        assert!(!by_number, "players have names: {}", watched.stdout);
    }
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn sushi_go_can_be_watched() {
    watch_a_game("sushi-go");
}

#[test]
fn gamba_can_be_watched() {
    watch_a_game("gamba");
}

#[test]
fn tiger_dragon_can_be_watched() {
    watch_a_game("tiger-dragon");
}

#[test]
fn subsim_can_be_watched() {
    watch_a_game("subsim");
}

#[test]
fn labyrinth_can_be_watched() {
    watch_a_game("labyrinth");
}

/// A table whose games are shown afterwards: nothing while it is played, then everything.
#[test]
fn a_delayed_broadcast_is_watched_when_the_game_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = house_with(folder.path(), &["sushi-go.broadcast=delayed"]);
    let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
    server.open(token.trim(), "sushi-go", "show", "red");
    let mut command = Command::new(BINARY);
    let watcher = Running::spawn(command.args(["watch", "--data", data, "show"]), "");
    let address = server.addresses["sushi-go"].to_string();
    let bot = ["bot", "sushi-go", "--connect", &address, "--name", "red", "--table", "show"];
    assert_eq!(parlor(&bot).code, Some(0));
    let again = parlor(&["watch", "--data", data, "show"]);
    for watched in [watcher.end(), again] {
        assert_eq!(watched.code, Some(0), "{watched:?}");
        let turns: Vec<&str> = watched.stdout.split("\nturn ").collect();
        assert!(turns.len() > 25 && turns[2].contains("\n    hand   "), "{}", watched.stdout);
        assert!(watched.stdout.contains("\nover\n  1. "), "{}", watched.stdout);
    }
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn tables_are_listed_from_the_folder_and_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = house(folder.path());
    let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
    server.open(token.trim(), "gamba", "one", "Ann");
    server.open(token.trim(), "subsim", "one", "Ann");
    let data = folder.path().to_str().unwrap();
    let url = server.addresses["http"].to_string();
    for from in [["--data", data], ["--url", &url], ["--connect", &format!("http://{url}/")]] {
        let listed = parlor(&[&["tables"], &from[..]].concat());
        assert_eq!(listed.code, Some(0), "{listed:?}");
        let lines: Vec<&str> = listed.stdout.lines().collect();
        assert!(lines[0].starts_with("GAME"), "{listed:?}");
        let gamba = lines.iter().find(|line| line.starts_with("gamba"));
        let words: Vec<&str> = gamba.unwrap().split_whitespace().collect();
        assert_eq!(words, ["gamba", "one", "waiting", "0", "0/2"], "{listed:?}");
    }
    let of_one = parlor(&["tables", "subsim", "--url", &url]);
    assert_eq!(of_one.stdout.lines().count(), 2, "{of_one:?}");
    let wrong = parlor(&["tables", "chess", "--url", &url]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stderr.contains("no game 'chess'; there are"), "{wrong:?}");
    let twice = parlor(&["watch", "one", "--url", &url]);
    assert!(twice.stderr.contains("Type parlor watch GAME one"), "{twice:?}");
    let nowhere = parlor(&["watch", "two", "--url", &url]);
    assert!(nowhere.stderr.contains("no table 'two'"), "{nowhere:?}");
    // The folder's token is not for a server that was named.
    let secret = parlor(&["watch", "gamba", "one", "--full", "--url", &url]);
    assert_eq!(secret.code, Some(1));
    assert!(secret.stderr.contains("admin token"), "{secret:?}");
}

#[test]
fn without_a_server_it_is_said_where_one_was_sought() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for command in [&["tables"][..], &["watch", "sushi-go", "final"]] {
        let ended = parlor(&[command, &["--url", &free.to_string()]].concat());
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains(&format!("no server answers at {free}")), "{ended:?}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = parlor(&["completions", shell]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.contains("strategies"), "{shell} knows the subcommands");
    }
}

#[test]
fn a_table_is_watched_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = house(folder.path());
    let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
    server.open(token.trim(), "gamba", "show", "ann");
    let mut command = Command::new(BINARY);
    command.args(["watch", "show", "--browser", "--data", folder.path().to_str().unwrap()]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let told = Running::spawn(&mut command, "").end();
    let page = format!("http://{}/gamba/tables/show\n", server.addresses["http"]);
    assert_eq!((told.code, told.stdout), (Some(0), page));
}
