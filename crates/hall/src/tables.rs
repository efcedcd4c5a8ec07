//! All tables of a hall: found by number, by id and by token, and in the order of their numbers
//! when listed; one index over all their deadlines.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use foldhash::fast::FixedState;
use rules::Seat;
use table::{
    ConnId, GameHooks, Ids, LiveTable, Name, Phase, Refusal, ShownTurn, Status, Table, TableEntry,
    TableInfo, TableInput, TableList, TableNo, TableOutput, TableRecord, Time, TokenHash,
};

use crate::desk::Desk;
use crate::{Listing, Output, Recall, naming};

/// Number of closed tables to keep, so late joiners get "over" rather than "unknown".
const CLOSED_KEPT: usize = 1000;

/// Number of tables per list: lists are for choosing from, and don't grow with the hall.
const LISTED: usize = 100;

#[derive(Debug)]
pub(crate) struct Tables {
    hooks: GameHooks,
    /// Boxed so that growing the map doesn't move the entries.
    found: HashMap<TableNo, Box<Kept>, FixedState>,
    order: BTreeSet<TableNo>,
    ids: BTreeMap<Name, TableNo>,
    tokens: BTreeMap<TokenHash, TableNo>,
    /// Tables that have not begun.
    gathering: BTreeSet<TableNo>,
    /// Closed tables still remembered, the oldest first.
    closed: VecDeque<TableNo>,
    alarms: BTreeSet<(Time, TableNo)>,
    /// The games in play, by the names of those who sit there.
    in_play: BTreeMap<Name, BTreeSet<TableNo>>,
    /// Tables whose clocks may have changed.
    touched: Vec<TableNo>,
    /// News for the lobby.
    pub news: VecDeque<News>,
    /// An empty list with room.
    spare: Vec<TableOutput>,
    /// The tables to choose from, while they are as they were when last asked for.
    joinable: Option<Arc<TableList>>,
    pub next: u64,
}

#[derive(Debug)]
struct Kept {
    live: LiveTable,
    /// The deadline under which the index knows this table.
    armed: Option<Time>,
    /// Closed and forgotten, once the last conn has gone.
    outdated: bool,
    /// Its list entry as of the last input, apart from the turn.
    card: Option<Arc<TableInfo>>,
    /// The turn that lists show.
    turn: ShownTurn,
}

/// What tables have done that concerns more than themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News {
    /// A table has let go of a conn.
    Unbound(ConnId),
    WantsBots(TableNo),
    Closed(TableNo),
}

impl Tables {
    pub fn new(hooks: GameHooks) -> Tables {
        Tables {
            hooks,
            found: HashMap::default(),
            order: BTreeSet::new(),
            ids: BTreeMap::new(),
            tokens: BTreeMap::new(),
            gathering: BTreeSet::new(),
            closed: VecDeque::new(),
            alarms: BTreeSet::new(),
            in_play: BTreeMap::new(),
            touched: Vec::new(),
            news: VecDeque::new(),
            spare: Vec::new(),
            joinable: None,
            next: 1,
        }
    }

    /// House bots think elsewhere from now on.
    pub fn think_elsewhere(&mut self) {
        self.hooks.thinks_elsewhere = true;
    }

    /// Lets something happen to a table.
    pub fn handle(&mut self, desk: &mut Desk, no: TableNo, input: TableInput) {
        let mut outputs = std::mem::take(&mut self.spare);
        let kept = self.found.get_mut(&no).expect("a table number in use names a table");
        kept.live.handle(desk.now, &self.hooks, input, &mut outputs);
        self.hand_on(desk, no, &mut outputs);
        self.spare = outputs;
    }

    /// A new table, which has written down that it was opened.
    pub fn open(
        &mut self,
        desk: &mut Desk,
        no: TableNo,
        live: LiveTable,
        mut said: Vec<TableOutput>,
    ) {
        self.next = self.next.max(no.0 + 1);
        self.insert(no, live);
        self.hand_on(desk, no, &mut said);
    }

