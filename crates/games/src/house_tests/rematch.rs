//! Playing again with the same people, and whose a name is in between.

use serde_json::{Value, json};
use wire::Playable;

use super::conversation::{Table, code, types};
use crate::gamba::Gamba;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

/// Ann and Bob have played until Bob resigned: the table's id and their tokens.
fn played<G: Playable>(table: &mut Table<G>) -> (Value, Value, Value) {
    let ann = table
        .say("ann", json!({"do": "join", "name": "Ann", "person": true, "options": {"seats": 2}}));
    let (id, ann) = (ann[0]["table"].clone(), ann[0]["token"].clone());
    let bob = table.say("bob", json!({"do": "join", "name": "Bob", "person": true, "table": id}));
    let bob = bob[0]["token"].clone();
    assert!(ann.is_string() && bob.is_string());
    table.say("bob", json!({"do": "leave"}));
    assert_eq!(table.hear("ann").last().expect("the end")["type"], "over");
    (id, ann, bob)
}

fn wish(id: &Value, token: &Value, wants: bool) -> Value {
    json!({"do": "rematch", "table": id, "token": token, "wants": wants})
}

/// Who is said to be here, and who wants to play again.
fn said(message: &Value) -> Vec<(bool, bool)> {
    assert_eq!(message["type"], "rematch", "{message}");
    let flag = |seat: &Value, key: &str| seat[key].as_bool().expect("true or false");
    let seats = message["seats"].as_array().expect("seats");
    seats.iter().map(|seat| (flag(seat, "here"), flag(seat, "wants"))).collect()
}

fn both_play_again<G: Playable>(first: &str, second: &str) {
    let mut table = Table::<G>::new();
    let (id, ann, bob) = played(&mut table);
    let token = |who: &str| if who == "ann" { &ann } else { &bob };
    let heard = table.say(first, wish(&id, token(first), true));
    assert_eq!(types(&heard), ["accepted", "rematch"]);
    let heard = table.say(second, wish(&id, token(second), false));
    assert_eq!(types(&heard), ["accepted", "rematch"]);
    assert_eq!(said(&heard[1]).iter().filter(|(here, _)| *here).count(), 2);
    assert_eq!(table.hear(first).len(), 1);
    let heard = table.say(second, wish(&id, token(second), true));
    assert_eq!(types(&heard[..2]), ["accepted", "joined"]);
    let other = table.hear(first);
    assert_eq!(other[0]["type"], "joined");
    assert_eq!(heard[1]["table"], other[0]["table"]);
    assert_ne!(heard[1]["table"], id);
    assert!(heard[1]["token"].is_string() && other[0]["token"].is_string());
    // Who was first is second now, and a person still.
    let mut begun = table.hear("ann").into_iter().chain(heard).chain(other);
    let playing = begun.rfind(|message| message["status"] == "playing").expect("it begins");
    assert_eq!(playing["seats"][0]["person"], true);
}

#[test]
fn two_who_both_want_to_play_again_do_so_at_one_table() {
    both_play_again::<SushiGo>("ann", "bob");
    both_play_again::<SushiGo>("bob", "ann");
    both_play_again::<Gamba>("ann", "bob");
    both_play_again::<Gamba>("bob", "ann");
    both_play_again::<TigerDragon>("bob", "ann");
}

#[test]
fn the_seats_move_on_by_one() {
    let mut table = Table::<TigerDragon>::new();
    let (id, ann, bob) = played(&mut table);
    table.say("ann", wish(&id, &ann, true));
    let heard = table.say("bob", wish(&id, &bob, true));
    assert_eq!(heard[1]["seat"], 0, "{heard:?}");
    assert_eq!(
        table.hear("ann").iter().find(|m| m["type"] == "joined").expect("a seat")["seat"],
        1
    );
}

#[test]
fn house_bots_play_again_at_once() {
    let mut table = Table::<SushiGo>::new();
    let joined = table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["greedy"]}));
    table.say("ann", json!({"do": "leave"}));
    let heard = table.say("ann", wish(&joined[0]["table"], &joined[0]["token"], true));
    assert_eq!(types(&heard[..2]), ["accepted", "joined"]);
    assert!(types(&heard).contains(&"update"), "{heard:?}");
}

#[test]
fn who_waits_for_a_rematch_is_told_that_the_other_has_left() {
    let mut table = Table::<Gamba>::new();
    let (id, ann, bob) = played(&mut table);
    table.say("ann", wish(&id, &ann, true));
    table.say("bob", wish(&id, &bob, false));
    assert_eq!(said(&table.hear("ann")[0]), [(true, true), (true, false)]);
    table.say("bob", json!({"do": "leave"}));
    assert_eq!(said(&table.hear("ann")[0]), [(true, true), (false, false)]);
    // Bob sits down elsewhere, or his connection ends: the same.
    table.say("bob", wish(&id, &bob, false));
    table.hear("ann");
    table.say("bob", json!({"do": "join", "name": "Bob", "bots": ["random"]}));
    assert_eq!(said(&table.hear("ann")[0]), [(true, true), (false, false)]);
}

#[test]
fn a_rematch_needs_the_token_of_a_seat_at_a_game_that_is_over() {
    let mut table = Table::<SushiGo>::new();
    let (id, ann, _) = played(&mut table);
    let foreign = table.say("eve", wish(&id, &json!("nonsense"), true));
    assert_eq!(code(&foreign), "unknown-token");
    assert_eq!(code(&table.say("ann", wish(&json!("nowhere"), &ann, true))), "not-found");
    let joined = table.say("ann", json!({"do": "join", "name": "Ann", "options": {"seats": 2}}));
    let (id, token) = (&joined[0]["table"], &joined[0]["token"]);
    assert_eq!(code(&table.say("cleo", wish(id, token, true))), "not-over");
}

/// Ann plays Gamba in one window. Whether the name is free for another window.
fn is_free(table: &mut Table<Gamba>) -> bool {
    let join = json!({"do": "join", "name": "Ann", "bots": ["random"]});
    let heard = table.say("phone", join);
    heard[0]["type"] == "joined"
}

#[test]
fn a_name_is_taken_only_while_somebody_plays_under_it() {
    let mut table = Table::<Gamba>::new();
    table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["random"]}));
    assert!(!is_free(&mut table), "Ann plays");
    table.say("ann", json!({"do": "leave"}));
    assert!(is_free(&mut table), "Ann has resigned, and her page is still open");
    // The first window returns under another name, over the same connection.
    let heard = table.say("ann", json!({"do": "join", "name": "Anna", "bots": ["random"]}));
    assert_eq!(heard[0]["type"], "joined", "{heard:?}");
}

#[test]
fn a_game_that_is_over_keeps_no_name() {
    let mut table = Table::<Gamba>::new();
    played(&mut table);
    assert!(is_free(&mut table), "Ann's game is over, and her page is still open");
}

#[test]
fn who_found_no_seat_keeps_no_name() {
    let mut table = Table::<Gamba>::new();
    let (id, ..) = played(&mut table);
    assert_eq!(
        code(&table.say("ann", json!({"do": "join", "name": "Ann", "table": id}))),
        "already-over"
    );
    assert!(is_free(&mut table));
}
