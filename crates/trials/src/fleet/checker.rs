//! The independent checker: compares what players received with the stored records. It knows
//! nothing about nodes, leases and links; it replays games by their rules.

use std::collections::BTreeMap;

use anyhow::Result;
use hall::Eyes;
use rules::Seat;
use serde_json::{Value, json};
use store::{Archive, Filter, Kind, Replay};
use wire::{Ending, Games};

use super::memories;
use super::player::{Life, Print};

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
    /// What was sent to a player while a switch of the database could undo it, and did.
    pub undone: u64,
    pub faults: Vec<String>,
}

impl Verdict {
    pub fn json(&self) -> Value {
        json!({
            "games": self.games, "void": self.void, "moves": self.moves,
            "acknowledged_moves_found": self.acknowledged, "positions_confirmed": self.told,
            "results_confirmed": self.ends, "players_counted": self.counted,
            "undone_by_switches": self.undone,
        })
    }

    pub fn wrong(&mut self, what: String) {
        self.faults.push(what);
    }

    /// A difference from the records, which is a fault unless it may have been undone.
    pub fn differs(&mut self, is_doubtful: bool, what: String) {
        match is_doubtful {
            true => self.undone += 1,
            false => self.wrong(what),
        }
    }
}

/// A game according to its records.
pub struct Told {
    replay: Replay,
    /// The moves each seat made itself, by turn.
    pub moved: BTreeMap<(u64, u64), Value>,
    /// Whether a seat left or timed out since the last move, which may have ended the game.
    ended_by_others: bool,
    pub closing: Value,
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

    pub fn name(&self) -> String {
        format!("{} {}", self.replay.summary.game, self.replay.summary.id)
    }

    fn records(&self) -> Vec<(u64, &str)> {
        self.replay.lines.iter().map(|line| (line.at, &*line.record)).collect()
    }

    /// The updates a seat should have received, by turn.
    pub fn updates(&self, games: &Games, seat: u64) -> Result<BTreeMap<u64, Vec<Print>>, String> {
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
    pub fn standing(&self, seat: usize) -> Option<(u64, i64)> {
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
            memories::check(games, life, &by_id, &mut verdict);
        } else if life.is_doubtful {
            // Its moves are only counted, and some may have been undone.
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::memory::Memory;

    use super::super::player::Note;
    use super::*;

    fn verdict_on(notes: Vec<Note>) -> Verdict {
        let mut life = Life::default();
        (life.game, life.is_house, life.notes) = ("go", true, notes);
        check(&Games::default(), &Memory::default(), &[life]).expect("it is read")
    }

    #[test]
    fn what_a_switch_may_have_undone_is_counted_and_everything_else_is_a_fault() {
        let told = |seq| Note::Update { seq, seat: 0, view: Print::of(&json!({ "turn": seq })) };
        let joined = Note::Joined { table: "gone".to_owned() };
        let doubt = |begins| Note::Doubt { begins };
        let accepted = Note::Accepted { seq: 1 };
        let verdict = verdict_on(vec![joined, doubt(true), told(1), accepted, doubt(false)]);
        assert_eq!((verdict.undone, verdict.faults.len()), (2, 0), "{verdict:?}");
        let accepted = Note::Accepted { seq: 2 };
        let verdict = verdict_on(vec![doubt(true), doubt(false), told(2), accepted]);
        assert_eq!((verdict.undone, verdict.faults.len()), (0, 2), "{verdict:?}");
    }
}
