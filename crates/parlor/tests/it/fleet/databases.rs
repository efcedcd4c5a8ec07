//! What becomes of a fleet whose database hangs, is away or has lost something.

use std::process::Command;

use serde_json::{Value, json};
use trials::fleet::cluster::Cluster;

use super::faults::{open_table, seated};
use super::{bearer, begin, database, node, owner, spawn, take_turns};
use crate::kit::{Ended, Heard, Line, PATIENCE, Server, parlor, play_a_game};

fn execute(database: &str, statement: &str) {
    let done = Command::new("psql").args([database, "-qc", statement]).status();
    assert!(done.expect("psql runs").success());
}

/// Waits until a node says something of itself.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + crate::kit::PATIENCE;
    while !holds() {
        assert!(std::time::Instant::now() < deadline, "not {what}");
    }
}

/// The process that saves the game's moves stands still. Nothing says so, and the lease is in order.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_game_goes_on_when_its_connection_to_the_database_hangs() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let database = cluster.url(cluster.address);
    let node = node(&database, "one");
    owner(&[&node]);
    let mut players = begin([node.sushi_go(), node.sushi_go()], 3);
    let ask = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%WITH fence%' AND pid <> pg_backend_pid()";
    let told = Command::new("psql").args([&database, "-qAtc", ask]).output().expect("psql runs");
    let told = String::from_utf8(told.stdout).expect("text");
    let pids: Vec<&str> = told.lines().collect();
    let signal = |name| {
        let sent = Command::new("kill").args(["-s", name]).args(&pids).status();
        assert!(sent.expect("kill runs").success(), "{pids:?}");
    };
    signal("STOP");
    take_turns(&mut players, 27);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
    signal("CONT");
}

/// As after a switch to a standby that was behind.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_database_that_has_lost_moves_stops_no_game() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two"].map(|name| node(&database, name)).into();
    let host = nodes.swap_remove(owner(&nodes));
    let mut players = begin([host.sushi_go(), nodes[0].sushi_go()], 4);
    rewind(&database, "sushi-go", 2);
    for line in &mut players {
        // Its connection may be gone by then.
        let _ = line.say("PLAY 0");
    }
    play_a_game(nodes[0].sushi_go());
    let ended = host.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("has lost saved moves of sushi-go"), "{}", ended.stderr);
    assert_eq!(nodes.remove(0).terminate().code, Some(0));
}

/// Takes the last batches of a game back, as a standby would that has not received them.
fn rewind(database: &str, game: &str, batches: u32) {
    let back = format!(
        "WITH lost AS (UPDATE streams SET batch = batch - {batches} WHERE stream = '{game}' RETURNING batch)
         DELETE FROM journal USING lost WHERE stream = '{game}' AND journal.batch > lost.batch"
    );
    execute(database, &back);
}

/// A player at a gateway had joined in the moment that was lost. Its seat was taken for one at the next table
/// with the same number, or for none: the player received nothing more.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_player_who_was_told_of_lost_moves_at_a_gateway_reconnects() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two"].map(|name| node(&database, name)).into();
    let host = nodes.swap_remove(owner(&nodes));
    let gateway = &nodes[0];
    let (mut players, tokens) = seated([gateway.sushi_go(), gateway.sushi_go()]);
    take_turns(&mut players, 4);
    for line in &mut players {
        line.expect(&["HAND"]);
    }
    rewind(&database, "sushi-go", 2);
    // What is saved next shows what is missing.
    assert!(players[0].say("PLAY 0"));
    for (line, token) in players.iter_mut().zip(&tokens) {
        let begin = std::time::Instant::now();
        while !matches!(line.hear(), Heard::Gone) {
            assert!(begin.elapsed() < PATIENCE, "the connection stays");
        }
        *line = Line::connect(gateway.sushi_go()).expect("connects");
        line.ask(&format!("REJOIN {token}"), &["REJOINED"]);
    }
    play_out(&mut players);
    assert_eq!(host.terminate().code, Some(0));
}

/// Plays a game of Sushi Go to its end, from whichever turn it is at.
fn play_out(players: &mut [Line; 2]) {
    let begin = std::time::Instant::now();
    let mut over = [false; 2];
    while over != [true; 2] {
        for (line, over) in players.iter_mut().zip(&mut over).filter(|(_, over)| !**over) {
            match line.hear() {
                Heard::Line(said) if said.starts_with("HAND") => assert!(line.say("PLAY 0")),
                Heard::Line(said) => *over = said.starts_with("GAME_END"),
                Heard::Silence => assert!(begin.elapsed() < PATIENCE, "the game stands still"),
                Heard::Gone => panic!("the connection is gone"),
            }
        }
    }
}

