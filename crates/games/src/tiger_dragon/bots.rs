//! House bots. They know what their seat knows.

mod general;
mod values;

use std::cmp::Reverse;

use rules::{BotKind, Dice, Grade, mixed};

use super::rules::{Action, Discards, Hand, Phase, Situation, TigerDragon, Tile, View, answers};
use general::general;

pub const BOTS: &[BotKind<TigerDragon>] = &[
    BotKind {
        name: "random",
        about: "any legal choice, each equally likely",
        grade: Grade::Beginner,
        make: || Box::new(random),
    },
    BotKind {
        name: "pip",
        about: "for people: level 1 of 5",
        grade: Grade::Beginner,
        make: || mixed(51, Box::new(counter), Box::new(random)),
    },
    BotKind {
        name: "mika",
        about: "for people: level 2 of 5",
        grade: Grade::Beginner,
        make: || mixed(82, Box::new(counter), Box::new(random)),
    },
    BotKind {
        name: "counter",
        about: "counts the tiles and attacks where the fewest answers are left; always defends",
        grade: Grade::Decent,
        make: || Box::new(counter),
    },
    BotKind {
        name: "otto",
        about: "for people: level 3 of 5",
        grade: Grade::Strong,
        make: || mixed(12, Box::new(general), Box::new(counter)),
    },
    BotKind {
        name: "vera",
        about: "for people: level 4 of 5",
        grade: Grade::Strong,
        make: || mixed(48, Box::new(general), Box::new(counter)),
    },
    BotKind {
        name: "sage",
        about: "for people: level 5 of 5",
        grade: Grade::Strong,
        make: || mixed(85, Box::new(general), Box::new(counter)),
    },
    BotKind {
        name: "general",
        about: "deals out the hidden tiles, as the passes allow, and plays the round to its end",
        grade: Grade::Strong,
        make: || Box::new(general),
    },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    view.legal.pick(dice).expect("a bot is asked when it is its turn")
}

fn counter(view: &View, _: &mut Dice) -> Action {
    let attack = view.attack.map(|attack| attack.tile);
    let situation =
        Situation { ruleset: view.ruleset, phase: view.phase, attack, hand: &view.hand };
    count(&situation, &unseen(&view.discards, &view.hand))
}

/// An attack nobody answers sheds two tiles and keeps the attack, so the tiles with the fewest
/// partners left in the unknown are kept for attacks, and a tile with many goes face down (not
/// the one with the most: sooner or later a receive must come from the hand).
fn count(situation: &Situation<'_>, unseen: &[u8; 10]) -> Action {
    let partners = |tile: Tile| -> u8 {
        let answers = answers(situation.ruleset, tile).iter().filter_map(Action::tile);
        answers.map(|answer| unseen[answer.index()]).sum()
    };
    if situation.phase == Phase::Defend {
        return defence(situation, partners);
    }
    let mut hand: Hand = situation.hand.iter().copied().collect();
    hand.sort_by_key(|tile| (partners(*tile), Reverse(*tile)));
    match situation.phase {
        Phase::BonusReceive => Action::Play(hand[hand.len() * 3 / 4]),
        _ => Action::Play(hand[0]),
    }
}

/// To defend is to gain the attack. The Tiger and the Dragon go first: as a last tile they are
/// worth the least.
fn defence(situation: &Situation<'_>, partners: impl Fn(Tile) -> u8) -> Action {
    let choices = situation.choices();
    let answers = situation.hand.iter().filter(|tile| choices.contains(Action::Play(**tile)));
    let rank = |tile: &&Tile| (tile.number().is_some(), partners(**tile), Reverse(**tile));
    answers.min_by_key(rank).map_or(Action::Pass, |tile| Action::Play(*tile))
}

/// How many of each kind are in other hands, face down elsewhere, or unused.
fn unseen(discards: &[Discards], hand: &[Tile]) -> [u8; 10] {
    let mut unseen = Tile::ALL.map(Tile::copies);
    let on_table = discards.iter().flat_map(|discards| discards.iter());
    for tile in on_table.filter_map(|discard| discard.tile).chain(hand.iter().copied()) {
        unseen[tile.index()] = unseen[tile.index()].saturating_sub(1);
    }
    unseen
}
