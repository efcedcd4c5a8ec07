//! What the session promises and a rehearsal cannot show: frames that are not text, texts that
//! are shared, seats given up past the protocol.

use std::sync::Arc;

use hall::{Command, ConnId, Input, Role};
use serde_json::{Value, json};
use wire::{Frame, Garbage, Playable, Text};

use super::messages::{self, DISCARDS_REQUEST, action, feed, join};
use crate::tiger_dragon::{Config, Options, TigerDragon};

/// The roster tests the transcripts of every game; this test is for work on this one.
#[test]
fn it_is_rehearsed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tiger_dragon/rehearsals");
    trials::rehearsal::rehearse::<TigerDragon>(folder);
}

fn of_two() -> Options {
    Options { players: 2, ..Options::default() }
}

fn error(message: &str) -> Value {
    json!({"type": "error", "message": message})
}

fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
}

/// The last state a connection received has these choices.
fn legal(messages: &[Value]) -> Vec<String> {
    let last = messages.iter().rev().find(|message| message["type"] == "state").unwrap();
    last["legal"].as_str().unwrap().split(',').map(str::to_owned).collect()
}

#[test]
fn binary_frames_are_answered_in_text() {
    let mut stage = messages::stage(&of_two(), 1);
    let conn = stage.connect();
    stage.hear(conn, Frame::Garbage(Garbage::Binary, &[]));
    assert_eq!(messages::heard(&mut stage, conn), [error("missing type")]);
    stage.say(conn, &join("a", "player"));
    assert_eq!(types(&messages::heard(&mut stage, conn)), ["join_ack"]);
}

#[test]
fn what_websocket_itself_forbids_ends_the_connection() {
    for garbage in [Garbage::NotUtf8, Garbage::TooLong] {
        let mut stage = messages::stage(&of_two(), 1);
        let conn = stage.connect();
        stage.hear(conn, Frame::Garbage(garbage, &[]));
        assert_eq!(stage.open_conns(), []);
        assert_eq!(stage.hall.visitors(), 0);
    }
}

#[test]
fn spectators_share_one_encoding() {
    let mut stage = messages::stage(&of_two(), 1);
    let [one, two] = [stage.connect(), stage.connect()];
    let watchers: Vec<_> = (0..50).map(|_| stage.connect()).collect();
    let idle = stage.connect();
    let (early, late) = watchers.split_at(25);
    for watcher in early {
        stage.say(*watcher, &join("w", "spectator"));
    }
    stage.say(one, &join("a", "player"));
    for watcher in late {
        stage.say(*watcher, &join("w", "spectator"));
    }
    stage.say(two, &join("b", "player"));
    // A whole match, so that results and the end are among the messages.
    loop {
        let heard = [messages::heard(&mut stage, one), messages::heard(&mut stage, two)];
        let over = heard[0].iter().any(|message| message["type"] == "game_over");
        let texts: Vec<Vec<Text>> = watchers.iter().map(|conn| stage.texts(*conn)).collect();
        let shared = |text: &Text| match text {
            Text::Shared(text) => Some(Arc::clone(text)),
            Text::Own(text) => text.starts_with("{\"type\":\"join_ack\"").then(|| "".into()),
        };
        let all = |texts: &[Text]| -> Vec<Arc<str>> {
            let texts = texts.iter().map(|text| shared(text).expect("shared"));
            texts.filter(|text| !text.is_empty()).collect()
        };
        let first = all(&texts[49]);
        assert!(!first.is_empty());
        for texts in &texts {
            let texts = all(texts);
            assert_eq!(texts.len(), first.len());
            assert!(texts.iter().zip(&first).all(|(text, first)| Arc::ptr_eq(text, first)));
        }
        assert!(stage.texts(idle).is_empty(), "who has not joined is told nothing");
        if over {
            return;
        }
        for (conn, heard) in [one, two].into_iter().zip(&heard) {
            let choices = legal(heard);
            if !choices[0].is_empty() {
                stage.say(conn, &action(&choices[0]));
            }
        }
    }
}

