//! What sessions and the hall say to each other. The lists are closed and short on purpose, and
//! every value is the same after a journey as JSON, so that a session may sit on another machine.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use rules::{Exit, Game, Seat, SeatSet, Viewer};
use serde::{Deserialize, Serialize};

use crate::Time;
use crate::frames::{MadeMove, UpdateFrame};
use crate::organiser::NewTable;
use crate::policy::Start;
use crate::record::Closing;
pub use crate::refusal::Refusal;
use crate::table::Chair;

/// A name of a player or a table, shared by everything that mentions it.
pub type Name = Arc<str>;

/// What a session asks of the hall. Each command gets exactly one [`Answer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", rename_all = "kebab-case")]
pub enum Command<G: Game> {
    /// Take a name in the hall, where names are unique there.
    Enter { name: Name },
    /// Who speaks, where the protocol lets it say so, and what it wants to hear; before it joins.
    Introduce(Introduction),
    /// Open a table of one's own and sit down there, with these house bots. Nobody is brought to it
    /// who does not ask for it by its id.
    Open { table: Box<NewTable<G>>, bots: Vec<Name>, name: Name, joined_via: Option<Name> },
    /// Sit down or watch. Without a table: the one that reserves a seat for the name, else the
    /// one that is gathering. What it joins via is a word of the session's own, such as the protocol it
    /// speaks; it stays with the seat, and the game may make something of it at the start.
    Join { table: Option<Name>, name: Name, role: Role, joined_via: Option<Name> },
    /// Come back to a seat.
    Resume(Credential),
    /// Ready to begin.
    Ready,
    /// Begin now.
    Start,
    /// A move, in answer to the update numbered `seq`.
    Act { seq: u64, action: G::Action },
    /// Give up the seat, or stop watching.
    Leave,
    /// The player is gone although the socket may stay: it broke the protocol or fell silent.
    Part(Exit),
    /// The tables, or the one asked for.
    List { only: Option<Name> },
    /// Tables by their order of opening: those of one status, or those that are not over.
    Tables { status: Option<Status>, after: Option<Name>, limit: usize },
    /// The updates from a turn on, as the asker may know them; [`Event::History`] follows.
    History { from: u64 },
    /// Enter a tournament.
    Enrol { tournament: Name, name: Name },
    /// Sit down to a game of a tournament, with the token of [`Event::Paired`].
    Attend { token: String, joined_via: Option<Name> },
}

/// What somebody says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// It wants every legal action listed when it is to move.
    pub legal: bool,
    /// A human being, not a program.
    pub person: bool,
    /// Which version of the program it is.
    pub version: Option<Name>,
}

/// How a seat was joined over the house wire. Such a seat is ready when it is taken, calls the
/// start of a full table, and has a token to come back with in every game.
pub const HOUSE_WIRE: &str = "house";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Player,
    /// Watches one table.
    Spectator,
    /// Watches the table it names while that is not over, else the newest with anybody seated.
    /// Without either it waits for one, and when its table is over it goes on to the next.
    Follower,
    /// Sees what every seat sees. The rim lets only holders of the admin token ask for it.
    Organiser,
}

/// What proves that a returning player is the one who left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Credential {
    Token(String),
    Name(Name),
}

/// The reply to a command; it comes before the command's consequences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Entered,
    Joined(Box<Joined>),
    Accepted,
    Refused(Refusal),
    Listed(Vec<TableInfo>),
    /// An entrant whose table is not due yet: [`Event::Seated`] follows when it is.
    Awaited,
    Enrolled(Box<Enrolled>),
}

impl Answer {
    /// Whether the receiver may act on it. Who has moved can only wait for others.
    pub fn is_urgent(&self) -> bool {
        !matches!(self, Answer::Accepted)
    }
}

/// A place in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enrolled {
    pub tournament: Name,
    pub name: Name,
    pub entrants: usize,
    pub max_entrants: usize,
    /// The secret to come back with, said only here; none for who has come back with it.
    pub token: Option<String>,
}

