//! The ladder: a league without an end. Entrants come and go, whoever waits is paired
//! ([`Matchmaking`](matchmaking::Matchmaking)), and every game counts for a strength. The fold keeps
//! what it needs of each entrant and the latest pairings; the rest it forgets, so that it stays as
//! large as its entrants are many.

pub mod elo;
pub mod matchmaking;

use std::collections::VecDeque;

use rules::{Exit, Outcome};
use serde::{Deserialize, Serialize};

use crate::standings::{Standing, TieBreaks};
use crate::{EntrantId, How, Pairing, history};
use elo::{Elo, Strengths};

/// What a ladder knows besides its entrants and the latest pairings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// Where each entrant stands.
    rungs: Vec<Rung>,
    strengths: Strengths,
}

/// Where one entrant stands on a ladder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Whom it met last, the latest first.
    met: VecDeque<EntrantId>,
    /// How often it sat in each seat.
    sat: Vec<u32>,
    /// How its latest games ended that it did not finish, since the last that it did.
    missed: Vec<Exit>,
    /// Games finished in a row.
    finished: u32,
    /// In quarantine until then, in milliseconds since 1970; it may be long past.
    quarantined_until: u64,
    /// What led to it.
    why: Vec<Exit>,
    /// Quarantines since it was last well.
    quarantines: u32,
}

/// So many pairings that are decided are remembered.
pub(crate) const REMEMBERED: usize = 60;

/// So many opponents are not met again at once.
const OPPONENTS: usize = 6;

/// The first quarantine lasts so long, each further one twice as long as the one before, up to the
/// longest.
const QUARANTINE_MS: u64 = 60_000;
const LONGEST_QUARANTINE_MS: u64 = 60 * 60_000;

/// Who has finished so many games in a row is well again: its next quarantine is a first one.
const WELL: u32 = 10;

/// After so many missed games in a row an entrant is put in quarantine; after one, if it has finished
/// none since the last.
const MISSED: usize = 3;

impl Rung {
    /// The end of its quarantine, if it is in one.
    pub fn quarantine(&self, now_ms: u64) -> Option<u64> {
        Some(self.quarantined_until).filter(|until| *until > now_ms)
    }

    /// What the latest quarantine is or was for.
    pub fn why(&self) -> &[Exit] {
        &self.why
    }

    /// How lately it met somebody: 1 in its last game, half of that in the one before.
    fn familiar(&self, other: EntrantId) -> f64 {
        let before = self.met.iter().position(|met| *met == other);
        before.map_or(0.0, |before| 0.5f64.powi(before as i32))
    }

    /// A game ended by its own clock, crash or absence.
    fn miss(&mut self, exit: &Exit) {
        self.finished = 0;
        self.missed.push(exit.clone());
        let spare = self.missed.len().saturating_sub(MISSED);
        self.missed.drain(..spare);
    }

    fn finish(&mut self) {
        self.missed.clear();
        self.finished += 1;
        if self.finished >= WELL {
            self.quarantines = 0;
        }
    }

    fn is_broken(&self) -> bool {
        let most = if self.quarantines > 0 && self.finished == 0 { 1 } else { MISSED };
        self.missed.len() >= most
    }
}

impl Ladder {
    /// There are so many entrants now.
    pub(crate) fn grow(&mut self, entrants: usize) {
        self.rungs.resize_with(entrants, Rung::default);
    }

    /// Where an entrant stands; nowhere before the ladder has begun.
    pub fn rung(&self, entrant: EntrantId) -> Option<&Rung> {
        self.rungs.get(entrant.index())
    }

    /// How strong an entrant is.
    pub fn elo(&self, entrant: EntrantId) -> Elo {
        self.strengths.of(entrant)
    }

    /// How many games count for the strengths now.
    pub fn games_counted(&self) -> usize {
        self.strengths.counted()
    }

    /// Those who are to be put in quarantine, and for how long; some may have left.
    pub fn broken(&self) -> impl Iterator<Item = (EntrantId, u64)> {
        let broken = self.rungs.iter().zip(0..).filter(|(rung, _)| rung.is_broken());
        broken.map(|(rung, number)| {
            let doubled = QUARANTINE_MS << rung.quarantines.min(16);
            (EntrantId(number), doubled.min(LONGEST_QUARANTINE_MS))
        })
    }

