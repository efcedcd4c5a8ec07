//! What happens at a table, in words for people.

use hall::{Closing, Company, Over, Update};
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
pub fn turn<G: Game>(seq: u64, to_move: SeatSet, scene: &Scene<'_, G::View>) -> String {
    let mut text = format!("turn {}", seq + 1);
    if !to_move.is_empty() {
        text += &format!(", {} to move", scene.list(to_move.iter()));
    }
    text += &format!("\n{}", G::picture(scene).trim_end());
    text
}

pub(crate) fn over<G: Game>(over: &Over<G>) -> String {
    closing(&over.closing, &over.company.names())
}

/// How a table ended, the best first.
pub fn closing(closing: &Closing, names: &[&str]) -> String {
    let outcome = match closing {
        Closing::Void(reason) => return format!("over, without a result: {reason}"),
        Closing::Over(outcome) => outcome,
    };
    let mut lines: Vec<(u32, String)> = outcome
        .standings
        .iter()
        .zip(names)
        .map(|(standing, name)| {
            let exit = match &standing.exit {
                None => String::new(),
                Some(exit) => format!(" ({exit})"),
            };
            let (place, points) = (standing.place, counted(standing.points, "point"));
            (place, format!("  {place}. {name}, {points}{exit}"))
        })
        .collect();
    lines.sort_by_key(|(place, _)| *place);
    lines.into_iter().fold("over".to_owned(), |text, (_, line)| text + "\n" + &line)
}
