//! What the parts of a hall share while an input is handled: the time, chance, what they know of the
//! house, and what comes out.

use rules::{Dice, Game};
use table::{Cause, ConnId, Refusal, Time};

use crate::premises::Premises;
use crate::{Answer, Event, Listing, Output, naming};

#[derive(Debug)]
pub(crate) struct Desk<G: Game> {
    pub now: Time,
    /// What is being handled.
    pub cause: Cause,
    pub dice: Dice,
    /// Chance for salts alone: what is promised of a deal changes no other chance.
    pub salts: Dice,
    pub premises: Premises<G>,
    pub out: Vec<Output<G>>,
    /// What has changed in lists and was not told yet.
    pub listed: Vec<Listing<G>>,
}

impl<G: Game> Desk<G> {
    pub fn new(premises: Premises<G>, dice: Dice, salts: Dice) -> Desk<G> {
        let (out, listed) = (Vec::new(), Vec::new());
        Desk { now: Time(0), cause: Cause::Begun, dice, salts, premises, out, listed }
    }

    pub fn answer(&mut self, conn: ConnId, answer: Answer) {
        self.out.push(Output::Answer(conn, answer));
    }

    pub fn refuse(&mut self, conn: ConnId, refusal: Refusal) {
        self.answer(conn, Answer::Refused(refusal));
    }

    pub fn tell(&mut self, conn: ConnId, event: Event<G>) {
        self.out.push(Output::Tell(conn, event));
    }

    /// A fresh secret.
    pub fn token(&mut self) -> String {
        naming::token(&mut self.dice)
    }
}
