//! What the server says: each message as it looks on the wire.
//!
//! Lists are strings with commas and no spaces, because clients look for `"legal":"..."` by
//! substring; numbers are numbers exactly where the wire document has them.

use std::fmt::{self, Display, Formatter, Write};

use rules::Seat;

use super::rules::{Act, Discard, RoundResult, View};

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
    let mut line = String::with_capacity(384);
    write!(
        line,
        concat!(
            r#"{{"type":"state","room_id":{},"turn":{},"phase":"{}","current_player":{},"#,
            r#""attack_tile":"{}","hand":"{}","hand_sizes":"{}","bonus_discards":"{}","#,
            r#""legal":"{}","scores":"{}"}}"#
        ),
        quoted(room_id),
        view.turn,
        view.phase,
        view.current,
        List(view.attack.map(|attack| attack.tile).into_iter()),
        List(view.hand.iter()),
        List(view.hand_sizes.iter()),
        List(view.face_down.iter()),
        view.legal,
        List(view.scores.iter())
    )
    .expect("a string takes everything");
    line
}

/// Before the start nobody has discards.
pub fn discards(room_id: &str, seats: usize, view: Option<&View>) -> String {
    let mut line = format!(r#"{{"type":"discards","room_id":{}"#, quoted(room_id));
    for seat in 0..seats {
        let played = view.map_or(&[][..], |view| &view.discards[seat]);
        let played = List(played.iter().map(shown));
        write!(line, r#","player{seat}_discards":"{played}""#).expect("a string takes everything");
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
        List(result.discards.iter()),
        List(result.scores.iter()),
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
        List(view.scores.iter())
    )
}

fn number(seat: Option<Seat>) -> i64 {
    seat.map_or(-1, |seat| seat.index() as i64)
}

/// Items with commas between them.
struct List<I>(I);

impl<I: Iterator<Item: Display> + Clone> Display for List<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.clone().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("strings serialise")
}
