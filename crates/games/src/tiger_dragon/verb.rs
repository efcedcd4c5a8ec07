//! What a client says: the text alone, without context.

use serde_json::{Map, Value};

use super::rules::{Action, Tile};

/// A client's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    Join(Join),
    /// Where the game stands decides whether a choice is looked at, so a wrong one waits here.
    Action(Result<Action, Wrong>),
    DiscardsRequest,
}

/// The ids are echoed in the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    pub room_id: String,
    pub player_id: String,
    pub spectator: bool,
}

/// Everything that can be wrong, with the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    MissingType,
    UnknownType,
    MissingJoinFields,
    MissingRoomId,
    BadId,
    HiddenId,
    NoId,
    RoomFull,
    NameInUse,
    NeedsKey,
    KeyRequired,
    OtherKey,
    BannedName,
    BannedKey,
    GameNotStarted,
    MatchOver,
    SpectatorCannotAct,
    NotYourTurn,
    MissingChoice,
    ChoiceNotText,
    InvalidChoice,
    IllegalAction,
}

impl Wrong {
    #[cfg(test)]
    #[rustfmt::skip]
    pub const ALL: [Wrong; 22] = {
        use Wrong::*;
        [
            MissingType, UnknownType, MissingJoinFields, MissingRoomId, BadId, HiddenId, NoId, RoomFull, NameInUse,
            NeedsKey, KeyRequired, OtherKey, BannedName, BannedKey, GameNotStarted, MatchOver, SpectatorCannotAct,
            NotYourTurn, MissingChoice, ChoiceNotText, InvalidChoice, IllegalAction,
        ]
    };

    pub fn message(self) -> &'static str {
        match self {
            Wrong::MissingType => "missing type",
            Wrong::UnknownType => "unknown type",
            Wrong::MissingJoinFields => "missing join fields",
            Wrong::MissingRoomId => "missing room_id",
            Wrong::BadId => "invalid id: at most 64 characters, and no control characters",
            Wrong::HiddenId => "invalid id: it has characters that nobody can see",
            Wrong::NoId => "invalid id: player_id is empty; give your player a name",
            Wrong::RoomFull => "room full",
            Wrong::NameInUse => "player_id in use: another connection plays or waits under it",
            Wrong::NeedsKey => "player_id needs its key: say NAME:KEY",
            Wrong::KeyRequired => {
                "every player here needs a key: claim your name on the page /connect, then say NAME:KEY"
            }
            Wrong::OtherKey => "this is not the key of player_id",
            Wrong::BannedName => "player_id is banned here",
            Wrong::BannedKey => "your key is banned here",
            Wrong::GameNotStarted => "game not started",
            Wrong::MatchOver => "match over",
            Wrong::SpectatorCannotAct => "spectator cannot act",
            Wrong::NotYourTurn => "not your turn",
            Wrong::MissingChoice => "missing choice",
            Wrong::ChoiceNotText => "invalid choice: choice must be text, such as \"4\"",
            Wrong::InvalidChoice => "invalid choice",
            Wrong::IllegalAction => "illegal action",
        }
    }
}

/// Reads a message. What is no JSON object has no type either.
pub fn parse(text: &str) -> Result<Verb, Wrong> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|_| Wrong::MissingType)?;
    let string = |key: &str| fields.get(key).and_then(Value::as_str);
    match string("type").ok_or(Wrong::MissingType)? {
        "join" => match (string("room_id"), string("player_id"), string("role")) {
            (Some(room_id), Some(player_id), Some(role)) => {
                check_id(player_id)?;
                let spectator = role == SPECTATOR;
                if !spectator && hall::split_key(player_id).0.is_empty() {
                    return Err(Wrong::NoId);
                }
                let (room_id, player_id) = (room_id.to_owned(), player_id.to_owned());
                Ok(Verb::Join(Join { room_id, player_id, spectator }))
            }
            _ => Err(Wrong::MissingJoinFields),
        },
        "action" => Ok(Verb::Action(match fields.get("choice") {
            None => Err(Wrong::MissingChoice),
            Some(Value::String(text)) => choice(text),
            Some(_) => Err(Wrong::ChoiceNotText),
        })),
        "discards_request" => match string("room_id") {
            Some(_) => Ok(Verb::DiscardsRequest),
            None => Err(Wrong::MissingRoomId),
        },
        _ => Err(Wrong::UnknownType),
    }
}

