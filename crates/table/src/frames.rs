//! The messages about a table's play: `table`, an `update` for every step, and `over`. Players,
//! spectators and replays get the same messages, so they are made in one place.

use std::borrow::Cow;
use std::str::FromStr;

use rules::any::{AnyActions, AnyView};
use rules::{Seat, SeatSet, Viewer};
use serde::{Deserialize, Serialize};

use crate::company::{Company, Member, Status, TableFacts};
use crate::made_move::MadeMove;
use crate::policy::Start;
use crate::record::Closing;
use crate::update::Update;
use crate::{Name, Time};

/// Whose view of a game is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    Public,
    Seat(Seat),
    /// The public's and every seat's.
    All,
}

impl FromStr for Eyes {
    type Err = String;

    fn from_str(text: &str) -> Result<Eyes, String> {
        match text {
            "public" => Ok(Eyes::Public),
            "all" => Ok(Eyes::All),
            number => match number.parse() {
                Ok(seat) if usize::from(seat) < Seat::MAX => Ok(Eyes::Seat(Seat(seat))),
                _ => Err(format!("a viewer is public, all or the number of a seat, not '{text}'")),
            },
        }
    }
}

impl Eyes {
    pub fn viewer(self) -> Viewer {
        match self {
            Eyes::Seat(seat) => Viewer::Seat(seat),
            Eyes::Public | Eyes::All => Viewer::Public,
        }
    }

    /// Whether the moves of a seat are shown: what is public of them is in the view.
    pub fn see_moves_of(self, seat: Seat) -> bool {
        match self {
            Eyes::Public => false,
            Eyes::Seat(own) => own == seat,
            Eyes::All => true,
        }
    }
}

/// One message of the house wire.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", bound = "")]
pub enum Frame<'a> {
    Table(TableFrame),
    Update(Box<UpdateFrame<'a>>),
    Over(OverFrame),
}

/// A table and who sits there.
#[derive(Debug, PartialEq, Serialize)]
pub struct TableFrame {
    /// `None`: there is no table yet.
    pub table: Option<Name>,
    pub status: Status,
    /// How long a turn may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
    /// Minimum time between two turns.
    pub pace_ms: u64,
    /// What spectators see.
    pub broadcast: &'static str,
    /// When the game begins, in words.
    pub starts: String,
    /// The commitment to the deal; `None` at tables of earlier releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Name>,
    pub seats: Vec<Option<SeatFrame>>,
}

/// A member of a table.
#[derive(Debug, PartialEq, Serialize)]
pub struct SeatFrame {
    pub name: Name,
    /// The display name, if it differs from the name.
    pub display: Option<Name>,
    pub present: bool,
    pub person: bool,
    /// The strategy, if a house bot plays the seat.
    pub bot: Option<Name>,
    pub version: Option<Name>,
    /// How often in a row the clock has moved for this seat.
    pub strikes: u32,
}

/// The state of play after a step.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct UpdateFrame<'a> {
    pub seq: u64,
    /// The receiver's own seat; none for those who watch.
    pub seat: Option<Seat>,
    pub view: Cow<'a, AnyView>,
    pub names: Vec<Name>,
    pub to_move: SeatSet,
    pub your_move: bool,
    pub legal: Option<Cow<'a, AnyActions>>,
    pub time_left_ms: Option<u64>,
    pub clock_ms: Option<u64>,
    pub moves: Cow<'a, [MadeMove]>,
    #[serde(default, skip_serializing_if = "<[AnyView]>::is_empty")]
    pub seat_views: Cow<'a, [AnyView]>,
    /// The position in words, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Number of updates skipped before this one.
    pub skipped: u64,
}

/// The end, seat by seat, or why there is no result.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum OverFrame {
    Result { places: Vec<u32>, points: Vec<i64>, how: Vec<&'static str>, words: String },
    Void { void: String },
}

impl TableFrame {
    pub fn of(company: &Company) -> TableFrame {
        let TableFacts { status, clock_ms, pace_ms, broadcast, start } = company.facts;
        TableFrame {
            table: Some(company.table.clone()).filter(|table| !table.is_empty()),
            status,
            clock_ms,
            pace_ms,
            broadcast: broadcast.word(),
            starts: starts(status, start, company.seats.len()),
            commitment: company.commitment.clone(),
            seats: company.seats.iter().map(|seat| seat.as_ref().map(SeatFrame::of)).collect(),
        }
    }
}

impl SeatFrame {
    pub fn of(member: &Member) -> SeatFrame {
        let Member { name, display, present, bot, person, version, strikes } = member.clone();
        SeatFrame { name, display, present, person, bot, version, strikes }
    }
}

/// When a game begins, in words.
fn starts(status: Status, start: Option<Start>, seats: usize) -> String {
    let size = match seats {
        Seat::MAX => "the table is full".to_owned(),
        seats => format!("all {seats} seats are taken"),
    };
    match (status, start) {
        (Status::Waiting, Some(Start::WhenFull { .. })) => format!("when {size}"),
        (Status::Waiting, Some(Start::WhenGathered { min, quiet_ms })) => {
            let quiet = std::time::Duration::from_millis(quiet_ms);
            format!("when {size}, or {quiet:?} after the last of at least {min} players has come")
        }
        (Status::Waiting, Some(Start::OnCall { min })) => {
            format!("when {size}, or when one of at least {min} players says so")
        }
        (Status::Waiting, None) => "when there is a table".to_owned(),
        (Status::Playing, _) => "it has begun".to_owned(),
        (Status::Finished | Status::Void, _) => "it is over".to_owned(),
    }
}

impl<'a> UpdateFrame<'a> {
    /// An update as it is sent now to its receiver.
    pub fn of(update: &'a Update, now: Time) -> UpdateFrame<'a> {
        UpdateFrame {
            seq: update.seq,
            seat: update.viewer.seat(),
            view: Cow::Borrowed(&update.view),
            names: update.company.names().into_iter().map(Name::from).collect(),
            to_move: update.owed,
            your_move: update.owes,
            legal: update.legal.as_ref().map(Cow::Borrowed),
            time_left_ms: update.deadline.map(|deadline| deadline.0.saturating_sub(now.0)),
            clock_ms: update.turn_ms,
            moves: Cow::Borrowed(&update.moves),
            seat_views: Cow::Borrowed(&update.seat_views),
            words: None,
            skipped: 0,
        }
    }
}

impl OverFrame {
    pub fn new(closing: &Closing, names: &[&str]) -> OverFrame {
        let outcome = match closing {
            Closing::Void(why) => return OverFrame::Void { void: why.clone() },
            Closing::Over(outcome) => outcome,
        };
        let standings = &outcome.standings;
        OverFrame::Result {
            places: standings.iter().map(|standing| standing.place).collect(),
            points: standings.iter().map(|standing| standing.points).collect(),
            how: standings.iter().map(rules::Standing::cause).collect(),
            words: closing.in_words(names),
        }
    }
}
