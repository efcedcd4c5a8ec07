//! A game of Sushi Go, drawn for people.

use std::fmt::Write;

use rules::picture::{Scene, counted, wrapped};
use rules::{Seat, Viewer};

use super::ROUNDS;
use super::card::Card;
use super::view::View;

/// A line for each player; below it the cards on its table and, where they are known, in its hand.
pub fn draw(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let mut text = match view.outcome {
        None => format!("round {} of {ROUNDS}, turn {}\n", view.round, view.turn),
        Some(_) => format!("the game is over in round {} of {ROUNDS}\n", view.round),
    };
    for (seat, place) in Seat::all(view.seats.len()).zip(&view.seats) {
        let (points, puddings) =
            (counted(place.score, "point"), counted(place.puddings, "pudding"));
        write!(text, "{}  {points}, {puddings}", scene.padded(seat)).expect("writing to a string");
        if let Some(exit) = &place.exit {
            write!(text, " ({exit})").expect("writing to a string");
        }
        match view.news.as_ref().map(|news| &news.played[seat.index()][..]) {
            Some(played @ [_, ..]) => {
                let played: Vec<&str> = played.iter().map(|card| card.name()).collect();
                writeln!(text, "; played {}", played.join(" and "))
            }
            _ => writeln!(text),
        }
        .expect("writing to a string");
        if !place.table.is_empty() {
            text += &wrapped("    table  ", names(&place.table), ", ");
        }
        let seen = scene.seen_by(seat);
        let hand = seen.hand.as_ref().filter(|_| seen.viewer == Viewer::Seat(seat));
        if let Some(hand) = hand.filter(|hand| !hand.is_empty()) {
            text += &wrapped("    hand   ", names(hand), ", ");
        }
    }
    if let Some(end) =
        view.news.as_ref().and_then(|news| Some((news.round, news.round_end.as_ref()?)))
    {
        let (round, end) = end;
        let worths = Seat::all(view.seats.len()).zip(&end.worths);
        let worths = worths.map(|(seat, worth)| format!("{} {}", scene.name(seat), worth.total()));
        text += &wrapped(&format!("round {round} brought "), worths, ", ");
        if view.outcome.is_some() && round == ROUNDS {
            let totals = Seat::all(view.seats.len()).zip(view.seats.iter().zip(&end.scores));
            let puddings = totals.map(|(seat, (place, before))| {
                format!("{} {:+}", scene.name(seat), place.score - before)
            });
            text += &wrapped("puddings brought ", puddings, ", ");
        }
    }
    text
}

fn names(cards: &[Card]) -> impl Iterator<Item = String> {
    cards.iter().map(|card| card.name().to_owned())
}
