//! Nodes and links that are lost, and what the hall's next owner makes of it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trials::disk::Disk;

use super::{Cable, Node, Owner, TABLE, Town, finish, play_turns, settle, sit_down, until};
use crate::kit::Client;
use crate::tournaments::{convene, get, order};

/// Whether a player of the one table is connected, as a node lists it.
pub fn is_present(table: &Value, name: &str) -> bool {
    let company = table["company"].as_array().into_iter().flatten();
    company
        .flat_map(|member| member.as_object())
        .any(|member| member["name"] == name && member["present"] == true)
}

/// What a node counts.
pub async fn metric(node: &Node, name: &str) -> u64 {
    let (_, metrics) = node.house.http("GET", "/metrics", "").await;
    let line = metrics.lines().find(|line| line.starts_with(name)).expect("it is counted");
    line.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// A player who hung up while its node had no link to the hall was there forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_hangs_up_while_the_link_is_cut_is_gone() {
    let (owner, gateway) = Town::default().pair().await;
    let ([_alice, bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    until(&owner, TABLE, |table| is_present(table, "Bob")).await;
    gateway.told.tell("sushi-go", Owner::Nobody);
    let connections = r#"parlor_connections{game="sushi-go"}"#;
    drop(bob);
    while metric(&gateway, connections).await > 0 {}
    settle(&[&owner, &gateway], 1);
    until(&owner, TABLE, |table| !is_present(table, "Bob")).await;
    gateway.house.close().await;
    owner.house.close().await;
}

/// Two players at two gateways; the hall's owner has waited for one of the gateways in vain, and its player
/// does not know it. Her node, his, the owner, and the token of his seat.
async fn with_one_given_up(town: &Town) -> ([Node; 3], [Client; 2], String) {
    let [owner, hers, his] = [town.node(1).await, town.node(2).await, town.node(3).await];
    settle(&[&owner, &hers, &his], 1);
    let ([mut alice, mut bob], token) = sit_down(&owner, [&hers, &his]).await;
    tokio::join!(play_turns(&mut alice, 2), play_turns(&mut bob, 2));
    his.told.tell("sushi-go", Owner::Nobody);
    until(&owner, TABLE, |table| !is_present(table, "Bob")).await;
    ([owner, hers, his], [alice, bob], token)
}

/// Plays on after the second player has found its connection closed, and has returned.
async fn play_on(node: &Node, [alice, mut bob]: [Client; 2], token: &str) {
    while bob.read().await.is_some() {}
    let mut bob = node.house.client().await;
    assert_eq!(bob.ask(&format!("REJOIN {token}")).await, "REJOINED myGame 1");
    finish([alice, bob]).await;
}

/// A gateway that was given up reported to the next owner that its players sit where they sat. They
/// were there again without having received what had happened meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_was_given_up_claims_no_seats() {
    let town = Town::default();
    let ([owner, hers, his], players, token) = with_one_given_up(&town).await;
    drop(owner);
    hers.told.others.lock().expect("no panics").push(3);
    settle(&[&hers, &his], 2);
    play_on(&his, players, &token).await;
    his.house.close().await;
    hers.house.close().await;
}

/// The same, and it is the next owner itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_owner_that_was_given_up_as_a_gateway_claims_no_seats() {
    let town = Town::default();
    let ([owner, hers, his], players, token) = with_one_given_up(&town).await;
    drop(owner);
    his.told.others.lock().expect("no panics").push(2);
    settle(&[&his, &hers], 2);
    play_on(&his, players, &token).await;
    hers.house.close().await;
    his.house.close().await;
}

/// The failure to reach a node was not reported, and so its name was never looked up again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_has_moved_is_found_again() {
    let (owner, gateway) = Town::default().pair().await;
    let cable = Cable::to(&owner).await;
    gateway.told.tell("sushi-go", Owner::Node { address: cable.address, epoch: 1 });
    let ([mut alice, mut bob], _) = sit_down(&owner, [&owner, &gateway]).await;
    tokio::join!(play_turns(&mut alice, 3), play_turns(&mut bob, 3));
    let mut doubted = gateway.told.doubted.subscribe();
    cable.refuse();
    cable.cut();
    doubted.wait_for(|doubted| *doubted == Some(cable.address)).await.expect("it is there");
    gateway.told.tell("sushi-go", Owner::Node { address: owner.links, epoch: 1 });
    assert_eq!(finish([alice, bob]).await, (27, 27));
    gateway.house.close().await;
    owner.house.close().await;
}

