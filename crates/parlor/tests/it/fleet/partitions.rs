//! Nodes that do not reach each other, or not the database, for a while.

use std::net::SocketAddr;
use std::time::Instant;

use trials::fleet::cable::{Cable, Way};
use trials::fleet::cluster::Cluster;
use trials::ports::quiet;

use super::faults::seated;
use super::{begin, hosts, node_with, owner, take_turns};
use crate::kit::{Line, PATIENCE, Server};

/// A node that reaches its database and is reached by others over cables.
struct Cabled {
    server: Server,
    links: Cable,
    database: Cable,
}

impl Cabled {
    fn new(cluster: &Cluster, number: u8) -> Cabled {
        let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
        let database = Cable::new(any, cluster.address).expect("binds");
        let own = SocketAddr::new(any.ip(), quiet(1));
        let by = SocketAddr::new([127, 0, 2, number].into(), own.port());
        let links = Cable::new(by, own).expect("binds");
        let (url, by) = (cluster.url(database.address), by.to_string());
        let server = node_with(&url, &format!("cabled{number}"), &["--advertise", &by]);
        Cabled { server, links, database }
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn partition_of_gateway_and_owner_heals() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let nodes = [1, 2, 3].map(|number| Cabled::new(&cluster, number));
    let servers: Vec<&Server> = nodes.iter().map(|node| &node.server).collect();
    let host = owner(&servers);
    let others: Vec<usize> = (0..3).filter(|index| *index != host).collect();
    let ports = [others[0], others[1]].map(|index| servers[index].sushi_go());
    let mut players = begin(ports, 2);
    for ways in [&[Way::There][..], &[Way::Back], &[Way::There, Way::Back]] {
        // The message that begins the turn is not delayed: it could not be answered.
        players.iter_mut().for_each(|line| _ = line.expect(&["HAND"]));
        nodes[host].links.stall(ways);
        for line in &mut players {
            assert!(line.say("PLAY 0"));
        }
        nodes[host].links.flow();
        for line in &mut players {
            line.expect(&["OK"]);
        }
        // And once more, with what was on its way lost.
        players.iter_mut().for_each(|line| _ = line.expect(&["HAND"]));
        nodes[host].links.stall(ways);
        for line in &mut players {
            assert!(line.say("PLAY 0"));
        }
        nodes[host].links.cut();
        nodes[host].links.flow();
        for line in &mut players {
            line.expect(&["OK"]);
        }
    }
    take_turns(&mut players, 22);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
    assert!(hosts(servers[host]), "nobody had to take it over");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn an_owner_that_loses_its_database_is_replaced() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let nodes = [1, 2, 3].map(|number| Cabled::new(&cluster, number));
    let servers: Vec<&Server> = nodes.iter().map(|node| &node.server).collect();
    let host = owner(&servers);
    let others: Vec<usize> = (0..3).filter(|index| *index != host).collect();
    let mut players = begin([others[0], others[1]].map(|index| servers[index].sushi_go()), 4);
    nodes[host].database.stall(&[Way::There, Way::Back]);
    // Another node has it, for players connected to nodes that reach the database.
    take_turns(&mut players, 13);
    nodes[host].database.flow();
    take_turns(&mut players, 13);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
}

/// The others would not wait for such a node when the game gets its next owner, so its players are gone, and
/// reconnect through another node.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_gateway_that_loses_its_database_alone_is_given_up() {
    let cluster = Cluster::start().expect("PostgreSQL starts");
    let nodes = [1, 2, 3].map(|number| Cabled::new(&cluster, number));
    let servers: Vec<&Server> = nodes.iter().map(|node| &node.server).collect();
    let host = owner(&servers);
    let others: Vec<usize> = (0..3).filter(|index| *index != host).collect();
    let ports = [others[0], others[1]].map(|index| servers[index].sushi_go());
    let (mut players, tokens) = seated(ports);
    take_turns(&mut players, 4);
    nodes[others[0]].database.stall(&[Way::There, Way::Back]);
    let (deadline, playing) =
        (Instant::now() + PATIENCE, "/api/v1/tables?game=sushi-go&status=playing");
    while !servers[host].get(playing).contains(r#""present":false"#) {
        assert!(Instant::now() < deadline, "she is still there");
    }
    players[0] = Line::connect(servers[others[1]].sushi_go()).expect("connects");
    players[0].ask(&format!("REJOIN {}", tokens[0]), &["REJOINED"]);
    take_turns(&mut players, 26);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
    nodes[others[0]].database.flow();
}
