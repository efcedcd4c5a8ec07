//! The ladder: a league without an end. Entrants come and go, waiting ones are paired
//! ([`Matchmaking`](crate::Matchmaking)), and every game counts for a strength. The fold
//! keeps what it needs of each entrant and the latest pairings and forgets the rest, so its size
//! depends on the number of entrants only.

pub mod elo;

use std::collections::VecDeque;

use rules::{Exit, Outcome};
use serde::{Deserialize, Serialize};

use crate::standings::{Standing, TieBreaks};
use crate::{EntrantId, How, Pairing, history};
use elo::{Elo, Strengths};

/// What a ladder knows besides its entrants and the latest pairings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// Each entrant's position.
    rungs: Vec<Rung>,
    strengths: Strengths,
}

/// One entrant's position on a ladder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// The latest opponents, most recent first.
    met: VecDeque<EntrantId>,
    /// How often it sat in each seat.
    sat: Vec<u32>,
    /// How its latest games ended that it did not finish, since the last that it did.
    missed: Vec<Exit>,
    /// Games finished in a row.
    finished: u32,
    /// In quarantine until then, in milliseconds since 1970; it may be long past.
    quarantined_until: u64,
    /// Its causes.
    why: Vec<Exit>,
    /// Quarantines since it was last well.
    quarantines: u32,
}

/// Number of decided pairings to keep.
pub(crate) const REMEMBERED: usize = 60;

/// Number of latest opponents that are avoided.
const OPPONENTS: usize = 6;

/// Duration of the first quarantine; each further one is twice as long, up to the maximum.
const QUARANTINE_MS: u64 = 60_000;
const LONGEST_QUARANTINE_MS: u64 = 60 * 60_000;

/// Number of finished games in a row after which the next quarantine is a first one again.
const WELL: u32 = 10;

/// Number of missed games in a row that lead to quarantine; one suffices if the entrant has
/// finished none since the last quarantine.
const MISSED: usize = 3;

impl Rung {
    /// The end of its quarantine, if it is in one.
    pub fn quarantine(&self, now_ms: u64) -> Option<u64> {
        Some(self.quarantined_until).filter(|until| *until > now_ms)
    }

    /// The causes of the latest quarantine.
    pub fn why(&self) -> &[Exit] {
        &self.why
    }

    /// How recently it met another entrant: 1 in its last game, half of that in the one before.
    pub(crate) fn familiar(&self, other: EntrantId) -> f64 {
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
    /// Makes room for this number of entrants.
    pub(crate) fn grow(&mut self, entrants: usize) {
        self.rungs.resize_with(entrants, Rung::default);
    }

    /// An entrant's position; `None` before the ladder has begun.
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

    /// The entrants to put in quarantine, and for how long; some may have left.
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

    /// The organiser ends an entrant's quarantine.
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

    /// A game ended with a result: updates its players' strengths and quarantine counts.
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

    /// A pairing is decided: it counts for the entrants that played it.
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

    /// By the strength that is almost certain; entrants who left or haven't played come last.
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
