//! Failures of nodes and of the database that players connected to another node don't notice.

use serde_json::{Value, json};
use trials::fleet::cluster::Cluster;

use super::{bearer, begin, database, hosts, node, node_with, owner, take_turns};
use crate::kit::{Heard, Line, PATIENCE, Server, parlor};

fn three(database: &str) -> Vec<Server> {
    ["one", "two", "three"].map(|name| node(database, name)).into()
}

fn finish(players: &mut [Line; 2]) {
    for line in players {
        line.expect(&["GAME_END"]);
    }
}

pub(super) fn open_table(node: &Server, database: &str, table: Value) {
    let url = format!("http://{}/api/v1/tables", node.addresses["http"]);
    let made = ureq::post(&url).header("Authorization", bearer(database)).send_json(table);
    assert!(made.is_ok(), "{made:?}");
}

/// What a node says of its fleet.
fn status(node: &Server) -> Value {
    node.get_json("/api/v1/fleet")
}

/// Waits until something is true of what a node says.
fn until(node: &Server, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        let said = status(node);
        if holds(&said) {
            return said;
        }
        assert!(std::time::Instant::now() < deadline, "not {what}: {said:#}");
    }
}

fn host_of(status: &Value) -> Option<&str> {
    let games = status["games"].as_array().expect("a list");
    games.iter().find(|game| game["game"] == "sushi-go").and_then(|game| game["node"].as_str())
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn paused_owner_is_replaced() {
    let mut nodes = three(&database());
    let paused = nodes.swap_remove(owner(&nodes));
    let mut players = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 9);
    paused.signal("STOP");
    take_turns(&mut players, 21);
    finish(&mut players);
    paused.signal("CONT");
    // It finds that it was replaced, and takes part again.
    until(&nodes[0], "three again", |said| said["nodes"].as_array().map(Vec::len) == Some(3));
    until(&nodes[0], "another's", |said| host_of(said).is_some());
    assert_eq!(paused.terminate().code, Some(0));
}

/// An owner that wakes up after another has taken over its game sends nothing more for it: not even
/// what needs no record, and so is refused by no database.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn two_nodes_cannot_both_answer() {
    let database = database();
    let mut nodes = three(&database);
    let paused = nodes.swap_remove(owner(&nodes));
    let mut stranger = Line::connect(paused.sushi_go()).expect("connects");
    stranger.ask("GAMES", &["GAMES"]);
    let before = host_of(&status(&nodes[0])).map(str::to_owned);
    paused.signal("STOP");
    until(&nodes[0], "replaced", |said| {
        host_of(said).is_some_and(|host| Some(host) != before.as_deref())
    });
    let heir = &nodes[owner(&nodes)];
    open_table(heir, &database, json!({ "game": "sushi-go", "id": "fresh", "seats": 2 }));
    // The sleeper knows of no such table.
    assert!(stranger.say("JOIN fresh Zed"));
    paused.signal("CONT");
    let deadline = std::time::Instant::now() + PATIENCE;
    while std::time::Instant::now() < deadline {
        match stranger.hear() {
            Heard::Line(line) if line.starts_with("WELCOME fresh") => return,
            Heard::Line(line) => {
                assert!(!line.starts_with("ERROR"), "it speaks for a game: {line}");
            }
            Heard::Silence => {}
            // No node knows any more where the game is.
            Heard::Gone => return,
        }
    }
    panic!("nobody answers");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn database_restart_mid_game() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let database = cluster.url(cluster.address);
    let nodes = three(&database);
    owner(&nodes);
    // One of the two may well be where the game is.
    let mut players = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 5);
    for turns in [7, 8] {
        cluster.crash().expect("it stops");
        for line in &mut players {
            line.expect(&["HAND"]);
            assert!(line.say("PLAY 0"));
        }
        until(&nodes[0], "blind", |said| said["database_answers"] == false);
        let ready = ureq::get(format!("http://{}/readyz", nodes[0].addresses["http"])).call();
        assert!(ready.is_err(), "{ready:?}");
        cluster.start_again().expect("it starts");
        for line in &mut players {
            line.expect(&["OK"]);
        }
        take_turns(&mut players, turns);
    }
    take_turns(&mut players, 8);
    finish(&mut players);
}

/// A request for finished games while the database was away was answered as an internal error.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn finished_games_are_unavailable_while_the_database_is_away() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let node = node(&cluster.url(cluster.address), "one");
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("http://{}/api/v1/results", node.addresses["http"]);
    cluster.crash().expect("it stops");
    let mut answer = agent.get(&url).call().expect("an answer");
    assert_eq!(answer.status(), 503);
    assert!(answer.headers().contains_key("retry-after"));
    let said: Value = answer.body_mut().read_json().expect("JSON");
    assert_eq!(said["code"], "unavailable");
    assert_eq!(said["error"], "the database does not answer");
    cluster.start_again().expect("it starts");
    let deadline = std::time::Instant::now() + PATIENCE;
    while agent.get(&url).call().expect("an answer").status() != 200 {
        assert!(std::time::Instant::now() < deadline, "the database is back");
    }
}

