//! Pairings won without being played: their value for entrants who were there, and none for an
//! entrant who never was.

use std::collections::{BTreeMap, BTreeSet};

use rules::Exit;

use crate::{EntrantId, Entrants, Format, How, Pairing, PairingId, Pairings, Plan, Played};

/// Games won by each entrant of a decided pairing, for the tie-break. A winner by bye, withdrawal
/// or the organiser's decision has at least the games of a majority, which the table would have
/// required.
pub(crate) fn games_won(pairing: &Pairing, best_of: u32) -> Vec<u32> {
    let mut won = pairing.games_won();
    let Some(decision) = &pairing.decision else { return won };
    if matches!(decision.how, How::Bye | How::Withdrawn | How::Adjudicated) {
        let winner = pairing.entrants.iter().position(|id| decision.winner == Some(*id));
        if let Some(at) = winner {
            won[at] = won[at].max(best_of / 2 + 1);
        }
    }
    won
}

/// Byes and withdrawals of others that went to entrants who have missed every game they had.
pub(crate) struct Unearned {
    pairings: BTreeSet<(PairingId, EntrantId)>,
    points: BTreeMap<EntrantId, u32>,
}

impl Unearned {
    pub fn contains(&self, pairing: PairingId, entrant: EntrantId) -> bool {
        self.pairings.contains(&(pairing, entrant))
    }

    /// The points that do not count.
    pub fn points(&self, entrant: EntrantId) -> u32 {
        self.points.get(&entrant).copied().unwrap_or(0)
    }
}

/// A knockout has none: one entrant must advance.
pub(crate) fn unearned(plan: &Plan, entrants: &Entrants, pairings: &Pairings) -> Unearned {
    let mut found = Unearned { pairings: BTreeSet::new(), points: BTreeMap::new() };
    let absent = match plan.format {
        Format::Knockout | Format::Ladder { .. } => BTreeSet::new(),
        _ => never_came(pairings),
    };
    if absent.is_empty() {
        return found;
    }
    let table_seats = plan.full_table(entrants.count());
    for pairing in pairings.all() {
        let how = pairing.decision.as_ref().map(|decision| decision.how);
        let (Some(How::Bye | How::Withdrawn), Some(scores)) = (how, pairing.scores(table_seats))
        else {
            continue;
        };
        for (at, &entrant) in pairing.entrants.iter().enumerate() {
            if absent.contains(&entrant) && scores[at] > 0 {
                found.pairings.insert((pairing.id, entrant));
                *found.points.entry(entrant).or_default() += scores[at];
            }
        }
    }
    found
}

/// The entrants that had games and sat down to none of them.
fn never_came(pairings: &Pairings) -> BTreeSet<EntrantId> {
    let (mut missed, mut came) = (BTreeSet::new(), BTreeSet::new());
    for game in pairings.all().iter().flat_map(|pairing| &pairing.games) {
        for (seat, &entrant) in game.seats.iter().enumerate() {
            match has_come(game, seat) {
                Some(true) => came.insert(entrant),
                Some(false) => missed.insert(entrant),
                None => false,
            };
        }
    }
    missed.difference(&came).copied().collect()
}

/// Whether the player of a seat sat down to a game; `None`: the game was void, so it is unknown.
fn has_come(game: &Played, seat: usize) -> Option<bool> {
    let never = |exit: Option<&Exit>| matches!(exit, Some(Exit::NeverCame));
    match &game.outcome {
        Some(outcome) => Some(!never(outcome.standings.get(seat)?.exit.as_ref())),
        None if game.unattended => {
            Some(!never(Some(game.exits.get(seat).unwrap_or(&Exit::NeverCame))))
        }
        None => None,
    }
}
