//! The contents of a hall's lists, folded from its changes: all that readers need, so that reading
//! never involves the hall.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tournament::{EntrantId, PairingId};

use crate::KeyHash;
use crate::contest::{
    EntrantKey, TournamentCard, TournamentInfo, TournamentRecord, TournamentState,
};
use table::{GameRef, Name, Rendering, ShownTurn, Status, TableInfo, TableNo, Time, TournamentNo};

/// One change of a hall's lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listing {
    /// Nothing of what was listed holds any more; all there is follows.
    Anew,
    /// A table is new, or has changed.
    Table(TableNo, Arc<TableInfo>),
    /// Nothing of a table has changed but the turn.
    Turn(TableNo, ShownTurn),
    /// A finished table has been forgotten.
    TableForgotten(TableNo),
    /// A tournament was taken up at the start.
    Tournament(TournamentNo, Box<TournamentState>),
    /// Something has happened to a tournament.
    Happened(TournamentNo, Arc<TournamentRecord>),
    TournamentForgotten(TournamentNo),
    /// The connection of an entrant has come or gone.
    Attends(TournamentNo, Name, bool),
    /// An entrant of a ladder waits for a game since then, or no more.
    Queued(TournamentNo, EntrantId, Option<Time>),
    /// Whether a player waits under this name for a tournament's game.
    Waits(Name, bool),
}

/// The lists of one hall.
#[derive(Debug, Default)]
pub struct Lists {
    tables: BTreeMap<TableNo, Arc<TableInfo>>,
    table_ids: BTreeMap<Name, TableNo>,
    by_status: [BTreeSet<TableNo>; 4],
    tournaments: BTreeMap<TournamentNo, ListedTournament>,
    tournament_ids: BTreeMap<Name, TournamentNo>,
    waiting: BTreeSet<Name>,
}

/// A tournament, and what surrounds it as far as lists show it.
#[derive(Debug)]
struct ListedTournament {
    state: TournamentState,
    attending: BTreeSet<Name>,
    /// The players waiting for a game on a ladder, and since when.
    queue: BTreeMap<EntrantId, Time>,
    /// The tables of its games that are not over.
    tables: BTreeMap<(PairingId, u32), TableNo>,
    /// Grows whenever it shows something else.
    version: u64,
}

// Changes.
impl Lists {
    /// Folds a change in. Changes arrive in the hall's order.
    pub fn apply(&mut self, change: Listing) {
        match change {
            Listing::Anew => *self = Lists::default(),
            Listing::Table(no, info) => self.put_table(no, info),
            Listing::Turn(no, turn) => {
                if let Some(info) = self.tables.get_mut(&no) {
                    // Readers keep the version they have.
                    let info = Arc::make_mut(info);
                    (info.turn, info.rendering) = (turn, Rendering::default());
                }
            }
            Listing::TableForgotten(no) => self.remove_table(no),
            Listing::Tournament(no, state) => self.put_tournament(no, *state),
            Listing::Happened(no, record) => self.put_record(no, &record),
            Listing::TournamentForgotten(no) => {
                if let Some(forgotten) = self.tournaments.remove(&no) {
                    let id = &forgotten.state.convened.id;
                    if self.tournament_ids.get(id) == Some(&no) {
                        self.tournament_ids.remove(id);
                    }
                }
            }
            Listing::Attends(no, entrant, here) => {
                if let Some(tournament) = self.tournaments.get_mut(&no) {
                    match here {
                        true => tournament.attending.insert(entrant),
                        false => tournament.attending.remove(&entrant),
                    };
                    tournament.version += 1;
                }
            }
            Listing::Queued(no, entrant, since) => {
                if let Some(tournament) = self.tournaments.get_mut(&no) {
                    match since {
                        Some(since) => _ = tournament.queue.insert(entrant, since),
                        None => _ = tournament.queue.remove(&entrant),
                    }
                    tournament.version += 1;
                }
            }
            Listing::Waits(name, waits) => {
                for tournament in self.tournaments.values_mut() {
                    let concerned = tournament.state.table_names.contains(&name);
                    tournament.version += u64::from(concerned);
                }
                match waits {
                    true => self.waiting.insert(name),
                    false => self.waiting.remove(&name),
                };
            }
        }
    }

