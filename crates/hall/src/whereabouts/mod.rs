//! Where each connection is: at which table, in a seat or watching, and under which name.
//!
//! A connection's commands go to its table; what happens there is the table's own affair. What a
//! table does that concerns others comes back as [`News`], and those others are moved before
//! anything else happens.

mod attending;
mod house_bots;
mod leaving;
mod people;
mod sitting;
mod visitors;
mod watching;

use rules::any::AnyAction;
use rules::{Exit, Seat, SeatSet};
use table::{
    Closing, ConnId, GameHooks, GameRef, Introduction, Name, Refusal, TableInput, TableNo, Time,
};

use crate::Answer;
use crate::desk::Desk;
use crate::tables::{News, Tables};

pub(crate) use visitors::Visitors;

#[derive(Debug)]
pub(crate) struct Whereabouts {
    pub tables: Tables,
    pub visitors: Visitors,
    /// Finished tables, for the tournaments.
    ended: Vec<Ended>,
}

/// How a table ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The game of a tournament that was played there.
    pub game: Option<GameRef>,
    pub closing: Closing,
    /// The game's own code failed.
    pub broken: bool,
    /// By seat, why no player came, if none did.
    pub nobody_came: Option<Vec<Exit>>,
}

/// What a deadline belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alarm {
    Table(TableNo),
    Person(Name),
}

impl Whereabouts {
    pub fn new(hooks: GameHooks) -> Whereabouts {
        let (tables, visitors) = (Tables::new(hooks), Visitors::default());
        Whereabouts { tables, visitors, ended: Vec::new() }
    }

    /// Lets something happen to a table, and what follows from it elsewhere.
    pub fn run(&mut self, desk: &mut Desk, no: TableNo, input: TableInput) {
        self.tables.handle(desk, no, input);
        while let Some(news) = self.tables.news.pop_front() {
            match news {
                News::Unbound(conn) => self.visitors.let_go(conn),
                News::WantsBots(no) => {
                    self.fill_with_bots(desk, no);
                    self.tables.handle(desk, no, TableInput::Tick);
                }
                News::Closed(no) => self.conclude(desk, no),
            }
        }
        if desk.premises.are_names_unique() {
            self.count_windows(desk, no);
        }
    }

    /// Those who are away are waited for while a move of theirs is due.
    fn count_windows(&mut self, desk: &Desk, no: TableNo) {
        let Some(live) = self.tables.get(no) else { return };
        let owed = if live.is_held() { SeatSet::EMPTY } else { live.table().owed() };
        for (seat, chair) in live.table().seated().filter(|(seat, _)| live.is_away(*seat)) {
            self.visitors.people_mut().owe(&chair.name, owed.contains(seat), desk.now);
        }
    }

    /// A table is over.
    fn conclude(&mut self, desk: &mut Desk, no: TableNo) {
        self.send_followers_on(desk, no);
        let live = self.tables.live(no);
        let table = live.table();
        if desk.premises.are_names_unique() {
            for (_, chair) in table.seated() {
                self.visitors.unseat(&chair.name, no);
            }
        }
        if table.opened().game_ref.is_none() && table.game().is_some() {
            // A table with a person has its own pace.
            let programs = || table.seated().filter(|(_, chair)| !chair.house);
            if programs().all(|(_, chair)| !chair.person) {
                programs().for_each(|(_, chair)| desk.premises.pace.count(&chair.name, desk.now));
            }
        }
        if let Some(closing) = table.closing().cloned() {
            let game = table.opened().game_ref.clone();
            let (broken, nobody_came) =
                (live.is_broken(), live.nobody_came().map(<[Exit]>::to_vec));
            self.ended.push(Ended { game, closing, broken, nobody_came });
        }
        self.tables.retire(desk, no);
    }

    /// Takes the finished tables.
    pub fn take_ended(&mut self) -> Vec<Ended> {
        std::mem::take(&mut self.ended)
    }

    pub fn tick(&mut self, desk: &mut Desk) {
        let now = desk.now;
        let tables = self.tables.due(now).map(|(time, no)| (time, Alarm::Table(no)));
        let people = self.visitors.people().due(now);
        let people = people.map(|(time, name)| (*time, Alarm::Person(name.clone())));
        let mut due: Vec<(Time, Alarm)> = tables.chain(people).collect();
        due.sort();
        for (_, alarm) in due {
            match alarm {
                Alarm::Table(no) if self.tables.get(no).is_some() => {
                    self.run(desk, no, TableInput::Tick);
                }
                Alarm::Table(_) => {}
                Alarm::Person(name) => self.person_due(desk, &name),
            }
        }
    }

    pub fn deadline(&self) -> Option<Time> {
        [self.tables.deadline(), self.visitors.people().deadline()].into_iter().flatten().min()
    }

    /// Moves every deadline.
    pub fn give_back(&mut self, ms: u64) {
        self.tables.give_back(ms);
        self.visitors.people_mut().give_back(ms);
    }

    /// The server is shutting down. Players of a table that can't be rejoined get its end now.
    pub fn shut_down(&mut self, desk: &mut Desk) {
        desk.premises.shut_down();
        let tables = self.tables.iter();
        let lost = tables.filter(|(no, live)| self.tables.is_open(*no) && !live.survives_restart());
        let lost: Vec<TableNo> = lost.map(|(no, _)| no).collect();
        for no in lost {
            self.run(desk, no, TableInput::Closed("the server was stopped".to_owned()));
        }
    }

    /// The seat of a conn.
    pub fn seat_of(&self, conn: ConnId) -> Option<(TableNo, Seat)> {
        let no = self.visitors.at(conn)?;
        Some((no, self.tables.live(no).seat_of(conn)?))
    }

    /// A conn plays at one table at a time; a table that is over does not count.
    pub fn plays(&self, conn: ConnId) -> bool {
        self.seat_of(conn).is_some_and(|(no, _)| self.tables.is_open(no))
    }

    pub fn introduce(&mut self, desk: &mut Desk, conn: ConnId, introduction: Introduction) {
        if let Some(no) = self.visitors.introduce(conn, introduction.clone()) {
            self.run(desk, no, TableInput::Introduced(conn, introduction));
        }
        desk.answer(conn, Answer::Accepted);
    }

    /// Passes on what a player says to its table.
    pub fn say(&mut self, desk: &mut Desk, conn: ConnId, input: TableInput) {
        match self.seat_of(conn) {
            Some((no, _)) => self.run(desk, no, input),
            None => desk.refuse(conn, Refusal::NotSeated),
        }
    }

    pub fn act(&mut self, desk: &mut Desk, conn: ConnId, seq: u64, action: AnyAction) {
        self.say(desk, conn, TableInput::Acted { conn, seq, action });
    }

    pub fn ask_history(&mut self, desk: &mut Desk, conn: ConnId, from: u64) {
        match self.visitors.at(conn) {
            Some(no) => self.run(desk, no, TableInput::AskedHistory { conn, from }),
            None => desk.refuse(conn, Refusal::NotSeated),
        }
    }

    /// Takes a conn from where it is, whatever it did there. The table itself does not change.
    pub fn unbind(&mut self, desk: &mut Desk, conn: ConnId) {
        let at = self.visitors.at(conn);
        self.visitors.let_go(conn);
        if let Some(no) = at {
            self.run(desk, no, TableInput::Detached(conn));
            self.tables.forget_if_outdated(desk, no);
        }
    }
}
