//! Several nodes in this process: each takes every client, wherever the hall is.

use wire::Games;
mod cable;
mod losses;
mod returning;
mod silence;
mod stopping;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use futures_util::StreamExt;
use serde_json::Value;
use server::{
    Fleet, Journals, Membership, Owner, Ownership, Port, Secret, Server, Settings, SharedJournal,
    Storage,
};
use store::memory::Memory;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use trials::disk::Disk;

use cable::Cable;

use crate::kit::{Client, House, PATIENCE};
use crate::tournaments::get;

/// Who owns what, as one node knows it.
#[derive(Default)]
struct Told {
    owners: Mutex<BTreeMap<String, watch::Sender<Owner>>>,
    others: Mutex<Vec<u32>>,
    /// How many halls the node has let go of.
    let_go: watch::Sender<usize>,
    /// Nodes that have ended, as far as the database knows.
    ended: Mutex<Vec<u32>>,
    /// The address at which no node has answered last.
    doubted: watch::Sender<Option<SocketAddr>>,
}

impl Told {
    fn tell(&self, game: &str, owner: Owner) {
        let mut owners = self.owners.lock().expect("no panics");
        owners.entry(game.to_owned()).or_default().send_replace(owner);
    }
}

impl Ownership for Told {
    fn owner_of(&self, game: &str) -> watch::Receiver<Owner> {
        let mut owners = self.owners.lock().expect("no panics");
        owners.entry(game.to_owned()).or_default().subscribe()
    }

    fn others(&self) -> Vec<u32> {
        self.others.lock().expect("no panics").clone()
    }

    fn has_ended(&self, node: u32) -> bool {
        self.ended.lock().expect("no panics").contains(&node)
    }

    fn doubt(&self, address: SocketAddr) {
        self.doubted.send_replace(Some(address));
    }

    /// A node whose hall another has is not its owner any more, even if it doesn't know that yet.
    fn let_go(&self, game: &str) {
        let owners = self.owners.lock().expect("no panics");
        owners[game].send_if_modified(|owner| {
            let is_mine = *owner == Owner::Me;
            if is_mine {
                *owner = Owner::Nobody;
            }
            is_mine
        });
        self.let_go.send_modify(|halls| *halls += 1);
    }
}

struct Node {
    house: House,
    told: Arc<Told>,
    links: SocketAddr,
}

/// What the nodes of a test share.
#[derive(Clone, Default)]
struct Town {
    memory: Memory,
    /// Where everything is written down, if that takes its time.
    disk: Option<Disk>,
    /// Two play a match of Tiger & Dragon.
    two_players: bool,
}

impl Town {
    async fn node(&self, number: u32) -> Node {
        let mut settings = Settings { data: None, ..Settings::default() };
        let mut roster = Games::default();
        games::each(&mut roster);
        for name in roster.ports() {
            settings.ports.insert(name.to_owned(), Port::Number(0));
        }
        if self.two_players {
            let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
            options.insert("players".to_owned(), 2.into());
        }
        let links = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let (told, address) = (Arc::new(Told::default()), links.local_addr().expect("bound"));
        let (memory, disk) = (self.memory.clone(), self.disk.clone());
        let membership = Membership {
            fleet: Fleet {
                name: "town".into(),
                secret: Secret::new(b"a secret of the town"),
                owners: told.clone(),
            },
            node: number,
            links,
            journals: Journals::new(move || {
                Ok(match disk.clone() {
                    Some(disk) => SharedJournal::Durable(Box::new(disk)),
                    None => SharedJournal::Memory(memory.clone()),
                })
            }),
        };
        // What is not of a hall is each node's own here.
        let storage = Storage {
            archive: Arc::new(self.memory.clone()),
            ..Storage::open(&settings).expect("memory")
        };
        let server = Server::start_in_fleet(&roster, settings, storage, membership).await;
        Node { house: House { server: server.expect("starts") }, told, links: address }
    }

    /// Two nodes: the first has all halls, and the second knows it.
    async fn pair(&self) -> (Node, Node) {
        let (owner, gateway) = (self.node(1).await, self.node(2).await);
        settle(&[&owner, &gateway], 1);
        (owner, gateway)
    }
}

/// Alice and Bob at a table of two, each over a node, and the token of Bob's seat.
async fn sit_down(owner: &Node, [hers, his]: [&Node; 2]) -> ([Client; 2], String) {
    owner.house.table("myGame", 2).await;
    let (mut alice, mut bob) = (hers.house.client().await, his.house.client().await);
    alice.join("myGame", "Alice").await;
    let token = bob.join("myGame", "Bob").await;
    ([alice, bob], token)
}

