//! Players who return over another node while theirs is dead, or may be.

use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::cable::{Cable, Way};
use super::silence::Socket;
use super::{Node, Owner, Town, finish, play_turns, settle, sit_down, until};
use crate::kit::{Client, PATIENCE};

/// How the node of a player is lost.
#[derive(Clone, Copy, Debug)]
enum Loss {
    /// It is killed, and its links end.
    Killed,
    /// It hangs, and nothing comes over its links any more.
    Hangs,
}

const LOSSES: [Loss; 2] = [Loss::Killed, Loss::Hangs];

/// An owner and a gateway that is linked to it over a cable.
async fn apart(town: &Town, game: &str) -> ([Node; 2], Cable) {
    let (owner, gateway) = town.pair().await;
    let cable = Cable::to(&owner).await;
    gateway.told.tell(game, Owner::Node { address: cable.address, epoch: 1 });
    ([owner, gateway], cable)
}

fn lose(loss: Loss, gateway: Node, cable: &Cable) -> Option<Node> {
    cable.refuse();
    match loss {
        Loss::Killed => {
            drop(gateway);
            cable.cut();
            None
        }
        Loss::Hangs => {
            cable.stall(&[Way::ToOwner, Way::ToGateway]);
            Some(gateway)
        }
    }
}

async fn join(node: &Node, name: &str) -> Socket {
    let url = format!("ws://{}/", node.house.address("tiger-dragon"));
    let mut socket = connect_async(url).await.expect("upgrades").0;
    let join = json!({"type": "join", "room_id": "r", "player_id": name, "role": "player"});
    socket.send(Message::text(join.to_string())).await.expect("sends");
    socket
}

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

/// A player who returned at once was seated at another table, and the match stood still.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_of_tiger_dragon_gets_the_seat_back_at_once() {
    for loss in LOSSES {
        let town = Town { two_players: true, ..Town::default() };
        let ([owner, gateway], cable) = apart(&town, "tiger-dragon").await;
        let mut ann = join(&gateway, "ann").await;
        assert_eq!(hear(&mut ann, "join_ack").await["seat"], 0);
        let mut ben = join(&owner, "ben").await;
        assert_eq!(hear(&mut ben, "join_ack").await["seat"], 1);
        let first = hear(&mut ann, "state").await;
        let gateway = lose(loss, gateway, &cable);
        let mut back = join(&owner, "ann").await;
        assert_eq!(hear(&mut back, "join_ack").await["seat"], 0, "{loss:?}");
        let state = hear(&mut back, "state").await;
        assert_eq!(state["hand"], first["hand"], "{loss:?}");
        if let Some(gateway) = gateway {
            gateway.house.close().await;
        }
        owner.house.close().await;
    }
}

/// A player who returned at once was refused until the node was given up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_of_gamba_reconnects_at_once() {
    for loss in LOSSES {
        let ([owner, gateway], cable) = apart(&Town::default(), "gamba").await;
        let mut ann = Client::connect(gateway.house.address("gamba")).await;
        let welcome = "100|ann||name=ann|status=success";
        assert_eq!(ann.ask("0|||name=ann").await, welcome);
        let gateway = lose(loss, gateway, &cable);
        let mut back = Client::connect(owner.house.address("gamba")).await;
        match gateway {
            None => assert_eq!(back.ask("6|||name=ann").await, welcome),
            // That a node hangs is noticed when it has missed a sign of life, and not when it is given up.
            Some(gateway) => {
                let begin = Instant::now();
                while back.ask("6|||name=ann").await != welcome {
                    assert!(begin.elapsed() < PATIENCE, "she is refused");
                    back = Client::connect(owner.house.address("gamba")).await;
                }
                gateway.house.close().await;
            }
        }
        owner.house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_of_sushi_go_rejoins_at_once() {
    for loss in LOSSES {
        let ([owner, gateway], cable) = apart(&Town::default(), "sushi-go").await;
        let ([mut alice, mut bob], token) = sit_down(&owner, [&owner, &gateway]).await;
        tokio::join!(play_turns(&mut alice, 2), play_turns(&mut bob, 2));
        let gateway = lose(loss, gateway, &cable);
        let mut bob = owner.house.client().await;
        assert_eq!(bob.ask(&format!("REJOIN {token}")).await, "REJOINED myGame 1", "{loss:?}");
        finish([alice, bob]).await;
        if let Some(gateway) = gateway {
            gateway.house.close().await;
        }
        owner.house.close().await;
    }
}

/// The JSON protocol is the same for every game.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_on_the_json_protocol_resumes_at_once() {
    for loss in LOSSES {
        let ([owner, gateway], cable) = apart(&Town::default(), "labyrinth").await;
        let connect = async |node: &Node| {
            let url = format!("ws://{}/house/labyrinth", node.house.address("http"));
            connect_async(url).await.expect("upgrades").0
        };
        let mut ann = connect(&gateway).await;
        let join = json!({"do": "join", "name": "ann", "bots": ["random"]});
        ann.send(Message::text(join.to_string())).await.expect("sends");
        let token = hear(&mut ann, "joined").await["token"].clone();
        hear(&mut ann, "update").await;
        let gateway = lose(loss, gateway, &cable);
        let mut back = connect(&owner).await;
        let resume = json!({"do": "resume", "token": token});
        back.send(Message::text(resume.to_string())).await.expect("sends");
        assert_eq!(hear(&mut back, "joined").await["resumed"], true, "{loss:?}");
        hear(&mut back, "update").await;
        if let Some(gateway) = gateway {
            gateway.house.close().await;
        }
        owner.house.close().await;
    }
}

/// A gateway that was out of touch for a moment continues, except for players who have returned
/// elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_come_back_elsewhere_is_not_there_twice() {
    let town = Town { two_players: true, ..Town::default() };
    let ([owner, gateway], cable) = apart(&town, "tiger-dragon").await;
    let mut ann = join(&gateway, "ann").await;
    hear(&mut ann, "join_ack").await;
    let mut ben = join(&gateway, "ben").await;
    hear(&mut ben, "state").await;
    gateway.told.tell("tiger-dragon", Owner::Nobody);
    cable.cut();
    let mut back = join(&owner, "ann").await;
    assert_eq!(hear(&mut back, "join_ack").await["seat"], 0);
    settle(&[&owner, &gateway], 1);
    // Her old connection is closed, and his is not.
    while let Some(Ok(_)) = timeout(PATIENCE, ann.next()).await.expect("it is closed") {}
    let at = "/api/v1/tables?game=tiger-dragon&status=playing";
    let tables = until(&owner, at, |tables| tables["tables"][0].is_object()).await;
    assert_eq!(tables["tables"].as_array().map(Vec::len), Some(1), "{tables}");
    gateway.house.close().await;
    owner.house.close().await;
}
