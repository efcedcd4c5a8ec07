//! The fold.

use serde::{Deserialize, Serialize};

use crate::{Due, Entrant, EntrantId, Fact, Pairing, PairingId, Plan, Refusal, Standing};

/// A tournament: a fold of its plan and its facts. [`apply`](Tournament::apply) is the only
/// mutator, [`check`](Tournament::check) the authority on what may be applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    plan: Plan,
    phase: Phase,
    entrants: Vec<Entrant>,
    pairings: Vec<Pairing>,
    due: Vec<Due>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Entrants come and go.
    Entering,
    Running,
    /// Nothing new goes to a table.
    Paused,
    /// Everything is decided.
    Over,
    Cancelled,
}

impl Tournament {
    /// The only constructor. Refuses a plan that cannot be played, naming the value and what is
    /// allowed.
    pub fn new(plan: Plan) -> Result<Tournament, String> {
        plan.validate()?;
        Ok(Tournament {
            plan,
            phase: Phase::Entering,
            entrants: Vec::new(),
            pairings: Vec::new(),
            due: Vec::new(),
        })
    }

    /// Whether a fact may be applied.
    pub fn check(&self, fact: &Fact) -> Result<(), Refusal> {
        let _ = fact;
        todo!()
    }

    /// Takes a fact in. It must have passed [`check`](Tournament::check).
    pub fn apply(&mut self, fact: &Fact) {
        let _ = fact;
        todo!()
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// By [`EntrantId`]. Before the start the numbers change when somebody withdraws.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    pub fn entrant(&self, id: EntrantId) -> &Entrant {
        &self.entrants[id.index()]
    }

    pub fn find(&self, name: &str) -> Option<EntrantId> {
        let _ = name;
        todo!()
    }

    /// All pairings so far, by [`PairingId`]. Round-robin and gauntlet have all of theirs from
    /// the start.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The games that belong on a table now, those already there included, in order of pairing.
    /// Nobody is in two of them. A game stays due until a fact about it is applied, and nothing
    /// is due while the tournament is paused.
    pub fn due(&self) -> impl Iterator<Item = &Due> {
        self.due.iter()
    }

    /// The game of a pairing that is to be played now, also while the tournament is paused.
    pub fn open_game(&self, pairing: PairingId) -> Option<&Due> {
        let _ = pairing;
        todo!()
    }

    /// Who has a bye in a round.
    pub fn byes(&self, round: u32) -> Vec<EntrantId> {
        let _ = round;
        todo!()
    }

    /// The first round with anything undecided; the last one when all is decided; 0 before the
    /// start.
    pub fn round(&self) -> u32 {
        todo!()
    }

    /// How many rounds there will be, if nobody withdraws; 0 before the start.
    pub fn rounds(&self) -> u32 {
        todo!()
    }

    /// Everybody, the best first.
    pub fn standings(&self) -> Vec<Standing> {
        todo!()
    }

    /// Who has won, once the tournament is over.
    pub fn winner(&self) -> Option<EntrantId> {
        todo!()
    }
}
