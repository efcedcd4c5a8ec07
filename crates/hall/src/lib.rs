//! The server's mind: all tables of one game, its lobby, seats and clocks, as one pure state
//! machine.
//!
//! A [`Hall`] takes one [`Input`] at a time and pushes [`Output`]s; time and chance are
//! arguments. Whoever drives it
//!
//! 1. calls [`Hall::handle`] with the time and an input,
//! 2. writes the [`Output::TableRecord`]s to the journal,
//! 3. only then delivers the other outputs, in order,
//! 4. and sends [`Input::Tick`] when [`Hall::deadline`] has come.
//!
//! Nothing here knows a socket, a protocol's words, or a disk.

mod clocks;
mod crashed;
mod following;
mod house_wire;
mod inspection;
mod joining;
mod leaving;
mod listing;
mod lists;
mod live_table;
mod live_tables;
mod naming;
mod opening;
mod organiser;
mod people;
mod playing;
mod recovery;
mod returning;
mod speech;
mod tournaments;
mod watching;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use foldhash::fast::FixedState;
use rules::{BotKind, Dice, Game, Seat, Seed};

use clocks::Alarm;
use live_table::LiveTable;
use live_tables::LiveTables;
use people::Person;
use tournaments::Tournaments;

pub use lists::{Listing, Lists};
pub use organiser::{NewTable, Reply, Request};
pub use recovery::{RestoreError, Unfinished};
pub use speech::{
    Answer, Command, Credential, Decided, Enrolled, Entered, Event, Introduction, Paired,
};
pub use table::{
    AfterEnd, AwayInPlay, Chair, Change, Closing, Code, Company, ConnId, Dismissal, Eyes, Frame,
    GameRef, HOUSE_WIRE, How, Ids, Joined, MadeMove, Member, Name, Names, Opened, Over, OverFrame,
    Page, Phase, Policy, Recorded, Refusal, Rendering, Role, SeatFrame, Start, Status, Table,
    TableEntry, TableFacts, TableFrame, TableInfo, TableList, TableNo, TableRecord, Terms, Time,
    TokenHash, TournamentNo, Update, UpdateFrame, WayBack, replay,
};
pub use tournaments::{
    Convened, NewEntrant, NewTournament, Order, TournamentCard, TournamentEntry, TournamentInfo,
    TournamentRecord, TournamentState,
};

/// What can happen to a hall.
#[derive(Debug)]
pub enum Input<G: Game> {
    /// A session asks; it has nothing else in flight.
    Said(ConnId, Command<G>),
    /// The socket is gone, or is about to be closed.
    Gone(ConnId),
    /// An organiser asks; the number comes back with the reply.
    Asked(u64, Request<G>),
    /// A deadline has come.
    Tick,
    /// The server is going down: whoever goes from now on is not gone from its table.
    ShuttingDown,
}

/// What a hall has done.
#[derive(Debug)]
pub enum Output<G: Game> {
    /// Must be durable before anything of the same batch is said.
    TableRecord(TableEntry<G>),
    /// The same, of a tournament.
    TournamentRecord(TournamentEntry<G>),
    Answer(ConnId, Answer),
    Tell(ConnId, Event<G>),
    Reply(u64, Reply),
    /// Lists have changed. Like everything else it is told when its causes are durable.
    Listed(Listing<G>),
}

/// What a game brings along besides its terms: code, where everything else is plain values.
#[derive(Clone, Debug)]
pub struct GameHooks<G: Game> {
    pub bots: &'static [BotKind<G>],
    /// What is played, once it is known who sits down to it, in the order of their seats.
    pub settle: fn(&G::Config, &[Chair]) -> G::Config,
    /// Whether the game's protocols could say this name, and a player come by it.
    pub is_name: fn(&str) -> bool,
    /// Which names those are, in words.
    pub names: &'static str,
    /// How long a turn may take at most, whatever the table's clock says.
    pub turn_limit_ms: fn(&G) -> Option<u64>,
}

