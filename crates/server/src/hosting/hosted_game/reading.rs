//! What everybody may read of a hosted game, without asking its hall.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use hall::{
    Eyes, GameRef, KeyHash, Name, Recorded, Status, TableInfo, TableNo, Time, TournamentCard,
    TournamentNo, retell_so_far,
};
use rules::Grade;
use serde_json::Value;
use store::{Archive, StoreError, Topic};
use tokio::sync::watch;
use tournament::{PairingId, TournamentPhase};
use wire::{Framing, Retold};

use super::HostedGame;
use crate::reading::TournamentText;
use crate::transcript::Trouble;

/// What is told of a game that is not over, or why it cannot be, and how much memory that takes.
type ToldSoFar = Result<Option<(Result<Retold, String>, usize)>, StoreError>;

/// A record takes about so much memory.
const RECORD_BYTES: usize = 256;

// What everybody may read.
impl HostedGame {
    pub fn name(&self) -> &'static str {
        self.game.name()
    }

    pub fn bots(&self) -> Vec<(&'static str, &'static str, Grade)> {
        let bots = self.game.hooks().bots;
        bots.iter().map(|bot| (bot.name, bot.about, bot.grade)).collect()
    }

    pub fn options(&self) -> Value {
        (*self.options).clone()
    }

    /// A game that is not over as somebody with these eyes was told it up to now, as JSON Lines. None:
    /// it is over, or unknown.
    pub fn retell_so_far(&self, archive: &dyn Archive, id: &str, eyes: Eyes) -> ToldSoFar {
        let Some((no, info, recorded)) = self.directory.open_table(id) else { return Ok(None) };
        let (recorded, bytes) = match recorded {
            Some(recorded) => {
                let bytes = recorded.shared().len() * RECORD_BYTES;
                (Ok(recorded), bytes)
            }
            // The hall is at another node of the fleet.
            None => match archive.so_far(self.name(), Topic::Table(no.0))? {
                lines if lines.is_empty() => return Ok(None),
                lines => {
                    let texts = lines.iter().map(|line| (Time(line.at), &*line.record));
                    let bytes = lines.iter().map(|line| line.record.len()).sum();
                    (Recorded::read(self.game.rules(), texts), bytes)
                }
            },
        };
        let told = recorded.and_then(|recorded| retell_so_far(&info, recorded, eyes));
        Ok(Some((told.map(wire::json_lines), bytes)))
    }

    /// A file that the game brings for the pages.
    pub fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        self.game.file(name)
    }

    /// The names of the protocols, the main one first.
    pub fn dialects(&self) -> Vec<&'static str> {
        self.dialects.iter().map(|dialect| dialect.name).collect()
    }

    /// Tables of one status or of any, with their numbers, from the one after a number.
    pub fn tables(
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

    pub fn table(&self, id: &str) -> Option<Arc<TableInfo>> {
        self.directory.read(|lists| lists.table(id).cloned())
    }

    /// Tournaments in one phase or in any, with their numbers, from the one after a number.
    pub fn tournaments(
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

    /// Whether somebody is called so at a table or in a tournament that is not over.
    pub fn is_in_use(&self, name: &str) -> bool {
        self.directory.read(|lists| lists.is_in_use(name))
    }

    /// What people read for the names of entrants, where that is another text. The latest tournament
    /// that has one for a name counts.
    pub fn displays(&self) -> BTreeMap<Name, Name> {
        self.directory.read(|lists| {
            let tournaments = lists.tournaments(TournamentNo(0));
            let named = tournaments.flat_map(|(_, state)| &state.displays);
            named.map(|(name, display)| (name.clone(), display.clone())).collect()
        })
    }

    /// Who has this key of its own in a tournament that is not over, and the id of that.
    pub fn entrant_with(&self, key: &KeyHash) -> Option<(Name, Name)> {
        self.directory.read(|lists| {
            let (name, tournament) = lists.entrant_with(key)?;
            Some((name.clone(), tournament.clone()))
        })
    }

    /// What went wrong last for each player of a tournament. None: it is not remembered.
    pub fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>> {
        let names = self.directory.read(|lists| lists.names_at_tables(id))?;
        let known = |(name, at_table): (Name, Name)| {
            let trouble = self.troubles.of(&at_table).or_else(|| self.troubles.of(&name));
            trouble.map(|trouble| (name, trouble))
        };
        Some(names.into_iter().filter_map(known).collect())
    }

    /// Whether this means something else than a name in the game's protocols.
    pub fn is_nobodys(&self, name: &str) -> bool {
        (self.game.hooks().is_nobodys)(name)
    }

    pub fn tournament_card(&self, id: &str) -> Option<TournamentCard> {
        self.directory.read(|lists| lists.tournament_card(id))
    }

    /// Who meets in a pairing of a tournament, in its order.
    pub fn names_of_pairing(&self, id: &str, pairing: PairingId) -> Option<Vec<Name>> {
        self.directory.read(|lists| lists.names_of_pairing(id, pairing))
    }

    /// Whether a tournament has games to play.
    pub fn may_deal_again(&self, game: &GameRef) -> bool {
        self.directory.read(|lists| lists.may_deal_again(game))
    }

    pub fn tournament(&self, id: &str) -> Option<TournamentText> {
        self.directory.tournament(id)
    }

    /// A tournament as it is, and what it becomes.
    pub fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)> {
        self.directory.watch_tournament(id)
    }

    /// Whether a protocol of the game is carried by WebSocket frames on its own port, too.
    pub fn is_websocket(&self, dialect: &str) -> bool {
        matches!(self.dialect(Some(dialect)).framing, Framing::WebSocket { .. })
    }
}
