//! Organisers' requests: opening and closing tables, creating and running tournaments.

use rules::{Seat, Seed};
use serde::{Deserialize, Serialize};
use table::{Name, Refusal, TableInfo, TableInput, TableNo, Terms};

use crate::Hall;
use crate::contest::{NewTournament, Order};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    Open(Box<NewTable>),
    /// Closes a waiting or running table without a result.
    Close {
        id: Name,
        reason: String,
    },
    /// The program of the player in this seat has ended, says the tool that started it.
    Crashed {
        id: Name,
        seat: Seat,
    },
    Convene(Box<NewTournament>),
    Order {
        id: Name,
        order: Order,
    },
}

/// A table as an organiser wants it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewTable {
    pub terms: Terms,
    pub id: Option<Name>,
    /// Names to reserve seats for. If they fill the table, this is the seating order.
    pub reserved: Vec<Name>,
    /// The chance of its game, to play the same deal again; made up unless given.
    pub seed: Option<Seed>,
    /// Its house bots were requested by name: if they fill the table, it starts at once.
    pub bots_at_once: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    Table(Box<TableInfo>),
    /// The tournament of this id is now as it was asked for.
    Tournament(Name),
    Refused(Refusal),
}

impl Hall {
    pub(crate) fn asked(&mut self, request: Request) -> Reply {
        match request {
            Request::Open(new) => match self.lobby.open_as_asked(&mut self.desk, *new) {
                Ok(info) => Reply::Table(Box::new(info)),
                Err(refusal) => Reply::Refused(refusal),
            },
            Request::Close { id, reason } => self.shown(&id, |hall, no| hall.close(no, reason)),
            Request::Crashed { id, seat } => {
                self.shown(&id, |hall, no| hall.lobby.whereabouts.crashed(&mut hall.desk, no, seat))
            }
            Request::Convene(new) => match self.steward().convene(*new) {
                Ok(id) => Reply::Tournament(id),
                Err(refusal) => Reply::Refused(refusal),
            },
            Request::Order { id, order } => match self.steward().obey(&id, order) {
                Ok(()) => Reply::Tournament(id),
                Err(refusal) => Reply::Refused(refusal),
            },
        }
    }

    fn close(&mut self, no: TableNo, reason: String) -> Result<(), Refusal> {
        if !self.lobby.whereabouts.tables.is_open(no) {
            return Err(Refusal::AlreadyOver);
        }
        self.lobby.whereabouts.run(&mut self.desk, no, TableInput::Closed(reason));
        Ok(())
    }

    /// A table after something was done to it, if that could be done.
    fn shown(
        &mut self,
        id: &Name,
        done: impl FnOnce(&mut Hall, TableNo) -> Result<(), Refusal>,
    ) -> Reply {
        let found = self.lobby.whereabouts.tables.named(id).ok_or(Refusal::NoSuchTable);
        match found.and_then(|no| done(self, no).map(|()| no)) {
            Ok(no) => Reply::Table(Box::new(self.lobby.whereabouts.tables.live(no).info())),
            Err(refusal) => Reply::Refused(refusal),
        }
    }
}
