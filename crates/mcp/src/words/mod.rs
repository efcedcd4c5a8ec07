//! The texts that agents read.

mod position;
mod reply;
mod review;
mod tournament;

use serde_json::{Value, json};

pub use position::Position;
pub use reply::Reply;
pub use review::review;
pub use tournament::Cup;

use crate::{Guide, Refused, TableCard};

/// A call that works, shown after one that didn't.
pub fn example(tool: &str) -> String {
    let arguments = match tool {
        "rules" | "list_tables" => r#"{"game":"gamba"}"#,
        "join" => r#"{"game":"gamba","name":"Ann","opponents":["random"]}"#,
        "wait_turn" => r#"{"seat":"gamba:TOKEN","seconds":20}"#,
        "look" | "leave" => r#"{"seat":"gamba:TOKEN"}"#,
        "legal_actions" => r#"{"seat":"gamba:TOKEN","contains":"play"}"#,
        "act" => r#"{"seat":"gamba:TOKEN","seq":0,"action":{"play":["6S"]}}"#,
        "history" => r#"{"seat":"gamba:TOKEN","from":0}"#,
        "review" => r#"{"game":"gamba","table":"ROOM_1"}"#,
        _ => "{}",
    };
    format!("Arguments that work: {arguments}")
}

/// First steps, for a model that knows nothing yet.
pub const INSTRUCTIONS: &str = "\
Parlor is a server for turn-based games. list_games names them, rules explains one. join takes a seat: \
give `opponents` to play against house bots, or `table` to sit down where a player waits. Keep the seat \
that join returns and show it with every call. Then repeat: wait_turn until the status is your_turn, read \
the position, and act with its seq and one of the legal moves. Stop when the status is over. Nothing is \
lost if a call fails or is repeated: call it again.";

