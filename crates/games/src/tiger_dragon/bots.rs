//! House bots. They know what their seat knows.

use std::cmp::Reverse;

use rules::{BotKind, Dice};

use super::choices::{Action, answers};
use super::rules::TigerDragon;
use super::tile::Tile;
use super::view::{Phase, View};

pub const BOTS: &[BotKind<TigerDragon>] = &[
    BotKind { name: "random", about: "any legal choice", make: || Box::new(random) },
    BotKind {
        name: "counter",
        about: "counts the tiles and attacks where the fewest answers are left; always defends",
        make: || Box::new(counter),
    },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    view.legal.pick(dice).expect("a bot is asked when it is its turn")
}

/// An attack nobody answers sheds two tiles and keeps the attack, so the tiles with the fewest
/// partners left in the unknown are kept for attacks, and a tile with many goes face down (not
/// the one with the most: sooner or later a receive must come from the hand).
fn counter(view: &View, _: &mut Dice) -> Action {
    let unseen = unseen(view);
    let partners = |tile: Tile| -> u8 {
        let answers = answers(view.ruleset, tile).iter().filter_map(Action::tile);
        answers.map(|answer| unseen[answer.index()]).sum()
    };
    let mut hand = view.hand;
    hand.sort_by_key(|tile| (partners(*tile), Reverse(*tile)));
    match view.phase {
        Phase::Attack => Action::Play(hand[0]),
        Phase::BonusReceive => Action::Play(hand[hand.len() * 3 / 4]),
        Phase::Defend | Phase::Finished => defence(view, &hand),
    }
}

/// To defend is to gain the attack. The Tiger and the Dragon go first: as a last tile they are
/// worth the least.
fn defence(view: &View, hand: &[Tile]) -> Action {
    hand.iter()
        .filter(|tile| view.legal.contains(Action::Play(**tile)))
        .min_by_key(|tile| tile.number().is_some())
        .map_or(Action::Pass, |tile| Action::Play(*tile))
}

/// How many of each kind are in other hands, face down elsewhere, or unused.
fn unseen(view: &View) -> [u8; 10] {
    let mut unseen = Tile::ALL.map(Tile::copies);
    let on_table = view.discards.iter().flat_map(|discards| discards.iter());
    for tile in on_table.filter_map(|discard| discard.tile).chain(view.hand.iter().copied()) {
        unseen[tile.index()] -= 1;
    }
    unseen
}