/// A node that had received nothing for a while and then lost the hall's owner took the whole while
/// for the time in which no one could move, and postponed all clocks by it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_idle_time_of_a_gateway_is_no_part_of_a_takeover() {
    let (owner, gateway) = Town::default().pair().await;
    gateway.house.table("myGame", 2).await;
    // It is idle.
    tokio::time::sleep(Duration::from_millis(700)).await;
    let lost = Instant::now();
    drop(owner);
    settle(&[&gateway], 2);
    while metric(&gateway, r#"parlor_game_takeovers_total{game="sushi-go"}"#).await == 0 {}
    let took = metric(&gateway, r#"parlor_game_takeover_ms{game="sushi-go"}"#).await;
    assert!(u128::from(took) <= lost.elapsed().as_millis(), "{took} ms");
    gateway.house.close().await;
}

/// All players of a game were connected to the node that was lost, and none of them can reconnect:
/// they have lost, and the game was void.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_takeover_with_nobody_left_at_a_table_does_not_void_it() {
    let (owner, gateway) = Town::default().pair().await;
    let table = json!({"game": "subsim", "id": "sea", "seats": 2, "names": ["ann", "bob"]});
    assert_eq!(order(&owner.house, "POST", "/api/v1/tables", table).await.0, 201);
    let mut players = Vec::new();
    for said in ["J|ann|5|5", "J|bob|7|5"] {
        let mut client = Client::connect(owner.house.address("subsim")).await;
        client.send(said).await;
        players.push(client);
    }
    let at = "/api/v1/tables/subsim/sea";
    until(&gateway, at, |table| table["status"] == "playing").await;
    drop(owner);
    settle(&[&gateway], 2);
    let over = until(&gateway, at, |table| table["status"] != "playing").await;
    assert_eq!(over["status"], "finished", "{over}");
    gateway.house.close().await;
}

/// While a hall's next owner had not yet recorded that it has it, its tables could not be found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_found_while_their_hall_is_taken_up() {
    let disk = Disk::default();
    let town = Town { memory: disk.memory.clone(), disk: Some(disk.clone()), ..Town::default() };
    let [owner, next, other] = [town.node(1).await, town.node(2).await, town.node(3).await];
    settle(&[&owner, &next, &other], 1);
    owner.house.table("myGame", 2).await;
    for node in [&next, &other] {
        until(node, TABLE, |table| table["id"] == "myGame").await;
    }
    drop(owner);
    disk.stick(true);
    next.told.others.lock().expect("no panics").push(3);
    settle(&[&next, &other], 2);
    let links = r#"parlor_game_links{game="sushi-go"}"#;
    for node in [&next, &other] {
        while metric(node, links).await == 0 {
            assert_eq!(get(&node.house, TABLE).await.0, 200);
        }
        assert_eq!(get(&node.house, TABLE).await.0, 200);
    }
    disk.stick(false);
    let at_once = json!({"game": "sushi-go", "id": "another", "seats": 2});
    assert_eq!(order(&other.house, "POST", "/api/v1/tables", at_once).await.0, 201);
    for node in [&next, &other] {
        assert_eq!(get(&node.house, TABLE).await.0, 200);
    }
    other.house.close().await;
    next.house.close().await;
}

