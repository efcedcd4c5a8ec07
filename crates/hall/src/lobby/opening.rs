//! Tables before anybody plays: opening them, keeping one listed, filling them with house bots.

use std::sync::Arc;

use rules::{Game, Seat, SeatSet, Seed};
use table::{
    BotSeat, ConnId, GameRef, LiveTable, Name, Names, Occasion, Opened, Promise, Refusal, Start,
    TableInfo, TableInput, TableNo,
};

use super::Lobby;
use crate::desk::Desk;
use crate::naming;
use crate::organiser::NewTable;

/// What a table is opened for.
pub(crate) enum Purpose {
    /// Whoever comes.
    House,
    /// Those the organiser has in mind.
    Organiser,
    /// Those whom a player has in mind.
    Stranger,
    /// A game of a tournament.
    Game(GameRef, Occasion),
}

/// A game of a tournament that is to be played now.
pub(crate) struct NewGame<G: Game> {
    pub table: NewTable<G>,
    pub game: GameRef,
    pub occasion: Occasion,
    /// House bots that play it.
    pub bots: Vec<BotSeat>,
}

impl<G: Game> Lobby<G> {
    /// How many tables there may be when one more is opened. The last tenth is not for strangers, so
    /// that they cannot keep an organiser from opening one.
    fn room_for(&self, purpose: &Purpose) -> usize {
        match purpose {
            Purpose::House | Purpose::Stranger => self.max_tables - self.max_tables / 10,
            Purpose::Organiser | Purpose::Game(..) => self.max_tables,
        }
    }

    /// Opens a table; what the organiser did not choose is made up.
    pub fn open(
        &mut self,
        desk: &mut Desk<G>,
        new: NewTable<G>,
        purpose: Purpose,
    ) -> Result<TableNo, Refusal> {
        let NewTable { terms, id, reserved, seed, bots_at_once: _ } = new;
        if let Some(why) = &self.barred {
            return Err(why.clone());
        }
        if self.tables.open_count() >= self.room_for(&purpose) {
            return Err(Refusal::HallFull);
        }
        if id.as_ref().is_some_and(|id| self.tables.named(id).is_some()) {
            return Err(Refusal::IdTaken);
        }
        let no = TableNo(self.tables.next);
        let id = id.unwrap_or_else(|| self.tables.make_id(desk, no, &terms.policy.ids));
        let (seed, at) = (seed.unwrap_or_else(|| desk.dice.seed()), desk.now);
        let (house, game_ref, occasion) = match purpose {
            Purpose::House => (true, None, None),
            Purpose::Organiser | Purpose::Stranger => (false, None, None),
            Purpose::Game(game, occasion) => (false, Some(game), Some(occasion)),
        };
        let version = G::VERSION;
        let promise = Some(Promise::new(G::NAME, &id, &seed, desk.salts.seed()));
        let opened = Opened { id, version, terms, seed, reserved, house, game_ref, at, promise };
        let mut said = Vec::new();
        let live = LiveTable::open(at, Arc::new(opened), occasion, &mut said);
        self.tables.open(desk, no, live, said);
        Ok(no)
    }

    /// Opens the table of a game that is due and seats its house bots and those who wait for it.
    pub fn open_game(&mut self, desk: &mut Desk<G>, new: NewGame<G>) -> Result<TableNo, Refusal> {
        let NewGame { table, game, occasion, bots } = new;
        let (names, tournament) = (table.reserved.clone(), game.tournament);
        let no = self.open(desk, table, Purpose::Game(game, occasion))?;
        self.seat_bots(desk, no, bots);
        for (seat, name) in Seat::all(names.len()).zip(&names) {
            // Else it waits for a table of another tournament, or has a token here.
            if self.people.kept(name).is_some_and(|kept| kept.tournament == tournament) {
                self.seat_waiting(desk, no, seat, name);
            }
        }
        Ok(no)
    }

