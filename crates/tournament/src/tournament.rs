//! The fold: what each fact does to a tournament.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::history::History;
use crate::{
    DueGame, Entrant, EntrantId, Fact, Format, Ladder, Pairing, PairingId, Plan, PlanError,
    Refusal, Standing, standings, tables,
};

/// After so many games in a row that ended by its own clock, crash or absence an entrant is
/// [missing](Tournament::missing).
const MISSED_IN_A_ROW: u32 = 3;

/// A tournament: a fold of its plan and its facts. [`apply`](Tournament::apply) is the only
/// mutator, [`check`](Tournament::check) the authority on what may be applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    pub(crate) plan: Plan,
    pub(crate) phase: TournamentPhase,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) names: BTreeMap<String, EntrantId>,
    /// The order drawn at the start: each entrant's position in it.
    pub(crate) lots: Vec<u32>,
    /// The round in which somebody withdrew.
    pub(crate) left_in: BTreeMap<EntrantId, u32>,
    pub(crate) pairings: Vec<Pairing>,
    pub(crate) undecided: BTreeSet<PairingId>,
    /// The games that are on a table or belong on one.
    pub(crate) open: BTreeMap<PairingId, DueGame>,
    /// Schedules made in advance: the undecided pairings of each entrant that are not open.
    pub(crate) ahead: Vec<BTreeSet<PairingId>>,
    /// Whether an entrant is in an open game.
    pub(crate) busy: Vec<bool>,
    /// Games that a withdrawal has taken from their table: should the entrant come back, their
    /// numbers are used up.
    pub(crate) cut_short: BTreeMap<PairingId, DueGame>,
    /// How many games in a row ended by the entrant's own clock, crash or absence.
    pub(crate) missed: BTreeMap<EntrantId, u32>,
    /// How many pairings there were; a ladder has forgotten most of them.
    pub(crate) paired: u32,
    /// What only a ladder knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ladder: Option<Ladder>,
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
            entrants: Vec::new(),
            names: BTreeMap::new(),
            lots: Vec::new(),
            left_in: BTreeMap::new(),
            pairings: Vec::new(),
            undecided: BTreeSet::new(),
            open: BTreeMap::new(),
            ahead: Vec::new(),
            busy: Vec::new(),
            cut_short: BTreeMap::new(),
            missed: BTreeMap::new(),
            paired: 0,
            ladder: is_ladder.then(Ladder::default),
        })
    }

    /// Takes a fact in, if it may be; otherwise nothing changes.
    pub fn apply(&mut self, fact: &Fact) -> Result<(), Refusal> {
        self.check(fact)?;
        match fact {
            Fact::Entered { name, bot } => self.enter(name, bot.clone()),
            Fact::Withdrawn { name, .. } if self.phase == TournamentPhase::Entering => {
                self.strike(name);
            }
            Fact::Withdrawn { name, why } => self.withdraw(self.names[name], *why),
            Fact::Reinstated { name } => self.bring_back(self.names[name]),
            Fact::Started => self.start(),
            Fact::Paired { entrants } => self.meet(entrants),
            Fact::Quarantined { name, until } => {
                let entrant = self.names[name];
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

    /// By [`EntrantId`]. Before the start the numbers change when somebody withdraws.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    pub fn entrant(&self, id: EntrantId) -> &Entrant {
        &self.entrants[id.index()]
    }

    pub fn find(&self, name: &str) -> Option<EntrantId> {
        self.names.get(name).copied()
    }

    /// All pairings so far, by [`PairingId`]. Round-robin and gauntlet have all of theirs from
    /// the start; a ladder has the latest, and those that are not decided.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// These entrants of a ladder meet now.
    fn meet(&mut self, entrants: &[EntrantId]) {
        let Some(ladder) = &mut self.ladder else { return };
        let seats = ladder.meet(entrants);
        let id = self.add(1, seats);
        self.open(id);
    }

    /// What a ladder knows of its entrants; none if this is no ladder.
    pub fn ladder(&self) -> Option<&Ladder> {
        self.ladder.as_ref()
    }

    /// A pairing, unless there is none of this number, or none any more.
    pub fn find_pairing(&self, id: PairingId) -> Option<&Pairing> {
        Some(&self.pairings[place_of(&self.pairings, id)?])
    }

    /// Why nobody came to a game is told while it is news, and not written down with a ladder.
    pub fn forget_exits(&mut self) {
        let games = self.pairings.iter_mut().flat_map(|pairing| &mut pairing.games);
        games.for_each(|game| game.exits.clear());
    }

    /// Those who are to be withdrawn: nobody should wait for them once more.
    pub fn missing(&self) -> Vec<EntrantId> {
        if self.ladder.is_some() {
            return Vec::new();
        }
        let missed = self.missed.iter().filter(|(_, games)| **games >= MISSED_IN_A_ROW);
        missed.map(|(entrant, _)| *entrant).filter(|&entrant| self.is_active(entrant)).collect()
    }

    /// The games that belong on a table now, those already there included, in order of pairing.
    /// Nobody is in two of them. A game stays due until a fact about it is applied; nothing is due
    /// while the tournament is paused.
    pub fn due(&self) -> impl Iterator<Item = &DueGame> {
        let running = self.phase == TournamentPhase::Running;
        self.open.values().filter(move |_| running)
    }

    /// The game of a pairing that is to be played now, also while the tournament is paused.
    pub fn open_game(&self, pairing: PairingId) -> Option<&DueGame> {
        let begun = matches!(self.phase, TournamentPhase::Running | TournamentPhase::Paused);
        self.open.get(&pairing).filter(|_| begun)
    }

    /// The game an entrant is to play now, also while the tournament is paused.
    pub fn open_game_of(&self, entrant: EntrantId) -> Option<&DueGame> {
        let begun = matches!(self.phase, TournamentPhase::Running | TournamentPhase::Paused);
        self.open.values().find(|due| due.seats.contains(&entrant)).filter(|_| begun)
    }

    /// Who has a bye in a round.
    pub fn byes(&self, round: u32) -> Vec<EntrantId> {
        let byes =
            self.pairings.iter().filter(|pairing| pairing.round == round && pairing.is_bye());
        byes.flat_map(|pairing| pairing.entrants.iter().copied()).collect()
    }

    /// The first round with anything undecided; the last one when all is decided; 0 before the
    /// start.
    pub fn round(&self) -> u32 {
        let last = self.pairings.last().map(|pairing| pairing.round);
        let first = self.undecided.first().map(|&id| self.pairing(id).round);
        first.or(last).unwrap_or(0)
    }

    /// How many rounds there will be, if nobody withdraws; 0 before the start.
    pub fn rounds(&self) -> u32 {
        match self.plan.format {
            _ if self.phase == TournamentPhase::Entering => 0,
            Format::Ladder { .. } => 0,
            Format::Swiss { rounds } if rounds > 0 => rounds,
            Format::Knockout | Format::Swiss { .. } => {
                tables::knockout_rounds(self.entrants.len(), self.plan.table_seats)
            }
            Format::RoundRobin { .. } | Format::Gauntlet { .. } => {
                self.pairings.last().map_or(0, |pairing| pairing.round)
            }
        }
    }

    /// Everybody, the best first.
    pub fn standings(&self) -> Vec<Standing> {
        match &self.ladder {
            Some(ladder) => ladder.standings(|entrant| self.is_active(entrant)),
            None => standings::standings(self),
        }
    }

    /// Who has won, once the tournament is over.
    pub fn winner(&self) -> Option<EntrantId> {
        let over = self.phase == TournamentPhase::Over;
        over.then(|| self.standings()[0].entrant)
    }

    /// Whether an entrant has not withdrawn.
    pub(crate) fn is_active(&self, entrant: EntrantId) -> bool {
        !self.entrant(entrant).withdrawn
    }

    /// Seats of a full table here.
    pub(crate) fn table_seats(&self) -> usize {
        self.plan.table_seats.min(self.entrants.len().max(2))
    }

    pub(crate) fn history(&self) -> History {
        History::of(&self.pairings, self.entrants.len(), self.table_seats())
    }

    pub(crate) fn pairing(&self, id: PairingId) -> &Pairing {
        self.find_pairing(id).expect("a pairing that is not forgotten")
    }

    pub(crate) fn pairing_mut(&mut self, id: PairingId) -> &mut Pairing {
        let place = place_of(&self.pairings, id).expect("a pairing that is not forgotten");
        &mut self.pairings[place]
    }
}

/// Where a pairing is in the list: at its number, unless some before it are forgotten.
fn place_of(pairings: &[Pairing], id: PairingId) -> Option<usize> {
    let at = id.index();
    match pairings.get(at) {
        Some(pairing) if pairing.id == id => Some(at),
        _ => pairings.binary_search_by_key(&id, |pairing| pairing.id).ok(),
    }
}
