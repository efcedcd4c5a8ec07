//! A data folder that an earlier release left when it was killed: `fixtures/old-data`.
//! `expect.json` has what every client had received. Whatever has changed since, each client gets
//! exactly that back.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tokio_tungstenite::tungstenite;

use crate::kit::{BINARY, Line, Running, Server};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/old-data")
}

fn expected() -> Value {
    let text = std::fs::read_to_string(fixture().join("expect.json")).expect("the fixture");
    serde_json::from_str(&text).expect("JSON")
}

/// This release on a copy of the folder. That lives as long as the server is used, and so does what the
/// server puts beside it.
fn start() -> (Server, tempfile::TempDir) {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("data");
    std::fs::create_dir(&folder).expect("a folder in it");
    for file in std::fs::read_dir(fixture().join("data")).expect("the fixture") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), folder.join(file.file_name())).expect("copies");
    }
    let mut command = Command::new(BINARY);
    command.args(["serve", "--data", &folder.display().to_string()]);
    for name in games::list().ports() {
        command.args(["--port", &format!("{name}=0")]);
    }
    command.args(["--set", "tiger-dragon.players=2", "--set", "subsim.max_players=2"]);
    (Server::await_ready(Running::spawn(&mut command, "")), parent)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

#[test]
fn old_data_keeps_its_finished_games() {
    let (server, _folder) = start();
    for game in list(&expected()["finished"]) {
        let found = server.get_json(&format!("/api/v1/results/sushi-go/{}", text(&game["id"])));
        let told = text(&game["end"]).strip_prefix("GAME_END ").expect("the end of a game");
        let mut told = serde_json::Deserializer::from_str(told).into_iter::<Value>();
        let scores = told.next().expect("scores").expect("JSON");
        let winners = told.next().expect("winners").expect("JSON");
        assert_eq!(found["status"], "finished");
        for (name, standing) in list(&found["players"]).iter().zip(list(&found["closing"]["over"]))
        {
            assert_eq!(standing["points"], scores[text(name)], "{found}");
            assert_eq!(standing["place"] == 1, list(&winners).contains(name), "{found}");
        }
    }
}

#[test]
fn old_data_gives_running_sushi_go_games_back() {
    let (server, _folder) = start();
    for game in list(&expected()["sushi"]) {
        let id = text(&game["id"]);
        let moved = game["moved"].as_u64().expect("a seat") as usize;
        let mut players = Vec::new();
        for (seat, token) in list(&game["tokens"]).iter().enumerate() {
            let mut line = Line::connect(server.sushi_go()).expect("connects");
            let back = line.ask(&format!("REJOIN {}", text(token)), &["REJOINED", "ERROR"]);
            assert_eq!(back, format!("REJOINED {id} {seat}"));
            let hand = text(&game["hands"][seat]);
            if seat != moved {
                assert_eq!(line.expect(&["HAND"]), hand);
            }
            let status = line.ask("STATUS", &["STATUS", "ERROR"]);
            let status: Value = serde_json::from_str(&status["STATUS ".len()..]).expect("JSON");
            let cards = list(&status["your_hand"]).iter().map(text).enumerate();
            let cards: String = cards.map(|(place, card)| format!(" {place}:{card}")).collect();
            assert_eq!(format!("HAND{cards}"), hand);
            players.push(line);
        }
        // The card that was acknowledged counts, once.
        assert!(players[moved].ask("PLAY 0", &["OK", "ERROR"]).starts_with("ERROR E008"));
        players[1 - moved].ask("PLAY 0", &["OK"]);
        for line in &mut players {
            let played = line.expect(&["PLAYED"]);
            for name in list(&game["names"]) {
                assert!(played.contains(&format!("{}:", text(name))), "{played}");
            }
        }
    }
}

#[test]
fn old_data_gives_a_cup_back() {
    let (server, _folder) = start();
    let cup = &expected()["cup"];
    for entrant in list(&cup["entrants"]) {
        let mut line = Line::connect(server.sushi_go()).expect("connects");
        let token = text(&entrant["token"]);
        let back = line.ask(&format!("REJOIN {token}"), &["TOURNAMENT_REJOINED", "ERROR"]);
        let (id, name) = (text(&cup["id"]), text(&entrant["name"]));
        assert_eq!(back, format!("TOURNAMENT_REJOINED {id} {name}"));
        assert_eq!(line.expect(&["HAND"]), text(&entrant["hand"]));
    }
}

#[test]
fn old_data_gives_a_gamba_game_back() {
    let (server, _folder) = start();
    let game = &expected()["gamba"];
    for (name, state) in list(&game["names"]).iter().zip(list(&game["states"])) {
        let mut line = Line::connect(server.addresses["gamba"]).expect("connects");
        let name = text(name);
        let back = line.ask(&format!("6|||name={name}"), &["100|", "103|"]);
        assert_eq!(back, format!("100|{name}||name={name}|status=success"));
        assert_eq!(line.expect(&["106|"]), text(state));
    }
}

#[test]
fn old_data_gives_a_tiger_dragon_match_back() {
    let (server, _folder) = start();
    let game = &expected()["tiger_dragon"];
    for (seat, name) in list(&game["names"]).iter().enumerate() {
        let state = tiger_dragon_state(server.addresses["tiger-dragon"], text(name));
        assert_eq!(state["hand"], game["hands"][seat], "{state}");
        assert_eq!(state["turn"], game["turn"], "{state}");
    }
}

/// Joins, and returns the first state.
fn tiger_dragon_state(address: SocketAddr, name: &str) -> Value {
    let (mut socket, _) = tungstenite::connect(format!("ws://{address}")).expect("connects");
    let join = serde_json::json!({
        "type": "join", "room_id": "room1", "player_id": name, "role": "player"
    });
    socket.send(tungstenite::Message::text(join.to_string())).expect("sends");
    loop {
        let heard = socket.read().expect("the server speaks").into_text().expect("text");
        let heard: Value = serde_json::from_str(&heard).expect("JSON");
        assert_ne!(heard["type"], "error", "{heard}");
        if heard["type"] == "state" {
            return heard;
        }
    }
}

/// In these protocols players cannot reconnect, so the game does not wait for players who cannot
/// come.
#[test]
fn old_data_ends_games_without_a_way_back() {
    let (server, _folder) = start();
    for (game, players) in [("subsim", ["Sub0q", "Sub1q"]), ("labyrinth", ["red", "blue"])] {
        let found = server.get_json(&format!("/api/v1/results?game={game}"));
        let found = list(&found["results"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0]["status"], "void", "{found:?}");
        assert_eq!(found[0]["players"], serde_json::json!(players), "{found:?}");
    }
}