/// Whoever sits down, the table is played as it was opened.
impl<G: Game> From<&'static [BotKind<G>]> for GameHooks<G> {
    fn from(bots: &'static [BotKind<G>]) -> GameHooks<G> {
        GameHooks {
            bots,
            settle: |config, _| config.clone(),
            is_name: |name| !name.is_empty(),
            names: "use at least one character",
            turn_limit_ms: |_| None,
        }
    }
}

/// All tables of one game.
#[derive(Debug)]
pub struct Hall<G: Game> {
    terms: Terms<G>,
    bots: &'static [BotKind<G>],
    settle: fn(&G::Config, &[Chair]) -> G::Config,
    is_name: fn(&str) -> bool,
    names: &'static str,
    turn_limit_ms: fn(&G) -> Option<u64>,
    max_tables: usize,
    dice: Dice,
    live: LiveTables<G>,
    ids: BTreeMap<Name, TableNo>,
    tokens: BTreeMap<TokenHash, (TableNo, Seat)>,
    /// Tables that have not begun.
    gathering: BTreeSet<TableNo>,
    /// The table of the house that anybody could join when last looked for.
    joinable: Option<TableNo>,
    /// Closed tables still remembered, the oldest first.
    closed: VecDeque<TableNo>,
    visitors: HashMap<ConnId, Visitor, FixedState>,
    /// Followers who wait for a table to follow.
    idle: BTreeSet<ConnId>,
    people: BTreeMap<Name, Person>,
    tournaments: Tournaments<G>,
    alarms: BTreeSet<(Time, Alarm)>,
    next_table: u64,
    shutting_down: bool,
    /// While an input is handled: the time, what comes out, and the tables whose clocks changed.
    now: Time,
    out: Vec<Output<G>>,
    touched: Vec<TableNo>,
    /// What has changed in lists and was not told yet.
    listed: Vec<Listing<G>>,
    /// The tables to choose from, while they are as they were when last asked for.
    joinable_list: Option<Arc<TableList>>,
}

/// Where a conn is.
#[derive(Clone, Debug, Default, PartialEq)]
struct Visitor {
    /// The name it entered under, where names are unique in the hall.
    person: Option<Name>,
    at: Option<At>,
    /// Goes from table to table.
    follows: bool,
    /// What it has said of itself, where the protocol lets it.
    introduction: Option<Introduction>,
    /// The place it has in a tournament, where the protocol speaks of them.
    entrant: Option<(TournamentNo, Name)>,
    /// The entrant's name under which it waits for its table to be due.
    awaits: Option<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Seat(TableNo, Seat),
    Watching(TableNo),
}

/// So many closed tables are remembered, so that a latecomer hears "over", not "unknown".
const CLOSED_KEPT: usize = 1000;

// What comes in.
impl<G: Game> Hall<G> {
    /// An empty hall. `seed` is the source of every token, table id and deal.
    pub fn new(
        terms: Terms<G>,
        hooks: impl Into<GameHooks<G>>,
        max_tables: usize,
        seed: Seed,
    ) -> Hall<G> {
        let GameHooks { bots, settle, is_name, names, turn_limit_ms } = hooks.into();
        Hall {
            terms,
            bots,
            settle,
            is_name,
            names,
            turn_limit_ms,
            max_tables,
            dice: Dice::new(&seed, G::NAME, 0),
            live: LiveTables::default(),
            ids: BTreeMap::new(),
            tokens: BTreeMap::new(),
            gathering: BTreeSet::new(),
            joinable: None,
            closed: VecDeque::new(),
            visitors: HashMap::default(),
            idle: BTreeSet::new(),
            people: BTreeMap::new(),
            tournaments: Tournaments::default(),
            alarms: BTreeSet::new(),
            next_table: 1,
            shutting_down: false,
            now: Time(0),
            out: Vec::new(),
            touched: Vec::new(),
            listed: Vec::new(),
            joinable_list: None,
        }
    }

