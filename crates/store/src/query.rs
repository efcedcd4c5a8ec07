//! Questions about games that are over, and their answers.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{Kind, StoredRecord, Summary};

/// Which games, or which tournaments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    pub kind: Kind,
    pub game: Option<String>,
    /// A name that sat at the table.
    pub player: Option<String>,
    /// With a result, or void.
    pub finished: Option<bool>,
    /// Closed at or after this time.
    pub since: Option<u64>,
    /// Closed before this time.
    pub until: Option<u64>,
    /// Continue after this place of an earlier list.
    pub after: Option<u64>,
    pub limit: usize,
}

/// A game that is over.
#[derive(Clone, Debug, Serialize)]
pub struct Finished {
    pub game: String,
    /// The number of its table, or of the tournament.
    #[serde(skip)]
    pub number: u64,
    pub id: String,
    pub status: &'static str,
    pub players: Vec<String>,
    /// Which version of a program each of them was; empty if nobody said one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Option<String>>,
    pub opened_at: u64,
    pub closed_at: u64,
    pub rules_version: u32,
    /// How it closed, as the closing record has it.
    pub closing: Box<RawValue>,
    /// Whether it counts for the ratings.
    pub rated: bool,
    /// Its place in lists, for paging.
    pub place: u64,
}

/// The versions of a game's players as stores keep them: JSON, if anybody said one.
pub(crate) fn versions_text(versions: &[Option<String>]) -> Option<String> {
    let said = versions.iter().any(Option::is_some);
    said.then(|| serde_json::to_string(versions).expect("versions are text"))
}

/// A game with all its records.
#[derive(Clone, Debug)]
pub struct Replay {
    pub summary: Finished,
    pub lines: Vec<StoredRecord>,
}

/// How much there is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Size {
    pub bytes: u64,
    pub open_tables: u64,
    pub open_tournaments: u64,
    /// Finished and void games, by game.
    pub games: Vec<(String, u64, u64)>,
    /// Tournaments that are over or cancelled, by game.
    pub tournaments: Vec<(String, u64, u64)>,
}

/// What a store takes. Room that removed games have left is not in it: the next games take that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub bytes: u64,
    /// Those that pruning may remove.
    pub games: u64,
}

impl Size {
    /// Counts what is open and what is kept.
    pub(crate) fn count(
        open: impl Iterator<Item = Kind>,
        kept: impl IntoIterator<Item = (Kind, String, u64, u64)>,
    ) -> Size {
        let mut size = Size::default();
        for kind in open {
            match kind {
                Kind::Table => size.open_tables += 1,
                Kind::Tournament => size.open_tournaments += 1,
                Kind::Register | Kind::Page => {}
            }
        }
        for (kind, game, finished, void) in kept {
            match kind {
                Kind::Table => size.games.push((game, finished, void)),
                Kind::Tournament => size.tournaments.push((game, finished, void)),
                Kind::Register | Kind::Page => {}
            }
        }
        size
    }
}

impl Replay {
    /// What was kept of it when it closed.
    pub(crate) fn kept(&self) -> Summary {
        let Finished {
            id,
            status,
            rules_version,
            opened_at,
            players,
            versions,
            closing,
            rated,
            ..
        } = &self.summary;
        Summary {
            id: id.clone(),
            finished: *status == "finished",
            rules_version: *rules_version,
            opened_at: *opened_at,
            names: players.clone(),
            versions: versions.clone(),
            closing: closing.get().to_owned(),
            rated: *rated,
        }
    }

    /// Its records, as stores keep them.
    pub(crate) fn records(&self) -> String {
        self.lines.iter().map(StoredRecord::replay_line).collect()
    }

    /// The game as a file: a line that says which game it is, then a line for each record.
    pub fn to_json_lines(&self) -> String {
        let summary = &self.summary;
        let head = serde_json::json!({ "game": summary.game, "id": summary.id });
        let records = self.lines.iter().map(StoredRecord::replay_line);
        std::iter::once(format!("{head}\n")).chain(records).collect()
    }
}