pub fn games(guides: Vec<(&'static str, Guide)>) -> Reply {
    let (mut words, mut list) = (String::from("The games:"), Vec::new());
    for (game, guide) in guides {
        let (hello, options) = (&guide.hello, &guide.options);
        let strategy = |bot: &Value| Some(bot["name"].as_str()?.to_owned());
        let bots = hello["strategies"].as_array().map(|all| all.iter().filter_map(strategy));
        let bots: Vec<String> = bots.map(Iterator::collect).unwrap_or_default();
        let seats = &hello["seats"];
        words += &format!(
            "\n\n{game}: {} to {} players\n  house bots, the weakest first: {}\n  an action: {}",
            seats["min"],
            seats["max"],
            bots.join(", "),
            hello["action"]["words"].as_str().unwrap_or_default()
        );
        if !options.is_empty() {
            words += &format!("\n  options of your own table: {}", options.join("; "));
        }
        list.push(json!({"game": game, "seats": seats, "strategies": hello["strategies"],
            "action": hello["action"], "name_rule": hello["name_rule"], "options": options}));
    }
    words += "\n\nrules explains a game; join sits down.";
    Reply::new(words, json!({"games": list}))
}

pub fn rules(game: &str, guide: &Guide) -> Reply {
    Reply::new(guide.rules.clone(), json!({"game": game, "rules": guide.rules}))
}

pub fn tables(tables: Vec<TableCard>) -> Reply {
    let line = |card: &TableCard| {
        let clock = card.clock_s.map_or(String::new(), |s| format!(", {s} s per move"));
        let open = if card.open { ", join it" } else { "" };
        let players = card.players.join(", ");
        let (game, table, status, seats) = (card.game, &card.table, card.status, card.seats);
        format!("  {game}  {table}  {status}, {seats} seats{clock}{open}  {players}")
    };
    let words = match tables.is_empty() {
        true => "There are no tables. join opens one.".to_owned(),
        false => {
            let lines: Vec<String> = tables.iter().map(line).collect();
            format!("Tables:\n{}", lines.join("\n"))
        }
    };
    Reply::new(words, json!({"tables": tables}))
}

pub fn joined(position: &Position, table: &str, guide: &Guide) -> Reply {
    let handle = &position.handle;
    let action = guide.hello["action"]["words"].as_str().unwrap_or_default();
    let how_to_act = format!(
        "Call wait_turn with your seat. When the status is your_turn, call act with the seat, the \
         seq and an action. An action: {action}"
    );
    let words = format!(
        "You have a seat at table {table}. Your seat is \"{handle}\": keep it, show it with every \
         call, and tell no one.\n{how_to_act}\n\n{}",
        position.words()
    );
    let mut json = position.json();
    json["table"] = json!(table);
    json["how_to_act"] = json!(how_to_act);
    Reply::new(words, json)
}

pub fn position(position: &Position) -> Reply {
    Reply::new(position.words(), position.json())
}

/// A move that was refused: why, and the position it must answer. A position that the move did answer
/// is known to the player, moves and all, so it is only named.
pub fn refused_move(refused: &Refused, position: &Position) -> Reply {
    let mut reply = Reply::refused(refused);
    let is_known = ["illegal", "bad-message"].contains(&refused.code.as_str());
    let (words, json) = match is_known && position.is_your_turn() {
        true => (position.reminder(), position.reminder_json()),
        false => (position.words(), position.json()),
    };
    reply.words += &format!("\n\n{words}");
    reply.json["seq"] = json["seq"].clone();
    reply.json["position"] = json;
    reply
}

/// The reply for a seat that can't be restored. Every other refusal stays a refusal.
pub fn gone(handle: &str, refused: Refused) -> Result<Reply, Refused> {
    if !["unknown-token", "already-over"].contains(&refused.code.as_str()) {
        return Err(refused);
    }
    let words =
        "This seat is gone: its game is over, or the seat was given up. join takes a new one.";
    let json = json!({"status": "gone", "seat": handle, "words": words});
    Ok(Reply::new(words.to_owned(), json))
}

pub fn legal(
    position: &Position,
    contains: Option<&str>,
    limit: Option<u64>,
) -> Result<Reply, Refused> {
    position.matching(contains, limit.unwrap_or(100).clamp(1, 500) as usize)
}

/// Earlier positions of a running game, as its seat saw them.
pub fn history(page: &Value) -> Reply {
    let updates = page["updates"].as_array().cloned().unwrap_or_default();
    let line = |update: &Value| {
        let moves = update["moves"].as_array().cloned().unwrap_or_default();
        let made = moves.iter().map(|made| format!("{} by seat {}", made["action"], made["seat"]));
        let news = &update["view"]["news"];
        format!("seq {}: {} {news}", update["seq"], made.collect::<Vec<String>>().join(", "))
    };
    let lines: Vec<String> = updates.iter().map(line).collect();
    let mut words = lines.join("\n");
    if let Some(next) = page["next"].as_u64() {
        words += &format!("\nCall history with from {next} for more.");
    }
    Reply::new(words, json!({"updates": updates, "next": page["next"]}))
}

/// Number of positions of a finished game per page.
const A_PAGE: usize = 20;

/// A game that is over, from one of its positions.
pub fn story(parts: &[String], from: u64) -> Reply {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let page: Vec<&String> = parts.iter().skip(from).take(A_PAGE).collect();
    let next = from.saturating_add(A_PAGE);
    let next = (next < parts.len()).then_some(next);
    let mut words = page.iter().map(|part| part.as_str()).collect::<Vec<&str>>().join("\n\n");
    if let Some(next) = next {
        words += &format!("\n\nCall history with from {next} for more.");
    }
    Reply::new(words, json!({"parts": page, "next": next}))
}

pub fn left(over: bool) -> Reply {
    let words = match over {
        true => "The game was over already. The seat is given up.",
        false => "You have left the table. The seat is given up.",
    };
    Reply::new(words.to_owned(), json!({"left": true}))
}