    /// Keeps a joinable house table listed, where the policy wants that.
    pub fn ensure_open(&mut self, desk: &mut Desk<G>) {
        if !self.terms.policy.always_open || self.shutting_down || self.has_its_single_table() {
            return;
        }
        let joinable = |live: &LiveTable<G>| {
            let table = live.table();
            table.phase() == table::Phase::Gathering
                && table.opened().house
                && table.open_seats() > 0
        };
        // Most inputs leave the table alone that was joinable before.
        if self.joinable.and_then(|no| self.tables.get(no)).is_some_and(joinable) {
            return;
        }
        let found = self.tables.gathering().find(|(_, live)| joinable(live)).map(|(no, _)| no);
        // A full hall lists nothing new until a table closes; the refusal has no receiver.
        self.joinable = found.or_else(|| self.open_house_table(desk).ok());
    }

    pub fn open_house_table(&mut self, desk: &mut Desk<G>) -> Result<TableNo, Refusal> {
        let terms = self.terms.clone();
        let (id, reserved, seed) = (None, Vec::new(), None);
        let new = NewTable { terms, id, reserved, seed, bots_at_once: false };
        self.open(desk, new, Purpose::House)
    }

    /// Whether the policy wants one table and that has begun or still may.
    pub fn has_its_single_table(&self) -> bool {
        self.terms.policy.single_table && self.tables.has_house_table()
    }

    pub fn fill_with_bots(&mut self, desk: &mut Desk<G>, no: TableNo) {
        let live = self.tables.live(no);
        if live.phase() != table::Phase::Gathering {
            return;
        }
        // Among many tables in need of a name that nobody in the hall has, each begins its search
        // elsewhere.
        let unique_in_hall = self.terms.policy.names == Names::UniqueInHall;
        let mut numbers = if unique_in_hall { no.0 } else { 1 }..;
        let mut bots = Vec::new();
        let strategies = live.policy().house_bots.iter().cycle();
        for (seat, strategy) in live.seats_for_bots().into_iter().zip(strategies) {
            let strategy = Name::from(strategy.as_str());
            let name = numbers.find_map(|number| self.name_bot(no, &strategy, number, &bots));
            bots.extend(name.map(|name| BotSeat { seat, name, strategy }));
        }
        self.seat_bots(desk, no, bots);
        self.run(desk, no, TableInput::Gathered);
    }

    fn seat_bots(&mut self, desk: &mut Desk<G>, no: TableNo, bots: Vec<BotSeat>) {
        if bots.is_empty() {
            return;
        }
        if self.are_names_unique() {
            bots.iter().for_each(|bot| self.people.enter_bot(bot.name.clone(), no));
        }
        self.take_followers_along(desk, no);
        self.run(desk, no, TableInput::BotsSat(bots));
    }

    /// The name of a house bot: its strategy's with this number, unless somebody is called so.
    fn name_bot(&self, no: TableNo, bot: &str, number: u64, others: &[BotSeat]) -> Option<Name> {
        let name: Name = naming::bot_name(bot, number).into();
        let live = self.tables.live(no);
        let names = live.policy().names;
        let same = |other: &Name| *other == name || names.clash(other, &name);
        let taken = live.table().seated().any(|(_, chair)| same(&chair.name))
            || others.iter().any(|other| same(&other.name))
            || self.register.claimed(&name).is_some()
            || self.people.kept(&name).is_some()
            || self.people.is_known(&name);
        (!taken).then_some(name)
    }

    /// Opens a table that nobody is brought to unasked, and seats its opener and its bots.
    pub fn open_own(
        &mut self,
        desk: &mut Desk<G>,
        conn: ConnId,
        (table, bots): (NewTable<G>, &[Name]),
        (name, joined_via): (Name, Option<Name>),
    ) {
        let opened = self.may_open(conn, &table, bots, &name);
        match opened.and_then(|()| self.open(desk, table, Purpose::Stranger)) {
            Err(refusal) => desk.refuse(conn, refusal),
            Ok(no) => {
                self.sit(desk, conn, (no, Seat(0)), (name, joined_via), true);
                let mut seated: Vec<BotSeat> = Vec::new();
                for (seat, strategy) in (1..).map(Seat).zip(bots) {
                    // Somebody may be called like a bot; there are numbers enough.
                    let name =
                        (1..).find_map(|number| self.name_bot(no, strategy, number, &seated));
                    let strategy = strategy.clone();
                    seated.extend(name.map(|name| BotSeat { seat, name, strategy }));
                }
                self.seat_bots(desk, no, seated);
                self.run(desk, no, TableInput::Gathered);
            }
        }
    }

