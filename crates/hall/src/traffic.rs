//! What comes to a hall and what goes out from it.

use std::sync::Arc;

use table::{ConnId, Refusal, TableEntry, TableNo, TableSaid, Thinking, Thought, Update};

use crate::contest::TournamentEntry;
use crate::key::KeyHash;
use crate::lists::Listing;
use crate::organiser::{Reply, Request};
use crate::recall::Recall;
use crate::register::Register;
use crate::speech::{Answer, Command, Event};

/// What can happen to a hall.
#[derive(Debug)]
pub enum Input {
    /// A session asks; it has nothing else in flight.
    Said(ConnId, Command),
    /// A connection has shown a key; the last one counts.
    Showed(ConnId, KeyHash),
    /// The socket is gone, or is about to be closed.
    Gone(ConnId),
    /// An organiser's request; the reply carries the same number.
    Asked(u64, Request),
    /// This is what the house knows from now on.
    Registered(Arc<Register>),
    /// From now on nothing new begins, for this reason; or it may again. What has begun continues,
    /// and reserved seats stay reserved.
    Barred(Option<Refusal>),
    /// House bots of a table have answered.
    Thought(TableNo, Box<Thought>),
    /// A deadline has come.
    Tick,
    /// The server is shutting down: players who disconnect from now on don't lose their seats.
    ShuttingDown,
}

/// What a hall has done.
#[derive(Debug)]
pub enum Output {
    /// Must be durable before anything of the same batch is said.
    TableRecord(TableEntry),
    /// The same, of a tournament.
    TournamentRecord(TournamentEntry),
    /// The hall itself answers; answers of tables are in [`Output::At`].
    Answer(ConnId, Answer),
    /// The hall itself tells something.
    Tell(ConnId, Event),
    /// A table says something to connections that are there.
    At(TableNo, TableSaid),
    Reply(u64, Reply),
    /// A connection waits for an answer from the records; see [`Recall`].
    Recall(Recall),
    /// House bots of a table are to think; [`Input::Thought`] returns the result. This is never
    /// sent, so it waits for nothing.
    Think(TableNo, Box<Thinking>),
    /// Lists have changed. Like everything else this goes out when its causes are durable.
    Listed(Listing),
}

impl Output {
    /// The answer that this output is, if it is one, and whose.
    pub fn answer(&self) -> Option<(ConnId, Answer)> {
        match self {
            Output::Answer(conn, answer) => Some((*conn, answer.clone())),
            Output::At(_, TableSaid::Answer(conn, answer)) => Some((*conn, answer.clone().into())),
            _ => None,
        }
    }

    /// The events in this output, each with the connection that it is for.
    pub fn events(&self) -> Vec<(ConnId, Event)> {
        match self {
            Output::Tell(conn, event) => vec![(*conn, event.clone())],
            Output::At(_, TableSaid::Tell(conn, event)) => vec![(*conn, event.clone().into())],
            Output::At(_, TableSaid::Show(conns, event)) => {
                conns.iter().map(|conn| (*conn, event.clone().into())).collect()
            }
            Output::At(_, TableSaid::Turn(turn)) => {
                let told =
                    |(conn, update): &(ConnId, Arc<Update>)| (*conn, Event::Update(update.clone()));
                turn.updates.iter().map(told).collect()
            }
            _ => Vec::new(),
        }
    }
}
