//! Which games of a tournament are dealt the same cards.

use rules::{Dice, Seed};

use crate::{Deals, DueGame, Format, Pairing, PairingId, Plan};

/// The seed of a game, given its pairing and the tournament's number of rounds.
pub(crate) fn deal(plan: &Plan, due: &DueGame, pairing: Option<&Pairing>, rounds: u32) -> Seed {
    match plan.deals {
        Deals::Fresh => {
            let game = u64::from(due.pairing.0) << 32 | u64::from(due.attempt);
            Dice::new(&plan.seed(), "deal", game).seed()
        }
        Deals::Repeat => {
            let pairing = pairing.expect("a pairing that is not forgotten");
            // A game that came to nothing is dealt again as it was.
            let counted = pairing.games.iter().filter(|game| game.outcome.is_some()).count();
            let round = round_dealt(plan.format, pairing, rounds);
            let game = round << 32 | (counted / due.seats.len()) as u64;
            Dice::new(&plan.seed(), "deal of a round", game).seed()
        }
    }
}

/// Whether the cards of a pairing may still be dealt to other entrants, in a running tournament
/// with these pairings so far.
pub(crate) fn may_repeat(plan: &Plan, id: PairingId, pairings: &[Pairing], rounds: u32) -> bool {
    let Some(pairing) = pairings.iter().find(|pairing| pairing.id == id) else { return false };
    let dealt = round_dealt(plan.format, pairing, rounds);
    let mut undecided = pairings.iter().filter(|pairing| pairing.decision.is_none());
    let last = pairings.iter().map(|pairing| pairing.round).max().unwrap_or(0);
    let comes_again = |round| first_of_cycles(plan.format, round, rounds) == Some(dealt);
    plan.deals == Deals::Repeat
        && (undecided.any(|pairing| round_dealt(plan.format, pairing, rounds) == dealt)
            || (last + 1..=rounds).any(comes_again))
}

/// The round of the first cycle that has the deals of a pairing.
fn round_dealt(format: Format, pairing: &Pairing, rounds: u32) -> u64 {
    // Without rounds, every pairing has different deals.
    first_of_cycles(format, pairing.round, rounds).unwrap_or(u64::from(pairing.id.0))
}

/// The round of the first cycle that shares the deals of this one; `None` without rounds.
fn first_of_cycles(format: Format, round: u32, rounds: u32) -> Option<u64> {
    let round = u64::from(round);
    match format {
        Format::Knockout | Format::Swiss { .. } => Some(round),
        Format::Ladder { .. } => None,
        Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => {
            let rounds = u64::from(rounds / cycles.max(1)).max(1);
            Some((round - 1) % rounds + 1)
        }
    }
}
