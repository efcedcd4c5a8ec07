//! Sessions under fire: any bytes, any valid messages in any order, cut anywhere, from several
//! connections to one hall. Each message is answered as the protocol requires.

use hall::ConnId;
use proptest::prelude::*;
use serde_json::Value;
use trials::stage::Stage;
use wire::{Frame, Garbage};

use super::messages::{self, DISCARDS_REQUEST, action, feed, join};
use crate::tiger_dragon::{Config, Options};

#[derive(Clone, Debug)]
enum Shot {
    Connect,
    Bytes(usize, Vec<u8>),
    /// Words of the protocol, sent in pieces that begin and end anywhere.
    Words(usize, String, Vec<prop::sample::Index>),
    Garbage(usize, Garbage),
    /// The player to move plays its first or last legal choice.
    Play(bool),
    Drop(usize),
    Wait(u64),
}

fn words() -> impl Strategy<Value = String> {
    let choice = prop::sample::select(vec!["1", "2", "5", "8", "T", "d", "PASS", "pass", "9", ""]);
    let name = prop::sample::select(vec!["a", "b", "\"\\", "", "\u{1F409}\n"]);
    let role = prop::sample::select(vec!["player", "player", "spectator", ""]);
    let odd = vec![
        "",
        "{}",
        "[]",
        "null",
        "{\"type\":7}",
        "{\"type\":\"join\"}",
        "{\"type\":\"leave\"}",
        "{\"type\":\"action\",\"choice\":[]}",
        "{\"type\":\"discards_request\"}",
        "{\"type\":\"discards_request\",\"room_id\":\"room1\"}",
    ];
    prop_oneof![
        3 => choice.prop_map(action),
        4 => (name, role).prop_map(|(name, role)| join(name, role)),
        2 => prop::sample::select(odd).prop_map(str::to_owned),
        1 => ".{0,40}",
    ]
}

fn shot() -> impl Strategy<Value = Shot> {
    let garbage = vec![Garbage::Binary, Garbage::NotJson, Garbage::NotUtf8, Garbage::TooLong];
    prop_oneof![
        2 => Just(Shot::Connect),
        1 => (0..6usize, any::<Vec<u8>>()).prop_map(|(who, bytes)| Shot::Bytes(who, bytes)),
        8 => (0..6usize, words(), any::<Vec<prop::sample::Index>>())
            .prop_map(|(who, words, cuts)| Shot::Words(who, words, cuts)),
        1 => (0..6usize, prop::sample::select(garbage))
            .prop_map(|(who, garbage)| Shot::Garbage(who, garbage)),
        8 => any::<bool>().prop_map(Shot::Play),
        1 => (0..6usize).prop_map(Shot::Drop),
        1 => prop::sample::select(vec![1, 1_000, 400_000]).prop_map(Shot::Wait),
    ]
}

/// Feeds the bytes cut at the given places.
fn feed_in_pieces(stage: &mut Stage, conn: ConnId, bytes: &[u8], cuts: &[prop::sample::Index]) {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.sort_unstable();
    let mut from = 0;
    for cut in cuts {
        feed(stage, conn, &bytes[from..cut]);
        from = cut;
    }
    feed(stage, conn, &bytes[from..]);
}

/// Every message has a known type, and the keys of that type in the order of the wire document.
pub(super) fn check_form(message: &Value) {
    let fields = message.as_object().expect("an object");
    let keys: Vec<&str> = fields.keys().map(String::as_str).collect();
    let ints: &[&str] = match message["type"].as_str().expect("a type") {
        "join_ack" => {
            assert_eq!(keys, ["type", "room_id", "player_id", "seat", "players"]);
            &["seat", "players"]
        }
        "state" => {
            let expected = [
                "type",
                "room_id",
                "turn",
                "phase",
                "current_player",
                "attack_tile",
                "hand",
                "hand_sizes",
                "bonus_discards",
                "legal",
                "scores",
            ];
            assert_eq!(keys, expected);
            &["turn", "current_player"]
        }
        "discards" => {
            let seats = keys.len() - 2;
            let lists: Vec<String> =
                (0..seats).map(|seat| format!("player{seat}_discards")).collect();
            assert_eq!(keys[..2], ["type", "room_id"]);
            assert_eq!(keys[2..], lists);
            &[]
        }
        "round_result" => {
            let expected = [
                "type",
                "winner",
                "last_tile",
                "bonus_discards",
                "round_points",
                "winner_hand",
                "winner_hand_size",
                "winner_discards",
                "scores",
                "round",
            ];
            assert_eq!(keys, expected);
            &["winner", "bonus_discards", "round_points", "winner_hand_size", "round"]
        }
        "game_over" => {
            assert_eq!(keys, ["type", "winner", "scores"]);
            &["winner"]
        }
        "error" => {
            assert_eq!(keys, ["type", "message"]);
            &[]
        }
        other => panic!("no message is called {other}"),
    };
    for (key, value) in fields {
        assert_eq!(value.is_i64(), ints.contains(&key.as_str()), "{key} of {message}");
        assert!(value.is_i64() || value.is_string(), "{key} of {message}");
    }
}

fn check_shots(options: &Options, shots: Vec<Shot>) {
    let mut stage = messages::stage(options, 7);
    let mut legal: Option<(ConnId, String)> = None;
    for shot in shots {
        let conns = stage.open_conns();
        let pick = |who: usize| conns.get(who % conns.len().max(1)).copied();
        match shot {
            Shot::Connect => {
                stage.connect();
            }
            Shot::Bytes(who, bytes) => {
                pick(who).into_iter().for_each(|conn| feed(&mut stage, conn, &bytes));
            }
            Shot::Words(who, words, cuts) => {
                let bytes = format!("\n{words}\n").into_bytes();
                pick(who).into_iter().for_each(|conn| {
                    feed_in_pieces(&mut stage, conn, &bytes, &cuts);
                });
            }
            Shot::Garbage(who, garbage) => {
                pick(who).into_iter().for_each(|conn| {
                    stage.hear(conn, Frame::Garbage(garbage, &[]));
                });
            }
            Shot::Play(first) => {
                if let Some((conn, legal)) = &legal {
                    let mut choices = legal.split(',');
                    let choice = if first { choices.next() } else { choices.next_back() };
                    feed(&mut stage, *conn, b"\n");
                    stage.say(*conn, &action(choice.expect("split gives one at least")));
                }
            }
            Shot::Drop(who) => pick(who).into_iter().for_each(|conn| stage.hang_up(conn)),
            Shot::Wait(ms) => stage.wait(ms),
        }
        for conn in stage.conns() {
            for message in messages::heard(&mut stage, conn) {
                check_form(&message);
                match message["legal"].as_str() {
                    Some("") | None => {}
                    Some(choices) => legal = Some((conn, choices.to_owned())),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sessions_survive_anything(shots in prop::collection::vec(shot(), 1..80), single: bool) {
        let options = Options {
            players: 2,
            config: Config { target: 1, ..Config::default() },
            single_match: single,
            ..Options::default()
        };
        check_shots(&options, shots);
    }

    #[test]
    fn every_text_without_a_type_has_one_answer(text in "[^\n]{0,60}") {
        let mut stage = messages::stage(&Options::default(), 1);
        let conn = stage.connect();
        stage.say(conn, &text);
        stage.say(conn, DISCARDS_REQUEST);
        let heard = messages::heard(&mut stage, conn);
        prop_assert_eq!(heard.len(), 2);
        prop_assert_eq!(&heard[0]["type"], "error");
        prop_assert_eq!(&heard[1]["type"], "discards");
    }
}