/// All nodes use the database's clock: here it is an hour ahead of theirs.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn clock_skew_of_an_hour_changes_nothing() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let ahead = "CREATE SCHEMA ahead; CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz
                 LANGUAGE sql VOLATILE
                 AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$";
    cluster.execute(ahead).expect("a function");
    let plain = cluster.url(cluster.address);
    let database = format!("{plain}?options=-c%20search_path%3Dahead%2Cpg_catalog");
    let mut nodes = three(&database);
    let host = nodes.swap_remove(owner(&nodes));
    let mut players = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 9);
    host.kill();
    take_turns(&mut players, 21);
    finish(&mut players);
    let results = nodes[0].get_json("/api/v1/results?game=sushi-go");
    let result = &results["results"][0];
    assert_eq!(result["status"], "finished", "{result}");
    let closed_at = result["closed_at"].as_u64().expect("a time");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("later");
    let half_an_hour = 30 * 60 * 1000;
    assert!(u128::from(closed_at) > now.as_millis() + half_an_hour, "{result}");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_rolling_restart_ends_no_game() {
    let database = database();
    let mut nodes = three(&database);
    owner(&nodes);
    let (mut players, tokens) = seated([nodes[0].sushi_go(), nodes[1].sushi_go()]);
    let mut places = ["one", "two"];
    take_turns(&mut players, 3);
    for (name, next) in [("one", "two"), ("two", "three"), ("three", "one")] {
        let ended = nodes.remove(0).terminate();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        nodes.push(node(&database, name));
        owner(&nodes);
        // Players who were connected there return over another node.
        for ((line, token), place) in players.iter_mut().zip(&tokens).zip(&mut places) {
            if *place == name {
                *line = Line::connect(nodes[0].sushi_go()).expect("connects");
                line.ask(&format!("REJOIN {token}"), &["REJOINED"]);
                *place = next;
            }
        }
        take_turns(&mut players, 4);
    }
    take_turns(&mut players, 15);
    finish(&mut players);
}

/// Two players who have sat down, and the tokens of their seats.
pub(super) fn seated(ports: [std::net::SocketAddr; 2]) -> ([Line; 2], Vec<String>) {
    let mut players = ports.map(|port| Line::connect(port).expect("connects"));
    let list = players[0].ask("GAMES", &["GAMES"]);
    let list: Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    let mut tokens = Vec::new();
    for (line, name) in players.iter_mut().zip(["Ada", "Bob"]) {
        let welcome = line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        tokens.push(welcome.rsplit_once(' ').expect("a token").1.to_owned());
        line.ask("READY", &["OK"]);
    }
    (players, tokens)
}

/// Everything that two players receive in a game with a certain deal, with something done between
/// turns.
fn transcript(
    database: &str,
    mut between: impl FnMut(usize, &mut Vec<Server>),
) -> [Vec<String>; 2] {
    let flags = ["--set", "sushi-go.player_order=true"];
    let mut nodes: Vec<Server> =
        ["one", "two", "three"].map(|name| node_with(database, name, &flags)).into();
    let host = nodes.remove(owner(&nodes));
    let table = json!({ "game": "sushi-go", "id": "dealt", "seats": 2, "seed": 7 });
    open_table(&host, database, table);
    let mut players = [&nodes[0], &nodes[1]].map(|node| Line::connect(node.sushi_go()).unwrap());
    for (line, name) in players.iter_mut().zip(["Ada", "Bob"]) {
        line.ask(&format!("JOIN dealt {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    nodes.push(host);
    let mut heard = [Vec::new(), Vec::new()];
    for turn in 0..30 {
        for (line, heard) in players.iter_mut().zip(&mut heard) {
            hear_until(line, "HAND", heard);
        }
        between(turn, &mut nodes);
        for (line, heard) in players.iter_mut().zip(&mut heard) {
            assert!(line.say("PLAY 0"));
            hear_until(line, "OK", heard);
        }
    }
    for (line, heard) in players.iter_mut().zip(&mut heard) {
        hear_until(line, "GAME_END", heard);
    }
    heard
}

fn hear_until(line: &mut Line, word: &str, heard: &mut Vec<String>) {
    let deadline = std::time::Instant::now() + PATIENCE;
    while std::time::Instant::now() < deadline {
        match line.hear() {
            Heard::Line(line) => {
                let is_it = line.starts_with(word);
                heard.push(line);
                if is_it {
                    return;
                }
            }
            Heard::Silence => {}
            Heard::Gone => panic!("the connection is gone: {heard:#?}"),
        }
    }
    panic!("nobody says {word}: {heard:#?}");
}

/// A sample, over real processes, of what every rehearsal is put through in memory.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_game_reads_the_same_with_the_owner_killed_again_and_again() {
    let calm = transcript(&database(), |_, _| {});
    let database = database();
    let mut kills = 0;
    // The players' own nodes stay: the third is the owner, or is made to be.
    let stormy = transcript(&database, |turn, nodes| {
        if turn % 6 == 2 && hosts(&nodes[2]) {
            nodes.pop().expect("the third").kill();
            nodes.push(node(&database, &format!("next{turn}")));
            kills += 1;
        }
    });
    assert!(kills > 0);
    assert_eq!(calm, stormy);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn the_fleet_is_shown_as_it_is() {
    let nodes = three(&database());
    owner(&nodes);
    let url = nodes[0].addresses["http"].to_string();
    let told = |said: &Value| {
        let games = said["games"].as_array().expect("a list");
        games.iter().all(|game| game["node"].is_string() && game["links"] != 0)
    };
    until(&nodes[0], "settled", told);
    let shown = parlor(&["fleet", "status", "--url", &url]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    for word in ["one", "two", "three", "(this one)", "sushi-go", "The database answered"] {
        assert!(shown.stdout.contains(word), "{word}: {}", shown.stdout);
    }
    let json = parlor(&["fleet", "status", "--url", &url, "--json"]);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["nodes"].as_array().map(Vec::len), Some(3), "{json:#}");
    let metrics = nodes[0].get("/metrics");
    assert!(metrics.contains("parlor_game_links{game=\"sushi-go\"}"), "{metrics}");
}
