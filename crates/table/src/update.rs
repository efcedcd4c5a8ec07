//! The state of play as it is sent, with the texts rendered from it.

use std::sync::Arc;

use rules::any::{AnyActions, AnyView};
use rules::{SeatSet, Viewer};
use serde::{Deserialize, Serialize};

use crate::company::Company;
use crate::made_move::MadeMove;
use crate::rendering::Rendering;
use crate::{Name, Time};

/// Maximum number of legal actions listed for a seat; with more, none are.
pub(crate) const MOST_LISTED: usize = 4096;

/// The state of play after turn `seq`, as one viewer may know it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Update {
    pub seq: u64,
    /// The viewer this view is for.
    pub viewer: Viewer,
    pub view: AnyView,
    /// Each seat's view, for an organiser; empty for all others.
    #[serde(default)]
    pub seat_views: Vec<AnyView>,
    pub company: Arc<Company>,
    /// The seats that have not moved yet.
    pub owed: SeatSet,
    /// The receiver is among them: the game waits for it.
    #[serde(default)]
    pub owes: bool,
    /// When the clock moves for those who owe.
    pub deadline: Option<Time>,
    /// How long a turn at this table may take; none: as long as it likes.
    pub turn_ms: Option<u64>,
    /// The receiver's legal actions, if the receiver wants them and is to move.
    pub legal: Option<AnyActions>,
    /// The moves that led here, as far as the receiver may know them.
    #[serde(default)]
    pub moves: Vec<MadeMove>,
    /// The receiver comes late: the news in the view is old.
    #[serde(default)]
    pub catch_up: bool,
    #[serde(skip)]
    rendering: Rendering,
    /// The first update of the same turn, if this is another one.
    #[serde(skip)]
    pub first: Option<Arc<Update>>,
}

impl Update {
    /// An update without pending moves; the caller sets the other fields.
    #[inline]
    pub fn new(seq: u64, view: AnyView, company: Arc<Company>) -> Update {
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

    /// A text that is the same for every view, rendered once for all receivers of the turn.
    pub fn render_for_all(&self, dialect: &'static str, make: impl FnOnce() -> String) -> Arc<str> {
        self.first.as_deref().unwrap_or(self).rendering.get(dialect, make)
    }
}

/// An update on its way to a node that knows the members: of the company it has only the table. It
/// is parsed as an [`Update`], whose company the receiver fills in.
#[derive(Debug, Serialize)]
pub struct LeanUpdate<'a> {
    seq: u64,
    viewer: Viewer,
    view: &'a AnyView,
    #[serde(skip_serializing_if = "<[AnyView]>::is_empty")]
    seat_views: &'a [AnyView],
    company: Absent<'a>,
    owed: SeatSet,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    owes: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'a AnyActions>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    moves: &'a [MadeMove],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    catch_up: bool,
}

#[derive(Debug, Serialize)]
struct Absent<'a> {
    table: &'a Name,
}

impl<'a> From<&'a Update> for LeanUpdate<'a> {
    fn from(update: &'a Update) -> LeanUpdate<'a> {
        LeanUpdate {
            seq: update.seq,
            viewer: update.viewer,
            view: &update.view,
            seat_views: &update.seat_views,
            company: Absent { table: &update.company.table },
            owed: update.owed,
            owes: update.owes,
            deadline: update.deadline,
            turn_ms: update.turn_ms,
            legal: update.legal.as_ref(),
            moves: &update.moves,
            catch_up: update.catch_up,
        }
    }
}

/// Rendered texts, and links to those of other updates, don't affect equality.
impl PartialEq for Update {
    fn eq(&self, other: &Update) -> bool {
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
