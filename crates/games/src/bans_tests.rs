//! A banned player learns why, wherever its protocol has a message for it.

use rules::Seed;
use trials::rehearsal::Rehearsal;
use wire::Playable;

const KEY: &str = "pk_eeeeeeeeeeeeeeeeeeeeeeeeee";

/// What a player sends to be let in, and what it receives if its name or its key is banned.
struct Wire {
    name: &'static str,
    /// `{}` stands for the name, with its key or without.
    says: &'static str,
    /// Empty: the protocol has no message for it, and the server hangs up.
    banned_name: &'static str,
    banned_key: &'static str,
}

fn last_heard<G: Playable>(ban: &str, wire: &Wire, said: &str) -> (String, String) {
    let mut rehearsal =
        Rehearsal::<G>::new(G::Options::default(), Seed::from_number(7)).expect("a stage");
    let says = format!("eve> {}", wire.says.replace("{}", said));
    for line in [ban, &format!("connect eve {}", wire.name), &says] {
        rehearsal.perform(line).unwrap_or_else(|why| panic!("{line}: {why}"));
    }
    let heard = rehearsal.received("eve").last().cloned().unwrap_or_default();
    (heard, format!("{rehearsal:?}"))
}

fn check<G: Playable>(wires: &[Wire]) {
    for wire in wires {
        let with_key = if wire.name == "house" {
            format!(r#"blue","key":"{KEY}"#)
        } else {
            format!("blue:{KEY}")
        };
        let bans = [
            ("ban name red".to_owned(), "red", wire.banned_name),
            (format!("ban key {KEY}"), &with_key, wire.banned_key),
        ];
        for (ban, said, expected) in bans {
            let (heard, transcript) = last_heard::<G>(&ban, wire, said);
            let context = format!("{}, {ban}: {heard}\n{transcript}", wire.name);
            match expected {
                "" => {
                    assert_eq!(heard, "", "{context}");
                    let why = transcript.lines().find(|line| line.starts_with("eve! "));
                    assert!(why.is_some_and(|why| why.contains("banned")), "{context}");
                }
                text => assert!(heard.contains(text), "{context}"),
            }
            assert!(!heard.contains(KEY), "{context}");
        }
    }
}

const HOUSE: Wire = Wire {
    name: "house",
    says: r#"{"do":"join","name":"{}"}"#,
    banned_name: r#""code":"banned","message":"the name 'red' is banned here""#,
    banned_key: r#""code":"banned","message":"your key is banned here""#,
};

/// In Gamba a banned player learned only that an error had occurred while joining a room, and in
/// Tiger & Dragon that the room was full.
#[test]
fn a_banned_player_hears_why_wherever_its_protocol_has_words() {
    let sushi_go = |name| Wire {
        name,
        says: "JOIN open {}",
        banned_name: "ERROR E001 The name 'red' is banned here.",
        banned_key: "ERROR E001 Your key is banned here.",
    };
    check::<crate::sushi_go::SushiGo>(&[sushi_go("sushi-go"), sushi_go("sushi-go-sdk"), HOUSE]);
    let gamba = |says| Wire {
        name: "gamba",
        says,
        banned_name: "103|||error=Connection failed - this name is banned here",
        banned_key: "103|||error=Connection failed - your key is banned here",
    };
    check::<crate::gamba::Gamba>(&[gamba("0|||name={}"), gamba("6|||name={}"), HOUSE]);
    let subsim = Wire {
        name: "subsim",
        says: "J|{}|3|3",
        banned_name: "name banned: nobody may join under it here",
        banned_key: "key banned: it opens nothing here",
    };
    check::<crate::subsim::SubSim>(&[subsim, HOUSE]);
    let tiger_dragon = Wire {
        name: "tiger-dragon",
        says: r#"{"type":"join","room_id":"room1","player_id":"{}","role":"player"}"#,
        banned_name: r#"{"type":"error","message":"player_id is banned here"}"#,
        banned_key: r#"{"type":"error","message":"your key is banned here"}"#,
    };
    check::<crate::tiger_dragon::TigerDragon>(&[tiger_dragon, HOUSE]);
    let labyrinth = |name, says| Wire { name, says, banned_name: "", banned_key: "" };
    check::<crate::labyrinth::Labyrinth>(&[
        labyrinth("labyrinth", r#"{"color":"{}"}"#),
        labyrinth("labyrinth-course", r#""{}""#),
        HOUSE,
    ]);
}
