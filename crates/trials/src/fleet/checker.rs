//! The independent checker: compares what players received with the stored records. It knows
//! nothing about nodes, leases and links; it replays games by their rules.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use hall::Eyes;
use rules::Seat;
use serde_json::{Value, json};
use store::{Archive, Filter, Kind, Replay};
use wire::{Ending, Games};

use super::player::{Life, Note, Print};

/// What was checked, and what is wrong.
#[derive(Debug, Default)]
pub struct Verdict {
    pub games: u64,
    pub void: u64,
    pub moves: u64,
    /// Moves acknowledged to a player.
    pub acknowledged: u64,
    /// Positions sent to a player.
    pub told: u64,
    /// Results sent to a player.
    pub ends: u64,
    /// Players whose moves were compared with the records.
    pub counted: u64,
    pub faults: Vec<String>,
}

impl Verdict {
    pub fn json(&self) -> Value {
        json!({
            "games": self.games, "void": self.void, "moves": self.moves,
            "acknowledged_moves_found": self.acknowledged, "positions_confirmed": self.told,
            "results_confirmed": self.ends, "players_counted": self.counted,
        })
    }

    fn wrong(&mut self, what: String) {
        self.faults.push(what);
    }
}

/// A game according to its records.
struct Told {
    replay: Replay,
    /// The moves each seat made itself, by turn.
    moved: BTreeMap<(u64, u64), Value>,
    /// Whether a seat left or timed out since the last move, which may have ended the game.
    ended_by_others: bool,
    closing: Value,
}

impl Told {
    fn read(replay: Replay, verdict: &mut Verdict) -> Result<Told> {
        let what = format!("{} {}", replay.summary.game, replay.summary.id);
        let (mut moved, mut ended_by_others) = (BTreeMap::new(), false);
        for line in &replay.lines {
            let mut record: Value = serde_json::from_str(&line.record)?;
            ended_by_others |= record.get("retired").is_some() || record.get("expired").is_some();
            let Some(made) = record.get_mut("moved") else { continue };
            verdict.moves += 1;
            ended_by_others = false;
            let place = (made["seq"].as_u64(), made["seat"].as_u64());
            let (Some(seq), Some(seat)) = place else { continue };
            let by_itself = made.get("how").is_none();
            let action = if by_itself { made["action"].take() } else { Value::Null };
            if moved.insert((seq, seat), action).is_some() {
                verdict.wrong(format!("{what}: seat {seat} has moved twice in turn {seq}"));
            }
        }
        let closing = serde_json::from_str(replay.summary.closing.get())?;
        Ok(Told { replay, moved, ended_by_others, closing })
    }

    fn name(&self) -> String {
        format!("{} {}", self.replay.summary.game, self.replay.summary.id)
    }

    fn records(&self) -> Vec<(u64, &str)> {
        self.replay.lines.iter().map(|line| (line.at, &*line.record)).collect()
    }

    /// The updates a seat should have received, by turn.
    fn updates(&self, games: &Games, seat: u64) -> Result<BTreeMap<u64, Vec<Print>>, String> {
        let game = games.find(&self.replay.summary.game)?;
        let seat = Seat(seat as u8);
        let frames = game.frames(&self.records(), Eyes::Seat(seat))?;
        let mut updates: BTreeMap<u64, Vec<Print>> = BTreeMap::new();
        for line in frames.lines() {
            let frame: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            if let (Some("update"), Some(seq)) = (frame["type"].as_str(), frame["seq"].as_u64()) {
                updates.entry(seq).or_default().push(Print::of(&frame["view"]));
            }
        }
        Ok(updates)
    }

    /// Place and points of a seat.
    fn standing(&self, seat: usize) -> Option<(u64, i64)> {
        let standing = self.closing.get("over")?.get(seat)?;
        Some((standing["place"].as_u64()?, standing["points"].as_i64()?))
    }
}

/// Checks every finished game against what every player remembers.
pub fn check(games: &Games, archive: &dyn Archive, lives: &[Life]) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let told = read(games, archive, &mut verdict)?;
    let mut of_players: BTreeMap<(&str, &str), Vec<&Told>> = BTreeMap::new();
    let mut by_id: BTreeMap<(&str, &str), &Told> = BTreeMap::new();
    for game in &told {
        let summary = &game.replay.summary;
        by_id.insert((&summary.game, &summary.id), game);
        for name in &summary.players {
            of_players.entry((&summary.game, name)).or_default().push(game);
        }
    }
    for life in lives {
        if let Some(last) = &life.forgotten {
            let Life { heard, moves, .. } = life;
            verdict.wrong(format!("heard nothing more ({heard} messages, {moves} moves): {last}"));
        }
        if life.is_house {
            check_notes(games, life, &by_id, &mut verdict);
        } else if let Some([game]) = of_players.get(&(life.game, &*life.name)).map(Vec::as_slice) {
            check_counts(life, game, &mut verdict);
        }
    }
    Ok(verdict)
}

fn read(games: &Games, archive: &dyn Archive, verdict: &mut Verdict) -> Result<Vec<Told>> {
    let mut told = Vec::new();
    let mut filter = Filter { limit: 500, ..Filter::default() };
    loop {
        let page = archive.finished(&filter)?;
        let Some(last) = page.last() else { return Ok(told) };
        filter.after = Some(last.place);
        for summary in page {
            let what = format!("{} {}", summary.game, summary.id);
            let Some(replay) = archive.replay(Kind::Table, &summary.game, &summary.id)? else {
                verdict.wrong(format!("{what} is listed and not there"));
                continue;
            };
            verdict.games += 1;
            if summary.status != "finished" {
                verdict.void += 1;
                verdict.wrong(format!("{what} is void: {}", summary.closing.get()));
            }
            let game = Told::read(replay, verdict)?;
            if let Err(why) = games.find(&summary.game).and_then(|g| g.verify(&game.records())) {
                verdict.wrong(format!("{what}: {why}"));
            }
            told.push(game);
        }
    }
}

