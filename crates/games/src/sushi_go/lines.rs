//! What the server says: each line as it looks on the wire, in both dialects.

use std::sync::Arc;

use hall::{Company, Decided, Enrolled, Entered, Member, Paired, Status, TableInfo};
use rules::{Outcome, Seat, SeatSet};
use serde_json::json;
use wire::UpdateOf;

use super::rules::{Card, News, RoundEnd, SushiGo, View, scoring};

/// Whose words are spoken: the wire document's, or those of the later Python kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    Document,
    Kit,
}

pub fn welcome(company: &Company, seat: Seat, token: &str) -> String {
    format!("WELCOME {} {seat} {token}", company.table)
}

pub fn rejoined(company: &Company, seat: Seat) -> String {
    format!("REJOINED {} {seat}", company.table)
}

pub fn joined(company: &Company, seat: Seat) -> String {
    format!("JOINED {} {}/{}", company.name(seat), company.count(), company.seats.len())
}

pub fn left(name: &str) -> String {
    format!("LEFT {name}")
}

pub fn tournament_welcome(enrolled: &Enrolled, token: &str) -> String {
    let Enrolled { tournament, entrants, max_entrants, .. } = enrolled;
    format!("TOURNAMENT_WELCOME {tournament} {entrants}/{max_entrants} {token}")
}

pub fn tournament_rejoined(enrolled: &Enrolled) -> String {
    format!("TOURNAMENT_REJOINED {} {}", enrolled.tournament, enrolled.name)
}

pub fn tournament_joined(entered: &Entered) -> String {
    let Entered { tournament, name, entrants, max_entrants } = entered;
    format!("TOURNAMENT_JOINED {tournament} {name} {entrants}/{max_entrants}")
}

pub fn tournament_match(paired: &Paired) -> String {
    let Paired { tournament, round, game } = paired;
    match game {
        Some((opponents, token)) => {
            let opponents = opponents.join(",");
            format!("TOURNAMENT_MATCH {tournament} {token} {round} {opponents}")
        }
        None => format!("TOURNAMENT_MATCH {tournament} BYE {round}"),
    }
}

/// A tournament that was called off has no winner; no player can have this name.
pub fn tournament_complete(decided: &Decided) -> String {
    let winner = decided.winner.as_deref().unwrap_or("(cancelled)");
    format!("TOURNAMENT_COMPLETE {} {winner}", decided.tournament)
}

/// The kit is told how long a move may take; 0: as long as it likes.
pub fn game_start(words: Words, players: usize, turn_ms: Option<u64>) -> String {
    match words {
        Words::Document => format!("GAME_START {players}"),
        Words::Kit => format!("GAME_START {players} {}", turn_ms.unwrap_or(0)),
    }
}

/// Hands go from each to the next.
pub fn player_order(company: &Company) -> String {
    let names: Vec<&str> = company.seats.iter().flatten().map(|member| &*member.name).collect();
    format!("PLAYER_ORDER {}", names.join(","))
}

pub fn round_start(round: u8) -> String {
    format!("ROUND_START {round}")
}

pub fn hand(cards: &[Card]) -> String {
    let mut line = String::with_capacity(24 * cards.len());
    line += "HAND";
    for (index, card) in cards.iter().enumerate() {
        line += " ";
        push_index(&mut line, index);
        line += ":";
        line += card.name();
    }
    line
}

/// A hand is said to every seat in every turn, so it is put together without the machinery of
/// `format!`.
fn push_index(line: &mut String, index: usize) {
    if index >= 10 {
        push_index(line, index / 10);
    }
    line.push(char::from(b'0' + (index % 10) as u8));
}

pub fn played(words: Words, company: &Company, news: &News) -> String {
    let word = |card: &Card| match words {
        Words::Document => card.name(),
        Words::Kit => code(*card),
    };
    let mut line = String::with_capacity(32 * news.played.len());
    line += "PLAYED ";
    for (seat, cards) in Seat::all(news.played.len()).zip(&news.played) {
        line += if seat == Seat(0) { "" } else { "; " };
        line += company.name(seat);
        line += ":";
        for (index, card) in cards.iter().enumerate() {
            line += if index == 0 { "" } else { "," };
            line += word(card);
        }
    }
    line
}

pub fn waiting(company: &Company, owed: SeatSet) -> String {
    let names: Vec<&str> = owed.iter().map(|seat| company.name(seat)).collect();
    format!("WAITING {}", names.join(" "))
}

pub fn round_end(words: Words, company: &Company, round: u8, end: &RoundEnd) -> String {
    let scores = match words {
        Words::Document => object(company, end.scores.iter()),
        Words::Kit => object(
            company,
            end.worths.iter().map(|worth| {
                format!(
                    concat!(
                        r#"{{"maki_points":{},"tempura_points":{},"sashimi_points":{},"#,
                        r#""dumpling_points":{},"nigiri_points":{},"total":{}}}"#
                    ),
                    worth.maki,
                    worth.tempura,
                    worth.sashimi,
                    worth.dumpling,
                    worth.nigiri,
                    worth.total()
                )
            }),
        ),
    };
    format!("ROUND_END {round} {scores}")
}

