//! A game of Gamba, drawn for people: the pile, both players' cards, and what just happened.

use rules::Seat;
use rules::picture::{Scene, counted, wrapped};

use super::{Ending, News, Reason, SEATS, Source, View};

pub fn draw(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let mut text = String::new();
    for news in &view.news {
        text += &told(scene, news);
    }
    if let Some(ending) = view.ending {
        text += &ended(scene, ending);
    }
    text += &match view.top() {
        None => "pile     empty".to_owned(),
        Some(top) => format!("top card {top}"),
    };
    if view.must_play_low {
        text += ", only 7 or lower may follow";
    }
    if view.deck_size > 0 {
        text += &format!("; {} to draw", counted(view.deck_size as i64, "card"));
    }
    if !view.burned.is_empty() {
        text += &format!("; {} burned", counted(view.burned.len() as i64, "card"));
    }
    text += "\n";
    if view.pile.len() > 1 {
        text += &wrapped("pile     ", view.pile.iter().map(ToString::to_string), " ");
    }
    for seat in Seat::all(SEATS) {
        let mark = if view.to_act == Some(seat) { '>' } else { ' ' };
        let seen = &scene.seen_by(seat).seats[seat.index()];
        let reserves = match &seen.reserve_cards {
            Some(cards) if !cards.is_empty() => format!("reserves {cards}"),
            _ => counted(seen.reserves as i64, "reserve"),
        };
        let heading = format!("{mark} {}  {reserves}, ", scene.padded(seat));
        text += &match &seen.hand {
            Some(hand) if !hand.is_empty() => {
                wrapped(&(heading + "hand "), hand.iter().map(ToString::to_string), " ")
            }
            _ => format!("{heading}{} in hand\n", counted(seen.hand_size as i64, "card")),
        };
    }
    text
}

fn told(scene: &Scene<'_, View>, news: &News) -> String {
    match news {
        News::Played { seat, cards, from, burned, drawn } => {
            let mut text = format!("{} played {cards}", scene.name(*seat));
            if *from == Source::Reserve {
                text += " from the reserve";
            }
            if *burned > 0 {
                text += &format!(", which burned {}", counted(*burned, "card"));
            }
            if *drawn > 0 {
                text += &format!(" and drew {}", counted(*drawn, "card"));
            }
            text + "\n"
        }
        News::PickedUp { seat, taken } => {
            format!("{} picked up {}\n", scene.name(*seat), counted(*taken, "card"))
        }
        News::ReserveFailed { seat, taken, .. } => {
            // Only its owner's view knows the card.
            let own = scene.seen_by(*seat);
            let card = own.news.iter().find_map(|news| match news {
                News::ReserveFailed { card, .. } => *card,
                _ => None,
            });
            let card =
                card.map_or_else(|| "a reserve".to_owned(), |card| format!("the reserve {card}"));
            let taken = counted(*taken, "card");
            format!("{} could not play {card} and picked up {taken}\n", scene.name(*seat))
        }
        News::Retired { seat, exit } => format!("{} is out: {exit}\n", scene.name(*seat)),
    }
}

fn ended(scene: &Scene<'_, View>, ending: Ending) -> String {
    let who = ending.winner.map_or("nobody", |seat| scene.name(seat));
    let why = match ending.reason {
        Reason::NoCardsRemaining => "no cards left",
        Reason::Retirement if ending.winner.is_some() => "the opponent is out",
        Reason::Retirement => "both are out",
        Reason::TurnLimit => "the turns ran out",
    };
    format!("{who} won: {why}\n")
}
