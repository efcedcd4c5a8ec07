//! Which games of a tournament are dealt the same cards.

use rules::{Dice, Seed};
use serde::{Deserialize, Serialize};

use crate::{DueGame, Format, Pairing, Plan};

/// How often a deal is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deals {
    /// Every game has one of its own.
    #[default]
    Fresh,
    /// All tables of a round have the same, and so have as many games of a pairing, one after the
    /// other, as there are seats, which turn meanwhile. Each further cycle deals the rounds of the
    /// first once more.
    Repeat,
}

impl Deals {
    pub(crate) fn is_fresh(&self) -> bool {
        *self == Deals::Fresh
    }
}

/// The chance of a game, of whose pairing so much is known, in a tournament of so many rounds.
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

/// The round of the first cycle that has the deals of a pairing.
fn round_dealt(format: Format, pairing: &Pairing, rounds: u32) -> u64 {
    let round = u64::from(pairing.round);
    match format {
        Format::Knockout | Format::Swiss { .. } => round,
        // Without rounds, every pairing has deals of its own.
        Format::Ladder { .. } => u64::from(pairing.id.0),
        Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => {
            let rounds = u64::from(rounds / cycles.max(1)).max(1);
            (round - 1) % rounds + 1
        }
    }
}