/// A node that is linked afterwards learns what a tournament has become, but not why no player came
/// to a game: it reported that none of them ever came.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_says_why_nobody_came_to_a_game() {
    let town = Town::default();
    let (owner, late) = (town.node(1).await, town.node(2).await);
    settle(&[&owner], 1);
    let wish = json!({"game": "gamba", "id": "cup", "entrants": ["ann", "bob"], "no_show_s": 600});
    let at = convene(&owner.house, wish).await;
    assert_eq!(order(&owner.house, "POST", &format!("{at}/start"), Value::Null).await.0, 200);
    let shown = until(&owner, &at, |shown| shown["pairings"][0]["table"].is_string()).await;
    let table = shown["pairings"][0]["table"].as_str().expect("a table").to_owned();
    for seat in [0, 1] {
        let path = format!("/api/v1/tables/gamba/{table}/crashed");
        assert_eq!(order(&owner.house, "POST", &path, json!({ "seat": seat })).await.0, 200);
    }
    let over = |shown: &Value| shown["phase"] == "over";
    let first = until(&owner, &at, over).await;
    assert_eq!(first["pairings"][0]["games"][0]["causes"], json!(["crashed", "crashed"]));
    settle(&[&owner, &late], 1);
    let second = until(&late, &at, over).await;
    assert_eq!(second["pairings"][0]["games"], first["pairings"][0]["games"]);
    late.house.close().await;
    owner.house.close().await;
}

/// A node that was given up while an organiser's request was on its way asked again when it was back, and the
/// request was carried out twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_organiser_asks_is_done_once_although_its_node_was_given_up() {
    let disk = Disk::default();
    let town = Town { memory: disk.memory.clone(), disk: Some(disk.clone()), ..Town::default() };
    let (owner, gateway) = town.pair().await;
    let links = r#"parlor_game_links{game="sushi-go"}"#;
    while metric(&owner, links).await == 0 {}
    disk.stick(true);
    let before = disk.begun.load(Ordering::SeqCst);
    let table = json!({"game": "sushi-go", "id": "myGame", "seats": 2});
    let ask = order(&gateway.house, "POST", "/api/v1/tables", table);
    let lose = async {
        while disk.begun.load(Ordering::SeqCst) == before {
            tokio::task::yield_now().await;
        }
        gateway.told.tell("sushi-go", Owner::Nobody);
        while metric(&owner, links).await > 0 {}
        disk.stick(false);
        until(&owner, TABLE, |table| table["id"] == "myGame").await;
        settle(&[&owner, &gateway], 1);
    };
    let ((status, said), ()) = tokio::join!(ask, lose);
    assert_eq!(status, 201, "{said}");
    gateway.house.close().await;
    owner.house.close().await;
}

/// An owner that had been silent for too long, and found when it was back that the next one was
/// gone as well, claimed its players' seats as they had been. They received nothing of what had
/// happened since.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_owner_that_has_missed_another_claims_no_seats() {
    let town = Town::default();
    let [owner, second, his] = [town.node(1).await, town.node(2).await, town.node(3).await];
    settle(&[&owner, &his], 1);
    let ([mut alice, mut bob], token) = sit_down(&owner, [&his, &owner]).await;
    tokio::join!(play_turns(&mut alice, 2), play_turns(&mut bob, 2));
    // The first one is asleep.
    second.told.others.lock().expect("no panics").push(3);
    settle(&[&second, &his], 2);
    let is_alone = |table: &Value| is_present(table, "Alice") && !is_present(table, "Bob");
    until(&second, TABLE, is_alone).await;
    drop(second);
    owner.told.tell("sushi-go", Owner::Nobody);
    his.told.others.lock().expect("no panics").push(1);
    settle(&[&his, &owner], 3);
    play_on(&his, [alice, bob], &token).await;
    owner.house.close().await;
    his.house.close().await;
}

/// The same of a gateway: it had not come to the one owner, and told the next what it knew of the one before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_has_missed_an_owner_claims_no_seats() {
    let town = Town::default();
    let nodes = [town.node(1).await, town.node(2).await, town.node(3).await, town.node(4).await];
    let [owner, hers, his, last] = nodes;
    settle(&[&owner, &hers, &his], 1);
    let ([mut alice, mut bob], token) = sit_down(&owner, [&hers, &his]).await;
    tokio::join!(play_turns(&mut alice, 2), play_turns(&mut bob, 2));
    drop(owner);
    his.told.tell("sushi-go", Owner::Nobody);
    settle(&[&hers], 2);
    until(&hers, TABLE, |table| !is_present(table, "Bob")).await;
    last.told.others.lock().expect("no panics").extend([2, 3]);
    hers.told.tell("sushi-go", Owner::Node { address: last.links, epoch: 3 });
    settle(&[&last, &hers, &his], 3);
    play_on(&last, [alice, bob], &token).await;
    for node in [his, hers, last] {
        node.house.close().await;
    }
}
