//! What the parts of a hall share while an input is handled: the time, chance, the hall's settings,
//! and the outputs.

use std::sync::Arc;

use rules::{Dice, Seed};
use table::{Cause, ConnId, Refusal, Terms, Time, TournamentNo};

use crate::contest::{TournamentEntry, TournamentInfo, TournamentRecord};
use crate::premises::Premises;
use crate::{Answer, Event, Listing, Output, naming};

#[derive(Debug)]
pub(crate) struct Desk {
    pub now: Time,
    /// The input being handled.
    pub cause: Cause,
    pub dice: Dice,
    /// Chance for salts alone: what is promised of a deal changes no other chance.
    pub salts: Dice,
    pub premises: Premises,
    pub out: Vec<Output>,
    /// List changes not sent yet.
    pub listed: Vec<Listing>,
}

impl Desk {
    /// `seed` is the source of all chance.
    pub fn new(terms: Terms, max_tables: usize, seed: &Seed) -> Desk {
        Desk {
            now: Time(0),
            cause: Cause::Begun,
            dice: Dice::new(seed, terms.config.rules().name(), 0),
            salts: Dice::new(seed, "salts", 0),
            premises: Premises::new(terms, max_tables),
            out: Vec::new(),
            listed: Vec::new(),
        }
    }

    pub fn answer(&mut self, conn: ConnId, answer: Answer) {
        self.out.push(Output::Answer(conn, answer));
    }

    pub fn refuse(&mut self, conn: ConnId, refusal: Refusal) {
        self.answer(conn, Answer::Refused(refusal));
    }

    pub fn tell(&mut self, conn: ConnId, event: Event) {
        self.out.push(Output::Tell(conn, event));
    }

    /// A record of a tournament.
    pub fn write_down(
        &mut self,
        tournament: TournamentNo,
        record: Arc<TournamentRecord>,
        info: Option<Box<TournamentInfo>>,
    ) {
        self.listed.push(Listing::Happened(tournament, record.clone()));
        let (at, cause) = (self.now, self.cause);
        let entry = TournamentEntry { tournament, at, cause, record, info };
        self.out.push(Output::TournamentRecord(entry));
    }

    /// A fresh secret.
    pub fn token(&mut self) -> String {
        naming::token(&mut self.dice)
    }
}