/// Two play to the end and receive the same; returns how many turns each still had.
async fn finish([mut alice, mut bob]: [Client; 2]) -> (usize, usize) {
    let (ends, others) = tokio::join!(alice.play_out(), bob.play_out());
    assert_eq!(ends.0, others.0);
    (ends.1, others.1)
}

const GAMES: [&str; 5] = ["sushi-go", "subsim", "gamba", "labyrinth", "tiger-dragon"];

/// One node lets go of all halls, then another takes them, as nodes do that can still talk.
async fn hand_over(from: &Node, to: &Node, epoch: u64) {
    let mut let_go = from.told.let_go.subscribe();
    let before = *let_go.borrow();
    for game in GAMES {
        from.told.tell(game, Owner::Node { address: to.links, epoch });
    }
    let all = before + GAMES.len();
    let_go.wait_for(|halls| *halls == all).await.expect("the node is there");
    GAMES.iter().for_each(|game| to.told.tell(game, Owner::Me));
}

/// All nodes know that the first node has these games.
fn settle(nodes: &[&Node], epoch: u64) {
    for game in GAMES {
        for (index, node) in nodes.iter().enumerate() {
            let address = nodes[0].links;
            let owner = if index == 0 { Owner::Me } else { Owner::Node { address, epoch } };
            node.told.tell(game, owner);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_at_another_node_plays_a_whole_game() {
    let (owner, gateway) = Town::default().pair().await;
    let (players, _) = sit_down(&owner, [&owner, &gateway]).await;
    assert_eq!(finish(players).await, (30, 30));
    gateway.house.close().await;
    owner.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn organisers_and_readers_find_a_hall_through_any_node() {
    let (owner, gateway) = Town::default().pair().await;
    gateway.house.table("myGame", 2).await;
    for node in [&owner, &gateway] {
        let (status, body) = node.house.http("GET", "/api/v1/tables/sushi-go/myGame", "").await;
        assert_eq!((status, body.contains("\"id\":\"myGame\"")), (200, true), "{body}");
    }
    let (status, body) = gateway.house.http("DELETE", "/api/v1/tables/sushi-go/myGame", "").await;
    assert_eq!(status, 200, "{body}");
    let (_, body) = owner.house.http("GET", "/api/v1/tables/sushi-go/myGame", "").await;
    assert!(body.contains("closed by the organiser"), "{body}");
    gateway.house.close().await;
    owner.house.close().await;
}

/// Only the node that hosts a game showed it while it was running; others answered that there is
/// none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_is_not_over_is_told_by_every_node() {
    let (owner, gateway) = Town::default().pair().await;
    let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    tokio::join!(play_turns(&mut alice, 2), play_turns(&mut bob, 2));
    for player in [&mut alice, &mut bob] {
        while !player.line().await.starts_with("HAND ") {}
    }
    let frames = "/api/v1/results/sushi-go/myGame/frames?viewer=public";
    let told = owner.house.http("GET", frames, "").await;
    assert_eq!((told.0, told.1.lines().count()), (200, 4), "{}", told.1);
    assert_eq!(gateway.house.http("GET", frames, "").await, told);
    for player in [&mut alice, &mut bob] {
        player.send("PLAY 0").await;
    }
    finish([alice, bob]).await;
    gateway.house.close().await;
    owner.house.close().await;
}

/// Only those were kicked who were connected to the node that was asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_kicked_at_one_node_is_kicked_at_all() {
    let (owner, gateway) = Town::default().pair().await;
    let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    let (_, kicked) = owner.house.http("POST", "/api/v1/kicks", r#"{"name":"BOB"}"#).await;
    assert_eq!(kicked, r#"{"closed":1}"#);
    bob.rest().await;
    let (status, _) = gateway.house.http("POST", "/api/v1/kicks", r#"{"name":"Alice"}"#).await;
    assert_eq!(status, 200);
    alice.rest().await;
    gateway.house.close().await;
    owner.house.close().await;
}

const TABLE: &str = "/api/v1/tables/sushi-go/myGame";

/// Waits until something is so of what a node says.
async fn until(node: &Node, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, said) = get(&node.house, path).await;
        if is_so(&said) {
            return said;
        }
        assert!(Instant::now() < deadline, "{path}: {said}");
        tokio::task::yield_now().await;
    }
}

/// Reads hands and plays the first card until a number of turns is played.
async fn play_turns(client: &mut Client, turns: usize) {
    let mut played = 0;
    while played < turns {
        if client.line().await.starts_with("HAND ") {
            client.send("PLAY 0").await;
            played += 1;
        }
    }
}

/// What a spectator at a node receives of a game, to the end: each turn with its view.
async fn watches(node: &Node) -> impl Future<Output = Vec<(Value, Value)>> + use<> {
    let address = format!("ws://{}/watch/sushi-go/myGame", node.house.address("http"));
    let (mut socket, _) = connect_async(address).await.expect("connects");
    async move {
        let mut turns = Vec::new();
        while let Some(Ok(message)) = timeout(PATIENCE, socket.next()).await.expect("it is told") {
            let Message::Text(text) = message else { continue };
            let mut said: Value = serde_json::from_str(&text).expect("JSON");
            match said["type"].as_str() {
                Some("update") => turns.push((said["seq"].take(), said["view"].take())),
                Some("over") => break,
                _ => {}
            }
        }
        turns
    }
}

/// Spectators receive the same at every node, and from the next owner as from the one before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_watches_at_other_nodes_sees_what_happens_although_the_owner_dies() {
    let town = Town::default();
    let [owner, second, third] = [town.node(1).await, town.node(2).await, town.node(3).await];
    settle(&[&owner, &second, &third], 1);
    owner.house.table("myGame", 2).await;
    // Lists travel by themselves.
    for node in [&second, &third] {
        until(node, TABLE, |table| table["id"] == "myGame").await;
    }
    let watchers = [watches(&second).await, watches(&third).await].map(tokio::spawn);
    let (mut alice, mut bob) = (second.house.client().await, third.house.client().await);
    alice.join("myGame", "Alice").await;
    bob.join("myGame", "Bob").await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    drop(owner);
    second.told.others.lock().expect("no panics").push(3);
    settle(&[&second, &third], 2);
    finish([alice, bob]).await;
    let frames = "/api/v1/results/sushi-go/myGame/frames?viewer=public";
    let (status, told) = third.house.http("GET", frames, "").await;
    assert_eq!(status, 200, "{told}");
    let told = told.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let told = told.filter(|said| said["type"] == "update");
    let told: Vec<_> = told.map(|mut said| (said["seq"].take(), said["view"].take())).collect();
    assert_eq!(told.len(), 31);
    for watcher in watchers {
        let seen = watcher.await.expect("no panics");
        // Turns that come too quickly are left out; what is shown is what has happened, and in order.
        let mut rest = told.iter();
        assert!(seen.iter().all(|turn| rest.any(|other| other == turn)), "{seen:?}");
        assert_eq!(seen.last(), told.last());
    }
    third.house.close().await;
    second.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_death_of_the_owner_is_not_noticed_at_other_nodes() {
    let town = Town::default();
    let nodes = [town.node(1).await, town.node(2).await, town.node(3).await];
    let [owner, second, third] = nodes;
    settle(&[&owner, &second, &third], 1);
    let ([mut alice, mut bob], _) = sit_down(&owner, [&second, &third]).await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    // Its sockets and its threads are gone without a word.
    drop(owner);
    second.told.others.lock().expect("no panics").push(3);
    settle(&[&second, &third], 2);
    assert_eq!(finish([alice, bob]).await, (27, 27));
    let (status, _) = third.house.http("GET", "/api/v1/tables/sushi-go/myGame", "").await;
    assert_eq!(status, 200);
    third.house.close().await;
    second.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_is_handed_over_takes_everybody_along() {
    let (first, second) = Town::default().pair().await;
    let ([mut alice, mut bob], _) = sit_down(&first, [&first, &second]).await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    second.told.others.lock().expect("no panics").push(1);
    hand_over(&first, &second, 2).await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    first.told.others.lock().expect("no panics").push(2);
    hand_over(&second, &first, 3).await;
    assert_eq!(finish([alice, bob]).await, (24, 24));
    second.house.close().await;
    first.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_is_cut_again_and_again_loses_nothing() {
    let (owner, gateway) = Town::default().pair().await;
    let cable = Cable::to(&owner).await;
    gateway.told.tell("sushi-go", Owner::Node { address: cable.address, epoch: 1 });
    let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    for _ in 0..10 {
        tokio::join!(play_turns(&mut alice, 2), async {
            play_turns(&mut bob, 1).await;
            cable.cut();
            play_turns(&mut bob, 1).await;
        });
    }
    assert_eq!(finish([alice, bob]).await, (10, 10));
    gateway.house.close().await;
    owner.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_of_a_gateway_that_dies_come_back_over_another_node() {
    let (owner, gateway) = Town::default().pair().await;
    let ([mut alice, mut bob], token) = sit_down(&owner, [&owner, &gateway]).await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    drop(gateway);
    let mut back = owner.house.client().await;
    assert_eq!(back.ask(&format!("REJOIN {token}")).await, "REJOINED myGame 1");
    finish([alice, back]).await;
    owner.house.close().await;
}
