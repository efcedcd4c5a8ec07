//! Describes what happens at a table, in words for people.

use hall::{Frame, How, OverFrame, TableFrame, UpdateFrame};
use rules::any::{AnyRules, AnyView};
use rules::picture::counted;
use rules::{Scene, Seat, SeatSet};

/// Why an observer goes when there is nothing more to see.
pub const THE_END: &str = "the game is over";

/// The occupied seats; free ones are only counted.
pub(crate) fn table(table: &TableFrame) -> String {
    let mut text = format!("table {}", table.table.as_deref().unwrap_or_default());
    for member in table.seats.iter().flatten() {
        let note = match (&member.bot, member.present) {
            (Some(bot), _) => format!(" (house bot: {bot})"),
            (None, true) => String::new(),
            (None, false) => " (away)".to_owned(),
        };
        text += &match &member.display {
            Some(display) => format!("\n  {display}, as {}{note}", member.name),
            None => format!("\n  {}{note}", member.name),
        };
    }
    match table.seats.iter().filter(|seat| seat.is_none()).count() {
        0 => text,
        // A table of open size doesn't wait for all of its seats.
        _ if table.seats.len() == Seat::MAX => text + "\n  waiting for more players",
        free => text + &format!("\n  {} free", counted(free as i64, "seat")),
    }
}

/// The state of play; an organiser sees it with every seat's eyes.
pub(crate) fn update(rules: &dyn AnyRules, update: &UpdateFrame<'_>) -> String {
    let names: Vec<&str> = update.names.iter().map(|name| &**name).collect();
    let (view, seat_views) = (&*update.view, &update.seat_views[..]);
    turn(rules, update.seq, update.to_move, &Scene { view, seat_views, names: &names })
}

/// One moment of a game: the number of the turn, who is to move, and the picture.
fn turn(rules: &dyn AnyRules, seq: u64, to_move: SeatSet, scene: &Scene<'_, AnyView>) -> String {
    let mut text = format!("turn {}", seq + 1);
    if !to_move.is_empty() {
        text += &format!(", {} to move", scene.list(to_move.iter()));
    }
    let picture = rules.picture(scene).unwrap_or_default();
    text += &format!("\n{}", picture.trim_end());
    text
}

pub(crate) fn over(over: &OverFrame) -> String {
    match over {
        OverFrame::Void { void } => format!("over, without a result: {void}"),
        OverFrame::Result { words, .. } => format!("over\n  {}", words.replace('\n', "\n  ")),
    }
}

/// A frame of a replay, in the words a spectator would have received.
pub fn frame(rules: &dyn AnyRules, frame: &Frame<'_>) -> String {
    match frame {
        Frame::Table(told) => table(told),
        Frame::Update(told) => {
            let late = told.moves.iter().filter(|made| made.how == How::Clock);
            let late: Vec<Seat> = late.map(|made| made.seat).collect();
            let mut text = update(rules, told);
            if !late.is_empty() {
                let names: Vec<&str> = told.names.iter().map(|name| &**name).collect();
                let scene = Scene::of(&*told.view, &names);
                text += &format!("\nout of time: {}", scene.list(late));
            }
            text
        }
        Frame::Over(told) => over(told),
    }
}
