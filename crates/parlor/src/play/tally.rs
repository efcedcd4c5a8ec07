//! What all games together say of each bot.

use std::path::Path;

use serde_json::{Value, json};

use super::game::{BotPlayed, Played};
use super::reasons::Reason;

/// One bot's share of all games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    label: String,
    games: u64,
    wins: u64,
    points: i64,
    scored: u64,
    moves: u64,
    thought_ms: u64,
    timeouts: u64,
    refusals: u64,
    /// Games in which its program was in trouble, or which it missed or left.
    errors: u64,
    /// The last words about that.
    troubles: Vec<String>,
    /// The tables at which it was not first, with their seeds.
    lost: Vec<(String, u64)>,
}

/// How one bot did in one game.
pub struct Share {
    pub place: Option<u32>,
    pub points: Option<i64>,
    pub exit: Option<String>,
    pub moves: u64,
    pub thought_ms: u64,
    pub timeouts: u32,
}

pub fn share(played: &Played, bot: &BotPlayed) -> Share {
    let none =
        Share { place: None, points: None, exit: None, moves: 0, thought_ms: 0, timeouts: 0 };
    let Some(account) = &played.account else {
        // The game never began: the players that came have won it, if any did.
        let somebody = played.bots.iter().any(|other| !other.absent);
        let place = if bot.absent { 2 } else { 1 };
        return Share { place: somebody.then_some(place), ..none };
    };
    let Some(seat) = account.seats.iter().find(|seat| seat.name == bot.name) else { return none };
    let standing = seat.standing.as_ref();
    Share {
        place: standing.map(|standing| standing.place),
        points: standing.map(|standing| standing.points),
        exit: standing.and_then(|standing| standing.exit.as_ref()).map(ToString::to_string),
        moves: seat.thoughts_ms.len() as u64,
        thought_ms: seat.thoughts_ms.iter().sum(),
        timeouts: seat.timeouts,
    }
}

impl Tally {
    pub fn new(label: &str) -> Tally {
        Tally { label: label.to_owned(), ..Tally::default() }
    }

    pub fn add(&mut self, played: &Played, bot: &BotPlayed) {
        let share = share(played, bot);
        self.games += 1;
        self.wins += u64::from(share.place == Some(1));
        self.points += share.points.unwrap_or(0);
        self.scored += u64::from(share.points.is_some());
        self.moves += share.moves;
        self.thought_ms += share.thought_ms;
        self.timeouts += u64::from(share.timeouts);
        self.refusals += bot.refusals.len() as u64;
        let mut troubles = [&bot.troubles[..], &bot.last_words].concat();
        troubles.extend(share.exit.map(|exit| format!("out of the game: {exit}")));
        match (bot.reasons.last(), bot.refusals.last()) {
            (Some(reason), _) => troubles.push(format!("refused: {}", reason.in_short())),
            (None, Some(refusal)) => troubles.push(format!("refused: {refusal}")),
            (None, None) => {}
        }
        if share.place.is_some_and(|place| place > 1) {
            self.lost.push((played.table.clone(), played.seed));
        }
        self.errors += u64::from(bot.absent || !bot.troubles.is_empty());
        if !troubles.is_empty() {
            troubles[0] = format!("{}: {}", played.table, troubles[0]);
            self.troubles = troubles;
        }
    }

    fn points_per_game(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.points as f64 / self.scored as f64)
    }

    fn ms_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.thought_ms as f64 / self.moves as f64)
    }

    /// The games that it has lost, each with what plays the same deal again.
    pub fn lost_games(&self, folder: Option<&Path>) -> Option<String> {
        const SHOWN: usize = 8;
        let (first, _) = self.lost.first()?;
        let mut text =
            format!("{} lost {} of {}:", shortened(&self.label), self.lost.len(), self.games);
        for (table, seed) in self.lost.iter().take(SHOWN) {
            let file = match folder {
                Some(folder) => folder.join(format!("{table}.jsonl")).display().to_string(),
                None => table.clone(),
            };
            text += &format!("\n  {file}  --deal {seed}");
        }
        if self.lost.len() > SHOWN {
            text += &format!("\n  and {} more", self.lost.len() - SHOWN);
        }
        if let Some(folder) = folder {
            let file = folder.join(format!("{first}.jsonl"));
            text += &format!("\nSee why with: parlor replay {} --all", file.display());
        }
        Some(text)
    }

    pub fn json(&self) -> Value {
        json!({
            "bot": self.label,
            "games": self.games,
            "wins": self.wins,
            "points_per_game": self.points_per_game(),
            "ms_per_move": self.ms_per_move(),
            "timeouts": self.timeouts,
            "refusals": self.refusals,
            "errors": self.errors,
            "troubles": self.troubles,
        })
    }
}

/// One game as a line of JSON.
pub fn game_json(played: &Played, labels: &[String]) -> Value {
    let mut seats: Vec<(usize, Value)> = Vec::new();
    for (bot, label) in played.bots.iter().zip(labels) {
        let share = share(played, bot);
        let seat = json!({
            "seat": bot.seat,
            "bot": label,
            "name": bot.name,
            "place": share.place,
            "points": share.points,
            "exit": share.exit,
            "moves": share.moves,
            "timeouts": share.timeouts,
            "refusals": bot.refusals,
            "reasons": bot.reasons.iter().map(Reason::json).collect::<Vec<_>>(),
            "absent": bot.absent,
            "troubles": bot.troubles,
            "last_words": bot.last_words,
        });
        seats.push((bot.seat, seat));
    }
    seats.sort_by_key(|(seat, _)| *seat);
    let seats: Vec<Value> = seats.into_iter().map(|(_, seat)| seat).collect();
    let void = match &played.account {
        Some(account) => account.void.clone(),
        None => Some("never began".to_owned()),
    };
    let number = played.number + 1;
    json!({"game": number, "table": played.table, "seed": played.seed, "void": void, "seats": seats})
}

/// The table at the end.
pub fn table(tallies: &[Tally]) -> String {
    let heads = ["bot", "games", "wins", "points/game", "ms/move", "timeouts", "refused", "errors"];
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |n| format!("{n:.1}"));
    let mut rows = vec![heads.map(str::to_owned)];
    for tally in tallies {
        rows.push([
            shortened(&tally.label),
            tally.games.to_string(),
            tally.wins.to_string(),
            number(tally.points_per_game()),
            number(tally.ms_per_move()),
            tally.timeouts.to_string(),
            tally.refusals.to_string(),
            tally.errors.to_string(),
        ]);
    }
    let mut text = String::new();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..heads.len()).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        text += &format!("{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        text += "\n";
    }
    for tally in tallies.iter().filter(|tally| !tally.troubles.is_empty()) {
        text += &format!("\n{}, in ", shortened(&tally.label));
        text += &tally.troubles.join("\n  ");
        text += "\n";
    }
    text.truncate(text.trim_end().len());
    text
}

/// A command that fits into a table.
fn shortened(label: &str) -> String {
    const LONGEST: usize = 40;
    match label.char_indices().rev().nth(LONGEST - 2) {
        Some((begin, _)) if label.chars().count() > LONGEST => format!("…{}", &label[begin..]),
        _ => label.to_owned(),
    }
}