    fn put_table(&mut self, no: TableNo, info: Arc<TableInfo>) {
        let known = self.tables.insert(no, info.clone());
        let is_new = known.is_none();
        let before = known.as_ref().map(|known| known.status);
        if before != Some(info.status) {
            if let Some(before) = before {
                self.by_status[before as usize].remove(&no);
            }
            self.by_status[info.status as usize].insert(no);
        }
        if is_new {
            self.table_ids.insert(info.id.clone(), no);
        }
        let same = known.is_some_and(|known| {
            known.company == info.company && known.closing.is_some() == info.closing.is_some()
        });
        if let Some(GameRef { tournament, pairing, attempt, .. }) = &info.game_ref
            && !same
            && let Some(tournament) = self.tournaments.get_mut(tournament)
        {
            tournament.version += 1;
            match info.closing {
                None => tournament.tables.insert((PairingId(*pairing), *attempt), no),
                Some(_) => tournament.tables.remove(&(PairingId(*pairing), *attempt)),
            };
        }
    }

    fn remove_table(&mut self, no: TableNo) {
        if let Some(info) = self.tables.remove(&no) {
            self.by_status[info.status as usize].remove(&no);
            self.table_ids.remove(&info.id);
        }
    }

    fn put_tournament(&mut self, no: TournamentNo, state: TournamentState) {
        // A cancelled tournament's id may have gone to a later one.
        let holder = self.tournament_ids.entry(state.convened.id.clone()).or_insert(no);
        *holder = no.max(*holder);
        let (attending, tables) = (BTreeSet::new(), BTreeMap::new());
        let queue = BTreeMap::new();
        let listed = ListedTournament { state, attending, queue, tables, version: 1 };
        self.tournaments.insert(no, listed);
    }

    fn put_record(&mut self, no: TournamentNo, record: &TournamentRecord) {
        if let TournamentRecord::Convened(convened) = record {
            let state = TournamentState::new((**convened).clone());
            return self.put_tournament(no, state.expect("the hall has convened it"));
        }
        let Some(tournament) = self.tournaments.get_mut(&no) else { return };
        tournament.state.apply(record).expect("the hall has folded it in");
        let secret = matches!(
            record,
            TournamentRecord::Keyed { .. }
                | TournamentRecord::Claimed { .. }
                | TournamentRecord::Invited { .. }
        );
        tournament.version += u64::from(!secret);
    }
}

// Queries.
impl Lists {
    /// Changes that turn any lists into these, for readers elsewhere.
    pub fn changes(&self) -> Vec<Listing> {
        let mut changes = vec![Listing::Anew];
        for (no, tournament) in &self.tournaments {
            changes.push(Listing::Tournament(*no, Box::new(tournament.state.clone())));
            let attends = |name: &Name| Listing::Attends(*no, name.clone(), true);
            changes.extend(tournament.attending.iter().map(attends));
            let queued = |(id, since): (&EntrantId, &Time)| Listing::Queued(*no, *id, Some(*since));
            changes.extend(tournament.queue.iter().map(queued));
        }
        changes.extend(self.tables.iter().map(|(no, info)| Listing::Table(*no, info.clone())));
        changes.extend(self.waiting.iter().map(|name| Listing::Waits(name.clone(), true)));
        changes
    }

    pub fn table(&self, id: &str) -> Option<&Arc<TableInfo>> {
        self.table_called(id).map(|(_, info)| info)
    }

    /// A table with its number.
    pub fn table_called(&self, id: &str) -> Option<(TableNo, &Arc<TableInfo>)> {
        let no = *self.table_ids.get(id)?;
        Some((no, &self.tables[&no]))
    }

    /// Tables of one status or of any, the oldest first, from the one after a number.
    pub fn tables(
        &self,
        status: Option<Status>,
        after: TableNo,
    ) -> impl Iterator<Item = (TableNo, &Arc<TableInfo>)> {
        let from = (Bound::Excluded(after), Bound::Unbounded);
        let of_status = status.map(|status| self.by_status[status as usize].range(from));
        let of_any = status.is_none().then(|| self.tables.range(from));
        let of_status = of_status.into_iter().flatten().map(|no| (*no, &self.tables[no]));
        of_status.chain(of_any.into_iter().flatten().map(|(no, info)| (*no, info)))
    }

