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

use std::collections::BTreeSet;

use super::Ladder;
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

/// Pairs the entrants of a ladder.
#[derive(Clone, Copy, Debug)]
pub struct Matchmaking<'a> {
    tournament: &'a Tournament,
    ladder: &'a Ladder,
    /// From so long on a wait ends with whoever is free.
    half_ms: u64,
}

impl<'a> Matchmaking<'a> {
    /// None: this tournament is no ladder.
    pub fn of(tournament: &'a Tournament) -> Option<Matchmaking<'a>> {
        let ladder = tournament.ladder()?;
        let Format::Ladder { wait_s } = tournament.plan().format else { return None };
        Some(Matchmaking { tournament, ladder, half_ms: u64::from(wait_s) * 500 })
    }

    /// Whether an entrant could play: it has not left, and is in no game.
    pub fn is_free(&self, entrant: EntrantId) -> bool {
        self.tournament.is_free(entrant)
    }

    /// Whether these could play with each other.
    pub(crate) fn may_meet(&self, entrants: &[EntrantId]) -> bool {
        let entered = self.tournament.entrants().len();
        let known = |id: &EntrantId| id.index() < entered && self.is_free(*id);
        let distinct: BTreeSet<&EntrantId> = entrants.iter().collect();
        let fits = (2..=self.tournament.plan().table_seats).contains(&distinct.len());
        fits && distinct.len() == entrants.len() && entrants.iter().all(known)
    }

    /// Those who should meet now, table by table, out of those who wait; each of them is here, free
    /// and not in quarantine.
    pub fn tables(&self, waiting: &[Waiting]) -> Vec<Vec<EntrantId>> {
        if self.tournament.phase() != TournamentPhase::Running {
            return Vec::new();
        }
        let mut queue = waiting.to_vec();
        queue
            .sort_by_key(|one| (self.is_house(one), std::cmp::Reverse(one.waited_ms), one.entrant));
        let (mut tables, most) = (Vec::new(), self.most_tables());
        let mut at = 0;
        while at + 1 < queue.len() && tables.len() < most && !self.is_house(&queue[at]) {
            let mut taken = self.others(&queue, at);
            let full = taken.len() + 1 == self.tournament.plan().table_seats;
            if taken.is_empty() || !full && queue[at].waited_ms < self.half_ms {
                at += 1;
                continue;
            }
            taken.push(at);
            tables.push(taken.iter().map(|&one| queue[one].entrant).collect());
            taken.sort_unstable();
            taken.into_iter().rev().for_each(|one| _ = queue.remove(one));
        }
        tables
    }

    /// How many more tables there may be.
    fn most_tables(&self) -> usize {
        match self.tournament.plan().concurrency as usize {
            0 => usize::MAX,
            most => most.saturating_sub(self.tournament.due().count()),
        }
    }

    /// Where in the queue those are whom one should meet, of those behind it; not more than there are
    /// seats.
    fn others(&self, queue: &[Waiting], at: usize) -> Vec<usize> {
        let first = queue[at];
        let mut others: Vec<(f64, usize)> = (at + 1..queue.len())
            .map(|other| (self.distance(first.entrant, queue[other].entrant), other))
            .filter(|(distance, other)| {
                *distance <= self.reach(&first).max(self.reach(&queue[*other]))
            })
            .collect();
        others.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        others.truncate(self.tournament.plan().table_seats - 1);
        others.into_iter().map(|(_, other)| other).collect()
    }

    fn is_house(&self, one: &Waiting) -> bool {
        self.tournament.entrant(one.entrant).bot.is_some()
    }

    /// How far away an opponent may be.
    fn reach(&self, one: &Waiting) -> f64 {
        // Where nobody plays, nobody better will be free.
        let idle = self.tournament.due().next().is_none();
        match one.waited_ms >= self.half_ms || idle {
            _ if self.is_house(one) => 0.0,
            true => f64::INFINITY,
            false => NEAR + FAR * one.waited_ms as f64 / self.half_ms as f64,
        }
    }

    /// How unfit two are to meet, where the first has waited longer.
    fn distance(&self, one: EntrantId, other: EntrantId) -> f64 {
        let rung = |id: EntrantId| self.ladder.rung(id).expect("whoever waits has a place");
        let (own, its) = (rung(one), rung(other));
        let again = AGAIN * own.familiar(other).max(its.familiar(one));
        if own.played.is_multiple_of(2) {
            return again;
        }
        let (strength, its_strength) = (self.ladder.elo(one), self.ladder.elo(other));
        let unsure = strength.deviation.powi(2) + its_strength.deviation.powi(2);
        let apart = (strength.mean - its_strength.mean).abs() / (UNIT * UNIT + unsure).sqrt();
        apart + again
    }
}