/// Checks what a player of the JSON protocol remembers, word by word.
fn check_notes(
    games: &Games,
    life: &Life,
    by_id: &BTreeMap<(&str, &str), &Told>,
    verdict: &mut Verdict,
) {
    let who = format!("{} {}", life.game, life.name);
    let mut table: Option<&Told> = None;
    let mut updates: BTreeMap<u64, BTreeMap<u64, Vec<Print>>> = BTreeMap::new();
    let (mut seat, mut latest) = (0, None);
    let mut sent: BTreeMap<u64, &Value> = BTreeMap::new();
    let mut missing = BTreeSet::new();
    for note in &life.notes {
        match note {
            Note::Joined { table: id } => {
                table = by_id.get(&(life.game, &**id)).copied();
                updates.clear();
                sent.clear();
                latest = None;
                missing.insert(id.clone());
            }
            Note::Lost => latest = None,
            Note::Sent { seq, action } => _ = sent.insert(*seq, action),
            Note::Accepted { seq } => match table.and_then(|game| game.moved.get(&(*seq, seat))) {
                Some(action) if sent.get(seq) == Some(&action) => verdict.acknowledged += 1,
                Some(action) => verdict.wrong(format!(
                    "{who}: turn {seq} was accepted, and {action} is recorded in its place"
                )),
                None => verdict.wrong(format!(
                    "{who}: turn {seq} was accepted and is not recorded (tables {missing:?})"
                )),
            },
            Note::Update { seq, seat: own, view } => {
                seat = *own;
                if latest.is_some_and(|latest| *seq < latest) {
                    verdict.wrong(format!("{who}: turn {seq} was told after {latest:?}"));
                }
                latest = Some(*seq);
                let Some(game) = table else {
                    verdict.wrong(format!("{who}: turn {seq} was told of a game that is not kept"));
                    continue;
                };
                let known = match updates.get(own) {
                    Some(known) => known,
                    None => match game.updates(games, *own) {
                        Ok(known) => updates.entry(*own).or_insert(known),
                        Err(why) => return verdict.wrong(format!("{who}: {why}")),
                    },
                };
                match known.get(seq).is_some_and(|views| views.contains(view)) {
                    true => verdict.told += 1,
                    false => verdict.wrong(format!(
                        "{who} {}: turn {seq} was told otherwise than it is recorded",
                        game.name()
                    )),
                }
            }
            Note::Over(over) => {
                let Some(game) = table else { continue };
                let of = |key: &str| over[key][seat as usize].as_i64();
                let told = of("places").map(|place| place as u64).zip(of("points"));
                match told == game.standing(seat as usize) {
                    true => verdict.ends += 1,
                    false => verdict.wrong(format!(
                        "{who} {}: the end was told as {over}, and is {}",
                        game.name(),
                        game.closing
                    )),
                }
            }
        }
    }
}

/// Checks what a player of another protocol remembers: the number of moves, and the end.
fn check_counts(life: &Life, game: &Told, verdict: &mut Verdict) {
    let Life { name, wire, .. } = life;
    let who = format!("{name} on {wire}, {}", game.name());
    let seat = game.replay.summary.players.iter().position(|player| player == name);
    let Some(seat) = seat else { return };
    let mine = |((_, of), action): &(&(u64, u64), &Value)| *of == seat as u64 && !action.is_null();
    let made = game.moved.iter().filter(mine).count() as u64;
    verdict.counted += 1;
    // Some protocols have a choice before the first turn, which their clients don't count as a
    // move. And if other players' leaving ended the game, a last move may have been in transit.
    let on_its_way = u64::from(game.ended_by_others);
    let sent = life.moves.saturating_sub(on_its_way)..=life.moves + 1;
    // Every move of a client that was never cut off and never refused must be in the records. In
    // protocols without reconnection a client ends with its connection and receives no result.
    let is_smooth = life.lost == 0 && life.refused == 0 && life.forgotten.is_none();
    let is_told = |ending: &Ending| ending.won.is_some() || ending.points.is_some();
    let is_whole = is_smooth && life.ending.as_ref().is_some_and(is_told);
    if made > *sent.end() || (is_whole && !sent.contains(&made)) {
        verdict.wrong(format!("{who}: {} moves were sent and {made} are recorded", life.moves));
    }
    let Some(ending) = &life.ending else { return };
    let Some((place, points)) = game.standing(seat) else { return };
    if !is_told(ending) {
        return;
    }
    // A protocol may name fewer winners than the records do, and never others. But in some games a
    // winner who leaves before confirming the result loses.
    let has_gone = !game.closing["over"][seat]["exit"].is_null();
    let is_right = (ending.won != Some(true) || place == 1 || has_gone)
        && ending.points.is_none_or(|told| told == points || has_gone);
    match is_right {
        true => verdict.ends += 1,
        false => {
            let (lost, players) = (life.lost, &game.replay.summary.players);
            verdict.wrong(format!(
                "{who}: the end was told as {ending:?}, and is {} for {players:?}; its connection was lost \
                 {lost} times: {}",
                game.closing, life.trail
            ));
        }
    }
}
