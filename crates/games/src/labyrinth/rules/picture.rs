//! A labyrinth, drawn for people: each cell is its connector, who stands there, and whose home
//! it is.

use rules::Seat;
use rules::picture::Scene;

use super::super::board::{Board, Choice, Coordinate};
use super::Avatar;
use super::view::{Deed, Ending, View};

pub fn draw(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let mut text = headline(scene) + "\n" + &news(scene);
    let board: &Board = &view.maze.board;
    text += "   ";
    for column in 0..board.columns() {
        text += &format!(" {column:<3}");
    }
    for at in board.coordinates() {
        if at.column == 0 {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:>2} ", at.row);
        }
        let glyph = board.tile(at).connector.glyph();
        text += &format!(" {glyph}{}{}", standing_mark(view, at), home_mark(view, at));
    }
    text.truncate(text.trim_end().len());
    text += &format!("\nspare {}", view.maze.spare.connector.glyph());
    if let Some(last) = view.maze.last {
        text += &format!(", last slide {last}");
    }
    text += "\n";
    for seat in Seat::all(view.seats.len()) {
        text += &player(scene, seat);
    }
    text
}

/// What the game is at, or how it ended.
pub fn headline(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let mut text = match (view.ending, view.order.first()) {
        (None, Some(&mover)) => format!("round {}: {} to move", view.round, scene.name(mover)),
        (Some(Ending::Home(seat)), _) => format!("{} came home", scene.name(seat)),
        (Some(Ending::AllPassed), _) => "everybody passed".to_owned(),
        (Some(Ending::RoundLimit), _) => "the last round is played".to_owned(),
        (Some(Ending::AllEjected), _) | (None, None) => "nobody is left".to_owned(),
    };
    if view.ending.is_some() {
        text += &format!("; winners: {}", scene.list(view.winners.iter()));
    }
    text
}

fn news(scene: &Scene<'_, View>) -> String {
    let news = &scene.view.news;
    let (Some(mover), Some(deed)) = (news.mover, news.deed) else { return String::new() };
    let name = scene.name(mover);
    match deed {
        Deed::Passed => format!("{name} passed\n"),
        Deed::Played(Choice { slide, degree, to }) => {
            let degree = degree.number();
            format!("{name} slid {slide} with the spare turned by {degree}, and went to {to}\n")
        }
        Deed::Removed => format!("{name} was removed\n"),
    }
}

fn player(scene: &Scene<'_, View>, seat: Seat) -> String {
    let view = scene.view;
    let Avatar { color, home, position } = view.avatar(seat);
    let (mark, name) = (letter(seat, b'A'), scene.padded(seat));
    let mut text = format!("{mark} {name}");
    if *color.as_str() != *scene.name(seat) {
        text += &format!(" ({color})");
    }
    text += &format!(" at {position}, home {home}");
    if let Some(quest) = &scene.seen_by(seat).seats[seat.index()].quest {
        let [one, two] = quest.treasure.0.map(|gem| gem.name());
        let place = match quest.place {
            Some(place) => format!("at {place}"),
            None => "on the spare".to_owned(),
        };
        text += &format!("; {} found", quest.found);
        text += &match quest.homeward {
            true => "; now goes home".to_owned(),
            false => format!(";\n    looks for {one} and {two} {place}"),
        };
    }
    text += match (view.order.contains(&seat), view.leaving.contains(seat)) {
        (false, _) => "; out",
        (true, true) => "; leaving",
        (true, false) => "",
    };
    text + "\n"
}

/// The letter of the avatar on a cell, `*` where several stand.
fn standing_mark(view: &View, at: Coordinate) -> char {
    let mut here = view.order.iter().filter(|&&seat| view.avatar(seat).position == at);
    match (here.next(), here.next()) {
        (None, _) => ' ',
        (Some(&seat), None) => letter(seat, b'A'),
        (Some(_), Some(_)) => '*',
    }
}

fn home_mark(view: &View, at: Coordinate) -> char {
    let owner = Seat::all(view.seats.len()).find(|&seat| view.avatar(seat).home == at);
    owner.map_or(' ', |seat| letter(seat, b'a'))
}

fn letter(seat: Seat, first: u8) -> char {
    if seat.0 < 26 { char::from(first + seat.0) } else { '+' }
}
