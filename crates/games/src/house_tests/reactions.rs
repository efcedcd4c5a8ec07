//! What players show each other without words.

use serde_json::{Value, json};

use super::conversation::{Table, code, types};
use crate::gamba::Gamba;

fn react(reaction: &str) -> Value {
    json!({"do": "react", "reaction": reaction})
}

/// Ann and Bob play, and Eve watches.
fn playing() -> Table<Gamba> {
    let mut table = Table::<Gamba>::new();
    let ann = table.say("ann", json!({"do": "join", "name": "Ann", "options": {"seats": 2}}));
    let id = ann[0]["table"].clone();
    table.say("bob", json!({"do": "join", "name": "Bob", "table": id}));
    table.say("eve", json!({"do": "watch", "table": id}));
    table.hear("ann");
    table.hear("eve");
    table
}

#[test]
fn everybody_at_the_table_sees_a_reaction() {
    let mut table = playing();
    let shown = json!({"type": "reacted", "seat": 1, "reaction": "good-game"});
    let heard = table.say("bob", react("good-game"));
    assert_eq!(types(&heard), ["accepted", "reacted"]);
    assert_eq!(heard[1], shown);
    assert_eq!(table.hear("ann"), std::slice::from_ref(&shown));
    assert_eq!(table.hear("eve"), [shown]);
}

#[test]
fn a_player_reacts_once_in_a_while_and_each_for_itself() {
    let mut table = playing();
    table.say("bob", react("wow"));
    assert_eq!(code(&table.say("bob", react("wow"))), "too-many");
    assert_eq!(types(&table.say("ann", react("oops")))[1..], ["accepted", "reacted"]);
}

#[test]
fn only_players_react_and_only_with_what_there_is() {
    let mut table = playing();
    assert_eq!(code(&table.say("eve", react("nice"))), "not-seated");
    assert_eq!(code(&table.say("cleo", react("nice"))), "not-seated");
    assert_eq!(code(&table.say("bob", react("you are bad"))), "bad-message");
    assert_eq!(code(&table.say("bob", json!({"do": "react"}))), "bad-message");
}

#[test]
fn players_who_have_stayed_after_a_game_react_still() {
    let mut table = Table::<Gamba>::new();
    let ann = table.say("ann", json!({"do": "join", "name": "Ann", "options": {"seats": 2}}));
    let (id, token) = (ann[0]["table"].clone(), ann[0]["token"].clone());
    let bob = table.say("bob", json!({"do": "join", "name": "Bob", "table": id}));
    table.say("bob", json!({"do": "leave"}));
    table.hear("ann");
    let stay =
        |token: &Value| json!({"do": "rematch", "table": id, "token": token, "wants": false});
    table.say("ann", stay(&token));
    table.say("bob", stay(&bob[0]["token"]));
    table.hear("ann");
    table.say("bob", react("thanks"));
    assert_eq!(types(&table.hear("ann")), ["reacted"]);
}
