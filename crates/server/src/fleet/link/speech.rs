//! What gateways and owners say to each other.

use std::sync::Arc;

use hall::{
    Answer, Attendance, BanSubject, Command, Company, ConnId, Event, KeyHash, LeanUpdate, Listing,
    Reply, Request, TableNo, TableRecord, TableStanding, Time,
};
use serde::{Deserialize, Serialize, Serializer};

use super::following::{BareUpdate, Players};

/// What a gateway says to the owner of a hall.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromGateway {
    /// The first message of every link.
    Attach(Attach),
    /// A connection's command, with its number.
    Said(ConnId, u64, Command),
    Showed(ConnId, KeyHash),
    Gone(ConnId),
    /// An organiser's request; the number comes back with the reply.
    Asked(u64, Request),
    /// Every frame up to this one has come.
    Heard(u64),
    /// The connections of somebody are to be closed, at all nodes.
    Kick(BanSubject),
}

/// What a gateway knows when it comes to an owner.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Attach {
    /// The last frame that it has heard, and from the owner of which epoch.
    pub heard: Option<(u64, u64)>,
    /// Its connections, as the hall knew them with that frame.
    pub attending: Vec<(ConnId, Attendance)>,
    /// More of its connections, who have asked something and heard no answer yet.
    #[serde(default)]
    pub asking: Vec<ConnId>,
    /// The tables at which they are, as those stood then.
    pub tables: Vec<(TableNo, TableStanding)>,
}

/// What the owner of a hall says to a gateway.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromOwner {
    /// What was missed has been said. These are the lists, unless they are told later; these connections
    /// of the gateway's are unknown here, and what is in flight is to be said again.
    Attached {
        epoch: u64,
        lists: Vec<Listing>,
        unknown: Vec<ConnId>,
    },
    /// The hall knows nothing of these connections of the gateway's any more: their players have come back
    /// over other nodes while this one was out of touch.
    Parted(Vec<ConnId>),
    /// Lists have changed.
    Listed(Vec<Listing>),
    /// Connections are to be closed: these, if somebody is meant by name or key, and else those from an
    /// address.
    Kick(BanSubject, Vec<ConnId>),
    /// The frames that follow were said by an owner that was lost. Clocks were put off by this many
    /// milliseconds since.
    Late(u64),
    /// The owner has not been able to save a move for this many milliseconds; 0 means that it can again.
    Unsaved(u64),
    Frame(Frame),
}

/// What one pass of the hall says to the connections of one gateway. It is sent when its causes are
/// durable.
#[derive(Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The epoch of the owner that says it.
    pub epoch: u64,
    /// Frames of one owner are numbered as they are made, for all gateways together.
    pub number: u64,
    /// Companies that were told before are forgotten, and no table is followed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afresh: bool,
    #[serde(serialize_with = "lean")]
    pub said: Vec<Spoken>,
}

/// Writes updates without their companies.
fn lean<S: Serializer>(said: &[Spoken], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Said<'a> {
        Lean(Lean<'a>),
        Whole(&'a Spoken),
    }
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Lean<'a> {
        Tell(&'a [ConnId], LeanEvent<'a>),
    }
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum LeanEvent<'a> {
        Update(LeanUpdate<'a>),
    }
    to.collect_seq(said.iter().map(|said| match said {
        Spoken::Tell(conns, Event::Update(update)) => {
            Said::Lean(Lean::Tell(conns, LeanEvent::Update((&**update).into())))
        }
        said => Said::Whole(said),
    }))
}

/// A turn that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextTurn {
    pub seq: u64,
    pub at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
}

impl NextTurn {
    /// How its table stands, if nothing else is to be known of it.
    pub fn standing(self) -> TableStanding {
        TableStanding::of_turn((self.seq, self.at), self.deadline)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spoken {
    Answer(ConnId, Answer),
    /// To several at once: what is public crosses once.
    Tell(Vec<ConnId>, Event),
    /// Who sits at a table of which something is said next.
    Meet(Arc<Company>),
    /// All that has happened at a table, which is followed from now on.
    Follow(TableNo, Vec<Arc<TableRecord>>),
    /// Something has happened at a table that is followed. What is over is followed to the end of the frame.
    Happened(TableNo, Arc<TableRecord>),
    /// These play at a table that is followed.
    Play(TableNo, Players),
    /// A turn has begun at a table that is followed: all who play there are told how the table stands.
    Turn(TableNo, NextTurn),
    /// How a table that is followed stands now, as these see it.
    See(Vec<ConnId>, TableNo, Box<BareUpdate>),
    /// The game at a table that is followed is over.
    Over(Vec<ConnId>, TableNo),
    Reply(u64, Reply),
    /// From now on the hall knows this of a connection.
    Attends(ConnId, Box<Attendance>),
    /// From now on a table at which some of them are stands so.
    Stands(TableNo, Box<TableStanding>),
}