    /// A table that an earlier hall knew.
    pub fn insert(&mut self, no: TableNo, live: LiveTable) {
        let table = live.table();
        self.ids.insert(table.opened().id.clone(), no);
        for (_, chair) in table.seated() {
            if let Some(token) = chair.token.clone().filter(|_| !chair.retired) {
                self.tokens.insert(token, no);
            }
        }
        match table.phase() {
            Phase::Gathering => _ = self.gathering.insert(no),
            Phase::Closed => self.closed.push_back(no),
            Phase::Playing => {}
        }
        self.order.insert(no);
        let kept =
            Kept { live, armed: None, outdated: false, card: None, turn: ShownTurn::default() };
        let plays = kept.live.phase() == Phase::Playing;
        self.found.insert(no, Box::new(kept));
        if plays {
            self.list_players(no, true);
        }
        self.touched.push(no);
    }

    fn hand_on(&mut self, desk: &mut Desk, no: TableNo, outputs: &mut Vec<TableOutput>) {
        if self.touched.last() != Some(&no) {
            self.touched.push(no);
        }
        for output in outputs.drain(..) {
            match output {
                TableOutput::Record(record) => {
                    let mut summary = None;
                    match &*record {
                        TableRecord::Seated { token: Some(token), .. } => {
                            self.tokens.insert(token.clone(), no);
                        }
                        TableRecord::Started { .. } => {
                            self.gathering.remove(&no);
                            self.list_players(no, true);
                        }
                        TableRecord::Closed(_) => {
                            self.gathering.remove(&no);
                            self.list_players(no, false);
                            self.news.push_back(News::Closed(no));
                            summary = self.live(no).summary().map(Box::new);
                        }
                        _ => {}
                    }
                    let entry =
                        TableEntry { table: no, at: desk.now, cause: desk.cause, record, summary };
                    desk.out.push(Output::TableRecord(entry));
                }
                TableOutput::Said(said) => desk.out.push(Output::At(no, said)),
                TableOutput::Unbound(conn) => self.news.push_back(News::Unbound(conn)),
                TableOutput::Forgotten(token) => _ = self.tokens.remove(&token),
                TableOutput::WantsBots => self.news.push_back(News::WantsBots(no)),
                TableOutput::Recall { conn, eyes, from, until } => {
                    let recall = Recall { conn, table: no, eyes, from, until };
                    desk.out.push(Output::Recall(recall));
                }
                TableOutput::Think(thinking) => desk.out.push(Output::Think(no, thinking)),
            }
        }
    }

    /// The game of a table is in play, or no more.
    fn list_players(&mut self, no: TableNo, plays: bool) {
        let seated = self.found[&no].live.table().seated();
        for (_, chair) in seated {
            if plays {
                self.in_play.entry(chair.name.clone()).or_default().insert(no);
            } else if let Some(tables) = self.in_play.get_mut(&chair.name) {
                tables.remove(&no);
                if tables.is_empty() {
                    self.in_play.remove(&chair.name);
                }
            }
        }
    }

    /// A table is over, and the oldest that is remembered may be too many.
    pub fn retire(&mut self, desk: &mut Desk, no: TableNo) {
        self.closed.push_back(no);
        if self.closed.len() > CLOSED_KEPT {
            let oldest = self.closed.pop_front().expect("just pushed");
            if let Some(kept) = self.found.get_mut(&oldest) {
                kept.outdated = true;
            }
            self.forget_if_outdated(desk, oldest);
        }
    }

    /// Drops a closed table without members.
    pub fn forget_if_outdated(&mut self, desk: &mut Desk, no: TableNo) {
        let kept = self.found.get(&no);
        if !kept.is_some_and(|kept| kept.outdated && kept.live.is_deserted()) {
            return;
        }
        self.order.remove(&no);
        let Some(kept) = self.found.remove(&no) else { return };
        desk.listed.push(Listing::TableForgotten(no));
        let table = kept.live.table();
        self.ids.remove(&table.opened().id);
        for token in table.seated().filter_map(|(_, chair)| chair.token.as_ref()) {
            self.tokens.remove(token);
        }
        if let Some(time) = kept.armed {
            self.alarms.remove(&(time, no));
        }
    }