pub fn game_end(words: Words, company: &Company, outcome: &Outcome) -> String {
    let scores = object(company, outcome.standings.iter().map(|standing| standing.points));
    game_end_with(words, company, &scores, outcome.winners())
}

/// The end of a game that has no result.
pub fn game_aborted(words: Words, company: &Company, view: Option<&View>) -> String {
    let scores = match view {
        Some(view) => object(company, view.seats.iter().map(|seat| seat.score)),
        None => object(company, company.seats.iter().map(|_| 0)),
    };
    game_end_with(words, company, &scores, SeatSet::EMPTY)
}

fn game_end_with(words: Words, company: &Company, scores: &str, winners: SeatSet) -> String {
    let winners: Vec<&str> = winners.iter().map(|seat| company.name(seat)).collect();
    match words {
        Words::Document => format!("GAME_END {scores} {}", json!(winners)),
        Words::Kit => format!("GAME_END {scores} WINNER:{}", winners.join(",")),
    }
}

/// A compact object with the names as keys, in seat order; free seats have no name.
fn object<V: ToString>(company: &Company, values: impl Iterator<Item = V>) -> String {
    let pair = |(member, value): (&Option<Member>, V)| {
        let name = &member.as_ref()?.name;
        Some(format!("{}:{}", json!(**name), value.to_string()))
    };
    let pairs: Vec<String> = company.seats.iter().zip(values).filter_map(pair).collect();
    format!("{{{}}}", pairs.join(","))
}

pub fn games(tables: &[Arc<TableInfo>]) -> String {
    let games: Vec<_> = tables.iter().map(|table| game(table)).collect();
    format!("GAMES {}", json!(games))
}

/// A game as lists show it, here and over HTTP.
pub fn game(table: &TableInfo) -> serde_json::Value {
    let status = match table.status {
        Status::Waiting => "waiting",
        Status::Playing => "playing",
        Status::Finished | Status::Void => "finished",
    };
    json!({
        "id": *table.id,
        "player_count": table.players,
        "max_players": table.seats,
        "status": status,
    })
}

pub fn status(table: &TableInfo, seat: Seat, update: Option<&UpdateOf<SushiGo>>) -> String {
    let view = update.map(|update| update.view());
    let maki = |cards: &[Card]| cards.iter().map(|card| card.maki()).sum::<u32>();
    let playing = table.status == Status::Playing;
    // The table may be a turn ahead of what this player has been told; then all had moved.
    let ahead = update.is_some_and(|update| update.seq != table.turn.seq);
    let player = |at: Seat| {
        let seen = view.map(|view| &view.seats[at.index()]);
        json!({
            "name": table.company.name(at),
            "has_submitted": playing && (ahead || !table.turn.owed.contains(at)),
            "puddings": seen.map_or(0, |seen| seen.puddings),
            "maki_count": seen.map_or(0, |seen| maki(&seen.table)),
            "score": seen.map_or(0, |seen| seen.score),
            "played_cards": seen.map_or(&[][..], |seen| &seen.table),
        })
    };
    let taken = |at: &Seat| table.company.seats[at.index()].is_some();
    let players: Vec<_> = Seat::all(table.company.seats.len()).filter(taken).map(player).collect();
    let own = view.map(|view| &view.seats[seat.index()]);
    let laid = own.map_or(&[][..], |own| &own.table);
    let status = json!({
        "game_id": *table.id,
        "phase": match table.status {
            Status::Waiting => "lobby",
            Status::Playing => "playing",
            Status::Finished | Status::Void => "ended",
        },
        "round": view.map_or(0, |view| view.round),
        "turn": view.map_or(0, |view| view.turn),
        "players": players,
        "your_hand": view.and_then(|view| view.hand.as_deref()).unwrap_or(&[]),
        "your_played_cards": laid,
        "your_puddings": own.map_or(0, |own| own.puddings),
        "your_chopsticks": laid.iter().filter(|&&card| card == Card::Chopsticks).count(),
        "your_wasabi_slots": scoring::free_wasabi(laid),
    });
    format!("STATUS {status}")
}

/// The kit's three letters for a card.
fn code(card: Card) -> &'static str {
    match card {
        Card::Tempura => "TMP",
        Card::Sashimi => "SSH",
        Card::Dumpling => "DMP",
        Card::Maki1 => "MK1",
        Card::Maki2 => "MK2",
        Card::Maki3 => "MK3",
        Card::Egg => "EGG",
        Card::Salmon => "SAL",
        Card::Squid => "SQD",
        Card::Pudding => "PUD",
        Card::Wasabi => "WAS",
        Card::Chopsticks => "CHP",
    }
}

/// A card by its name or by the kit's three letters.
pub fn card(word: &str) -> Option<Card> {
    let mut cards = Card::DECK.iter().map(|(card, _)| *card);
    cards.find(|card| card.name() == word || code(*card) == word)
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
