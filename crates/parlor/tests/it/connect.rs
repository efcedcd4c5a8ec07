//! `parlor connect`: bots that know nothing of keys, at a server elsewhere.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use trials::ports::quiet;

use crate::kit::{BINARY, Line, PATIENCE, Running, Server, parlor};

/// A server with all games on free ports, where house bots fill the seats.
fn server(data: &str) -> Server {
    server_at(data, 0)
}

/// The same with its pages at a port that may be wanted again.
fn server_at(data: &str, http: u16) -> Server {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--data", data, "--house-bots"]);
    for name in games::list().ports() {
        let port = if name == "http" { http } else { 0 };
        command.args(["--port", &format!("{name}={port}")]);
    }
    let quick = ["labyrinth.max_rounds=30", "labyrinth.gather_ms=300", "tiger-dragon.players=2"];
    quick.iter().for_each(|set| _ = command.args(["--set", set]));
    Server::await_ready(Running::spawn(&mut command, ""))
}

/// A bridge to a server, and where it listens.
struct Bridge {
    process: Running,
    ports: BTreeMap<String, SocketAddr>,
}

impl Bridge {
    fn to(place: &str, key: &str) -> Bridge {
        let mut command = Command::new(BINARY);
        command.args(["connect", place, "--key", key, "--trace"]);
        for name in games::list().ports() {
            command.args(["--port", &format!("{name}=0")]);
        }
        let process = Running::spawn(&mut command, "");
        let mut ports = BTreeMap::new();
        loop {
            let line = process.first_line();
            match line.trim().split_once(" on ") {
                Some((name, address)) => {
                    ports.insert(name.to_owned(), address.parse().expect("an address"));
                }
                None => {
                    assert!(line.starts_with("ready: to ws://") && line.contains("with a key"));
                    return Bridge { process, ports };
                }
            }
        }
    }
}

fn claim(server: &Server, name: &str) -> String {
    let url = server.addresses["http"].to_string();
    let ended = parlor(&["names", "claim", name, "--url", &url]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.stdout.trim().to_owned()
}

#[test]
fn bots_of_every_protocol_play_through_the_bridge_under_a_claimed_name() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path().to_str().unwrap());
    let key = claim(&server, "ann");
    let bridge = Bridge::to(&server.addresses["http"].to_string(), &key);
    for wire in games::list().iter().flat_map(|game| game.wires()) {
        if wire.is_house() {
            continue;
        }
        let name = if (wire.is_name)("ann") { "ann" } else { "red" };
        let bot = |address: SocketAddr| {
            let mut command = Command::new(BINARY);
            command.args(["bot", wire.game, "--wire", wire.name, "--name", name]);
            command.args(["--connect", &address.to_string()]);
            Running::spawn(&mut command, "").end_within(Duration::from_secs(120))
        };
        if name == "ann" && wire.name == "sushi-go" {
            let refused = bot(server.addresses[wire.name]);
            assert!(refused.stderr.contains("belongs to whoever has its key"), "{refused:?}");
        }
        let played = bot(bridge.ports[wire.name]);
        assert_eq!(played.code, Some(0), "{}: {played:?}", wire.name);
    }
    bridge.process.signal("INT");
    let ended = bridge.process.end();
    assert_eq!(ended.code, Some(130));
    for shown in ["sushi-go >>> JOIN", "sushi-go <<< WELCOME", "tiger-dragon <<< {", "gamba >>> 0|"]
    {
        assert!(ended.stderr.contains(shown), "{shown}: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains(&key), "the trace has no keys");
    // It contained the token, with which a reader could take the seat.
    let welcome = ended.stderr.lines().find(|line| line.contains("<<< WELCOME")).expect("seated");
    assert!(welcome.ends_with(" (token)"), "{welcome}");
}

/// What a bot sends travels as it came, in pieces and all; and a server that is away is waited for.
#[test]
fn bytes_travel_as_they_are_and_a_lost_server_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let port = quiet(1);
    let first = server_at(data, port);
    let key = claim(&first, "ann");
    let bridge = Bridge::to(&format!("ws://{}", first.addresses["http"]), &key);
    let mut line = Line::connect(bridge.ports["sushi-go"]).expect("connects");
    line.ask("GAMES\r\n\r\nHELP", &["GAMES"]);
    line.expect(&["ERROR E001 Unknown command: HELP"]);
    first.kill();
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        let said = bridge.process.next_error();
        if said.contains("was lost; a bot that reconnects gets its seat back") {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "{said}");
    }
    // A bot that connects too early waits for the server.
    let mut line = Line::connect(bridge.ports["sushi-go"]).expect("connects");
    assert!(line.say("GAMES"));
    let _second = server_at(data, port);
    line.expect(&["GAMES"]);
}

/// A web page could make its browser play with the user's key.
#[test]
fn web_pages_cannot_use_the_bridge() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path().to_str().unwrap());
    let key = claim(&server, "ann");
    let bridge = Bridge::to(&server.addresses["http"].to_string(), &key);
    let answer = |address: SocketAddr, request: &str| {
        let mut socket = TcpStream::connect(address).expect("the bridge listens");
        socket.set_read_timeout(Some(PATIENCE)).expect("a socket");
        socket.write_all(request.as_bytes()).expect("the bridge reads");
        let mut answer = String::new();
        // A connection that is cut may be reset.
        let _ = socket.read_to_string(&mut answer);
        answer
    };
    let handshake = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                     Origin: https://evil.example\r\n\r\n";
    let refused = answer(bridge.ports["tiger-dragon"], handshake);
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    for (wire, address) in &bridge.ports {
        if wire != "tiger-dragon" {
            let heard = answer(*address, "POST / HTTP/1.1\r\nHost: x\r\n\r\nJOIN t ann\nREADY\n");
            assert!(!heard.contains("WELCOME") && !heard.contains("ann"), "{wire}: {heard}");
        }
    }
    drop(bridge.process);
}