/// Clients send a request and their choice at once and expect the answers in that order.
#[test]
fn pipelined_messages_are_answered_in_order() {
    let mut stage = messages::stage(&of_two(), 1);
    let [one, two] = [stage.connect(), stage.connect()];
    let script = [join("a", "player"), join("a", "player"), DISCARDS_REQUEST.to_owned()];
    feed(&mut stage, one, (script.join("\n") + "\n").as_bytes());
    assert_eq!(types(&messages::heard(&mut stage, one)), ["join_ack", "join_ack", "discards"]);
    stage.say(two, &join("b", "player"));
    let first = legal(&messages::heard(&mut stage, one)).remove(0);
    let script = [DISCARDS_REQUEST, &action(&first), DISCARDS_REQUEST, &action(&first)];
    feed(&mut stage, one, (script.join("\n") + "\n").as_bytes());
    let heard = messages::heard(&mut stage, one);
    assert_eq!(types(&heard), ["discards", "state", "discards", "error"]);
    assert_eq!(heard[0]["player0_discards"], "");
    assert_eq!(heard[2]["player0_discards"], format!("{first}A"));
    assert_eq!(heard[3], error("not your turn"));
}

/// A defender attacks next, so both choices may come in one go.
#[test]
fn a_defence_and_the_attack_after_it_may_come_together() {
    let mut stage = messages::stage(&of_two(), 1);
    let [one, two] = [stage.connect(), stage.connect()];
    stage.say(one, &join("a", "player"));
    stage.say(two, &join("b", "player"));
    let states = messages::heard(&mut stage, two);
    let hand = states.last().unwrap()["hand"].as_str().unwrap().to_owned();
    let attack = legal(&messages::heard(&mut stage, one))
        .into_iter()
        .find(|tile| hand.contains(tile.as_str()));
    let attack = attack.expect("this deal gives both players a tile of one kind");
    stage.say(one, &action(&attack));
    messages::heard(&mut stage, two);
    let next = hand.replacen(attack.as_str(), "", 1).trim_matches(',')[..1].to_owned();
    feed(&mut stage, two, format!("{}\n{}\n", action(&attack), action(&next)).as_bytes());
    let heard = messages::heard(&mut stage, two);
    assert_eq!(types(&heard), ["state", "state"]);
    assert_eq!(heard[1]["attack_tile"], next);
}

/// No word of this protocol gives up a seat, but an organiser's tools may.
#[test]
fn a_seat_given_up_in_the_turn_of_another_is_no_act() {
    let mut stage = messages::stage(&Options { players: 3, ..Options::default() }, 1);
    let [one, two] = [stage.connect(), stage.connect()];
    stage.say(one, &join("a", "player"));
    stage.say(two, &join("b", "player"));
    let stranger = ConnId(99);
    let command =
        Command::Join { table: None, name: "c".into(), role: Role::Player, joined_via: None };
    stage.input(Input::Said(stranger, command));
    stage.settle();
    let choices = legal(&messages::heard(&mut stage, one));
    messages::heard(&mut stage, two);
    stage.input(Input::Said(stranger, Command::Leave));
    stage.settle();
    assert_eq!(messages::heard(&mut stage, one), Vec::<Value>::new());
    stage.say(one, &action(&choices[0]));
    for conn in [one, two] {
        let heard = messages::heard(&mut stage, conn);
        assert_eq!(types(&heard), ["state"]);
        assert_eq!(heard[0]["turn"], 1);
    }
}

#[test]
fn options_that_cannot_be_are_refused_by_name() {
    let wrong = |options: Options| TigerDragon::terms(&options).unwrap_err();
    for players in [0, 1, 6] {
        let why = wrong(Options { players, ..Options::default() });
        assert_eq!(why, format!("players = {players}: Tiger & Dragon takes 2 to 5"));
    }
    let config = Config { target: 0, ..Config::default() };
    let why = wrong(Options { config, ..Options::default() });
    assert_eq!(why, "target must be 1 to 1000, not 0");
    let config = Config { battlefield: "moon".to_owned(), ..Config::default() };
    assert!(wrong(Options { config, ..Options::default() }).contains("\"moon\" is no card"));
    let changes = json!({"rules": "house"}).as_object().unwrap().clone();
    let why = wire::overlay::<TigerDragon>(&Options::default(), &changes).unwrap_err();
    assert!(why.contains("tiger-dragon.rules = \"house\""), "{why}");
    let changes = json!({"rules": "original", "players": 2}).as_object().unwrap().clone();
    let options = wire::overlay::<TigerDragon>(&Options::default(), &changes).unwrap();
    assert_eq!((options.players, options.config.target), (2, 10));
}
