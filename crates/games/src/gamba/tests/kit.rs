//! The conformance kit.

use rules::kit::{Subject, bots_conform, conform};

use crate::gamba::{BOTS, Config, Deal, Gamba, TURN_LIMIT};

impl Subject for Gamba {
    const TURN_BOUND: u64 = TURN_LIMIT as u64;

    fn tables() -> Vec<(Config, usize)> {
        vec![(Config { deal: Deal::Guide }, 2), (Config { deal: Deal::FullDeck }, 2)]
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    conform::<Gamba>(200);
}

#[test]
fn every_strategy_plays_by_the_rules() {
    bots_conform::<Gamba>(BOTS, 1);
}

#[test]
fn is_reviewed_by_what_players_knew() {
    let (config, seats) = Gamba::tables().swap_remove(0);
    review::kit::conform(&config, seats, BOTS, 4);
}
