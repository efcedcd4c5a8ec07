//! House bots. They see what a player sees.

mod admiral;
mod hunter;
mod plot;
mod values;

use ::rules::{BotKind, Dice, Grade, mixed};

use super::rules::{Action, Command, Order, Phase, SubSim, View, random_places};
use admiral::Admiral;
use hunter::Hunter;

/// The strategies an organiser can seat.
pub const BOTS: &[BotKind<SubSim>] = &[
    BotKind {
        name: "random",
        about: "any legal order, each equally likely",
        grade: Grade::Beginner,
        make: || Box::new(random),
    },
    BotKind {
        name: "casual",
        about: "moves and charges more often than it fires, and does not strain the reactor",
        grade: Grade::Beginner,
        make: || Box::new(casual),
    },
    BotKind {
        name: "pip",
        about: "for people: level 1 of 5",
        grade: Grade::Beginner,
        make: || mixed(75, Box::new(Hunter::default()), Box::new(casual)),
    },
    BotKind {
        name: "mika",
        about: "for people: level 2 of 5",
        grade: Grade::Beginner,
        make: || mixed(86, Box::new(Hunter::default()), Box::new(casual)),
    },
    BotKind {
        name: "otto",
        about: "for people: level 3 of 5",
        grade: Grade::Decent,
        make: || mixed(96, Box::new(Hunter::default()), Box::new(casual)),
    },
    BotKind {
        name: "hunter",
        about: "charges, pings, and fires at what it found",
        grade: Grade::Decent,
        make: || Box::new(Hunter::default()),
    },
    BotKind {
        name: "vera",
        about: "for people: level 4 of 5",
        grade: Grade::Strong,
        make: || mixed(15, Box::new(Admiral::default()), Box::new(Hunter::default())),
    },
    BotKind {
        name: "sage",
        about: "for people: level 5 of 5",
        grade: Grade::Strong,
        make: || mixed(35, Box::new(Admiral::default()), Box::new(Hunter::default())),
    },
    BotKind {
        name: "admiral",
        about: "maps where the enemy may be, and sprints away when it was seen",
        grade: Grade::Strong,
        make: || Box::new(Admiral::default()),
    },
    // The last one is what `--house-bots` seats.
    BotKind {
        name: "captain",
        about: "maps where the enemy may be, and never sprints",
        grade: Grade::Strong,
        make: || Box::new(Admiral::without_sprints()),
    },
];

fn random(view: &View, dice: &mut Dice) -> Action {
    match view.phase {
        Phase::Placing => Action::Place(random_places(&view.chart, dice)),
        _ => Action::Orders(view.fleet().random_orders(dice)),
    }
}

fn casual(view: &View, dice: &mut Dice) -> Action {
    if view.phase == Phase::Placing {
        return Action::Place(random_places(&view.chart, dice));
    }
    let fleet = view.fleet();
    let order = |id| loop {
        let order = fleet.casual_order(id, dice);
        if !strains_reactor(view, &order) {
            return order;
        }
    };
    Action::Orders(fleet.active().map(order).collect())
}

fn strains_reactor(view: &View, order: &Order) -> bool {
    let index = usize::from(order.sub);
    let (sub, kind) = (&view.subs[index], &view.chart.kinds()[index]);
    match order.command {
        Command::Move(_, equipment) => sub.is_full(kind, equipment),
        Command::Sleep(first, second) => {
            // The first may be what fills the second.
            first == second || sub.is_full(kind, first) || sub.is_full(kind, second)
        }
        Command::Sprint(_, distance) => {
            sub.reactor_damage.saturating_add(distance) >= kind.max_reactor_damage
        }
        Command::Ping | Command::Fire(_) | Command::Mine(_) | Command::Surface => false,
    }
}
