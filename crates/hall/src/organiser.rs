//! What organisers ask for: tables opened and closed, tournaments convened and run.

use rules::{Game, Seat, Seed};
use serde::{Deserialize, Serialize};

use crate::Hall;
use crate::opening::Purpose;
use crate::tournaments::{NewTournament, Order};
use table::{Closing, Name, Phase, Refusal, Start, TableInfo, Terms};

#[derive(Clone, Debug)]
pub enum Request<G: Game> {
    Open(Box<NewTable<G>>),
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
    Convene(Box<NewTournament<G>>),
    Order {
        id: Name,
        order: Order,
    },
}

/// A table as an organiser wants it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct NewTable<G: Game> {
    pub terms: Terms<G>,
    pub id: Option<Name>,
    /// Names to keep seats for. If they fill the table, each sits where it stands in this list.
    pub reserved: Vec<Name>,
    /// The chance of its game, to play the same deal again; made up unless given.
    pub seed: Option<Seed>,
    /// Its house bots were asked for by name: if they fill the table, it waits for nobody.
    pub bots_at_once: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Table(Box<TableInfo>),
    /// The tournament of this id is now as it was asked for.
    Tournament(Name),
    Refused(Refusal),
}

impl<G: Game> Hall<G> {
    pub(crate) fn asked(&mut self, request: Request<G>) -> Reply {
        match request {
            Request::Open(new) => match self.open_as_asked(*new) {
                Ok(info) => Reply::Table(Box::new(info)),
                Err(refusal) => Reply::Refused(refusal),
            },
            Request::Close { id, reason } => match self.ids.get(&id).copied() {
                None => Reply::Refused(Refusal::NoSuchTable),
                Some(no) if self.live(no).phase() == Phase::Closed => {
                    Reply::Refused(Refusal::AlreadyOver)
                }
                Some(no) => {
                    self.close(no, Closing::Void(reason));
                    Reply::Table(Box::new(self.live(no).info()))
                }
            },
            Request::Crashed { id, seat } => self.crashed(&id, seat),
            Request::Convene(new) => match self.convene(*new) {
                Ok(id) => Reply::Tournament(id),
                Err(refusal) => Reply::Refused(refusal),
            },
            Request::Order { id, order } => match self.obey(&id, order) {
                Ok(()) => Reply::Tournament(id),
                Err(refusal) => Reply::Refused(refusal),
            },
        }
    }

    fn open_as_asked(&mut self, new: NewTable<G>) -> Result<TableInfo, Refusal> {
        self.check_table(&new)?;
        let policy = &new.terms.policy;
        let all_bots = new.bots_at_once
            && !policy.house_bots.is_empty()
            && new.reserved.is_empty()
            && policy.house_bots.len() >= policy.seats;
        let no = self.open(new, Purpose::Organiser)?;
        if all_bots {
            // A table to watch.
            self.fill_with_bots(no);
        }
        Ok(self.live(no).info())
    }

    /// Whether a table can be as it is asked for.
    pub(crate) fn check_table(&self, new: &NewTable<G>) -> Result<(), Refusal> {
        let policy = &new.terms.policy;
        if policy.seats < new.reserved.len() {
            let (names, seats) = (new.reserved.len(), policy.seats);
            return Err(Refusal::BadTable(format!("{names} names are too many for {seats} seats")));
        }
        let mut names = new.reserved.clone();
        names.sort();
        names.dedup();
        if names.len() != new.reserved.len() {
            return Err(Refusal::BadTable("a name is reserved twice".to_owned()));
        }
        for strategy in &policy.house_bots {
            if !self.bots.iter().any(|kind| kind.name == *strategy) {
                let known: Vec<_> = self.bots.iter().map(|kind| kind.name).collect();
                let known = known.join(", ");
                return Err(Refusal::BadTable(format!(
                    "no house bot '{strategy}'; there are {known}"
                )));
            }
        }
        let fewest = match policy.start {
            Start::WhenFull { .. } => policy.seats,
            Start::WhenGathered { min, .. } | Start::OnCall { min } => min.min(policy.seats),
        };
        for seats in [fewest, policy.seats] {
            if seats > Seat::MAX {
                return Err(Refusal::BadTable(format!("{seats} seats are too many")));
            }
            if let Err(why) = G::setup(&new.terms.config, seats, Seed::from_number(0)) {
                return Err(Refusal::BadTable(why.to_string()));
            }
        }
        Ok(())
    }
}
