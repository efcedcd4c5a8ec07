//! The messages between sessions and the hall. The lists are closed and short on purpose, and every
//! value survives a round trip through JSON, so that a session may be on another machine.

use std::sync::Arc;

use rules::any::AnyAction;
use rules::{Exit, Game, Seat, SeatSet};
use serde::{Deserialize, Serialize};
use table::{
    Change, Company, Dismissal, Introduction, Joined, Name, Over, Page, Refusal, Role, Status,
    TableAnswer, TableEvent, TableList, Update,
};

use crate::organiser::NewTable;

/// What a player shows the others at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    Hello,
    Nice,
    Wow,
    Oops,
    Thanks,
    GoodGame,
}

/// A session's request to the hall. Each command gets exactly one [`Answer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Take a name in the hall, where names are unique there.
    Enter { name: Name },
    /// Who the client is, where the protocol allows that, and what it wants to receive; before it
    /// joins.
    Introduce(Introduction),
    /// Open a private table and sit down there, with these house bots. Players join it only by its
    /// id.
    Open { table: Box<NewTable>, bots: Vec<Name>, name: Name, joined_via: Option<Name> },
    /// Sit down or watch. Without a table: the one that reserves a seat for the name, else the
    /// one that is gathering. What it joins via is a word of the session's own, such as the protocol it
    /// speaks; it stays with the seat, and the game may make something of it at the start.
    Join { table: Option<Name>, name: Name, role: Role, joined_via: Option<Name> },
    /// Reconnect to a seat.
    Resume(Credential),
    /// Ready to begin.
    Ready,
    /// Begin now.
    Start,
    /// A move, in answer to the update numbered `seq`.
    Act { seq: u64, action: AnyAction },
    /// A move that could not be read: it counts as one that was refused.
    Misspeak,
    /// The connection is alive: the answer to [`Event::Doubted`].
    Present,
    /// Give up the seat, or stop watching, or stay no longer after a game.
    Leave,
    /// Stay after a finished game, with the token of a seat there, and play it again as soon as all
    /// of its players have stayed and want to. [`Event::Rematch`] says who has and does.
    Rematch { table: Name, token: String, wants: bool },
    /// Show everyone at the table something, without words. [`Event::Reacted`] says it.
    React(Reaction),
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
    /// One of the others, and where the client is that says it. The server adds this, and only the server
    /// knows what an address looks like; the hall hands it on.
    From { address: Name, command: Box<Command> },
    /// One of the others, from a server that is about to stop: it is refused unless a seat is, or will be,
    /// reserved for the name. The server adds this too.
    IfExpected(Box<Command>),
}

impl Command {
    /// A move of this game.
    pub fn act<G: Game>(seq: u64, action: G::Action) -> Command {
        Command::Act { seq, action: AnyAction::new::<G>(action) }
    }
}

/// A command without what the server has put around it.
pub(crate) struct Unwrapped {
    pub address: Option<Name>,
    /// Only for a player whose seat is reserved.
    pub if_expected: bool,
    pub command: Command,
}

impl Command {
    pub(crate) fn unwrapped(self) -> Unwrapped {
        match self {
            Command::From { address, command } => {
                Unwrapped { address: Some(address), ..command.unwrapped() }
            }
            Command::IfExpected(command) => Unwrapped { if_expected: true, ..command.unwrapped() },
            command => Unwrapped { address: None, if_expected: false, command },
        }
    }
}

/// Proof that a returning player is the one who left.
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
    Listed(Arc<TableList>),
    /// An entrant whose table isn't due yet: [`Event::Seated`] follows when it is.
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
    /// The secret for reconnecting, sent only here; `None` for a player who reconnected with it.
    pub token: Option<String>,
}

impl Enrolled {
    /// What the others receive about it.
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

/// What happens at a table, as sent to its members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The members, or their state, changed.
    Company(Arc<Company>, Change),
    /// For the mover and, unless it is secret, for listeners: these seats still have to move.
    Waiting(SeatSet),
    /// The state of play, as the receiver may know it.
    Update(Arc<Update>),
    Over(Arc<Over>),
    /// The answer to [`Command::History`].
    History(Arc<Page>),
    /// The hall has taken the receiver from its table.
    Dismissed(Dismissal),
    /// The hall has brought the receiver to a seat: what it awaited, or what it came back for.
    Seated(Box<Joined>),
    /// The players who have stayed after the receiver's game, and who want to play again.
    Rematch(Arc<Rematch>),
    /// The player of a seat reacts to what happens.
    Reacted(Seat, Reaction),
    /// Another connection asks for the receiver's seat, from this address. The receiver keeps the seat if its
    /// connection is alive, or if it is at another address.
    Doubted(Option<Name>),
    /// A new entrant in the receiver's tournament.
    Entered(Arc<Entered>),
    /// The receiver's next game in its tournament.
    Paired(Arc<Paired>),
    /// The receiver's tournament is over.
    Decided(Arc<Decided>),
}

impl Event {
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
    /// The opponents, and the secret to sit down with; `None`: a bye.
    pub game: Option<(Vec<Name>, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub tournament: Name,
    /// None: it was called off.
    pub winner: Option<Name>,
}

/// The players who stayed after a game, and who want to play again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rematch {
    pub table: Name,
    /// By seat of the game that is over.
    pub seats: Vec<RematchSeat>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RematchSeat {
    pub name: Name,
    /// The player has stayed. House bots always do.
    pub here: bool,
    pub wants: bool,
}

impl From<TableEvent> for Event {
    #[inline]
    fn from(event: TableEvent) -> Event {
        match event {
            TableEvent::Company(company, change) => Event::Company(company, change),
            TableEvent::Waiting(owed) => Event::Waiting(owed),
            TableEvent::Update(update) => Event::Update(update),
            TableEvent::Over(over) => Event::Over(over),
            TableEvent::Seated(joined) => Event::Seated(joined),
            TableEvent::Dismissed(dismissal) => Event::Dismissed(dismissal),
        }
    }
}

impl From<TableAnswer> for Answer {
    #[inline]
    fn from(answer: TableAnswer) -> Answer {
        match answer {
            TableAnswer::Joined(joined) => Answer::Joined(joined),
            TableAnswer::Accepted => Answer::Accepted,
            TableAnswer::Refused(refusal) => Answer::Refused(refusal),
        }
    }
}