    /// Whether a player at a table or in an unfinished tournament has this name, in any case.
    pub fn is_in_use(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let sits = |no: &TableNo| {
            let members = self.tables[no].company.seats.iter().flatten();
            members.into_iter().any(|member| member.name.to_lowercase() == name)
        };
        let open = [Status::Waiting, Status::Playing];
        let mut tournaments = self.tournaments.values().filter(|one| !one.state.is_over());
        tournaments.any(|one| {
            let entrants = one.state.tournament.entrants().iter();
            entrants.map(|entrant| &*entrant.name).any(|known| known.to_lowercase() == name)
        }) || open.into_iter().flat_map(|status| &self.by_status[status as usize]).any(sits)
    }

    /// The entrant with this key in an unfinished tournament, and the tournament.
    pub fn entrant_with(&self, key: &KeyHash) -> Option<(&Name, &Name)> {
        let own = |held: &EntrantKey| matches!(held, EntrantKey::Own(own) if own == key);
        let mut open = self.tournaments.values().filter(|one| !one.state.is_over());
        open.find_map(|one| {
            let (name, _) = one.state.keys.iter().find(|(_, held)| own(held))?;
            Some((name, &one.state.convened.id))
        })
    }

    /// The entrants of a tournament, each with what it is called at the tables.
    pub fn names_at_tables(&self, id: &str) -> Option<Vec<(Name, Name)>> {
        let state = &self.tournaments.get(self.tournament_ids.get(id)?)?.state;
        let names = |name: &str| (Name::from(name), state.table_name(name));
        let entrants = state.tournament.entrants().iter();
        Some(entrants.map(|entrant| names(&entrant.name)).collect())
    }

    /// The entrants of a pairing, in order.
    pub fn names_of_pairing(&self, id: &str, pairing: PairingId) -> Option<Vec<Name>> {
        let state = &self.tournaments.get(self.tournament_ids.get(id)?)?.state;
        let entrants = &state.tournament.find_pairing(pairing)?.entrants;
        let name = |id: &EntrantId| Name::from(&*state.tournament.entrant(*id).name);
        Some(entrants.iter().map(name).collect())
    }

    pub fn tournament_called(&self, id: &str) -> Option<TournamentNo> {
        self.tournament_ids.get(id).copied()
    }

    /// Tournaments, the oldest first, from the one after a number.
    pub fn tournaments(
        &self,
        after: TournamentNo,
    ) -> impl Iterator<Item = (TournamentNo, &TournamentState)> {
        let from = (Bound::Excluded(after), Bound::Unbounded);
        self.tournaments.range(from).map(|(no, tournament)| (*no, &tournament.state))
    }

    /// Whether a tournament may still deal a game's cards to other entrants.
    pub fn may_deal_again(&self, game: &GameRef) -> bool {
        let state = self.tournaments.get(&game.tournament).map(|listed| &listed.state);
        let pairing = PairingId(game.pairing);
        state.is_some_and(|state| state.tournament.may_deal_again(pairing))
    }

    pub fn tournament_card(&self, id: &str) -> Option<TournamentCard> {
        let no = self.tournament_ids.get(id)?;
        self.tournaments.get(no).map(|tournament| (&tournament.state).into())
    }

    /// Grows whenever a tournament shows something else; 0 if it is not remembered.
    pub fn tournament_version(&self, no: TournamentNo) -> u64 {
        self.tournaments.get(&no).map_or(0, |tournament| tournament.version)
    }

    /// All that organisers and the JSON API see of a tournament.
    pub fn tournament_info(&self, no: TournamentNo) -> Option<TournamentInfo> {
        let tournament = self.tournaments.get(&no)?;
        let cards: Vec<&TableInfo> =
            tournament.tables.values().map(|no| &*self.tables[no]).collect();
        let seated: BTreeSet<&str> = cards
            .iter()
            .flat_map(|card| card.company.seats.iter().flatten())
            .filter(|member| member.present && member.bot.is_none())
            .map(|member| &*member.name)
            .collect();
        let is_present = |entrant: &str, at_table: &str| {
            tournament.attending.contains(entrant)
                || self.waiting.contains(at_table)
                || seated.contains(at_table)
        };
        let table_of = |pairing: PairingId| {
            let mut tables = tournament.tables.range((pairing, 0)..=(pairing, u32::MAX));
            tables.next().map(|(_, no)| self.tables[no].id.clone())
        };
        let waits = |entrant: EntrantId| tournament.queue.get(&entrant).copied();
        Some(TournamentInfo::new(&tournament.state, is_present, table_of, waits))
    }
}
