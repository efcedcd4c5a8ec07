//! Each starter bot plays a whole game against house bots.

use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use tokio_tungstenite::tungstenite;

use crate::kit::{BINARY, Line, Running, Server, parlor};

/// A server with every game on a free port.
fn serve() -> Command {
    let mut command = Command::new(BINARY);
    command.arg("serve");
    for name in games::list().ports() {
        command.args(["--port", &format!("{name}=0")]);
    }
    // Two bots can shuffle about the maze for long: this many rounds are enough of it.
    command.args(["--set", "labyrinth.max_rounds=40"]);
    command
}

/// A server in memory whose house bots fill every table at once.
pub fn house() -> Server {
    let mut command = serve();
    command.arg("--ephemeral");
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

/// Every starter bot, with its game, a name to play under and the words of a game's end.
pub const STARTERS: [(&str, &str, &str, &[&str]); 10] = [
    ("sushi-go", "sushi_go.py", "Newcomer", &["GAME_END {"]),
    ("sushi-go", "sushi_go.mjs", "Joiner", &["GAME_END {"]),
    ("gamba", "gamba.py", "Newcomer", &["reason=no_cards_remaining"]),
    ("gamba", "gamba.mjs", "Joiner", &["reason=no_cards_remaining"]),
    ("subsim", "subsim.py", "Newcomer", &["|finished"]),
    ("subsim", "subsim.mjs", "Joiner", &["|finished"]),
    // Names are colours here.
    ("labyrinth", "labyrinth.py", "blue", &["{'winner': ", "ALL_PASSED"]),
    ("labyrinth", "labyrinth.mjs", "red", &["{ winner: ", "ALL_PASSED"]),
    ("tiger-dragon", "tiger_dragon.py", "Newcomer", &["'type': 'game_over'"]),
    ("tiger-dragon", "tiger_dragon.mjs", "Joiner", &["\"type\":\"game_over\""]),
];

pub const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A starter bot at a server, under a name.
fn starter(file: &str, address: SocketAddr, name: &str) -> Command {
    let mut command = Command::new(interpreter(file));
    command.arg(format!("{EXAMPLES}/{file}"));
    command.args([address.ip().to_string(), address.port().to_string(), name.to_owned()]);
    command
}

#[test]
fn every_starter_bot_plays_the_number_of_games_it_was_given() {
    let server = house();
    std::thread::scope(|starters| {
        for (game, file, name, ends) in STARTERS {
            let address = server.addresses[game];
            starters.spawn(move || {
                let mut command = starter(file, address, name);
                let ended = Running::spawn(command.args(["--games", "2"]), "").end();
                assert_eq!(ended.code, Some(0), "{file}: {ended:?}");
                let over = ends.iter().map(|end| ended.stdout.matches(end).count());
                assert_eq!(over.sum::<usize>(), 2, "{file}: {ended:?}");
            });
        }
    });
    assert_eq!(server.terminate().code, Some(0));
}

/// What runs a starter bot.
pub fn interpreter(file: &str) -> &'static str {
    if file.ends_with(".py") { "python3" } else { "node" }
}

/// In Tiger & Dragon all clients receive the messages of the match in play. A starter that
/// connected while another match ended took that end for its own, and stopped before it had played.
#[test]
fn tiger_dragon_starters_wait_for_their_seat() {
    for file in ["tiger_dragon.py", "tiger_dragon.mjs"] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let bot = Running::spawn(&mut starter(file, address, "Ann"), "");
        let (socket, _) = listener.accept().expect("it comes");
        let mut socket = tungstenite::accept(socket).expect("it speaks WebSocket");
        let join = socket.read().expect("it joins").into_text().expect("text");
        assert!(join.contains("\"join\""), "{file}: {join}");
        let mut say = |text: &str| socket.send(text.into()).expect("it listens");
        let over = r#"{"type":"game_over","winner":0,"scores":"10,3"}"#;
        say(over);
        say(r#"{"type":"join_ack","room_id":"room1","player_id":"Ann","seat":0,"players":2}"#);
        say(
            r#"{"type":"state","room_id":"room1","turn":0,"phase":"Attack","current_player":0,"attack_tile":"","hand":"6,7","hand_sizes":"2,2","bonus_discards":"0,0","legal":"6,7","scores":"0,0"}"#,
        );
        let act = socket.read().expect("it plays").into_text().expect("text");
        assert!(act.contains("\"action\""), "{file}: {act}");
        socket.send(over.into()).expect("it listens");
        let ended = bot.end();
        assert_eq!(ended.code, Some(0), "{file}: {ended:?}");
    }
}

