//! The front desk: who is here under which name, who sits or watches where, which table gathers.
//!
//! The lobby decides *where* somebody goes and hands it to that table; what happens there is the
//! table's own affair. What a table does that concerns others comes back as [`News`].

mod attending;
mod leaving;
mod opening;
mod people;
mod seating;
mod watching;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use foldhash::fast::FixedState;
use rules::{Exit, Game, Seat};
use table::{
    Closing, ConnId, GameRef, Introduction, Name, Names, Refusal, TableInput, TableNo, Terms, Time,
};

use crate::desk::Desk;
use crate::tables::{News, Tables};
use crate::{Answer, KeyHash, Output, Register};

pub(crate) use opening::NewGame;
pub use people::AwayPerson;
pub(crate) use people::{KeptName, People};

#[derive(Debug)]
pub(crate) struct Lobby<G: Game> {
    pub terms: Terms<G>,
    max_tables: usize,
    pub tables: Tables<G>,
    pub people: People,
    /// Whose names are whose.
    pub register: Arc<Register>,
    visitors: HashMap<ConnId, Visitor, FixedState>,
    /// Followers who wait for a table to follow.
    idle: BTreeSet<ConnId>,
    /// The table of the house that anybody could join when last looked for.
    joinable: Option<TableNo>,
    /// Tables that are over: tournaments want to hear of it.
    pub ended: Vec<Ended>,
    pub shutting_down: bool,
    /// Why nothing new begins.
    pub barred: Option<Refusal>,
}

/// Where a conn is.
#[derive(Clone, Debug, Default, PartialEq)]
struct Visitor {
    /// The name it entered under, where names are unique in the hall.
    person: Option<Name>,
    /// Where it sits or watches.
    at: Option<TableNo>,
    /// Goes from table to table.
    follows: bool,
    /// What it has said of itself, where the protocol lets it.
    introduction: Option<Introduction>,
    /// The key it has shown last.
    key: Option<KeyHash>,
    /// The entrant's name under which it waits for its table to be due.
    awaits: Option<Name>,
}

/// How a table ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The game of a tournament that was played there.
    pub game: Option<GameRef>,
    pub closing: Closing,
    /// The game's own code failed.
    pub broken: bool,
    /// By seat why nobody came, if that is so.
    pub nobody_came: Option<Vec<Exit>>,
}

/// What a deadline belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alarm {
    Table(TableNo),
    Person(Name),
}

impl<G: Game> Lobby<G> {
    pub fn new(terms: Terms<G>, tables: Tables<G>, max_tables: usize) -> Lobby<G> {
        Lobby {
            terms,
            max_tables,
            tables,
            people: People::default(),
            register: Arc::default(),
            visitors: HashMap::default(),
            idle: BTreeSet::new(),
            joinable: None,
            ended: Vec::new(),
            shutting_down: false,
            barred: None,
        }
    }

    /// Lets something happen to a table, and what follows from it elsewhere.
    pub fn run(&mut self, desk: &mut Desk<G>, no: TableNo, input: TableInput<G>) {
        self.tables.handle(desk, no, input);
        while let Some(news) = self.tables.news.pop_front() {
            match news {
                News::Unbound(conn) => self.let_go(conn),
                News::WantsBots(no) => {
                    self.fill_with_bots(desk, no);
                    self.tables.handle(desk, no, TableInput::Tick);
                }
                News::Closed(no) => self.conclude(desk, no),
            }
        }
    }