impl Enrolled {
    /// What the others hear of it.
    pub fn entered(&self) -> Entered {
        let Enrolled { tournament, name, entrants, max_entrants, .. } = self;
        Entered {
            tournament: tournament.clone(),
            name: name.clone(),
            entrants: *entrants,
            max_entrants: *max_entrants,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    pub company: Arc<Company>,
    /// None for those who watch, and for who comes back to the lobby. At no table, the company
    /// is empty.
    pub seat: Option<Seat>,
    /// The secret to come back with, said only here.
    pub token: Option<String>,
    pub resumed: bool,
}

/// What happens at a table, told to those who are there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", rename_all = "kebab-case")]
pub enum Event<G: Game> {
    /// Who is here changed.
    Company(Arc<Company>, Change),
    /// To who has moved, and where it is no secret to those who listen in: these seats still owe a
    /// move.
    Waiting(SeatSet),
    /// The state of play, as the receiver may know it.
    Update(Arc<Update<G>>),
    Over(Arc<Over<G>>),
    /// What [`Command::History`] asked for.
    History(Arc<Page<G>>),
    /// The hall has taken the receiver from its table.
    Dismissed(Dismissal),
    /// The hall has brought the receiver to a seat: what it awaited, or what it came back for.
    Seated(Box<Joined>),
    /// Somebody has entered the receiver's tournament.
    Entered(Arc<Entered>),
    /// The receiver's next game in its tournament.
    Paired(Arc<Paired>),
    /// The receiver's tournament is over.
    Decided(Arc<Decided>),
}

impl<G: Game> Event<G> {
    /// Whether the receiver may act on it, or a game even waits for it.
    pub fn is_urgent(&self) -> bool {
        match self {
            Event::Update(update) => update.owes,
            Event::Waiting(_) => false,
            _ => true,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered {
    pub tournament: Name,
    pub name: Name,
    pub entrants: usize,
    pub max_entrants: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    pub tournament: Name,
    /// From 1.
    pub round: u32,
    /// Whom it meets, and the secret to sit down with; none: a bye.
    pub game: Option<(Vec<Name>, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub tournament: Name,
    /// None: it was called off.
    pub winner: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Joined(Seat),
    /// The seat is free again; the company no longer shows who had it.
    Left(Seat, Name),
    Away(Seat, Exit),
    Back(Seat),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dismissal {
    /// Another connection has taken the seat.
    Replaced,
    /// The table was closed before it began.
    TableClosed(String),
}

/// A part of a table's history.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Page<G: Game> {
    pub updates: Vec<UpdateFrame<'static, G>>,
    /// The turn at which the next page begins, if there is one.
    pub next: Option<u64>,
}

/// Who sits at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Company {
    pub table: Name,
    pub seats: Vec<Option<Member>>,
    #[serde(default)]
    pub facts: TableFacts,
}

/// What holds for everybody at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFacts {
    pub status: Status,
    /// How long a turn may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
    /// How long after a turn the next one is told at the earliest.
    pub pace_ms: u64,
    /// When the game begins; none at no table.
    pub start: Option<Start>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: Name,
    pub present: bool,
    /// The strategy, if a house bot plays the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Name>,
    /// A human being, as it says itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub person: bool,
    /// Which version of a program it is, as it says itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Name>,
    /// Silent turns in a row that the clock has played for this seat.
    pub strikes: u32,
}

impl Member {
    /// Who has a chair. Whether it is here the chair does not know, but house bots always are.
    pub(crate) fn of(chair: &Chair) -> Member {
        Member {
            name: chair.name.clone(),
            present: chair.bot.is_some(),
            bot: chair.bot.clone(),
            person: chair.person,
            version: chair.version.clone(),
            strikes: chair.strikes,
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Company {
    pub fn count(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// The names seat by seat, empty where nobody sits.
    pub fn names(&self) -> Vec<&str> {
        self.seats.iter().map(|member| member.as_ref().map_or("", |member| &member.name)).collect()
    }

    pub fn name(&self, seat: Seat) -> &str {
        self.seats[seat.index()].as_ref().map_or("", |member| &member.name)
    }
}

/// The state of play after turn `seq`, as one viewer may know it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Update<G: Game> {
    pub seq: u64,
    /// Whose eyes the view is made for.
    pub viewer: Viewer,
    pub view: G::View,
    /// What each seat sees, for an organiser; empty for everybody else.
    pub seat_views: Vec<G::View>,
    pub company: Arc<Company>,
    /// Who has not moved yet.
    pub owed: SeatSet,
    /// The receiver is among them: the game waits for it.
    pub owes: bool,
    /// When the clock moves for those who owe.
    pub deadline: Option<Time>,
    /// How long a turn at this table may take; none: as long as it likes.
    pub turn_ms: Option<u64>,
    /// Every action the receiver may take, if it wants to be told and is to move.
    pub legal: Option<Vec<G::Action>>,
    /// What led here, as far as the receiver is told.
    pub moves: Vec<MadeMove<G::Action>>,
    /// The receiver comes late: the news in the view is old.
    pub catch_up: bool,
    #[serde(skip)]
    rendering: Rendering,
    /// The first of those that tell of the same turn, if this is another.
    #[serde(skip)]
    pub(crate) first: Option<Arc<Update<G>>>,
}

impl<G: Game> Update<G> {
    /// An update that owes nobody's move; the other fields are set by whoever knows them.
    #[inline]
    pub fn new(seq: u64, view: G::View, company: Arc<Company>) -> Update<G> {
        Update {
            seq,
            viewer: Viewer::Public,
            view,
            seat_views: Vec::new(),
            company,
            owed: SeatSet::EMPTY,
            owes: false,
            deadline: None,
            turn_ms: None,
            legal: None,
            moves: Vec::new(),
            catch_up: false,
            rendering: Rendering::default(),
            first: None,
        }
    }

    /// The text of this update, made once however many conns share it. An update goes to one
    /// seat or to the public, so a dialect is all that can differ.
    pub fn render(&self, dialect: &'static str, make: impl FnOnce() -> String) -> Arc<str> {
        self.rendering.get(dialect, make)
    }

    /// A text that is the same whosever view this is, made once for all who are told of the turn.
    pub fn render_for_all(&self, dialect: &'static str, make: impl FnOnce() -> String) -> Arc<str> {
        self.first.as_deref().unwrap_or(self).rendering.get(dialect, make)
    }
}

/// Texts that were made of an update, and where those of others are, are no part of what it says.
impl<G: Game> PartialEq for Update<G> {
    fn eq(&self, other: &Update<G>) -> bool {
        let Update { seq, view, seat_views, company, owed, owes, deadline, turn_ms, .. } = self;
        *seq == other.seq
            && self.viewer == other.viewer
            && self.legal == other.legal
            && self.moves == other.moves
            && *view == other.view
            && *seat_views == other.seat_views
            && *company == other.company
            && *owed == other.owed
            && *owes == other.owes
            && *deadline == other.deadline
            && *turn_ms == other.turn_ms
            && self.catch_up == other.catch_up
    }
}

/// The end of a table.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Over<G: Game> {
    pub company: Arc<Company>,
    pub closing: Closing,
    /// What each seat saw last, if the table was closed in the middle of its game: there is no
    /// outcome then, and nothing left to hide. Empty otherwise.
    pub last_views: Vec<G::View>,
}

/// Cells for texts made once: one for each of the few dialects of a game.
#[derive(Debug, Default)]
struct Rendering([OnceLock<(&'static str, Arc<str>)>; 3]);

impl Rendering {
    fn get(&self, dialect: &'static str, make: impl FnOnce() -> String) -> Arc<str> {
        let mut make = Some(make);
        for cell in &self.0 {
            let (owner, text) = cell.get_or_init(|| {
                let make = make.take().expect("only one cell is filled by a call");
                (dialect, make().into())
            });
            if *owner == dialect {
                return text.clone();
            }
        }
        make.take().expect("every cell belonged to another dialect")().into()
    }
}

/// A table as the lobby, the organiser and the JSON API see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableInfo {
    pub id: Name,
    pub status: Status,
    pub players: usize,
    pub seats: usize,
    pub company: Company,
    /// Names a seat is kept for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reserved: Vec<Name>,
    /// The number of the running turn.
    pub seq: u64,
    /// Who has not moved yet.
    pub owed: SeatSet,
    pub spectators: usize,
    pub opened_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<Closing>,
    /// Whether the house opened it by itself.
    pub house: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    #[default]
    Waiting,
    Playing,
    Finished,
    Void,
}

/// The text of a caught panic.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown panic".to_owned())
}
