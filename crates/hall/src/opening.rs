//! Tables before anybody plays: opening them, keeping one listed, filling them with house bots.

use std::sync::Arc;

use rules::{Game, Seat};

use crate::live_table::LiveTable;
use crate::naming;
use crate::organiser::NewTable;
use crate::speech::Event;
use crate::{Hall, Output};
use table::{
    Chair, Change, GameRef, Ids, Name, Names, Opened, Phase, Refusal, Table, TableEntry, TableNo,
    TableRecord,
};

/// What a table is opened for.
pub(crate) enum Purpose {
    /// Whoever comes.
    House,
    /// Those the organiser has in mind.
    Organiser,
    /// A game of a tournament.
    GameRef(GameRef),
}

impl<G: Game> Hall<G> {
    /// Opens a table; what the organiser did not choose is made up.
    pub(crate) fn open(&mut self, new: NewTable<G>, purpose: Purpose) -> Result<TableNo, Refusal> {
        let NewTable { terms, id, reserved, seed, bots_at_once: _ } = new;
        if self.open_tables() >= self.max_tables {
            return Err(Refusal::HallFull);
        }
        if id.as_ref().is_some_and(|id| self.ids.contains_key(id)) {
            return Err(Refusal::IdTaken);
        }
        let no = TableNo(self.next_table);
        self.next_table += 1;
        let id = id.unwrap_or_else(|| self.make_id(no, &terms.policy.ids));
        let (seed, at) = (seed.unwrap_or_else(|| self.dice.seed()), self.now);
        let (house, game_ref) = match purpose {
            Purpose::House => (true, None),
            Purpose::Organiser => (false, None),
            Purpose::GameRef(game_ref) => (false, Some(game_ref)),
        };
        let version = G::VERSION;
        let opened = Opened { id: id.clone(), version, terms, seed, reserved, house, game_ref, at };
        let opened = Arc::new(opened);
        let record = Arc::new(TableRecord::Opened(opened.clone()));
        self.out.push(Output::TableRecord(TableEntry { table: no, at, record: record.clone() }));
        self.ids.insert(id, no);
        let mut live = LiveTable::new(Table::new(opened));
        live.note(&record, at);
        self.live.insert(no, live);
        self.gathering.insert(no);
        self.watch_over_waiting(no);
        Ok(no)
    }

    fn make_id(&mut self, no: TableNo, ids: &Ids) -> Name {
        let mut number = no.0;
        loop {
            let id: Name = match ids {
                Ids::Words => naming::words(&mut self.dice).into(),
                Ids::Numbered(prefix) => format!("{prefix}{number}").into(),
            };
            if !self.ids.contains_key(&id) {
                return id;
            }
            number += 1;
        }
    }

    /// Keeps a joinable house table listed, where the policy wants that.
    pub(crate) fn ensure_open(&mut self) {
        if !self.terms.policy.always_open || self.shutting_down || self.has_its_single_table() {
            return;
        }
        let joinable = |no: &TableNo| {
            let table = self.gathering.contains(no).then(|| &self.live(*no).table);
            table.is_some_and(|table| table.opened().house && table.open_seats() > 0)
        };
        // Most inputs leave the table alone that was joinable before.
        if self.joinable.as_ref().is_some_and(joinable) {
            return;
        }
        self.joinable = self.gathering.iter().copied().find(joinable);
        if self.joinable.is_none() {
            // A full hall lists nothing new until a table closes; the refusal has no receiver.
            self.joinable = self.open_house_table().ok();
        }
    }

    pub(crate) fn open_house_table(&mut self) -> Result<TableNo, Refusal> {
        let terms = self.terms.clone();
        let (id, reserved, seed) = (None, Vec::new(), None);
        let new = NewTable { terms, id, reserved, seed, bots_at_once: false };
        self.open(new, Purpose::House)
    }

    /// Whether the policy wants one table and that has begun or still may.
    pub(crate) fn has_its_single_table(&self) -> bool {
        let given_up = |table: &Table<G>| table.game().is_none() && table.closing().is_some();
        let mut tables = self.live.iter().map(|(_, live)| &live.table);
        self.terms.policy.single_table
            && tables.any(|table| table.opened().house && !given_up(table))
    }

    /// Sets the clocks of a table that has not begun: when bots come, when it is given up.
    pub(crate) fn watch_over_waiting(&mut self, no: TableNo) {
        let now = self.now;
        let live = self.live_mut(no);
        let policy = &live.table.opened().terms.policy;
        let somebody = live.table.seated().any(|(_, chair)| chair.bot.is_none());
        // An empty house table waits for as long as it likes; a tournament's has its own clock.
        let lasting =
            live.table.opened().house && !somebody || live.table.opened().game_ref.is_some();
        let expire = (!lasting).then(|| now + policy.waiting_expire_ms);
        let fills = somebody && !policy.house_bots.is_empty() && live.has_room_for_bots();
        let fill = fills.then(|| now + policy.house_bots_after_ms);
        (live.clocks.expire, live.clocks.fill) = (expire, fill);
    }

    pub(crate) fn fill_with_bots(&mut self, no: TableNo) {
        if self.live(no).phase() != Phase::Gathering {
            return;
        }
        let mut seated = 0;
        // Among many tables in need of a name that nobody in the hall has, each begins its search
        // elsewhere.
        let unique_in_hall = self.terms.policy.names == Names::UniqueInHall;
        for number in if unique_in_hall { no.0 } else { 1 }.. {
            let live = self.live(no);
            let Some(seat) = live.table.free_seat().filter(|_| live.has_room_for_bots()) else {
                break;
            };
            let strategies = &live.policy().house_bots;
            let strategy: Name = strategies[seated % strategies.len()].as_str().into();
            if self.seat_bot(no, seat, &strategy, number) {
                seated += 1;
            }
        }
        self.consider_start(no);
    }

    /// Seats a house bot under its strategy's name with this number, unless somebody is called so.
    pub(crate) fn seat_bot(
        &mut self,
        no: TableNo,
        seat: Seat,
        strategy: &Name,
        number: u64,
    ) -> bool {
        let live = self.live(no);
        let name: Name = format!("{strategy}-{number}").into();
        let names = live.policy().names;
        let same = |chair: &Chair| chair.name == name || names.clash(&chair.name, &name);
        let taken = live.table.seated().any(|(_, chair)| same(chair));
        let kept = self.tournaments.names.contains_key(&name);
        if taken || kept || self.people.contains_key(&name) {
            return false;
        }
        let bot = Some(strategy.clone());
        self.enter_bot(name.clone(), no, seat);
        let (token, joined_via, person, version) = (None, None, false, None);
        self.record(
            no,
            TableRecord::Seated { seat, name, token, bot, joined_via, person, version },
        );
        self.take_followers_along(no);
        let company = self.live(no).company.clone();
        self.tell_others(no, None, &Event::Company(company, Change::Joined(seat)));
        true
    }
}