    /// Moves every deadline.
    pub fn give_back(&mut self, ms: u64) {
        self.found.values_mut().for_each(|kept| kept.live.give_back(ms));
        self.touched.extend(&self.order);
        self.rearm();
    }

    pub fn handed_out(&mut self, now: Time, no: TableNo, happened: Time) {
        if let Some(kept) = self.found.get_mut(&no) {
            kept.live.handed_out(now, happened);
            self.touched.push(no);
            self.rearm();
        }
    }

    /// Puts the deadlines of every table that was touched back into the index.
    pub fn rearm(&mut self) {
        while let Some(no) = self.touched.pop() {
            let Some(kept) = self.found.get_mut(&no) else { continue };
            let next = kept.live.deadline();
            if next == kept.armed {
                continue;
            }
            if let Some(time) = std::mem::replace(&mut kept.armed, next) {
                self.alarms.remove(&(time, no));
            }
            if let Some(time) = next {
                self.alarms.insert((time, no));
            }
        }
    }

    /// Outputs the list changes caused by the input.
    pub fn tell_lists(&mut self, desk: &mut Desk) {
        for no in &self.touched {
            let Some(kept) = self.found.get_mut(no) else { continue };
            let turn = kept.live.shown_turn();
            if kept.card.as_deref().is_some_and(|card| kept.live.is_shown_by(card)) {
                // Most of what happens is that a move is made.
                if std::mem::replace(&mut kept.turn, turn) != turn {
                    desk.listed.push(Listing::Turn(*no, turn));
                }
                continue;
            }
            kept.turn = turn;
            let info = kept.live.info();
            let gathers = info.status == Status::Waiting;
            let card = Arc::new(info);
            let before = kept.card.replace(card.clone());
            if gathers || before.is_none_or(|before| before.status == Status::Waiting) {
                self.joinable = None;
            }
            desk.listed.push(Listing::Table(*no, card));
        }
        desk.out.extend(desk.listed.drain(..).map(Output::Listed));
    }

    /// One table, or those to choose from.
    pub fn list(&mut self, only: Option<Name>) -> Result<Arc<TableList>, Refusal> {
        if let Some(id) = only {
            let no = self.named(&id).ok_or(Refusal::NoSuchTable)?;
            return Ok(Arc::new(vec![self.card(no)].into()));
        }
        if self.joinable.is_none() {
            self.joinable = Some(Arc::new(self.to_choose_from()));
        }
        Ok(self.joinable.clone().unwrap_or_default())
    }

    /// An id for a table of this number that no other has.
    pub fn make_id(&self, desk: &mut Desk, no: TableNo, ids: &Ids) -> Name {
        let mut number = no.0;
        loop {
            let id: Name = match ids {
                Ids::Words => naming::words(&mut desk.dice).into(),
                Ids::Numbered(prefix) => format!("{prefix}{number}").into(),
            };
            if !self.ids.contains_key(&id) {
                return id;
            }
            number += 1;
        }
    }
}

// Queries.
impl Tables {
    pub fn hooks(&self) -> &GameHooks {
        &self.hooks
    }

    pub fn get(&self, no: TableNo) -> Option<&LiveTable> {
        self.found.get(&no).map(|kept| &kept.live)
    }

    pub fn live_mut(&mut self, no: TableNo) -> Option<&mut LiveTable> {
        self.found.get_mut(&no).map(|kept| &mut kept.live)
    }

    pub fn live(&self, no: TableNo) -> &LiveTable {
        self.get(no).expect("a table number in use names a table")
    }

    pub fn is_open(&self, no: TableNo) -> bool {
        self.get(no).is_some_and(|live| live.phase() != Phase::Closed)
    }

    pub fn named(&self, id: &str) -> Option<TableNo> {
        self.ids.get(id).copied()
    }

