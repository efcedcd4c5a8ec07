//! Decides which waiting entrants should meet now.
//!
//! Two entrants are near each other if their strengths are, given the uncertainty, and if they
//! haven't met lately. A new arrival accepts only near opponents, because a better one may be free
//! in a moment. The range grows while the entrant waits. From half of the ladder's bound on, any
//! free entrant will do, so that the other half is left for one to become free.
//!
//! House bots don't wait: they are there for waiting entrants and never play among themselves.
//!
//! In every second game an entrant meets any free entrant, however far away. Neighbours
//! who only ever met each other would say little about the whole ladder, and their intervals would
//! not hold (`tests/it/league.rs`).

use std::collections::BTreeSet;

use super::{Tournament, TournamentPhase};
use crate::{EntrantId, Format, Ladder};

/// An entrant who is here and free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub entrant: EntrantId,
    pub waited_ms: u64,
}

/// The distance a new arrival accepts, and how much it grows until any opponent is accepted.
const NEAR: f64 = 0.3;
const FAR: f64 = 4.0;

/// The distance that meeting the last opponent again is worth; the one before counts half, and so
/// on.
const AGAIN: f64 = 4.0;

/// The difference in strength at distance one, for two equal players with known strengths.
const UNIT: f64 = 200.0;

/// Pairs the entrants of a ladder.
#[derive(Clone, Copy, Debug)]
pub struct Matchmaking<'a> {
    tournament: &'a Tournament,
    ladder: &'a Ladder,
    /// The wait after which any free opponent is accepted.
    half_ms: u64,
}

impl<'a> Matchmaking<'a> {
    /// `None`: this tournament isn't a ladder.
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

    /// The entrants that should meet now, table by table, out of those that wait; each of them is
    /// here, free and not in quarantine.
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

    /// The queue positions of the best opponents for an entrant, among those after it; at most as
    /// many as there are seats.
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
        // If no game is running, no better opponent will become free.
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
