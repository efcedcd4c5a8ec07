//! What scripts rely on: the ready line, exit codes, and messages that help.

use std::process::Command;
use std::time::Duration;

use crate::kit::{BINARY, Line, Running, Server, parlor, serve};

#[test]
fn a_signal_ends_the_server_in_order() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path());
        let silent = std::net::TcpStream::connect(server.sushi_go()).unwrap();
        server.signal(signal);
        let ended = server.end();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(ended.stdout, "", "exactly one line goes to standard output");
        drop(silent);
    }
}

/// Moves sent to a stopped process waited in its sockets while their turn's clock ran out.
#[test]
fn a_stopped_server_process_costs_no_player_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(BINARY);
    command.args(serve(folder.path())).args(["--set", "sushi-go.move_timeout_ms=1000"]);
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let mut players = [0, 1].map(|_| Line::connect(server.sushi_go()).expect("connects"));
    let games = players[0].ask("GAMES", &["GAMES"]);
    let games: serde_json::Value = serde_json::from_str(&games["GAMES ".len()..]).unwrap();
    let id = games[0]["id"].as_str().unwrap();
    for (name, line) in ["Ann", "Ben"].into_iter().zip(&mut players) {
        line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    for line in &mut players {
        line.expect(&["HAND"]);
    }
    server.signal("STOP");
    for line in &mut players {
        assert!(line.say("PLAY 9"));
    }
    // Longer than the clock; what is tried here is that time passes.
    std::thread::sleep(Duration::from_millis(1500));
    server.signal("CONT");
    for line in &mut players {
        assert_eq!(line.expect(&["OK", "ERROR"]), "OK");
    }
}

/// `serve`, Ctrl-C, `serve` with house bots on the same folder: a player who joined the game listed
/// there was welcomed and then never received anything.
#[test]
fn house_bots_can_be_enabled_by_a_later_start() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut line = Line::connect(server.sushi_go()).expect("connects");
    line.ask("GAMES", &["GAMES"]);
    server.signal("INT");
    assert_eq!(server.end().code, Some(0));
    let mut command = Command::new(BINARY);
    command.args(serve(folder.path())).arg("--house-bots");
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let mut line = Line::connect(server.sushi_go()).expect("connects");
    let games = line.ask("GAMES", &["GAMES"]);
    let games: serde_json::Value = serde_json::from_str(&games["GAMES ".len()..]).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 1, "{games}");
    let id = games[0]["id"].as_str().unwrap();
    line.ask(&format!("JOIN {id} Ann"), &["WELCOME"]);
    line.ask("READY", &["OK"]);
    line.expect(&["HAND"]);
}

#[test]
fn the_ready_line_names_what_listens_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let names: Vec<&str> = server.addresses.keys().map(String::as_str).collect();
    assert_eq!(names, ["http", "sushi-go"]);
}

#[test]
fn a_port_in_use_is_named_with_the_flag_that_helps() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = serve(&folder.path().join("data"));
    arguments.extend(["--port".to_owned(), format!("sushi-go={port}")]);
    arguments.extend(["--trace".to_owned(), folder.path().join("trace").display().to_string()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = parlor(&arguments);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains(&format!("127.0.0.1:{port}")), "{}", ended.stderr);
    assert!(ended.stderr.contains("--port sushi-go=PORT"), "{}", ended.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn an_address_of_another_machine_is_not_blamed_on_a_port() {
    let ended = parlor(&["serve", "--ephemeral", "--bind", "192.0.2.1"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("Pass --bind with an address of this machine"), "{ended:?}");
}

/// Other ports alone would not help, so the folder comes first.
#[test]
fn a_second_server_on_a_folder_is_told_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut arguments = serve(folder.path());
    let port = server.sushi_go().port();
    arguments.extend(["--port".to_owned(), format!("sushi-go={port}")]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = parlor(&arguments);
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.ends_with(
            "is already used by another server. Pass --data DIR for a second one, or --ephemeral.\n"
        ),
        "{}",
        ended.stderr
    );
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn bad_settings_stop_the_start_with_a_message_that_helps() {
    let cases = [
        (["--set", "sushi-go.players=9"], "players = 9: Sushi Go takes 2 to 5"),
        (["--set", "sushi-go.colour=red"], "sushi-go has no option 'colour'; there are"),
        (["--port", "chess=1"], "no port 'chess'; there are"),
        (["--port", "http=8080"], "gamba and http have the same port, 8080; use --port http=PORT"),
        (["--bind", "everywhere"], "not an IP address"),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
    ];
    for (arguments, message) in cases {
        let ended = parlor(&["serve", "--ephemeral", arguments[0], arguments[1]]);
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert!(ended.stderr.contains(message), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn the_printed_configuration_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parlor.toml");
    let changed = ["--set", "sushi-go.players=4", "--port", "http=off", "--ephemeral"];
    let printed = parlor(&[&["config"], &changed[..]].concat());
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("players = 4") && printed.stdout.contains("http = \"off\""));
    std::fs::write(&file, &printed.stdout).unwrap();
    let again = parlor(&["config", "--config", file.to_str().unwrap()]);
    assert_eq!(again.stdout, printed.stdout, "{}", again.stderr);
}

#[test]
fn labyrinth_exercises_read_json_from_standard_input() {
    let board = r#"{"connectors":[["─","┐"],["└","┘"]],"treasures":[[["ruby","zircon"],["ruby","diamond"]],
        [["ruby","emerald"],["ruby","garnet"]]]} {"row#":0,"column#":0}"#;
    let ended = crate::kit::parlor_reading(&["labyrinth", "reach"], board);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let squares: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(squares.as_array().unwrap().len(), 4);
    let ended = crate::kit::parlor_reading(&["labyrinth", "reach"], "{");
    assert_eq!(ended.code, Some(2), "{ended:?}");
}