    /// A table is over.
    fn conclude(&mut self, desk: &mut Desk<G>, no: TableNo) {
        self.send_followers_on(desk, no);
        let live = self.tables.live(no);
        let table = live.table();
        if self.are_names_unique() {
            for (_, chair) in table.seated() {
                self.people.unseat(&chair.name, no);
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

    pub fn tick(&mut self, desk: &mut Desk<G>) {
        let now = desk.now;
        let tables = self.tables.due(now).map(|(time, no)| (time, Alarm::Table(no)));
        let people = self.people.due(now).map(|(time, name)| (*time, Alarm::Person(name.clone())));
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
        [self.tables.deadline(), self.people.deadline()].into_iter().flatten().min()
    }

    pub fn give_back(&mut self, ms: u64) {
        self.tables.give_back(ms);
        self.people.give_back(ms);
    }

    pub fn visitors(&self) -> usize {
        self.visitors.len()
    }

    /// The server is going down. Nobody comes back to a table without a way back, so whoever plays
    /// there hears now that it is over.
    pub fn shut_down(&mut self, desk: &mut Desk<G>) {
        self.shutting_down = true;
        let tables = self.tables.iter();
        let lost = tables.filter(|(no, live)| self.tables.is_open(*no) && !live.survives_restart());
        let lost: Vec<TableNo> = lost.map(|(no, _)| no).collect();
        for no in lost {
            self.run(desk, no, TableInput::Closed("the server was stopped".to_owned()));
        }
    }

    /// Whether names are unique in the hall, and players known by them.
    pub fn are_names_unique(&self) -> bool {
        self.terms.policy.names == Names::UniqueInHall
    }

    fn visitor(&mut self, conn: ConnId) -> &mut Visitor {
        self.visitors.entry(conn).or_default()
    }

    pub fn show(&mut self, conn: ConnId, key: KeyHash) {
        self.visitor(conn).key = Some(key);
    }

    /// The key that a conn has shown.
    pub fn shown(&self, conn: ConnId) -> Option<&KeyHash> {
        self.visitors.get(&conn)?.key.as_ref()
    }

    /// The conns that have shown this key.
    pub fn conns_with(&self, key: &KeyHash) -> Vec<ConnId> {
        let visitors = self.visitors.iter();
        let with = visitors.filter(|(_, visitor)| visitor.key.as_ref() == Some(key));
        with.map(|(conn, _)| *conn).collect()
    }

    /// Whether a conn has shown this key.
    pub fn has_shown(&self, conn: ConnId, key: &KeyHash) -> bool {
        self.visitors.get(&conn).is_some_and(|visitor| visitor.key.as_ref() == Some(key))
    }

    /// Where a conn sits or watches.
    fn at(&self, conn: ConnId) -> Option<TableNo> {
        self.visitors.get(&conn)?.at
    }

    /// The seat of a conn.
    pub fn seat_of(&self, conn: ConnId) -> Option<(TableNo, Seat)> {
        let no = self.at(conn)?;
        Some((no, self.tables.live(no).seat_of(conn)?))
    }

    /// A conn plays at one table at a time; a table that is over does not count.
    pub fn plays(&self, conn: ConnId) -> bool {
        self.seat_of(conn).is_some_and(|(no, _)| self.tables.is_open(no))
    }

    pub fn introduction(&self, conn: ConnId) -> Option<Introduction> {
        self.visitors.get(&conn)?.introduction.clone()
    }

    pub fn introduce(&mut self, desk: &mut Desk<G>, conn: ConnId, introduction: Introduction) {
        let visitor = self.visitor(conn);
        visitor.introduction = Some(introduction.clone());
        if let Some(no) = visitor.at {
            self.run(desk, no, TableInput::Introduced(conn, introduction));
        }
        desk.answer(conn, Answer::Accepted);
    }

    /// Passes on what a player says to its table.
    pub fn say(&mut self, desk: &mut Desk<G>, conn: ConnId, input: TableInput<G>) {
        match self.seat_of(conn) {
            Some((no, _)) => self.run(desk, no, input),
            None => desk.refuse(conn, Refusal::NotSeated),
        }
    }

    pub fn act(&mut self, desk: &mut Desk<G>, conn: ConnId, seq: u64, action: G::Action) {
        let said = desk.out.len();
        self.say(desk, conn, TableInput::Acted { conn, seq, action });
        // Whoever has moved has its whole window again.
        if matches!(desk.out.get(said), Some(Output::TableRecord(_)))
            && let Some(name) = self.visitors.get(&conn).and_then(|v| v.person.clone())
        {
            self.people.renew_window(&name);
        }
    }

    pub fn ask_history(&mut self, desk: &mut Desk<G>, conn: ConnId, from: u64) {
        match self.at(conn) {
            Some(no) => self.run(desk, no, TableInput::AskedHistory { conn, from }),
            None => desk.refuse(conn, Refusal::NotSeated),
        }
    }

    /// Takes a conn from where it is, whatever it did there. The table itself does not change.
    pub fn unbind(&mut self, desk: &mut Desk<G>, conn: ConnId) {
        let at = self.at(conn);
        self.let_go(conn);
        if let Some(no) = at {
            self.run(desk, no, TableInput::Detached(conn));
            self.tables.forget_if_outdated(desk, no);
        }
    }

    /// A conn is nowhere.
    fn let_go(&mut self, conn: ConnId) {
        if let Some(visitor) = self.visitors.get_mut(&conn) {
            (visitor.at, visitor.follows) = (None, false);
            self.idle.remove(&conn);
        }
    }
}
