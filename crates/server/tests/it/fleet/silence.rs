//! Nodes that hang, and links that carry nothing any more although neither side has closed them.

use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use trials::disk::Disk;

use super::cable::{Cable, Way};
use super::losses::{is_present, metric};
use super::{Owner, TABLE, Town, finish, play_turns, settle, sit_down, until};
use crate::kit::{Client, PATIENCE};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A link that had stalled was waited for without end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_stalls_is_made_again() {
    for ways in [&[Way::ToOwner][..], &[Way::ToGateway], &[Way::ToOwner, Way::ToGateway]] {
        let (owner, gateway) = Town::default().pair().await;
        let cable = Cable::to(&owner).await;
        gateway.told.tell("sushi-go", Owner::Node { address: cable.address, epoch: 1 });
        let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
        tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
        cable.stall(ways);
        assert_eq!(finish([alice, bob]).await, (27, 27), "{ways:?}");
        gateway.house.close().await;
        owner.house.close().await;
    }
}

/// Players of a gateway that hung stayed at their tables until it was gone for good.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_of_a_gateway_that_hangs_are_gone() {
    let (owner, gateway) = Town::default().pair().await;
    let cable = Cable::to(&owner).await;
    gateway.told.tell("sushi-go", Owner::Node { address: cable.address, epoch: 1 });
    let (_players, _) = sit_down(&owner, [&owner, &gateway]).await;
    until(&owner, TABLE, |table| is_present(table, "Bob")).await;
    cable.stall(&[Way::ToOwner, Way::ToGateway]);
    cable.refuse();
    until(&owner, TABLE, |table| !is_present(table, "Bob")).await;
    gateway.house.close().await;
    owner.house.close().await;
}

/// A node that had lost the database and nothing else stayed a gateway, although the next owner would not have
/// waited for it. Its players could not reconnect by name through other nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_the_database_has_ended_is_dropped_although_its_link_lives() {
    let (owner, gateway) = Town::default().pair().await;
    let mut ann = Client::connect(gateway.house.address("gamba")).await;
    assert_eq!(ann.ask("0|||name=ann").await, "100|ann||name=ann|status=success");
    let (_players, _) = sit_down(&owner, [&owner, &gateway]).await;
    until(&owner, TABLE, |table| is_present(table, "Bob")).await;
    owner.told.ended.lock().expect("no panics").push(2);
    // A player who reconnects by name need not wait until it is dropped.
    let mut back = Client::connect(owner.house.address("gamba")).await;
    let begin = Instant::now();
    while back.ask("6|||name=ann").await != "100|ann||name=ann|status=success" {
        assert!(begin.elapsed() < PATIENCE, "she is refused");
        back = Client::connect(owner.house.address("gamba")).await;
    }
    until(&owner, TABLE, |table| !is_present(table, "Bob")).await;
    let links = r#"parlor_game_links{game="sushi-go"}"#;
    while metric(&gateway, links).await > 0 {}
    // When it is a member again, it is a gateway again.
    owner.told.ended.lock().expect("no panics").clear();
    while metric(&gateway, links).await == 0 {}
    gateway.house.close().await;
    owner.house.close().await;
}

/// A load balancer kept sending players to a node whose games could not be saved elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_is_not_ready_while_the_owner_cannot_save() {
    let disk = Disk::default();
    let town = Town { memory: disk.memory.clone(), disk: Some(disk.clone()), ..Town::default() };
    let (owner, gateway) = town.pair().await;
    let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    tokio::join!(play_turns(&mut alice, 1), play_turns(&mut bob, 1));
    while !alice.line().await.starts_with("HAND ") {}
    let ready = async |status: u16| {
        let begin = Instant::now();
        loop {
            let (now, why) = gateway.house.http("GET", "/readyz", "").await;
            if now == status {
                return why;
            }
            assert!(begin.elapsed() < PATIENCE, "{now}: {why}");
        }
    };
    ready(200).await;
    disk.stick(true);
    alice.send("PLAY 0").await;
    let why = ready(503).await;
    assert!(why.contains("moves of sushi-go have not been saved for"), "{why}");
    disk.stick(false);
    ready(200).await;
    gateway.house.close().await;
    owner.house.close().await;
}

/// The next message of a kind on the JSON protocol.
async fn hear(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let said = timeout(PATIENCE, socket.next()).await.expect("it is told").expect("open");
        let Message::Text(text) = said.expect("open") else { continue };
        let said: Value = serde_json::from_str(&text).expect("JSON");
        if said["type"] == kind {
            return said;
        }
    }
}

/// The time for which an owner had hung was taken from the player to move, because the link had
/// only just ended when it was noticed. The owner's last messages, too, were sent with too little
/// time left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_that_an_owner_has_hung_is_given_back() {
    let (owner, gateway) = Town::default().pair().await;
    let cable = Cable::to(&owner).await;
    gateway.told.tell("sushi-go", Owner::Node { address: cable.address, epoch: 1 });
    let address = format!("ws://{}/house/sushi-go", gateway.house.address("http"));
    let (mut ann, _) = connect_async(address).await.expect("connects");
    let join = r#"{"do":"join","name":"Ann","bots":["greedy"],"options":{"clock_s":30}}"#;
    ann.send(Message::text(join)).await.expect("sends");
    let first = hear(&mut ann, "update").await;
    assert_eq!(first["clock_ms"], 30_000, "{first}");
    // The owner has received the move and recorded its answer, but no one receives that.
    cable.stall(&[Way::ToGateway]);
    let action = &first["legal"][0];
    let act = json!({"do": "act", "seq": first["seq"], "action": action});
    ann.send(Message::text(act.to_string())).await.expect("sends");
    let moves = r#"parlor_moves_total{game="sushi-go"}"#;
    while metric(&owner, moves).await == 0 {}
    cable.stall(&[Way::ToOwner]);
    cable.refuse();
    while metric(&gateway, r#"parlor_game_links{game="sushi-go"}"#).await > 0 {}
    settle(&[&gateway], 2);
    let next = hear(&mut ann, "update").await;
    assert_eq!(next["seq"], json!(1), "{next}");
    assert!(next["time_left_ms"].as_u64().expect("a clock runs") > 29_000, "{next}");
    // She receives it before it is counted.
    while metric(&gateway, r#"parlor_game_takeovers_total{game="sushi-go"}"#).await == 0 {}
    let waited = metric(&gateway, r#"parlor_game_takeover_ms{game="sushi-go"}"#).await;
    assert!(waited >= 2000, "{waited} ms");
    ann.send(Message::text(r#"{"do":"look"}"#)).await.expect("sends");
    let looked = hear(&mut ann, "update").await;
    assert!(looked["time_left_ms"].as_u64().expect("a clock runs") > 28_000, "{looked}");
    drop(owner);
    gateway.house.close().await;
}