/// A player is shown to others by its id: nothing in it may be a command to somebody's terminal, or
/// invisible. A key behind it does not count. A `room_id` goes back to its sender alone, so any will do.
pub fn check_id(said: &str) -> Result<(), Wrong> {
    let (id, _) = hall::split_key(said);
    match id {
        _ if id.chars().count() > LONGEST_ID || id.contains(hall::is_control) => Err(Wrong::BadId),
        // A spectator's id may be empty; one that only looks empty may not.
        _ if !id.is_empty() && !hall::is_legible(id) => Err(Wrong::HiddenId),
        _ => Ok(()),
    }
}

const LONGEST_ID: usize = 64;

const SPECTATOR: &str = "spectator";

/// `pass` in any case, `1` to `8`, `T` and `D` in either case; white space around it is nothing.
fn choice(text: &str) -> Result<Action, Wrong> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Action::Pass);
    }
    let tile: Result<Tile, _> = text.to_ascii_uppercase().parse();
    tile.map(Action::Play).map_err(|_| Wrong::InvalidChoice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_choice(choice: &str) -> Result<Action, Wrong> {
        let message = serde_json::json!({"type": "action", "choice": choice}).to_string();
        match parse(&message) {
            Ok(Verb::Action(choice)) => choice,
            other => panic!("{message} is {other:?}"),
        }
    }

    /// Names of 60,000 characters were taken, written down, and made a list of tables 60 MB.
    #[test]
    fn ids_are_short_and_without_control_characters() {
        let join = |room: &str, player: &str| {
            let join = serde_json::json!({"type": "join", "room_id": room, "player_id": player, "role": "player"});
            parse(&join.to_string()).map(|_| ())
        };
        assert_eq!(join("room", &"ü".repeat(64)), Ok(()));
        assert_eq!(join("room", &"p".repeat(65)), Err(Wrong::BadId));
        assert_eq!(join("room", "ann\u{1b}[2J"), Err(Wrong::BadId));
        let spectator =
            r#"{"type":"join","room_id":"r","player_id":"\u001b[2J","role":"spectator"}"#;
        assert_eq!(parse(spectator), Err(Wrong::BadId));
    }

    /// The protocol takes any `room_id` and returns it to its sender.
    #[test]
    fn a_room_id_is_any_text() {
        for room in ["", &"r".repeat(65), "ro\nom", "\u{1b}[2J"] {
            let join = serde_json::json!({"type": "join", "room_id": room, "player_id": "ann", "role": "player"});
            match parse(&join.to_string()) {
                Ok(Verb::Join(join)) => assert_eq!(join.room_id, room),
                other => panic!("{room:?} is {other:?}"),
            }
        }
    }

    /// Such a player was listed as a comma with nothing before it. A spectator is listed nowhere.
    #[test]
    fn a_player_without_a_name_is_refused() {
        let nobody = |role: &str, id: &str| {
            let join =
                serde_json::json!({"type": "join", "room_id": "r", "player_id": id, "role": role});
            parse(&join.to_string()).map(|_| ())
        };
        assert_eq!(nobody("player", ""), Err(Wrong::NoId));
        assert_eq!(nobody("", ":pk_abcdefghijklmnopqrstuvwxyz"), Err(Wrong::NoId));
        assert_eq!(nobody("spectator", ""), Ok(()));
    }

    /// Such a name turned around whatever stood beside it on a page.
    #[test]
    fn a_player_is_not_called_by_letters_that_turn_the_text_around() {
        for turns in ["\u{202e}nna", "a\u{2066}b", "a\u{200f}", "a\u{2028}b"] {
            assert_eq!(check_id(turns), Err(Wrong::BadId), "{turns:?}");
        }
        for name in ["חנה", "عمر", "Zoë 🦊"] {
            assert_eq!(check_id(name), Ok(()), "names of any language");
        }
    }

    /// `ann` and a space of no width sat down beside `ann`, and so did somebody without any name to see.
    #[test]
    fn a_player_is_not_called_by_letters_that_nobody_sees() {
        for hidden in ["ann\u{200b}", "\u{feff}ann", "a\u{2060}nn", "an\u{ad}n", "\u{3164}", "  "] {
            assert_eq!(check_id(hidden), Err(Wrong::HiddenId), "{hidden:?}");
        }
    }

    #[test]
    fn choices_in_any_case_and_spacing() {
        for pass in ["pass", "PASS", "Pass", " pAsS\t", "\u{a0}pass\r\n"] {
            assert_eq!(parsed_choice(pass), Ok(Action::Pass), "{pass:?}");
        }
        assert_eq!(parsed_choice("t"), Ok(Action::Play(Tile::Tiger)));
        assert_eq!(parsed_choice(" D "), Ok(Action::Play(Tile::Dragon)));
        for tile in Tile::ALL {
            assert_eq!(parsed_choice(&tile.to_string()), Ok(Action::Play(tile)));
        }
    }

    #[test]
    fn what_is_no_choice() {
        for wrong in
            ["", " ", "0", "9", "10", "77", "7,8", "TD", "tiger", "pas", "passe", "7 7", "７"]
        {
            assert_eq!(parsed_choice(wrong), Err(Wrong::InvalidChoice), "{wrong:?}");
        }
        let missing = r#"{"type":"action"}"#;
        assert_eq!(parse(missing), Ok(Verb::Action(Err(Wrong::MissingChoice))));
        for number in [r#"{"type":"action","choice":7}"#, r#"{"type":"action","choice":null}"#] {
            assert_eq!(parse(number), Ok(Verb::Action(Err(Wrong::ChoiceNotText))), "{number}");
        }
    }

    #[test]
    fn what_has_no_type() {
        let deep = "[".repeat(10_000);
        for text in [
            "",
            " ",
            "join",
            "{",
            "[]",
            "\"join\"",
            "null",
            "7",
            "{}",
            "{'type':'join'}",
            r#"{"type":null}"#,
            r#"{"type":7}"#,
            r#"{"type":["join"]}"#,
            r#"{"Type":"join"}"#,
            r#"{"type":"join"} x"#,
            r#"{"type":"\ud800"}"#,
            &deep,
        ] {
            assert_eq!(parse(text), Err(Wrong::MissingType), "{text}");
        }
        for text in [r#"{"type":""}"#, r#"{"type":"Join"}"#, r#"{"type":"join "}"#] {
            assert_eq!(parse(text), Err(Wrong::UnknownType), "{text}");
        }
    }

    #[test]
    fn a_repeated_key_counts_as_last_said() {
        let text = r#"{"type":"action","type":"discards_request","room_id":7,"room_id":""}"#;
        assert_eq!(parse(text), Ok(Verb::DiscardsRequest));
    }

    #[test]
    fn only_the_exact_word_makes_a_spectator() {
        for (role, spectator) in
            [("spectator", true), ("player", false), ("Spectator", false), ("", false)]
        {
            let text = format!(r#"{{"type":"join","room_id":"","player_id":"p","role":"{role}"}}"#);
            let join = Join { room_id: String::new(), player_id: "p".to_owned(), spectator };
            assert_eq!(parse(&text), Ok(Verb::Join(join)));
        }
    }
}
