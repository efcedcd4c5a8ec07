//! What the server says: each message as it looks on the wire.
//!
//! Lists are strings with commas and no spaces, because clients look for `"legal":"..."` by
//! substring; numbers are numbers exactly where the wire document has them.

use std::fmt::Display;

use rules::Seat;

use super::view::{Act, Discard, RoundResult, View};

/// `seat`: none for spectators, who read -1. `players`: the seats of the table, taken or not.
pub fn join_ack(room_id: &str, player_id: &str, seat: Option<Seat>, players: usize) -> String {
    format!(
        r#"{{"type":"join_ack","room_id":{},"player_id":{},"seat":{},"players":{players}}}"#,
        quoted(room_id),
        quoted(player_id),
        number(seat)
    )
}

/// The hand and what is legal are in the view only if they are the receiver's to know.
pub fn state(room_id: &str, view: &View) -> String {
    format!(
        concat!(
            r#"{{"type":"state","room_id":{},"turn":{},"phase":"{}","current_player":{},"#,
            r#""attack_tile":"{}","hand":"{}","hand_sizes":"{}","bonus_discards":"{}","#,
            r#""legal":"{}","scores":"{}"}}"#
        ),
        quoted(room_id),
        view.turn,
        view.phase,
        view.current,
        list(view.attack.map(|attack| attack.tile)),
        list(view.hand.iter()),
        list(view.hand_sizes.iter()),
        list(view.face_down.iter()),
        view.legal,
        list(view.scores.iter())
    )
}

/// Before the start nobody has discards.
pub fn discards(room_id: &str, seats: usize, view: Option<&View>) -> String {
    let mut line = format!(r#"{{"type":"discards","room_id":{}"#, quoted(room_id));
    for seat in 0..seats {
        let played = view.map_or(String::new(), |view| list(view.discards[seat].iter().map(shown)));
        line += &format!(r#","player{seat}_discards":"{played}""#);
    }
    line + "}"
}

/// A face-down tile is masked even for who put it there.
fn shown(discard: &Discard) -> Discard {
    match discard.act {
        Act::FaceDown => Discard { tile: None, ..*discard },
        Act::Attack | Act::Defend => *discard,
    }
}

/// Here the face-down tiles of the winner are turned up.
pub fn round_result(result: &RoundResult) -> String {
    format!(
        concat!(
            r#"{{"type":"round_result","winner":{},"last_tile":"{}","bonus_discards":{},"#,
            r#""round_points":{},"winner_hand":"","winner_hand_size":0,"#,
            r#""winner_discards":"{}","scores":"{}","round":{}}}"#
        ),
        result.winner,
        result.last_tile,
        result.face_down,
        result.points,
        list(result.discards.iter()),
        list(result.scores.iter()),
        result.round
    )
}

pub fn error(message: &str) -> String {
    format!(r#"{{"type":"error","message":{}}}"#, quoted(message))
}

/// `winner`: none if the match had to be broken off, which reads -1.
pub fn game_over(winner: Option<Seat>, view: &View) -> String {
    format!(
        r#"{{"type":"game_over","winner":{},"scores":"{}"}}"#,
        number(winner),
        list(view.scores.iter())
    )
}

fn number(seat: Option<Seat>) -> i64 {
    seat.map_or(-1, |seat| seat.index() as i64)
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(",")
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("strings serialise")
}
