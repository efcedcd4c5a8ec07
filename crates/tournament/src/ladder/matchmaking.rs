//! Who of those that wait should meet now.
//!
//! Two are near each other if their strengths are, for how sure those are, and if they have not met
//! lately. Who has just come accepts only those near by: somebody better may be free in a moment. It
//! accepts more the longer it waits, and from half of the ladder's bound on whoever is free, so that
//! the other half is there for somebody to become free.
//!
//! House bots do not wait: they are there for whoever does, and never play among themselves.
//!
//! In every other game of its own an entrant meets anybody who is free, however far away: neighbours
//! who only ever met each other would say little about where all of them stand, and their intervals
//! would not hold (`tests/it/league.rs`).

use crate::{EntrantId, Format, Tournament, TournamentPhase};

/// An entrant who is here and free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub entrant: EntrantId,
    pub waited_ms: u64,
}

/// Who has just come accepts so far, and so much more by the time it accepts everybody.
const NEAR: f64 = 0.3;
const FAR: f64 = 4.0;

/// To meet the last opponent again is as bad as to meet somebody so far away; the one before half
/// as bad, and so on.
const AGAIN: f64 = 4.0;

/// Two equal players of whom everything is known are this far apart in strength at distance one.
const UNIT: f64 = 200.0;

impl Tournament {
    /// Those of a ladder who should meet now, table by table, out of those who wait; each of them is
    /// here, free and not in quarantine.
    pub fn matches(&self, waiting: &[Waiting]) -> Vec<Vec<EntrantId>> {
        let Format::Ladder { wait_s } = self.plan.format else { return Vec::new() };
        let room = match self.plan.concurrency as usize {
            0 => usize::MAX,
            most => most.saturating_sub(self.open.len()),
        };
        if self.phase != TournamentPhase::Running {
            return Vec::new();
        }
        let half = u64::from(wait_s) * 500;
        // Where nobody plays, nobody better will be free.
        let idle = self.open.is_empty();
        let is_house = |one: &Waiting| self.entrant(one.entrant).bot.is_some();
        let reach = |one: &Waiting| match one.waited_ms >= half || idle {
            _ if is_house(one) => 0.0,
            true => f64::INFINITY,
            false => NEAR + FAR * one.waited_ms as f64 / half as f64,
        };
        let mut queue = waiting.to_vec();
        queue.sort_by_key(|one| (is_house(one), std::cmp::Reverse(one.waited_ms), one.entrant));
        let mut tables = Vec::new();
        let mut at = 0;
        while at + 1 < queue.len() && tables.len() < room {
            let first = queue[at];
            if is_house(&first) {
                break;
            }
            let mut others: Vec<(f64, usize)> = (at + 1..queue.len())
                .map(|other| (self.distance(first.entrant, queue[other].entrant), other))
                .filter(|(distance, other)| *distance <= reach(&first).max(reach(&queue[*other])))
                .collect();
            others.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            others.truncate(self.plan.table_seats - 1);
            let full = others.len() + 1 == self.plan.table_seats;
            if others.is_empty() || !full && first.waited_ms < half {
                at += 1;
                continue;
            }
            let mut taken: Vec<usize> = others.into_iter().map(|(_, other)| other).collect();
            taken.push(at);
            tables.push(taken.iter().map(|&one| queue[one].entrant).collect());
            taken.sort_unstable();
            taken.into_iter().rev().for_each(|one| _ = queue.remove(one));
        }
        tables
    }

    /// How unfit two are to meet, where the first has waited longer.
    fn distance(&self, one: EntrantId, other: EntrantId) -> f64 {
        let (own, its) = (&self.rungs[one.index()], &self.rungs[other.index()]);
        let again = AGAIN * own.familiar(other).max(its.familiar(one));
        if own.played.is_multiple_of(2) {
            return again;
        }
        let (strength, its_strength) = (self.strengths.of(one), self.strengths.of(other));
        let unsure = strength.deviation.powi(2) + its_strength.deviation.powi(2);
        let apart = (strength.mean - its_strength.mean).abs() / (UNIT * UNIT + unsure).sqrt();
        apart + again
    }
}