    /// Handles one input and pushes what follows from it.
    pub fn handle(&mut self, now: Time, input: Input<G>, outputs: &mut Vec<Output<G>>) {
        self.now = self.now.max(now);
        std::mem::swap(&mut self.out, outputs);
        match input {
            Input::Said(conn, command) => self.said(conn, command),
            Input::Gone(conn) => self.gone(conn),
            Input::Asked(number, request) => {
                let reply = self.asked(request);
                self.out.push(Output::Reply(number, reply));
            }
            Input::Tick => self.tick(),
            Input::ShuttingDown => self.shut_down(),
        }
        self.mind_tournaments();
        self.ensure_open();
        self.tell_lists();
        self.rearm();
        std::mem::swap(&mut self.out, outputs);
    }

    fn said(&mut self, conn: ConnId, command: Command<G>) {
        match command {
            Command::Enter { name } => self.enter(conn, name),
            Command::Introduce(introduction) => self.introduce(conn, introduction),
            Command::Open { table, bots, name, joined_via } => {
                self.open_own(conn, *table, &bots, name, joined_via);
            }
            Command::Join { table, name, role: Role::Player, joined_via } => {
                self.join(conn, table, name, joined_via);
            }
            Command::Join { table, role: Role::Follower, .. } => self.follow(conn, table),
            Command::Join { table, role, .. } => self.watch(conn, table, role),
            Command::Resume(credential) => self.resume(conn, credential),
            Command::Ready => self.ready(conn),
            Command::Start => self.start_on_call(conn),
            Command::Act { seq, action } => self.act(conn, seq, action),
            Command::Leave => self.leave(conn),
            Command::Part(exit) => self.part(conn, exit),
            Command::List { only } => self.list(conn, only),
            Command::Tables { status, after, limit } => {
                self.list_by_status(conn, status, after, limit);
            }
            Command::History { from } => self.tell_history(conn, from),
            Command::Enrol { tournament, name } => self.enrol(conn, &tournament, name),
            Command::Attend { token, joined_via } => self.attend(conn, &token, joined_via),
        }
    }
}

// What merely tells.
impl<G: Game> Hall<G> {
    /// When a [`Input::Tick`] is due.
    pub fn deadline(&self) -> Option<Time> {
        self.alarms.first().map(|(time, _)| *time)
    }

    /// Every table the hall remembers.
    pub fn tables(&self) -> impl Iterator<Item = (TableNo, &Table<G>)> {
        self.live.iter().map(|(no, live)| (no, &live.table))
    }

    pub fn table(&self, no: TableNo) -> Option<&Table<G>> {
        self.live.get(no).map(|live| &live.table)
    }

    /// Tables that are not closed.
    pub fn open_tables(&self) -> usize {
        self.live.len() - self.closed.len()
    }

    pub fn visitors(&self) -> usize {
        self.visitors.len()
    }
}

// What the parts of the hall share.
impl<G: Game> Hall<G> {
    fn answer(&mut self, conn: ConnId, answer: Answer) {
        self.out.push(Output::Answer(conn, answer));
    }

    fn refuse(&mut self, conn: ConnId, refusal: Refusal) {
        self.answer(conn, Answer::Refused(refusal));
    }

    fn tell(&mut self, conn: ConnId, event: Event<G>) {
        self.out.push(Output::Tell(conn, event));
    }

    fn live(&self, no: TableNo) -> &LiveTable<G> {
        self.live.get(no).expect("a table number in use names a table")
    }

    /// The only way to change a table's surroundings: its clocks are looked at again afterwards.
    fn live_mut(&mut self, no: TableNo) -> &mut LiveTable<G> {
        if self.touched.last() != Some(&no) {
            self.touched.push(no);
        }
        self.live.get_mut(no).expect("a table number in use names a table")
    }

    /// Writes a record and folds it in: the only way a table changes.
    fn record(&mut self, no: TableNo, record: TableRecord<G>) {
        let (at, record) = (self.now, Arc::new(record));
        let live = self.live_mut(no);
        live.note(&record, at);
        live.table.apply(&record);
        if LiveTable::changes_company(&record) {
            live.refresh_company();
        }
        self.out.push(Output::TableRecord(TableEntry { table: no, at, record }));
    }

    fn seat_of(&self, conn: ConnId) -> Option<(TableNo, Seat)> {
        match self.visitors.get(&conn)?.at? {
            At::Seat(no, seat) => Some((no, seat)),
            At::Watching(_) => None,
        }
    }
}
