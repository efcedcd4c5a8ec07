//! What connections receive, reduced to what the tests look at.

use rules::any::AnyView;
use rules::{Seat, SeatSet};
use table::{Change, Closing, Dismissal, Over, Refusal, TableAnswer, TableEvent, Time, Update};

use crate::bids::{Bids, View};

/// What a connection received.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    Joined { seat: Option<Seat>, resumed: bool },
    Accepted,
    Refused(Refusal),
    Company(Change),
    Waiting(SeatSet),
    Update(Box<Seen>),
    Over { closing: Closing, last_views: Vec<View> },
    Dismissed(Dismissal),
}

/// The parts of an update that the tests look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub seq: u64,
    pub view: View,
    pub seat_views: Vec<View>,
    pub owed: SeatSet,
    pub owes: bool,
    pub deadline: Option<Time>,
    pub legal: Option<Vec<u8>>,
    pub catch_up: bool,
}

pub fn answered(answer: TableAnswer) -> Got {
    match answer {
        TableAnswer::Joined(joined) => Got::Joined { seat: joined.seat, resumed: joined.resumed },
        TableAnswer::Accepted => Got::Accepted,
        TableAnswer::Refused(refusal) => Got::Refused(refusal),
    }
}

pub fn happened(event: TableEvent) -> Got {
    match event {
        TableEvent::Company(_, change) => Got::Company(change),
        TableEvent::Waiting(owed) => Got::Waiting(owed),
        TableEvent::Update(update) => Got::Update(Box::new(seen(&update))),
        TableEvent::Over(over) => {
            let Over { closing, last_views, .. } = &*over;
            Got::Over {
                closing: closing.clone(),
                last_views: last_views.iter().map(opened).collect(),
            }
        }
        TableEvent::Seated(joined) => Got::Joined { seat: joined.seat, resumed: joined.resumed },
        TableEvent::Dismissed(dismissal) => Got::Dismissed(dismissal),
    }
}

fn opened(view: &AnyView) -> View {
    view.of::<Bids>().expect("a view of this game").clone()
}

pub fn seen(update: &Update) -> Seen {
    Seen {
        seq: update.seq,
        view: opened(&update.view),
        seat_views: update.seat_views.iter().map(opened).collect(),
        owed: update.owed,
        owes: update.owes,
        deadline: update.deadline,
        legal: update.legal.as_ref().and_then(|legal| legal.of::<Bids>()).cloned(),
        catch_up: update.catch_up,
    }
}
