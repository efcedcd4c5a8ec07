//! Compares what a server left on disk with what it reported about itself.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use store::folder::Folder;
use store::sqlite::{SqliteArchive, SqliteJournal};
use store::{Archive, Filter, Journal, Kind};
use wire::Games;

/// The server's own counters, by game.
pub struct Counters {
    pub games_finished: BTreeMap<String, u64>,
    pub moves: BTreeMap<String, u64>,
}

impl Counters {
    pub fn read(games: &Games, metrics: &str) -> Result<Counters> {
        let by_game = |name: &str| {
            let count = |game: &str| {
                let place = format!("{name}{{game=\"{game}\"}} ");
                let line = metrics.lines().find_map(|line| line.strip_prefix(&place));
                let line = line.with_context(|| format!("the server does not count {place}"))?;
                Ok((game.to_owned(), line.trim().parse()?))
            };
            games.names().into_iter().map(count).collect::<Result<_>>()
        };
        Ok(Counters {
            games_finished: by_game("parlor_games_finished_total")?,
            moves: by_game("parlor_moves_total")?,
        })
    }
}

/// The tables of the first page of a list.
pub fn listed(page: &Value) -> &[Value] {
    page["tables"].as_array().map_or(&[], Vec::as_slice)
}

/// A metric, all games together.
pub fn total(metrics: &str, name: &str) -> u64 {
    let values = metrics.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('{'));
    let values = values.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    values.sum()
}

pub struct Audit {
    pub verified: u64,
    pub records: u64,
    pub faults: Vec<String>,
}

/// Looks at everything in the log and in the journal.
pub fn audit(games: &Games, data: &Path, log: &Path, counters: &Counters) -> Result<Audit> {
    let log = std::fs::read_to_string(log)?;
    let bad = |line: &&str| line.contains("panicked") || line.contains("\"level\":\"ERROR\"");
    let mut audit = Audit { verified: 0, records: 0, faults: Vec::new() };
    audit.faults.extend(log.lines().filter(bad).map(|line| format!("the log says: {line}")));
    let (finished, moves) = audit.games(games, &SqliteArchive::open(data)?)?;
    for (game, counted) in &counters.games_finished {
        audit.compare(game, "finished games", *counted, finished.get(game));
    }
    for (game, counted) in &counters.moves {
        audit.compare(game, "moves", *counted, moves.get(game));
    }
    let mut journal = SqliteJournal::open(Folder::take(data)?)?;
    for game in journal.streams()? {
        for (topic, lines) in journal.load(&game)?.open {
            if lines.iter().any(|line| line.record.starts_with("{\"started\"")) {
                audit.faults.push(format!("{topic:?} of {game} was begun and never ended"));
            }
        }
    }
    journal.close()?;
    Ok(audit)
}

type ByGame = BTreeMap<String, u64>;

impl Audit {
    fn compare(&mut self, game: &str, what: &str, counted: u64, found: Option<&u64>) {
        let found = found.copied().unwrap_or(0);
        if counted != found {
            let fault = format!("{game}: {counted} {what} counted, {found} in the journal");
            self.faults.push(fault);
        }
    }

    /// Plays every game again. How many were finished, and how many moves they had, by game.
    fn games(&mut self, rules: &Games, archive: &SqliteArchive) -> Result<(ByGame, ByGame)> {
        let (mut games, mut moves) = (ByGame::new(), ByGame::new());
        let mut filter = Filter { limit: 500, ..Filter::default() };
        loop {
            let page = archive.finished(&filter)?;
            let Some(last) = page.last() else { return Ok((games, moves)) };
            filter.after = Some(last.place);
            for summary in page {
                let found = archive.replay(Kind::Table, &summary.game, &summary.id)?;
                let Some(found) = found.filter(|found| found.summary.place == summary.place) else {
                    self.faults.push(format!("{} {} is not found", summary.game, summary.id));
                    continue;
                };
                self.records += found.lines.len() as u64;
                let moved = found.lines.iter().filter(|line| line.record.starts_with("{\"moved\""));
                *moves.entry(summary.game.clone()).or_default() += moved.count() as u64;
                if summary.status == "finished" {
                    *games.entry(summary.game.clone()).or_default() += 1;
                } else {
                    let why = summary.closing.get();
                    self.faults.push(format!("{} {} is void: {why}", summary.game, summary.id));
                }
                let records: Vec<_> =
                    found.lines.iter().map(|line| (line.at, &*line.record)).collect();
                match rules.find(&summary.game).and_then(|rules| rules.verify(&records)) {
                    Ok(()) => self.verified += 1,
                    Err(why) => {
                        self.faults.push(format!("{} {}: {why}", summary.game, summary.id));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Games {
        let mut games = Games::default();
        games.add::<crate::tic_tac_toe::TicTacToe>();
        games
    }

    const METRICS: &str = "# TYPE parlor_connections gauge\n\
        parlor_connections{game=\"gamba\"} 3\nparlor_connections{game=\"subsim\"} 4\n\
        parlor_connections_opened_total{game=\"gamba\"} 90\n";

    #[test]
    fn a_metric_is_added_up_and_not_mistaken_for_another() {
        assert_eq!(total(METRICS, "parlor_connections"), 7);
        assert!(Counters::read(&games(), METRICS).is_err(), "it counts no moves");
    }

    #[test]
    fn differences_are_faults() {
        let mut audit = Audit { verified: 0, records: 0, faults: Vec::new() };
        audit.compare("gamba", "moves", 3, Some(&3));
        assert_eq!(audit.faults, [""; 0]);
        audit.compare("gamba", "moves", 3, None);
        assert_eq!(audit.faults, ["gamba: 3 moves counted, 0 in the journal"]);
    }
}