    /// The seat that a token opens.
    pub fn opened_by(&self, token: &TokenHash) -> Option<(TableNo, Seat)> {
        let no = *self.tokens.get(token)?;
        Some((no, self.live(no).table().seat_opened_by(token)?))
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (TableNo, &LiveTable)> {
        self.order.iter().map(|no| (*no, &self.found[no].live))
    }

    /// Gathering tables, and tables in play with a player of this name; oldest first.
    pub fn open_to(&self, name: &str) -> impl Iterator<Item = (TableNo, &LiveTable)> {
        static NONE: BTreeSet<TableNo> = BTreeSet::new();
        let nos = self.gathering.union(self.in_play.get(name).unwrap_or(&NONE));
        nos.map(|no| (*no, &self.found[no].live))
    }

    /// Those that have not begun.
    pub fn gathering(&self) -> impl Iterator<Item = (TableNo, &LiveTable)> {
        self.gathering.iter().map(|no| (*no, self.live(*no)))
    }

    /// Whether a seat of an open table is taken by this name or reserved for it.
    pub fn expect(&self, name: &str) -> bool {
        let mut tables = self.open_to(name).map(|(_, live)| live.table());
        tables.any(|table| {
            table.seated().any(|(_, chair)| *chair.name == *name) || table.awaits(name)
        })
    }

    /// How many are not closed.
    pub fn open_count(&self) -> usize {
        self.order.len() - self.closed.len()
    }

    /// The deadlines up to now, in order.
    pub fn due(&self, now: Time) -> impl Iterator<Item = (Time, TableNo)> {
        self.alarms.iter().copied().take_while(move |(time, _)| *time <= now)
    }

    pub fn deadline(&self) -> Option<Time> {
        self.alarms.first().map(|(time, _)| *time)
    }

    /// Whether the house has opened a table that has begun or still may.
    pub fn has_house_table(&self) -> bool {
        let given_up = |table: &Table| table.game().is_none() && table.closing().is_some();
        let mut tables = self.iter().map(|(_, live)| live.table());
        tables.any(|table| table.opened().house && !given_up(table))
    }

    /// The newest table with a seated player, otherwise the newest that had one to its end.
    pub fn newest_with_company(&self) -> Option<TableNo> {
        let newest = |wanted: fn(&Table) -> bool| {
            self.iter().rev().find(|(_, live)| wanted(live.table())).map(|(no, _)| no)
        };
        newest(|table| table.phase() != Phase::Closed && table.seated().next().is_some())
            .or_else(|| newest(|table| table.phase() == Phase::Closed && table.game().is_some()))
    }

    /// A table's list entry.
    fn card(&self, no: TableNo) -> Arc<TableInfo> {
        let kept = &self.found[&no];
        let card = kept.card.clone().filter(|card| card.turn == kept.turn);
        card.unwrap_or_else(|| Arc::new(kept.live.info()))
    }

    /// Tables a stranger can sit down at: the house's own first, then in order of opening.
    fn to_choose_from(&self) -> TableList {
        let open = |house: bool| {
            self.gathering().filter(move |(_, live)| {
                live.table().opened().house == house && live.table().open_seats() > 0
            })
        };
        let tables = open(true).chain(open(false)).take(LISTED).map(|(no, _)| self.card(no));
        tables.collect::<Vec<_>>().into()
    }

    /// Tables by their order of opening: those of one status, or those that are not over.
    pub fn list_by_status(
        &self,
        status: Option<Status>,
        after: Option<Name>,
        limit: usize,
    ) -> Result<Arc<TableList>, Refusal> {
        let first = match after {
            Some(id) => self.named(&id).ok_or(Refusal::NoSuchTable)?.0 + 1,
            None => 0,
        };
        let wanted = |of: Status| match status {
            Some(status) => of == status,
            None => matches!(of, Status::Waiting | Status::Playing),
        };
        let tables = self.order.range(TableNo(first)..).copied();
        let tables = tables.filter(|no| wanted(self.live(*no).table().status()));
        let cards = tables.take(limit.min(LISTED)).map(|no| self.card(no));
        Ok(Arc::new(cards.collect::<Vec<_>>().into()))
    }
}
