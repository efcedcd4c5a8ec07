//! What happens at a table, in words for people.

use hall::{Closing, Company, Frame, How, Over, OverFrame, Update};
use rules::picture::counted;
use rules::{Game, Scene, Seat, SeatSet};

/// Why an observer goes when there is nothing more to see.
pub const THE_END: &str = "the game is over";

/// Who sits where; free seats are only counted.
pub(crate) fn company(company: &Company) -> String {
    let mut text = format!("table {}", company.table);
    for member in company.seats.iter().flatten() {
        let note = match (&member.bot, member.present) {
            (Some(bot), _) => format!(" (house bot: {bot})"),
            (None, true) => String::new(),
            (None, false) => " (away)".to_owned(),
        };
        text += &format!("\n  {}{note}", member.name);
    }
    match company.seats.len() - company.count() {
        0 => text,
        // Nobody waits for all the seats of a table that takes whoever comes.
        _ if company.seats.len() == Seat::MAX => text + "\n  waiting for more players",
        free => text + &format!("\n  {} free", counted(free as i64, "seat")),
    }
}

/// The state of play; an organiser sees it with every seat's eyes.
pub(crate) fn update<G: Game>(update: &Update<G>) -> String {
    let names = update.company.names();
    let scene = Scene { view: &update.view, seat_views: &update.seat_views, names: &names };
    turn::<G>(update.seq, update.owed, &scene)
}

/// One moment of a game: the number of the turn, who is to move, and the picture.
fn turn<G: Game>(seq: u64, to_move: SeatSet, scene: &Scene<'_, G::View>) -> String {
    let mut text = format!("turn {}", seq + 1);
    if !to_move.is_empty() {
        text += &format!(", {} to move", scene.list(to_move.iter()));
    }
    text += &format!("\n{}", G::picture(scene).trim_end());
    text
}

pub(crate) fn over<G: Game>(over: &Over<G>) -> String {
    match &over.closing {
        Closing::Void(reason) => format!("over, without a result: {reason}"),
        closing => ended(&closing.in_words(&over.company.names())),
    }
}

/// A frame of a replay, as it would have been told in words to who watched.
pub fn frame<G: Game>(frame: &Frame<G>) -> String {
    match frame {
        Frame::Table(table) => {
            company(&Company { table: table.table.clone(), seats: table.seats.clone() })
        }
        Frame::Update(update) => {
            let names: Vec<&str> = update.names.iter().map(|name| &**name).collect();
            let (view, seat_views) = (&update.view, &update.seat_views[..]);
            let scene = Scene { view, seat_views, names: &names };
            let late = update.moves.iter().filter(|made| made.how == How::Clock);
            let late: Vec<Seat> = late.map(|made| made.seat).collect();
            let mut text = turn::<G>(update.seq, update.to_move, &scene);
            if !late.is_empty() {
                text += &format!("\nout of time: {}", scene.list(late));
            }
            text
        }
        Frame::Over(OverFrame::Void { void }) => format!("over, without a result: {void}"),
        Frame::Over(OverFrame::Result { words, .. }) => ended(words),
    }
}

fn ended(words: &str) -> String {
    format!("over\n  {}", words.replace('\n', "\n  "))
}
