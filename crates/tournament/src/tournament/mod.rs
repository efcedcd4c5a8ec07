//! The fold: what each fact does to a tournament.

mod agenda;
mod check;
mod ending;
mod matchmaking;
mod opening;
mod written;

use rules::Seed;
use serde::{Deserialize, Serialize};

use crate::entrants::Entrants;
use crate::pairings::Pairings;
use crate::{
    DueGame, Entrant, EntrantId, Fact, Format, Ladder, Pairing, PairingId, Plan, PlanError,
    Refusal, Standing, deals, rounds, standings,
};
use agenda::Agenda;
use written::Written;

pub use matchmaking::{Matchmaking, Waiting};

/// A tournament: a fold of its plan and its facts. [`apply`](Tournament::apply) is the only
/// mutator, [`check`](Tournament::check) the authority on what may be applied.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Written<'static>")]
pub struct Tournament {
    plan: Plan,
    phase: TournamentPhase,
    entrants: Entrants,
    pairings: Pairings,
    agenda: Agenda,
    /// The ladder's own state.
    ladder: Option<Ladder>,
}

/// ```text
///             Started            Paused
///  Entering ───────────→ Running ⇄ Paused ──→ Over: the last pairing was decided
///      └──────────────────┴───────────┴─────→ Cancelled
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentPhase {
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
    pub fn new(plan: Plan) -> Result<Tournament, PlanError> {
        plan.validate()?;
        let is_ladder = matches!(plan.format, Format::Ladder { .. });
        Ok(Tournament {
            plan,
            phase: TournamentPhase::Entering,
            entrants: Entrants::default(),
            pairings: Pairings::default(),
            agenda: Agenda::default(),
            ladder: is_ladder.then(Ladder::default),
        })
    }

    /// Takes a fact in, if it may be; otherwise nothing changes.
    pub fn apply(&mut self, fact: &Fact) -> Result<(), Refusal> {
        self.check(fact)?;
        match fact {
            Fact::Entered { name, bot } => self.enter(name, bot.clone()),
            Fact::Withdrawn { name, .. } if self.phase == TournamentPhase::Entering => {
                self.entrants.strike(name);
            }
            Fact::Withdrawn { name, why } => self.withdraw(self.entrants.known(name), *why),
            Fact::Reinstated { name } => self.bring_back(self.entrants.known(name)),
            Fact::Started => self.start(),
            Fact::Paired { entrants } => self.meet(entrants),
            Fact::Quarantined { name, until } => {
                let entrant = self.entrants.known(name);
                self.ladder.iter_mut().for_each(|ladder| ladder.quarantine(entrant, *until));
            }
            Fact::Played { pairing, outcome, .. } => self.end_game(*pairing, Some(outcome)),
            Fact::Void { pairing, .. } => self.end_game(*pairing, None),
            Fact::Forfeited { pairing, broken, exits } => self.forfeit(*pairing, *broken, exits),
            Fact::Adjudicated { pairing, places } => self.adjudicate(*pairing, places),
            Fact::Paused => self.phase = TournamentPhase::Paused,
            Fact::Resumed => self.phase = TournamentPhase::Running,
            Fact::Cancelled => self.phase = TournamentPhase::Cancelled,
        }
        Ok(())
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn phase(&self) -> TournamentPhase {
        self.phase
    }

    /// By [`EntrantId`]. Before the start the numbers change when an entrant withdraws.
    pub fn entrants(&self) -> &[Entrant] {
        self.entrants.all()
    }

    pub fn entrant(&self, id: EntrantId) -> &Entrant {
        self.entrants.get(id)
    }

    pub fn find(&self, name: &str) -> Option<EntrantId> {
        self.entrants.find(name)
    }

    /// All pairings so far, by [`PairingId`]. Round-robin and gauntlet have all of theirs from
    /// the start; a ladder has the latest, and those that are not decided.
    pub fn pairings(&self) -> &[Pairing] {
        self.pairings.all()
    }

    /// What a ladder knows about its entrants; `None` if this isn't a ladder.
    pub fn ladder(&self) -> Option<&Ladder> {
        self.ladder.as_ref()
    }

    /// A pairing, unless there is none of this number, or none any more.
    pub fn find_pairing(&self, id: PairingId) -> Option<&Pairing> {
        self.pairings.find(id)
    }

    /// The entrants to withdraw, so that no one waits for them again.
    pub fn missing(&self) -> Vec<EntrantId> {
        match self.ladder {
            Some(_) => Vec::new(),
            None => self.entrants.missing(),
        }
    }

    /// The games that belong on a table now, including those already there, in order of pairing. No
    /// entrant is in two of them. A game stays due until a fact about it is applied; nothing is due
    /// while the tournament is paused.
    pub fn due(&self) -> impl Iterator<Item = &DueGame> {
        let running = self.phase == TournamentPhase::Running;
        self.agenda.games().filter(move |_| running)
    }

    /// The game of a pairing that is to be played now, also while the tournament is paused.
    pub fn open_game(&self, pairing: PairingId) -> Option<&DueGame> {
        let begun = matches!(self.phase, TournamentPhase::Running | TournamentPhase::Paused);
        self.agenda.game(pairing).filter(|_| begun)
    }

    /// The game an entrant is to play now, also while the tournament is paused.
    pub fn open_game_of(&self, entrant: EntrantId) -> Option<&DueGame> {
        let begun = matches!(self.phase, TournamentPhase::Running | TournamentPhase::Paused);
        self.agenda.games().find(|due| due.seats.contains(&entrant)).filter(|_| begun)
    }

    /// Whether an entrant is in the tournament and, as it has begun, in no game.
    pub(crate) fn is_free(&self, entrant: EntrantId) -> bool {
        self.entrants.is_active(entrant) && self.agenda.is_free(entrant)
    }

    /// The entrants with a bye in a round.
    pub fn byes(&self, round: u32) -> Vec<EntrantId> {
        let byes =
            self.pairings().iter().filter(|pairing| pairing.round == round && pairing.is_bye());
        byes.flat_map(|pairing| pairing.entrants.iter().copied()).collect()
    }

    /// The first round with anything undecided; the last one when all is decided; 0 before the
    /// start.
    pub fn round(&self) -> u32 {
        self.pairings.round()
    }

    /// Number of rounds if no entrant withdraws; 0 before the start.
    pub fn rounds(&self) -> u32 {
        match self.phase {
            TournamentPhase::Entering => 0,
            _ => rounds::count(&self.plan, &self.entrants, &self.pairings),
        }
    }

    /// The seed of a game: the same plan deals the same cards to the same game. Knowing the deal of
    /// one game doesn't reveal another.
    pub fn deal(&self, due: &DueGame) -> Seed {
        deals::deal(&self.plan, due, self.find_pairing(due.pairing), self.rounds())
    }

    /// Whether the cards of a pairing may still be dealt to other entrants: in its round, or in the
    /// same round of a later cycle.
    pub fn may_deal_again(&self, pairing: PairingId) -> bool {
        let is_over = matches!(self.phase, TournamentPhase::Over | TournamentPhase::Cancelled);
        !is_over && deals::may_repeat(&self.plan, pairing, self.pairings(), self.rounds())
    }

    /// All entrants, best first.
    pub fn standings(&self) -> Vec<Standing> {
        match &self.ladder {
            Some(ladder) => ladder.standings(|entrant| self.entrants.is_active(entrant)),
            None => standings::standings(&self.plan, &self.entrants, &self.pairings),
        }
    }

    /// The winner, once the tournament is over.
    pub fn winner(&self) -> Option<EntrantId> {
        let over = self.phase == TournamentPhase::Over;
        over.then(|| self.standings()[0].entrant)
    }
}
