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
use wire::{AnyGame, Framing, GameOf, Playable, Retold};

use super::HostedGame;
use crate::reading::TournamentText;
use crate::transcript::Trouble;

/// What is told of a game that is not over, or why it cannot be, and how much memory that takes.
type ToldSoFar = Result<Option<(Result<Retold, String>, usize)>, StoreError>;

/// A record takes about so much memory.
const RECORD_BYTES: usize = 256;

/// What everybody may read of a game, whatever its type.
pub trait ReadGame {
    fn game(&self) -> &'static str;

    /// The game itself, whatever its type.
    fn any_game(&self) -> Box<dyn AnyGame>;

    fn bots(&self) -> Vec<(&'static str, &'static str, Grade)>;

    fn options(&self) -> Value;

    /// A game that is not over as somebody with these eyes was told it up to now, as JSON Lines. None:
    /// it is over, or unknown.
    fn retell_so_far(&self, archive: &dyn Archive, id: &str, eyes: Eyes) -> ToldSoFar;

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

    /// What people read for the names of entrants, where that is another text. The latest tournament
    /// that has one for a name counts.
    fn displays(&self) -> BTreeMap<Name, Name>;

    /// Who has this key of its own in a tournament that is not over, and the id of that.
    fn entrant_with(&self, key: &KeyHash) -> Option<(Name, Name)>;

    /// What went wrong last for each player of a tournament. None: it is not remembered.
    fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>>;

    /// Whether this means something else than a name in the game's protocols.
    fn is_nobodys(&self, name: &str) -> bool;

    fn tournament_card(&self, id: &str) -> Option<TournamentCard>;

    /// Whether a tournament has games to play.
    fn may_deal_again(&self, game: &GameRef) -> bool;

    /// Who meets in a pairing of a tournament, in its order.
    fn names_of_pairing(&self, id: &str, pairing: PairingId) -> Option<Vec<Name>>;

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

    fn retell_so_far(&self, archive: &dyn Archive, id: &str, eyes: Eyes) -> ToldSoFar {
        let Some((no, info, recorded)) = self.directory.open_table(id) else { return Ok(None) };
        let (recorded, bytes) = match recorded {
            Some(recorded) => {
                let bytes = recorded.shared().len() * RECORD_BYTES;
                (Ok(recorded), bytes)
            }
            // The hall is at another node of the fleet.
            None => match archive.so_far(G::NAME, Topic::Table(no.0))? {
                lines if lines.is_empty() => return Ok(None),
                lines => {
                    let texts = lines.iter().map(|line| (Time(line.at), &*line.record));
                    let bytes = lines.iter().map(|line| line.record.len()).sum();
                    (Recorded::read(texts), bytes)
                }
            },
        };
        let told = recorded.and_then(|recorded| retell_so_far(&info, recorded, eyes));
        Ok(Some((told.map(wire::json_lines), bytes)))
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

    fn displays(&self) -> BTreeMap<Name, Name> {
        self.directory.read(|lists| {
            let tournaments = lists.tournaments(TournamentNo(0));
            let named = tournaments.flat_map(|(_, state)| &state.displays);
            named.map(|(name, display)| (name.clone(), display.clone())).collect()
        })
    }

    fn entrant_with(&self, key: &KeyHash) -> Option<(Name, Name)> {
        self.directory.read(|lists| {
            let (name, tournament) = lists.entrant_with(key)?;
            Some((name.clone(), tournament.clone()))
        })
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

    fn names_of_pairing(&self, id: &str, pairing: PairingId) -> Option<Vec<Name>> {
        self.directory.read(|lists| lists.names_of_pairing(id, pairing))
    }

    fn may_deal_again(&self, game: &GameRef) -> bool {
        self.directory.read(|lists| lists.may_deal_again(game))
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
