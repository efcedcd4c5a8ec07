//! What everybody may read of a hosted game, without asking its hall.

use std::borrow::Cow;
use std::sync::Arc;

use hall::{
    Eyes, KeyHash, Name, Recorded, Status, TableInfo, TableNo, Time, TournamentCard, TournamentNo,
    frames_so_far,
};
use rules::Grade;
use serde_json::Value;
use store::{Archive, StoreError, Topic};
use tokio::sync::watch;
use tournament::TournamentPhase;
use wire::{Account, AnyGame, Framing, GameOf, Playable, Records};

use super::HostedGame;
use crate::reading::TournamentText;
use crate::transcript::Trouble;

/// What is told of a game that is not over, or why it cannot be.
type FramesSoFar = Result<Option<Result<String, String>>, StoreError>;

/// What everybody may read of a game, whatever its type.
pub trait ReadGame {
    fn game(&self) -> &'static str;

    /// The game itself, whatever its type.
    fn any_game(&self) -> Box<dyn AnyGame>;

    fn bots(&self) -> Vec<(&'static str, &'static str, Grade)>;

    fn options(&self) -> Value;

    /// A finished game as somebody with these eyes would have been told it, as JSON Lines.
    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String>;

    /// The same of a game that is not over, up to now. None: it is over, or unknown.
    fn frames_so_far(&self, archive: &dyn Archive, id: &str, eyes: Eyes) -> FramesSoFar;

    /// A finished game, seat by seat.
    fn account(&self, records: Records<'_>) -> Result<Account, String>;

    /// A file that the game brings for the pages.
    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>>;

    /// The names of the protocols, the main one first.
    fn dialects(&self) -> Vec<&'static str>;

    /// Tables of one status or of any, with their numbers, from the one after a number.
    fn tables(
        &self,
        status: Option<Status>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, Arc<TableInfo>)>;

    fn table(&self, id: &str) -> Option<Arc<TableInfo>>;

    /// Tournaments in one phase or in any, with their numbers, from the one after a number.
    fn tournaments(
        &self,
        phase: Option<TournamentPhase>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, TournamentCard)>;

    /// Whether somebody is called so at a table or in a tournament that is not over.
    fn is_in_use(&self, name: &str) -> bool;

    /// Who has this key of its own in a tournament that is not over.
    fn entrant_with(&self, key: &KeyHash) -> Option<Name>;

    /// What went wrong last for each player of a tournament. None: it is not remembered.
    fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>>;

    /// Whether this means something else than a name in the game's protocols.
    fn is_nobodys(&self, name: &str) -> bool;

    fn tournament_card(&self, id: &str) -> Option<TournamentCard>;

    /// Whether a tournament has games to play.
    fn is_under_way(&self, no: TournamentNo) -> bool;

    fn tournament(&self, id: &str) -> Option<TournamentText>;

    /// A tournament as it is, and what it becomes.
    fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)>;

    /// Whether a protocol of the game is carried by WebSocket frames on its own port, too.
    fn is_websocket(&self, dialect: &str) -> bool;
}

impl<G: Playable> ReadGame for HostedGame<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn any_game(&self) -> Box<dyn AnyGame> {
        Box::new(GameOf::<G>::new())
    }

    fn bots(&self) -> Vec<(&'static str, &'static str, Grade)> {
        G::bots().iter().map(|kind| (kind.name, kind.about, kind.grade)).collect()
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).expect("options are plain data")
    }

    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String> {
        GameOf::<G>::new().frames(records, eyes)
    }

    fn frames_so_far(&self, archive: &dyn Archive, id: &str, eyes: Eyes) -> FramesSoFar {
        let Some((no, info, recorded)) = self.directory.open_table(id) else { return Ok(None) };
        let recorded = match recorded {
            Some(recorded) => Ok(recorded),
            // The hall is at another node of the fleet.
            None => match archive.so_far(G::NAME, Topic::Table(no.0))? {
                lines if lines.is_empty() => return Ok(None),
                lines => Recorded::read(lines.iter().map(|line| (Time(line.at), &*line.record))),
            },
        };
        let frames = recorded.and_then(|recorded| frames_so_far(&info, &recorded, eyes));
        Ok(Some(frames.map(|frames| wire::json_lines(&frames))))
    }

    fn account(&self, records: Records<'_>) -> Result<Account, String> {
        GameOf::<G>::new().account(records)
    }

    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        G::file(name)
    }

    fn dialects(&self) -> Vec<&'static str> {
        G::dialects().iter().map(|dialect| dialect.name).collect()
    }

    fn tables(
        &self,
        status: Option<Status>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, Arc<TableInfo>)> {
        self.directory.read(|lists| {
            let tables = lists.tables(status, TableNo(after)).take(at_most);
            tables.map(|(no, info)| (no.0, info.clone())).collect()
        })
    }

    fn table(&self, id: &str) -> Option<Arc<TableInfo>> {
        self.directory.read(|lists| lists.table(id).cloned())
    }

    fn tournaments(
        &self,
        phase: Option<TournamentPhase>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, TournamentCard)> {
        self.directory.read(|lists| {
            let all = lists.tournaments(TournamentNo(after));
            let wanted = all
                .filter(|(_, state)| phase.is_none_or(|phase| phase == state.tournament.phase()));
            wanted.take(at_most).map(|(no, state)| (no.0, state.into())).collect()
        })
    }

    fn is_in_use(&self, name: &str) -> bool {
        self.directory.read(|lists| lists.is_in_use(name))
    }

    fn entrant_with(&self, key: &KeyHash) -> Option<Name> {
        self.directory.read(|lists| lists.entrant_with(key).cloned())
    }

    fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>> {
        let names = self.directory.read(|lists| lists.names_at_tables(id))?;
        let known = |(name, at_table): (Name, Name)| {
            let trouble = self.troubles.of(&at_table).or_else(|| self.troubles.of(&name));
            trouble.map(|trouble| (name, trouble))
        };
        Some(names.into_iter().filter_map(known).collect())
    }

    fn is_nobodys(&self, name: &str) -> bool {
        G::is_nobodys(name)
    }

    fn tournament_card(&self, id: &str) -> Option<TournamentCard> {
        self.directory.read(|lists| lists.tournament_card(id))
    }

    fn is_under_way(&self, no: TournamentNo) -> bool {
        // The one after the number before it is this one, or a later one.
        self.directory.read(|lists| {
            let mut from = lists.tournaments(TournamentNo(no.0.saturating_sub(1)));
            from.next().is_some_and(|(found, state)| found == no && !state.is_over())
        })
    }

    fn tournament(&self, id: &str) -> Option<TournamentText> {
        self.directory.tournament(id)
    }

    fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)> {
        self.directory.watch_tournament(id)
    }

    fn is_websocket(&self, dialect: &str) -> bool {
        matches!(self.dialect(Some(dialect)).framing, Framing::WebSocket { .. })
    }
}
