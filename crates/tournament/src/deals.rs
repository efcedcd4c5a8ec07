//! Which games of a tournament are dealt the same cards.

use rules::{Dice, Seed};
use serde::{Deserialize, Serialize};

use crate::{DueGame, Format, PairingId, Tournament};

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

impl Tournament {
    /// The chance of a game: the same plan deals the same cards to the same game. Nobody who knows the
    /// deal of one game can tell another one.
    pub fn deal(&self, due: &DueGame) -> Seed {
        let DueGame { pairing, attempt, seats } = due;
        match self.plan.deals {
            Deals::Fresh => {
                let game = u64::from(pairing.0) << 32 | u64::from(*attempt);
                Dice::new(&self.plan.seed(), "deal", game).seed()
            }
            Deals::Repeat => {
                // A game that came to nothing is dealt again as it was.
                let games = self.pairing(*pairing).games.iter();
                let counted = games.filter(|game| game.outcome.is_some()).count();
                let game = self.round_dealt(*pairing) << 32 | (counted / seats.len()) as u64;
                Dice::new(&self.plan.seed(), "deal of a round", game).seed()
            }
        }
    }

    /// The round of the first cycle that has the deals of a pairing.
    fn round_dealt(&self, pairing: PairingId) -> u64 {
        let round = u64::from(self.pairing(pairing).round);
        match self.plan.format {
            Format::Knockout | Format::Swiss { .. } => round,
            // Without rounds, every pairing has deals of its own.
            Format::Ladder { .. } => u64::from(pairing.0),
            Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => {
                let rounds = u64::from(self.rounds() / cycles.max(1)).max(1);
                (round - 1) % rounds + 1
            }
        }
    }
}
