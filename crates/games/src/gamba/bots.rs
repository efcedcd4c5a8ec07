//! House players. They see what their seat sees.

mod gambler;
mod values;

use rules::{BotKind, Dice, Grade, mixed};

use super::{Action, Gamba, Play, Position, View};
use gambler::Gambler;

/// The house players, the weakest first.
pub const BOTS: &[BotKind<Gamba>] = &[
    BotKind {
        name: "random",
        about: "any legal action, each equally likely",
        grade: Grade::Beginner,
        make: || Box::new(random),
    },
    BotKind {
        name: "casual",
        about: "any legal action, but rarely picks up a pile it could play on",
        grade: Grade::Beginner,
        make: || Box::new(casual),
    },
    BotKind {
        name: "pip",
        about: "for people: level 1 of 5",
        grade: Grade::Beginner,
        make: || mixed(32, Box::new(casual), Box::new(random)),
    },
    BotKind {
        name: "mika",
        about: "for people: level 2 of 5",
        grade: Grade::Beginner,
        make: || mixed(66, Box::new(casual), Box::new(random)),
    },
    BotKind {
        name: "otto",
        about: "for people: level 3 of 5",
        grade: Grade::Decent,
        make: || mixed(1, Box::new(thrifty), Box::new(casual)),
    },
    BotKind {
        name: "vera",
        about: "for people: level 4 of 5",
        grade: Grade::Decent,
        make: || mixed(67, Box::new(thrifty), Box::new(casual)),
    },
    BotKind {
        name: "thrifty",
        about: "sheds low cards in bulk and saves twos, tens and sevens for need",
        grade: Grade::Decent,
        make: || Box::new(thrifty),
    },
    BotKind {
        name: "sage",
        about: "for people: level 5 of 5",
        grade: Grade::Strong,
        make: || Box::new(Gambler::default()),
    },
    BotKind {
        name: "gambler",
        about: "remembers who picked up what, and plays out what the hidden cards may be",
        grade: Grade::Strong,
        make: || Box::new(Gambler::default()),
    },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    position(view).random(dice)
}

fn casual(view: &View, dice: &mut Dice) -> Action {
    position(view).casual(dice)
}

fn thrifty(view: &View, dice: &mut Dice) -> Action {
    let position = position(view);
    if position.hand.is_empty() {
        return Action::Reserve;
    }
    // Two of these could pass the same cards back and forth for ever; a whim now and then ends it.
    if dice.one_in(20) {
        return position.casual(dice);
    }
    thrift(&position, view.deck_size)
}

/// What thrift does, without a whim.
fn thrift(position: &Position<'_>, deck_size: usize) -> Action {
    if position.hand.is_empty() {
        return Action::Reserve;
    }
    let wins =
        |play: &Play| play.len() == position.hand.len() && position.reserves == 0 && deck_size == 0;
    let best = position.plays().max_by_key(|play| (wins(play), gain(play)));
    best.map_or(Action::PickUp, Action::Play)
}

fn position(view: &View) -> Position<'_> {
    view.position().expect("a bot sits at the table")
}

/// How glad one is to be rid of the cards. Many low ones are best; of kings and aces rather one
/// than two; what goes on anything is kept, and the seven longest, for it also binds the other.
fn gain(play: &Play) -> i32 {
    let worth = match play[0].value() {
        2 => 16,
        10 => 22,
        7 => 26,
        value => i32::from(value),
    };
    (12 - worth) * play.len() as i32
}
