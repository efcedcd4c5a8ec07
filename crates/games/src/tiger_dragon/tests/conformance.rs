//! The promises every game keeps, at tables of every size.

use rules::kit::{Subject, bots_conform, conform};

use crate::tiger_dragon::{BOTS, Config, DECK, Ruleset, TigerDragon, Tile};

const HIGHEST_TARGET: u64 = 25;

impl Subject for TigerDragon {
    // Every round gives at least one point to a seat, except rounds (one a seat at most) that a
    // seat wins after it has left. An attack costs one turn, at most four answers and perhaps one
    // face-down tile; attack and receive take two of at most 37 tiles, so there are at most 19
    // attacks in a round. Five seats may leave in separate steps.
    const TURN_BOUND: u64 = (5 * (HIGHEST_TARGET - 1) + 1 + 5) * 19 * (1 + 4 + 1) + 5;

    fn tables() -> Vec<(Config, usize)> {
        let config = |rules, target, battlefield: &str| Config {
            rules,
            target,
            battlefield: battlefield.to_owned(),
        };
        use Ruleset::{Official, Original};
        vec![
            (Config::default(), 2),
            (Config::default(), 3),
            (Config::default(), 4),
            (Config::default(), 5),
            (config(Original, 10, "dojo"), 2),
            (config(Original, 10, "volcano"), 4),
            (config(Official, 1, "cave"), 5),
            (config(Official, HIGHEST_TARGET as u32, "game-market"), 3),
            (config(Official, 3, "1,2,3,4,5,6,7,8:1 # all alike\nT,D:1+bonus"), 4),
        ]
    }
}

pub(super) fn unused_tiles(game: &TigerDragon) -> Vec<Tile> {
    let mut unused = DECK.to_vec();
    let in_hands = game.hands.iter().flat_map(|hand| hand.iter().copied());
    let on_table = game.discards.iter().flat_map(|discards| discards.iter());
    for tile in in_hands.chain(on_table.filter_map(|discard| discard.tile)) {
        let found = unused.iter().position(|unused| *unused == tile);
        unused.remove(found.expect("more tiles of a kind in play than there are"));
    }
    unused
}

#[test]
fn it_conforms() {
    conform::<TigerDragon>(100);
}

#[test]
fn every_strategy_plays_by_the_rules() {
    bots_conform::<TigerDragon>(BOTS, 1);
}

#[test]
fn it_is_reviewed_by_what_players_knew() {
    let (config, seats) = TigerDragon::tables().swap_remove(0);
    review::kit::conform(&config, seats, BOTS, 3);
}
