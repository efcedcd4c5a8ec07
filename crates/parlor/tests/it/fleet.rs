//! Several servers on one PostgreSQL, as processes: `./test fleet` starts the database.

mod databases;
mod drains;
mod faults;
mod partitions;
mod soak;

use std::borrow::Borrow;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crate::kit::{BINARY, Line, PATIENCE, Running, Server, parlor, play_a_game};

/// A separate database in the cluster of `./test fleet`.
fn database() -> String {
    let url = std::env::var("PARLOR_TEST_DATABASE")
        .expect("PARLOR_TEST_DATABASE is the address of a database; ./test fleet starts one");
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let schema = format!("it{}x{number}", std::process::id());
    let made =
        Command::new("psql").args([&url, "-qc", &format!("CREATE SCHEMA {schema}")]).status();
    assert!(made.expect("psql runs").success());
    format!("{url}?options=-c%20search_path%3D{schema}")
}

/// What an organiser shows at any node.
fn bearer(database: &str) -> String {
    let ask = "SELECT value FROM secrets WHERE name = 'admin-token'";
    let told = Command::new("psql").args([database, "-qAtc", ask]).output().expect("psql runs");
    format!("Bearer {}", String::from_utf8(told.stdout).expect("text").trim())
}

fn node(database: &str, name: &str) -> Server {
    node_with(database, name, &[])
}

fn node_with(database: &str, name: &str, flags: &[&str]) -> Server {
    Server::await_ready(spawn(database, name, flags))
}

fn spawn(database: &str, name: &str, flags: &[&str]) -> Running {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--ephemeral", "--database", database, "--node", name]).args(flags);
    for port in games::list().ports() {
        command.args(["--port", &format!("{port}=0")]);
    }
    command.env("PARLOR_LEASE_MS", "1000");
    Running::spawn(&mut command, "")
}

/// Whether a node says that it hosts Sushi Go.
fn hosts(node: &Server) -> bool {
    let metrics = node.get("/metrics");
    metrics.lines().any(|line| line == r#"parlor_game_hosted_here{game="sushi-go"} 1"#)
}

/// Waits until exactly one of the nodes hosts Sushi Go, and says which.
fn owner(nodes: &[impl Borrow<Server>]) -> usize {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let hosting: Vec<usize> =
            (0..nodes.len()).filter(|index| hosts(nodes[*index].borrow())).collect();
        if let [owner] = hosting[..] {
            return owner;
        }
        assert!(Instant::now() < deadline, "nobody hosts the game");
    }
}

/// Two players at two ports, who have played some turns of a game.
fn begin(ports: [SocketAddr; 2], turns: usize) -> [Line; 2] {
    let mut players = ports.map(|port| Line::connect(port).expect("connects"));
    let list = players[0].ask("GAMES", &["GAMES"]);
    let list: serde_json::Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    for (line, name) in players.iter_mut().zip(["Ada", "Bob"]) {
        line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    take_turns(&mut players, turns);
    players
}

fn take_turns(players: &mut [Line; 2], turns: usize) {
    for _ in 0..turns {
        for line in players.iter_mut() {
            line.expect(&["HAND"]);
            line.ask("PLAY 0", &["OK"]);
        }
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn the_death_of_the_node_that_hosts_a_game_is_not_noticed_elsewhere() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two", "three"].map(|name| node(&database, name)).into();
    let host = nodes.swap_remove(owner(&nodes));
    let ports = [nodes[0].sushi_go(), nodes[1].sushi_go()];
    let mut players = begin(ports, 11);
    host.kill();
    take_turns(&mut players, 19);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
    owner(&nodes);
}

/// As docs/guides/run-a-fleet.md has it: one of the bots is connected to the node that dies.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn bots_that_know_all_nodes_play_on_whichever_dies() {
    let database = database();
    // Bots do not rest between games.
    let flags = ["--set", "limits.open_games_per_min=0"];
    let mut nodes: Vec<Server> =
        ["one", "two", "three"].map(|name| node_with(&database, name, &flags)).into();
    let host = nodes.swap_remove(owner(&nodes));
    let [first, second] = [&nodes[0], &nodes[1]].map(|node| node.sushi_go().to_string());
    let all = [host.sushi_go().to_string(), first, second];
    let bot = |name: &str, addresses: &str| {
        let mut command = Command::new(BINARY);
        command.args(["bot", "sushi-go", "--name", name, "--games", "60"]);
        Running::spawn(command.args(["--connect", addresses]), "")
    };
    let bots =
        [bot("Ann", &all.join(",")), bot("Bob", &format!("{},{},{}", all[2], all[1], all[0]))];
    // They play.
    bots.iter().for_each(|bot| _ = bot.first_line());
    host.kill();
    for ended in bots.map(Running::end) {
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_node_that_is_stopped_hands_its_games_over() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two", "three"].map(|name| node(&database, name)).into();
    let host = nodes.swap_remove(owner(&nodes));
    let ports = [nodes[0].sushi_go(), nodes[1].sushi_go()];
    let mut players = begin(ports, 4);
    let ended = host.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    take_turns(&mut players, 26);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_data_folder_goes_into_a_fleet_and_comes_out_again() {
    let (database, folder) = (database(), tempfile::tempdir().expect("a folder"));
    let [first, second, third] = ["first", "second", "third"].map(|name| folder.path().join(name));
    let path = |path: &std::path::Path| path.display().to_string();
    let server = Server::start(&first);
    let id = play_a_game(server.sushi_go());
    server.terminate();
    let import = parlor(&["data", "--data", &path(&first), "import", &database]);
    assert_eq!(import.code, Some(0), "{}", import.stderr);
    assert!(import.stdout.contains("1 finished game"), "{}", import.stdout);
    let again = parlor(&["data", "--data", &path(&first), "import", &database]);
    assert!(again.stderr.contains("holds games already"), "{}", again.stderr);

    let fleet = vec![node(&database, "one")];
    owner(&fleet);
    let other = play_a_game(fleet[0].sushi_go());
    // Play continues through all of this.
    let told = parlor(&["export", "sushi-go", "--database", &database]);
    assert_eq!((told.code, told.stdout.lines().count()), (Some(0), 2), "{}", told.stderr);
    let ratings = parlor(&["ratings", "sushi-go", "--json", "--database", &database]);
    assert_eq!(ratings.code, Some(0), "{}", ratings.stderr);
    let backup = parlor(&["data", "backup", "--database", &database, &path(&third)]);
    assert_eq!(backup.code, Some(0), "{}", backup.stderr);
    let export = parlor(&["data", "--data", &path(&second), "export", &database]);
    assert_eq!(export.code, Some(0), "{}", export.stderr);
    for (folder, id) in [(&second, &id), (&second, &other), (&third, &other)] {
        let replay = parlor(&["replay", "--quiet", "--data", &path(folder), id]);
        assert_eq!(replay.code, Some(0), "{}", replay.stderr);
    }
    play_a_game(fleet[0].sushi_go());
    for server in fleet {
        assert_eq!(server.terminate().code, Some(0));
    }
}
