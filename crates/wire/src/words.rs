//! What happens at a table, in words for people.

use std::fmt::Write;

use hall::{Closing, Company, Over, Update};
use rules::{Game, Seat};

/// Why an observer goes when there is nothing more to see.
pub const THE_END: &str = "the game is over";

/// Who sits where.
pub(crate) fn company(company: &Company) -> String {
    let mut text = format!("table {}", company.table);
    for (seat, member) in Seat::all(company.seats.len()).zip(&company.seats) {
        match member {
            None => write!(text, "\n  seat {seat}: free"),
            Some(member) => {
                let note = match (&member.bot, member.present) {
                    (Some(bot), _) => format!(" (house bot: {bot})"),
                    (None, true) => String::new(),
                    (None, false) => " (away)".to_owned(),
                };
                write!(text, "\n  seat {seat}: {}{note}", member.name)
            }
        }
        .expect("writing to a string");
    }
    text
}

/// The state of play; an organiser sees it with every seat's eyes, too.
pub(crate) fn update<G: Game>(update: &Update<G>) -> String {
    let names: Vec<&str> = update.owed.iter().map(|seat| update.company.name(seat)).collect();
    let mut text = format!("turn {}", update.seq);
    if !names.is_empty() {
        text += &format!(", to move: {}", names.join(", "));
    }
    text += &format!("\n{}", update.view.to_string().trim_end());
    for (seat, view) in Seat::all(update.seat_views.len()).zip(&update.seat_views) {
        let view = view.to_string();
        text += &format!("\nseen by {}:\n{}", update.company.name(seat), view.trim_end());
    }
    text
}

pub(crate) fn over<G: Game>(over: &Over<G>) -> String {
    let outcome = match &over.closing {
        Closing::Void(reason) => return format!("over, without a result: {reason}"),
        Closing::Over(outcome) => outcome,
    };
    let mut lines: Vec<(u32, String)> = Seat::all(outcome.standings.len())
        .zip(&outcome.standings)
        .map(|(seat, standing)| {
            let exit = match &standing.exit {
                None => String::new(),
                Some(exit) => format!(" ({exit})"),
            };
            let (place, name) = (standing.place, over.company.name(seat));
            let plural = if standing.points == 1 { "" } else { "s" };
            (place, format!("  {place}. {name}, {} point{plural}{exit}", standing.points))
        })
        .collect();
    lines.sort_by_key(|(place, _)| *place);
    lines.into_iter().fold("over".to_owned(), |text, (_, line)| text + "\n" + &line)
}