/// A table may be given up before its match begins: its players ask for another seat.
#[test]
fn tiger_dragon_starters_come_again_when_their_table_is_given_up() {
    for file in ["tiger_dragon.py", "tiger_dragon.mjs"] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let _bot = Running::spawn(&mut starter(file, address, "Ann"), "");
        let (socket, _) = listener.accept().expect("it comes");
        let mut socket = tungstenite::accept(socket).expect("it speaks WebSocket");
        socket.read().expect("it joins");
        for text in [
            r#"{"type":"join_ack","room_id":"room1","player_id":"Ann","seat":0,"players":2}"#,
            r#"{"type":"error","message":"the table waited too long for players"}"#,
        ] {
            socket.send(text.into()).expect("it listens");
        }
        let (again, _) = listener.accept().expect("it comes again");
        let mut again = tungstenite::accept(again).expect("it speaks WebSocket");
        let join = again.read().expect("it joins").into_text().expect("text");
        assert!(join.contains("\"join\""), "{file}: {join}");
    }
}

/// A bot that was killed in the middle of a game could not return: for two minutes its name was
/// taken, by itself.
#[test]
fn a_killed_gamba_starter_rejoins_its_game() {
    let server = Server::await_ready(Running::spawn(serve().arg("--ephemeral"), ""));
    let address = server.addresses["gamba"];
    for (file, name, rival) in [("gamba.py", "Ann", "Ada"), ("gamba.mjs", "Ben", "Bea")] {
        // The player who sat down first moves first; this one does not, so the game continues.
        let mut line = Line::connect(address).unwrap();
        line.ask(&format!("0|||name={rival}"), &["100|"]);
        line.ask("2|||", &["101|"]);
        let killed = Running::spawn(&mut starter(file, address, name), "");
        line.expect(&["105|"]);
        drop(killed);
        line.expect(&["107|"]);
        let back = Running::spawn(&mut starter(file, address, name), "");
        line.expect(&["109|"]);
        drop(back);
        line.expect(&["107|"]);
    }
    assert_eq!(server.terminate().code, Some(0));
}

/// Starters stopped after one game, and a tournament has more: those that loop play all of it.
#[test]
fn looping_starters_play_a_whole_tournament_of_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = Server::await_ready(Running::spawn(serve().args(["--data", data]), ""));
    let tournament = |words: &[&str]| {
        let ended = parlor(&[&["tournament"], words, &["--data", data]].concat());
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        ended.stdout
    };
    let mut bots = Vec::new();
    for two in STARTERS.chunks(2) {
        let game = two[0].0;
        let mut create = vec!["create", "--game", game, "--id", "cup", "--best-of", "3"];
        create.extend(two.iter().flat_map(|(_, _, name, _)| ["--entrant", name]));
        create.push("--open-names");
        tournament(&create);
        tournament(&["start", game, "cup"]);
        for (_, file, name, _) in two {
            let mut command = starter(file, server.addresses[game], name);
            bots.push(Running::spawn(command.args(["--games", "0"]), ""));
        }
    }
    for two in STARTERS.chunks(2) {
        let shown = tournament(&["watch", two[0].0, "cup"]);
        let info = server.get_json(&format!("/api/v1/tournaments/{}/cup", two[0].0));
        let games = info["pairings"][0]["games"].as_array().expect("games");
        assert!(games.len() >= 2, "{shown} {info}");
        assert!(shown.contains(" cup: knockout, over, "), "{shown}");
    }
    drop(bots);
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn without_a_server_starter_bots_say_how_to_start_one() {
    for (_, file, _, _) in STARTERS {
        let mut command = Command::new(interpreter(file));
        // No server listens on the first port.
        command.arg(format!("{EXAMPLES}/{file}")).args(["127.0.0.1", "1"]);
        let ended = Running::spawn(&mut command, "").end();
        let said = "no server at 127.0.0.1:1: start one with 'cargo run --release -- serve'\n";
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), said), "{file}: {ended:?}");
    }
}

#[test]
fn starter_bots_are_short_and_their_page_starts_each_with_one_line() {
    let page = std::fs::read_to_string(format!("{EXAMPLES}/README.md")).unwrap();
    let mut count = 0;
    for file in std::fs::read_dir(EXAMPLES).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "README.md" {
            continue;
        }
        let length = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(length <= 120, "{name} has {length} lines");
        let program = interpreter(name);
        assert!(page.contains(&format!("\n{program} examples/{name}\n")), "{name}");
        count += 1;
    }
    assert!(count == STARTERS.len(), "{count} starter bots");
}