/// The server took itself for one that begins again, where no player can have kept a seat.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_database_that_has_lost_moves_voids_no_game() {
    let database = database();
    let node = node(&database, "one");
    owner(&[&node]);
    let table = |id: &str, names: Value| {
        let table = json!({ "game": "subsim", "id": id, "seats": 2, "names": names });
        open_table(&node, &database, table);
    };
    table("sea", json!(["ann", "bob"]));
    let mut players = ["J|ann|5|5", "J|bob|7|5"].map(|said| {
        let mut line = Line::connect(node.addresses["subsim"]).expect("connects");
        assert!(line.say(said));
        line
    });
    let at = "/api/v1/tables/subsim/sea";
    until("playing", || node.get_json(at)["status"] == "playing");
    // What is lost is not of this game.
    table("lake", json!(["cyd", "dot"]));
    rewind(&database, "subsim", 1);
    // What is to be saved next shows that, and is refused.
    let url = format!("http://{}/api/v1/tables", node.addresses["http"]);
    let pond = json!({ "game": "subsim", "id": "pond", "seats": 2, "names": ["eve", "fay"] });
    let refused = ureq::post(&url).header("Authorization", bearer(&database)).send_json(pond);
    assert!(refused.is_err(), "{refused:?}");
    for line in &mut players {
        until("gone", || matches!(line.hear(), Heard::Gone));
    }
    until("over", || node.get_json(at)["status"] != "playing");
    assert_eq!(node.get_json(at)["status"], "finished");
    let said = node.terminate().stderr;
    assert!(said.contains("has lost saved moves of subsim"), "{said}");
}

/// The games return to what the standby has received, and continue there.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_switch_to_an_asynchronous_standby_loses_the_last_moves_and_stops_no_game() {
    let primary = Cluster::start().expect("PostgreSQL starts");
    let standby = primary.standby().expect("a standby starts");
    let database = format!("postgres://postgres@{},{}/postgres", primary.address, standby.address);
    let nodes: Vec<Server> = ["one", "two"].map(|name| node(&database, name)).into();
    owner(&nodes);
    let mut players = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 4);
    standby.fall_behind().expect("it is told so");
    take_turns(&mut players, 6);
    primary.crash().expect("it stops");
    standby.promote().expect("it is the primary now");
    // The first move that is saved shows what is missing, and costs its players their connections.
    for node in &nodes {
        let address = node.sushi_go();
        let plays = move || std::panic::catch_unwind(|| play_a_game(address)).is_ok();
        until("playing again", plays);
    }
    let said: String = nodes.into_iter().map(|node| node.terminate().stderr).collect();
    assert!(said.contains("has lost saved moves of sushi-go"), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_server_whose_database_is_gone_ends_when_it_is_told_to() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let database = cluster.url(cluster.address);
    let nodes: Vec<Server> = ["one", "two"].map(|name| node(&database, name)).into();
    owner(&nodes);
    let mut players = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 2);
    cluster.crash().expect("it stops");
    for line in &mut players {
        line.expect(&["HAND"]);
        assert!(line.say("PLAY 0"));
    }
    until("blind", || nodes[0].get_json("/api/v1/fleet")["database_answers"] == false);
    for server in nodes {
        let ended = server.terminate();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_server_waits_for_a_database_that_is_not_there_yet() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let database = cluster.url(cluster.address);
    cluster.crash().expect("it stops");
    let early = spawn(&database, "one", &[]);
    let said = early.next_error();
    assert!(said.contains("waiting for the database"), "{said}");
    let stopped = spawn(&database, "two", &[]);
    stopped.next_error();
    stopped.signal("TERM");
    assert_eq!(stopped.end().code, Some(0), "and can be stopped meanwhile");
    cluster.start_again().expect("it starts");
    let server = Server::await_ready(early);
    owner(&[&server]);
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_server_does_not_wait_for_a_database_that_refuses_it() {
    let database = database();
    let nobody = database.replace("postgres@", "nobody-there@");
    let refused = spawn(&nobody, "one", &[]).end();
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("nobody-there"), "{}", refused.stderr);
    node(&database, "one").kill();
    execute(&database, "UPDATE parlor_layout SET version = 99");
    let refused = spawn(&database, "one", &[]).end();
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("newer Parlor"), "{}", refused.stderr);
}

