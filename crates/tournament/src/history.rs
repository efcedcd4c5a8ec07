//! What the pairings so far say about each entrant: points, byes, seats taken, opponents met.

use crate::{EntrantId, How, Pairing};

/// Every entrant's past, by [`EntrantId`].
#[derive(Debug)]
pub(crate) struct History {
    pub pasts: Vec<Past>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    pub points: u32,
    pub byes: u32,
    /// How often the entrant sat in each seat in games that counted.
    pub sat: Vec<u32>,
    /// Every meeting of a decided or running pairing, ordered by opponent.
    met: Vec<EntrantId>,
}

impl History {
    pub fn of(pairings: &[Pairing], entrants: usize, table_seats: usize) -> History {
        let mut pasts = vec![Past::default(); entrants];
        for pairing in pairings {
            let scores = pairing.scores(table_seats);
            for (at, &entrant) in pairing.entrants.iter().enumerate() {
                let past = &mut pasts[entrant.index()];
                past.points += scores.as_ref().map_or(0, |scores| scores[at]);
                past.byes += u32::from(pairing.is_bye());
                past.met.extend(pairing.opponents(entrant));
            }
            let counted = pairing.games.iter().filter(|game| game.outcome.is_some());
            for (seat, entrant) in counted.flat_map(|game| game.seats.iter().enumerate()) {
                let sat = &mut pasts[entrant.index()].sat;
                sat.resize(sat.len().max(seat + 1), 0);
                sat[seat] += 1;
            }
        }
        for past in &mut pasts {
            past.met.sort_unstable();
        }
        History { pasts }
    }

    pub fn past(&self, entrant: EntrantId) -> &Past {
        &self.pasts[entrant.index()]
    }

    /// How often two entrants have been paired with each other.
    pub fn meetings(&self, one: EntrantId, other: EntrantId) -> usize {
        let met = &self.past(one).met;
        let from = met.partition_point(|&id| id < other);
        met[from..].iter().take_while(|&&id| id == other).count()
    }

    pub fn seat(&self, entrants: Vec<EntrantId>) -> Vec<EntrantId> {
        seated(entrants, |entrant| &self.past(entrant).sat)
    }
}

/// Puts entrants in seats: each seat in turn goes to the entrant who has had it least often,
/// relative to their number of games. Ties keep the given order.
pub(crate) fn seated<'a>(
    mut entrants: Vec<EntrantId>,
    sat: impl Fn(EntrantId) -> &'a [u32],
) -> Vec<EntrantId> {
    let table = entrants.len() as i64;
    let mut seats = Vec::with_capacity(entrants.len());
    while !entrants.is_empty() {
        let excess = |entrant: &EntrantId| {
            let sat = sat(*entrant);
            let here = sat.get(seats.len()).copied().unwrap_or(0);
            i64::from(here) * table - i64::from(sat.iter().sum::<u32>())
        };
        let next = (0..entrants.len()).min_by_key(|&at| excess(&entrants[at]));
        seats.push(entrants.remove(next.expect("somebody is left")));
    }
    seats
}

impl Pairing {
    pub(crate) fn is_bye(&self) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.how == How::Bye)
    }

    /// All entrants of the pairing except this one.
    pub(crate) fn opponents(&self, entrant: EntrantId) -> impl Iterator<Item = EntrantId> {
        self.entrants.iter().copied().filter(move |&other| other != entrant)
    }
}
