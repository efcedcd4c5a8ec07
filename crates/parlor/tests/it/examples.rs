//! Each starter bot plays a whole game against house bots.

use std::process::Command;

use crate::kit::{BINARY, Running, Server};

/// A server in memory whose house bots fill every table at once.
pub fn house() -> Server {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--ephemeral"]);
    for name in games::roster::PORTS {
        command.args(["--port", &format!("{name}=0")]);
    }
    // Two bots can shuffle about the maze for long: this many rounds are enough of it.
    command.args(["--set", "labyrinth.max_rounds=40"]);
    for bots in [
        "sushi-go.house_bots=['greedy']",
        "gamba.house_bots=['thrifty']",
        "subsim.house_bots=['random']",
        "labyrinth.house_bots=['euclid']",
        "tiger-dragon.house_bots=['counter']",
    ] {
        let game = bots.split('.').next().unwrap();
        command.args(["--set", bots, "--set", &format!("{game}.house_bots_after_ms=0")]);
    }
    Server::await_ready(Running::spawn(&mut command, ""))
}

/// Runs a starter bot to its end and looks for one of the last words of its game.
fn play(program: &str, example: &str, port: &str, last_word: &str) {
    play_as("Newcomer", program, example, port, last_word);
}

fn play_as(name: &str, program: &str, example: &str, port: &str, last_word: &str) {
    let server = house();
    let address = server.addresses[port];
    let mut command = Command::new(program);
    command.arg(format!("{}/../../examples/{example}", env!("CARGO_MANIFEST_DIR")));
    command.args([address.ip().to_string(), address.port().to_string(), name.to_owned()]);
    let ended = Running::spawn(&mut command, "").end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let over = last_word.split('|').any(|word| ended.stdout.contains(word));
    assert!(over, "{ended:?}");
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn sushi_go_in_python() {
    play("python3", "sushi_go.py", "sushi-go", "GAME_END {\"Newcomer\":");
}

#[test]
fn sushi_go_in_javascript() {
    play("node", "sushi_go.mjs", "sushi-go", "GAME_END {\"Newcomer\":");
}

#[test]
fn gamba() {
    play("python3", "gamba.py", "gamba", "reason=no_cards_remaining");
}

#[test]
fn subsim() {
    play("python3", "subsim.py", "subsim", "finished");
}

#[test]
fn tiger_dragon() {
    play("python3", "tiger_dragon.py", "tiger-dragon", "'type': 'game_over'");
}

/// Names are colours here.
#[test]
fn labyrinth() {
    play_as("blue", "python3", "labyrinth.py", "labyrinth", "{'winner': |ALL_PASSED");
}

/// What runs a starter bot.
pub fn interpreter(file: &str) -> &'static str {
    if file.ends_with(".py") { "python3" } else { "node" }
}

#[test]
fn without_a_server_starter_bots_say_how_to_start_one() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).unwrap() {
        let path = file.unwrap().path();
        let mut command = Command::new(interpreter(path.to_str().unwrap()));
        // Nobody listens on the first port.
        let ended = Running::spawn(command.arg(&path).args(["127.0.0.1", "1"]), "").end();
        let said = "no server at 127.0.0.1:1: start one with 'cargo run --release -- serve'\n";
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), said), "{path:?}: {ended:?}");
    }
}

#[test]
fn starter_bots_are_short_and_the_readme_starts_each_with_one_line() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let mut count = 0;
    for file in std::fs::read_dir(format!("{root}/examples")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let length = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(length < 80, "{name} has {length} lines");
        let program = interpreter(name);
        assert!(readme.contains(&format!("\n{program} examples/{name}\n")), "{name}");
        count += 1;
    }
    assert!(count >= 6, "{count} starter bots");
}