    fn may_open(
        &self,
        conn: ConnId,
        table: &NewTable<G>,
        bots: &[Name],
        name: &Name,
    ) -> Result<(), Refusal> {
        self.may_sit(conn)?;
        if self.people.kept(name).is_some() {
            return Err(Refusal::NameTaken(name.clone()));
        }
        if bots.len() >= table.terms.policy.seats {
            let (bots, seats) = (bots.len(), table.terms.policy.seats);
            return Err(Refusal::BadTable(format!(
                "{bots} house bots leave you no seat at a table of {seats}"
            )));
        }
        bots.iter().try_for_each(|bot| self.check_bot(bot))?;
        self.check_table(table)
    }

    /// Opens a table for an organiser. One whose bots fill it is there to be watched.
    pub fn open_as_asked(
        &mut self,
        desk: &mut Desk<G>,
        new: NewTable<G>,
    ) -> Result<TableInfo, Refusal> {
        self.check_table(&new)?;
        let policy = &new.terms.policy;
        let all_bots = new.bots_at_once
            && !policy.house_bots.is_empty()
            && new.reserved.is_empty()
            && policy.house_bots.len() >= policy.seats;
        let no = self.open(desk, new, Purpose::Organiser)?;
        if all_bots {
            self.fill_with_bots(desk, no);
        }
        Ok(self.tables.live(no).info())
    }

    /// Whether there is a house bot of this strategy.
    pub fn check_bot(&self, strategy: &str) -> Result<(), Refusal> {
        let known: Vec<_> = self.tables.hooks().bots.iter().map(|kind| kind.name).collect();
        match known.contains(&strategy) {
            true => Ok(()),
            false => Err(Refusal::BadTable(format!(
                "no house bot '{strategy}'; there are {}",
                known.join(", ")
            ))),
        }
    }

    /// Whether a table can be as it is asked for.
    fn check_table(&self, new: &NewTable<G>) -> Result<(), Refusal> {
        let policy = &new.terms.policy;
        if policy.seats < new.reserved.len() {
            let (names, seats) = (new.reserved.len(), policy.seats);
            return Err(Refusal::BadTable(format!("{names} names are too many for {seats} seats")));
        }
        let mut names = new.reserved.clone();
        names.sort();
        names.dedup();
        if names.len() != new.reserved.len() {
            return Err(Refusal::BadTable("a name is reserved twice".to_owned()));
        }
        policy.house_bots.iter().try_for_each(|bot| self.check_bot(bot))?;
        let fewest = match policy.start {
            Start::WhenFull { .. } => policy.seats,
            Start::WhenGathered { min, .. } | Start::OnCall { min } => min.min(policy.seats),
        };
        for seats in [fewest, policy.seats] {
            if seats > Seat::MAX {
                return Err(Refusal::BadTable(format!("{seats} seats are too many")));
            }
            if let Err(why) = G::setup(&new.terms.config, seats, Seed::from_number(0)) {
                return Err(Refusal::BadTable(why.to_string()));
            }
        }
        Ok(())
    }

    /// Nobody will come to these seats of a tournament's game.
    pub fn give_up_seats(&mut self, desk: &mut Desk<G>, no: TableNo, seats: SeatSet) {
        self.run(desk, no, TableInput::Withdrawn(seats));
        if !seats.is_empty() {
            self.run(desk, no, TableInput::Gathered);
        }
    }
}
