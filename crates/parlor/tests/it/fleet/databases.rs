//! What becomes of a fleet whose database hangs, is away or has lost something.

use std::process::Command;

use trials::fleet::cluster::Cluster;

use super::{begin, database, node, owner, spawn, take_turns};
use crate::kit::{Ended, Server, parlor, play_a_game};

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
    execute(
        &database,
        "WITH lost AS (UPDATE streams SET batch = batch - 2 WHERE stream = 'sushi-go' RETURNING batch)
         DELETE FROM journal USING lost WHERE stream = 'sushi-go' AND journal.batch > lost.batch",
    );
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
