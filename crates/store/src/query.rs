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
    /// Of a tournament or ladder, or of open play.
    pub tournament: Option<bool>,
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
    /// The program version of each player; empty if no player gave one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Option<String>>,
    pub opened_at: u64,
    pub closed_at: u64,
    pub rules_version: u32,
    /// How it closed, as the closing record has it.
    pub closing: Box<RawValue>,
    /// Whether it counts for the ratings.
    pub rated: bool,
    /// The id of the tournament or ladder it was a game of. Earlier releases did not keep it.
    pub tournament: Option<String>,
    /// Its position in lists, for paging.
    pub place: u64,
}

impl Finished {
    /// Whether it was a game of a tournament or ladder. Before their ids were kept, those were the
    /// games that are rated.
    pub fn is_of_tournament(&self) -> bool {
        self.tournament.is_some() || self.rated
    }
}

/// The versions of a game's players as stores keep them: JSON, if any player gave one.
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

/// The disk space a store uses. Space freed by removed games isn't counted: later games reuse it.
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
            tournament,
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
            tournament: tournament.clone(),
        }
    }

    /// Its records, as stores keep them.
    pub(crate) fn records(&self) -> String {
        self.lines.iter().map(StoredRecord::replay_line).collect()
    }

    /// The game as a file: a line that says which game it is, then a line for each record.
    pub fn to_json_lines(&self) -> String {
        let records = self.lines.iter().map(StoredRecord::replay_line);
        std::iter::once(self.head()).chain(records).collect()
    }

    /// The same, line by line.
    pub fn into_json_lines(self) -> impl Iterator<Item = String> + Send + use<> {
        let head = self.head();
        let records = self.lines.into_iter().map(|line| line.replay_line());
        std::iter::once(head).chain(records)
    }

    fn head(&self) -> String {
        let summary = &self.summary;
        format!("{}\n", serde_json::json!({ "game": summary.game, "id": summary.id }))
    }
}
