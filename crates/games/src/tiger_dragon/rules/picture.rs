//! A match of Tiger & Dragon, drawn for people.

use rules::picture::{Scene, counted, wrapped};
use rules::{Seat, Viewer};

use super::view::{Attack, News, Phase, RoundResult, View};

/// A line for each player: score, tiles in the hand, tiles on the table in the order of play, as
/// the wire writes them (`4A` attacked, `7D` defended, `B` face down). Below it the hand, where
/// it is known.
pub fn draw(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let mut text: String = view.news.iter().map(|news| told(scene, news)).collect();
    let (round, turn, battlefield) = (view.round, view.turn, view.battlefield.name);
    text += &format!("round {round}, turn {turn}, {battlefield}: {}\n", headline(scene));
    for seat in Seat::all(view.seats()) {
        let index = seat.index();
        let mark = match (&view.exits[index], view.phase) {
            (Some(_), _) => 'x',
            (None, Phase::Finished) => ' ',
            (None, _) if seat == view.current => '>',
            _ => ' ',
        };
        let heading = format!(
            "{mark} {}  {:>2}/{} points  {:<8}  ",
            scene.padded(seat),
            view.scores[index],
            view.target,
            counted(view.hand_sizes[index], "tile"),
        );
        let seen = scene.seen_by(seat);
        text += &wrapped(&heading, seen.discards[index].iter().map(ToString::to_string), " ");
        if seen.viewer == Viewer::Seat(seat) && !seen.hand.is_empty() {
            text += &wrapped("    hand  ", seen.hand.iter().map(ToString::to_string), " ");
        }
    }
    if !view.legal.is_empty() {
        text += &format!("legal: {}\n", view.legal);
    }
    text
}

fn headline(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let current = scene.name(view.current);
    match (view.phase, view.attack) {
        (Phase::Attack, _) => format!("{current} attacks"),
        (Phase::Defend, Some(Attack { seat, tile })) => {
            format!("{current} answers the {tile} of {}", scene.name(seat))
        }
        (Phase::BonusReceive, _) => format!("{current} puts a tile face down"),
        _ => "the match is over".to_owned(),
    }
}

/// One thing that happened, on a line.
pub fn told(scene: &Scene<'_, View>, news: &News) -> String {
    match news {
        News::Attacked { seat, tile } => format!("{} attacked with {tile}\n", scene.name(*seat)),
        News::Defended { seat, tile } => format!("{} defended with {tile}\n", scene.name(*seat)),
        News::Passed { seat } => format!("{} passed\n", scene.name(*seat)),
        News::PutFaceDown { seat } => format!("{} put a tile face down\n", scene.name(*seat)),
        News::RoundEnded(RoundResult { round, winner, last_tile, points, .. }) => {
            let (name, points) = (scene.name(*winner), counted(*points, "point"));
            format!("{name} won round {round} with {last_tile} and gets {points}\n")
        }
        News::RoundBegan { round, start } => {
            format!("round {round} began with {}\n", scene.name(*start))
        }
        News::Retired { seat, exit } => format!("{} is out: {exit}\n", scene.name(*seat)),
    }
}