    pub(crate) fn quarantine(&mut self, entrant: EntrantId, until: u64) {
        let rung = &mut self.rungs[entrant.index()];
        rung.quarantined_until = until;
        rung.quarantines += 1;
        rung.finished = 0;
        rung.why = std::mem::take(&mut rung.missed);
    }

    /// The organiser lets somebody play again, whatever it has missed.
    pub(crate) fn release(&mut self, entrant: EntrantId) {
        let rung = &mut self.rungs[entrant.index()];
        (rung.quarantined_until, rung.quarantines) = (0, 0);
        rung.missed.clear();
    }

    /// These meet: in which seats.
    pub(crate) fn meet(&mut self, entrants: &[EntrantId]) -> Vec<EntrantId> {
        for &one in entrants {
            for &other in entrants.iter().filter(|other| **other != one) {
                self.rungs[one.index()].met.push_front(other);
            }
            let met = &mut self.rungs[one.index()].met;
            met.truncate(OPPONENTS.max(2 * (entrants.len() - 1)));
        }
        history::seated(entrants.to_vec(), |entrant| &self.rungs[entrant.index()].sat)
    }

    /// A game ended with a result: what it says of everybody's strength and health.
    pub(crate) fn count(&mut self, seats: &[EntrantId], outcome: &Outcome) {
        let standings = || seats.iter().zip(&outcome.standings);
        self.strengths.count(standings().map(|(entrant, at)| (*entrant, at.place)).collect());
        for (seat, (entrant, standing)) in standings().enumerate() {
            let rung = &mut self.rungs[entrant.index()];
            rung.sat.resize(rung.sat.len().max(seat + 1), 0);
            rung.sat[seat] += 1;
            match &standing.exit {
                Some(exit @ (Exit::TimedOut | Exit::Lost | Exit::Crashed | Exit::NeverCame)) => {
                    rung.miss(exit);
                }
                Some(Exit::Left | Exit::Disqualified(_)) => {}
                None => rung.finish(),
            }
        }
    }

    /// A game ended by an entrant's own clock, crash or absence.
    pub(crate) fn miss(&mut self, entrant: EntrantId, exit: &Exit) {
        self.rungs[entrant.index()].miss(exit);
    }

    /// A pairing is decided: it counts for those who played it.
    pub(crate) fn count_decided(&mut self, pairing: &Pairing) {
        let decision = pairing.decision.as_ref().expect("it was decided just now");
        if !matches!(decision.how, How::Played | How::Forfeit | How::Adjudicated) {
            return;
        }
        for (entrant, place) in pairing.entrants.iter().zip(&decision.places) {
            let won = decision.winner == Some(*entrant);
            let drawn = !won && *place == Some(1);
            let rung = &mut self.rungs[entrant.index()];
            rung.played += 1;
            rung.won += u32::from(won);
            rung.drawn += u32::from(drawn);
            rung.lost += u32::from(!won && !drawn);
        }
    }

    /// By the strength that is almost certain; behind all others those who have left or not played
    /// yet.
    pub(crate) fn standings(&self, is_active: impl Fn(EntrantId) -> bool) -> Vec<Standing> {
        let mut order: Vec<(EntrantId, &Rung)> = (0..).map(EntrantId).zip(&self.rungs).collect();
        order.sort_by(|(one, own), (other, its)| {
            let fate = |id: EntrantId, rung: &Rung| (!is_active(id), rung.played == 0);
            let fates = fate(*one, own).cmp(&fate(*other, its));
            let certain = |id: EntrantId| self.strengths.of(id).low();
            fates.then(certain(*other).total_cmp(&certain(*one))).then(one.cmp(other))
        });
        let standing = |(place, (entrant, rung)): (u32, (EntrantId, &Rung))| Standing {
            entrant,
            place,
            points: 0,
            tie_breaks: TieBreaks::default(),
            played: rung.played,
            won: rung.won,
            drawn: rung.drawn,
            lost: rung.lost,
            byes: 0,
            out_in_round: None,
            seats: rung.sat.clone(),
        };
        (1..).zip(order).map(standing).collect()
    }
}