/// What a node says of itself while its moves cannot be saved, though its lease is in order.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_node_that_cannot_save_moves_is_not_ready_and_says_why() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two"].map(|name| node(&database, name)).into();
    let node = nodes.swap_remove(owner(&nodes));
    let gateway = nodes.remove(0);
    for node in [&node, &gateway] {
        until("ready", || readiness(node).0 == 200);
        assert_eq!(status(node).code, Some(0));
    }
    let mut players = begin([node.sushi_go(), node.sushi_go()], 2);
    let name = "hold it";
    let lock = format!(
        "SET application_name = '{name}'; BEGIN; LOCK TABLE journal IN EXCLUSIVE MODE; \
         SELECT pg_sleep(100)"
    );
    let mut holder =
        Command::new("psql").args([&database, "-qc", &lock]).spawn().expect("psql runs");
    for line in &mut players {
        line.expect(&["HAND"]);
        assert!(line.say("PLAY 0"));
    }
    until("not ready", || readiness(&node).0 == 503);
    let why = readiness(&node).1;
    assert!(why.contains("moves of sushi-go have not been saved for"), "{why}");
    until("known elsewhere", || readiness(&gateway).0 == 503);
    let elsewhere = readiness(&gateway).1;
    assert!(elsewhere.contains("moves of sushi-go have not been saved for"), "{elsewhere}");
    let pending = metric(&node, r#"parlor_journal_pending_seconds{game="sushi-go"}"#);
    until("growing", || {
        metric(&node, r#"parlor_journal_pending_seconds{game="sushi-go"}"#) > pending
    });
    let told = status(&node);
    assert_eq!(told.code, Some(3), "{}", told.stdout);
    assert!(told.stdout.contains("moves of sushi-go have not been saved"), "{}", told.stdout);
    let end = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'"
    );
    execute(&database, &end);
    // It was ended.
    let _ = holder.wait();
    for node in [&node, &gateway] {
        until("ready again", || readiness(node).0 == 200);
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn what_a_node_counts_does_not_stand_still_while_its_database_is_away() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let nodes: Vec<Server> =
        ["one", "two"].map(|name| node(&cluster.url(cluster.address), name)).into();
    owner(&nodes);
    for node in &nodes {
        until("ready", || readiness(node).0 == 200);
        let up = metric(node, r#"parlor_link_up{game="sushi-go"}"#);
        assert_eq!((up, metric(node, "parlor_fleet_nodes")), (1.0, 2.0));
    }
    cluster.crash().expect("it stops");
    for node in &nodes {
        until("not ready", || readiness(node).0 == 503);
        let hosted = r#"parlor_game_hosted_here{game="sushi-go"}"#;
        until("nobody's", || metric(node, hosted) == 0.0);
        let (age, took) = (metric(node, "parlor_lease_age_ms"), metric(node, "parlor_database_ms"));
        until("older", || metric(node, "parlor_lease_age_ms") > age);
        until("slower", || metric(node, "parlor_database_ms") > took);
        until("alone", || metric(node, "parlor_fleet_nodes") == 0.0);
    }
    cluster.start_again().expect("it starts");
    for node in &nodes {
        until("ready again", || readiness(node).0 == 200);
    }
}

/// As `pg_dump` does it: while it lasts, every saved move leaves an old version of a row that the next one
/// has to pass.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_transaction_that_slows_moves_down_is_reported_until_it_ends() {
    // Its own, because other fleets of the same PostgreSQL would report the transaction, too.
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let database = cluster.url(cluster.address);
    let node = node(&database, "one");
    owner(&[&node]);
    until("ready", || readiness(&node).0 == 200);
    assert_eq!(status(&node).code, Some(0));
    let dump = "SET application_name = 'a dump'; BEGIN ISOLATION LEVEL REPEATABLE READ; \
                SELECT count(*) FROM games; SELECT pg_sleep(1000)";
    let mut holder =
        Command::new("psql").args([&database, "-qc", dump]).spawn().expect("psql runs");
    let ask = "SELECT pid FROM pg_stat_activity
               WHERE application_name = 'a dump' AND backend_xmin IS NOT NULL";
    let mut pid = String::new();
    until("open", || {
        pid = cluster.ask(ask).expect("it answers");
        !pid.is_empty()
    });
    // As many transactions begin as would in some minutes of play.
    execute(
        &database,
        "CREATE TABLE busy (n int);
         DO $$ BEGIN FOR n IN 1..51000 LOOP
             BEGIN INSERT INTO busy VALUES (n); EXCEPTION WHEN division_by_zero THEN NULL; END;
         END LOOP; END $$",
    );
    until("reported", || status(&node).code == Some(3));
    let told = status(&node).stdout;
    let what = format!("slows every move down: process {pid} (a dump) has it open for");
    assert!(told.contains(&what), "{told}");
    assert!(metric(&node, "parlor_transactions_behind") > 50_000.0);
    assert_eq!(readiness(&node).0, 200, "it is slow, and players can be served");
    cluster.execute(&format!("SELECT pg_terminate_backend({pid})")).expect("it answers");
    // It was ended.
    let _ = holder.wait();
    until("over", || status(&node).code == Some(0));
    assert!(metric(&node, "parlor_transactions_behind") < 50_000.0);
    let said = node.terminate().stderr;
    assert!(said.contains(&what), "{said}");
}

/// What `/readyz` answers.
fn readiness(node: &Server) -> (u16, String) {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("http://{}/readyz", node.addresses["http"]);
    let mut answer = agent.get(&url).call().expect("an answer");
    (answer.status().as_u16(), answer.body_mut().read_to_string().expect("text"))
}

fn metric(node: &Server, name: &str) -> f64 {
    let metrics = node.get("/metrics");
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|value| value.trim().parse().ok()).unwrap_or_else(|| panic!("{name}: {metrics}"))
}

fn status(node: &Server) -> Ended {
    parlor(&["fleet", "status", "--url", &node.addresses["http"].to_string()])
}
