//! One server of several is drained; the others continue.

use serde_json::Value;

use super::{begin, database, node, owner, take_turns};
use crate::kit::{Line, Server, parlor};

/// A client that asks for a seat at the first open table.
fn newcomer(node: &Server, name: &str) -> (Line, String) {
    let mut line = Line::connect(node.sushi_go()).expect("connects");
    let list = line.ask("GAMES", &["GAMES"]);
    let list: Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    let answer = line.ask(&format!("JOIN {id} {name}"), &["WELCOME", "ERROR"]);
    (line, answer)
}

/// Draining one server kept new games from beginning on all of them, and it waited for the games of
/// all.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_drained_node_hands_its_games_over_and_turns_only_its_own_newcomers_away() {
    let database = database();
    let mut nodes: Vec<Server> = ["one", "two", "three"].map(|name| node(&database, name)).into();
    let drained = nodes.swap_remove(owner(&nodes));
    let mut players = begin([drained.sushi_go(), nodes[0].sushi_go()], 5);
    let mut elsewhere = begin([nodes[0].sushi_go(), nodes[1].sushi_go()], 3);
    let url = format!("http://{}", drained.addresses["http"]);
    let token = super::bearer(&database)["Bearer ".len()..].to_owned();
    let told = parlor(&["drain", "--url", &url, "--token", &token]);
    assert_eq!(
        told.stdout,
        "The other servers continue this server's games and take new players. It stops when the game of the one \
         player connected to it is over.\n",
        "{told:?}"
    );
    // Another server hosts the game and admits new players.
    owner(&nodes);
    let (_waiting, answer) = newcomer(&nodes[0], "Cy");
    assert!(answer.starts_with("WELCOME"), "{answer}");
    let (_turned_away, answer) = newcomer(&drained, "Dee");
    assert!(answer.starts_with("ERROR E011"), "{answer}");
    take_turns(&mut players, 25);
    for line in &mut players {
        line.expect(&["GAME_END"]);
    }
    let ended = drained.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    take_turns(&mut elsewhere, 27);
    for line in &mut elsewhere {
        line.expect(&["GAME_END"]);
    }
}
