//! Turns bytes into commands and events into text.
//!
//! A [`Session`] is one connection's side of one protocol: it turns text into [`Command`]s and
//! [`Event`]s into text, without sockets and without a clock. A [`Conversation`] drives it and
//! keeps the order of replies. [`Lines`] and [`JsonValues`] cut bytes into text. A [`Dialect`] says
//! which session, framing and port belong together.
//!
//! A [`Client`] is the other side: a player of a protocol.
//!
//! [`AnyGame`] is a game of any type, and [`Games`] a list of them.

mod account;
mod any_dialect;
mod any_game;
mod clause;
mod client;
mod conversation;
mod dialect;
mod frame;
mod game_of;
pub mod house;
mod json_values;
mod manual;
mod observer;
mod retold;
mod reviewing;
mod roster;
mod sent;
mod trial;
mod unanswered;
mod update_of;
pub mod words;

use std::sync::Arc;

use hall::{Answer, Event, Time};

pub use account::{Account, SeatAccount};
pub use any_dialect::{AnyDialect, HTTP_PORT, HouseStrategy};
pub use any_game::{AnyGame, Records};
pub use clause::{Clause, anchor_of, clause_behind, sections};
pub use client::{Client, Ending, Player, Reaction, Signs};
pub use conversation::{Conversation, Mark, Said, Speech};
pub use dialect::{
    Dialect, Framing, HouseOptions, OldName, Playable, merge, option_help, overlay,
    tournament_terms,
};
pub use frame::{Frame, Framer, Garbage, Lines};
pub use json_values::JsonValues;
pub use observer::{Observer, Watch};
pub use retold::{AnySeatTurns, Retold, json_lines};
pub use review::ENGINE as REVIEW_ENGINE;
pub use review::trial::Trial as ReviewTrial;
pub use review::{
    Choice as ReviewChoice, Decision, KindReview, Mark as ReviewMark, Marks, Point, Progress,
    Review, SeatReview,
};
pub use reviewing::{ReviewWish, Reviewing};
pub use roster::{Games, Visitor};
pub use sent::Sent;
pub use trial::Trial;
pub use unanswered::Unanswered;
pub use update_of::UpdateOf;

/// One protocol, for one connection.
///
/// The driver calls `open` once, then the method for whatever happens. It feeds the next text only
/// when no command is in flight, and delivers events only between an answer and the next command,
/// so a reply is always the first output after its request, unless the session wants [the hall's
/// order](Session::reply_first).
pub trait Session: Send {
    /// The connection is there. Most protocols wait for the client to speak first.
    fn open(&mut self, _now: Time, _out: &mut Speech) {}

    /// One message of the client, whole, without its ending.
    fn on_text(&mut self, now: Time, text: &str, out: &mut Speech);

    /// Something that cannot be a message.
    fn on_garbage(&mut self, now: Time, garbage: Garbage, out: &mut Speech);

    /// The hall's answer to the oldest command that has none.
    fn on_answer(&mut self, now: Time, answer: Answer, out: &mut Speech);

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech);

    /// Whether the session will say nothing to this answer, ask nothing and hang up nothing: what
    /// led to it may then become durable a little later, together with what is said next.
    fn is_silent_on(&self, _answer: &Answer) -> bool {
        false
    }

    /// The same, of an event.
    fn is_silent_at(&self, _event: &Event) -> bool {
        false
    }

    /// Whether events wait until the command in flight is answered, for clients that take the next
    /// message for the reply. Otherwise they keep the hall's order: what happened before the
    /// command is sent before its answer.
    fn reply_first(&self) -> bool {
        true
    }

    /// The session's own [`deadline`](Session::deadline) has come.
    fn on_tick(&mut self, _now: Time, _out: &mut Speech) {}

    fn deadline(&self) -> Option<Time> {
        None
    }
}

/// A message, owned or shared with other receivers of the same text.
#[derive(Clone, Debug)]
pub enum Text {
    Own(String),
    Shared(Arc<str>),
}

impl Text {
    pub fn as_str(&self) -> &str {
        match self {
            Text::Own(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Own(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Own(text.to_owned())
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Text::Shared(text)
    }
}
