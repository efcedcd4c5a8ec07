//! The house's players: chance, the course's two reference strategies, and one that looks ahead.

mod ariadne;
mod guess;
mod thread;
mod values;

use rules::{Bot, BotKind, Dice, Grade, mixed};

use super::board::{Choice, Coordinate, Maze};
use super::rules::{Action, Labyrinth, Phase, View, random, sample};
use ariadne::Ariadne;

pub const BOTS: &[BotKind<Labyrinth>] = &[
    BotKind {
        name: "random",
        about: "any legal turn, each equally likely",
        grade: Grade::Beginner,
        make: || Box::new(at_random),
    },
    BotKind {
        name: "casual",
        about: "any slide, then any square it can reach, and now and then a pass",
        grade: Grade::Beginner,
        make: || Box::new(casual),
    },
    BotKind {
        name: "pip",
        about: "for people: level 1 of 5",
        grade: Grade::Beginner,
        make: || mixed(25, playing(Strategy::Euclid), Box::new(casual)),
    },
    BotKind {
        name: "mika",
        about: "for people: level 2 of 5",
        grade: Grade::Beginner,
        make: || mixed(45, playing(Strategy::Euclid), Box::new(casual)),
    },
    BotKind {
        name: "otto",
        about: "for people: level 3 of 5",
        grade: Grade::Decent,
        make: || mixed(70, playing(Strategy::Euclid), Box::new(casual)),
    },
    BotKind {
        name: "vera",
        about: "for people: level 4 of 5",
        grade: Grade::Decent,
        make: || playing(Strategy::Euclid),
    },
    BotKind {
        name: "euclid",
        about: "goes to its goal, else as near to it as it can, else passes",
        grade: Grade::Decent,
        make: || playing(Strategy::Euclid),
    },
    BotKind {
        name: "riemann",
        about: "goes to its goal, else to the topmost, leftmost tile it can, else passes",
        grade: Grade::Decent,
        make: || playing(Strategy::Riemann),
    },
    BotKind {
        name: "sage",
        about: "for people: level 5 of 5",
        grade: Grade::Strong,
        make: || Box::new(Ariadne::default()),
    },
    BotKind {
        name: "ariadne",
        about: "looks two turns ahead, and bars the way home to others",
        grade: Grade::Strong,
        make: || Box::new(Ariadne::default()),
    },
];

fn playing(strategy: Strategy) -> Box<dyn Bot<Labyrinth>> {
    Box::new(move |view: &View, _: &mut Dice| {
        act(view, |from| {
            let home = view.seats[view.order[0].index()].avatar.home;
            // A treasure on the spare has no place to go to; its owner waits near home.
            let goal = view.target().unwrap_or(home);
            strategy.choose(&view.maze, from, goal).map_or(Action::Pass, Action::Play)
        })
    })
}

fn at_random(view: &View, dice: &mut Dice) -> Action {
    act(view, |from| random(&view.maze, from, dice))
}

fn casual(view: &View, dice: &mut Dice) -> Action {
    act(view, |from| sample(&view.maze, from, dice))
}

/// The turn of a bot whose seat owes one.
fn act(view: &View, turn: impl FnOnce(Coordinate) -> Action) -> Action {
    match view.phase {
        Phase::Playing => turn(view.avatar(view.order[0]).position),
        Phase::Closing | Phase::Over => Action::Acknowledge,
    }
}

/// The course's reference strategies. "Candidates = goal first, then all squares by row/column
/// (Riemann) or by squared Euclidean distance to the goal, ties by row/column (Euclid); per
/// candidate try rows ascending LEFT, RIGHT, then columns ascending UP, DOWN, each with 0, 90,
/// 180, 270; first legal way to land there wins; else PASS."
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Riemann,
    Euclid,
}

impl Strategy {
    pub fn named(name: &str) -> Option<Strategy> {
        match name {
            "Riemann" => Some(Strategy::Riemann),
            "Euclid" => Some(Strategy::Euclid),
            _ => None,
        }
    }

    /// The turn of somebody at `from` who wants to be at `goal`; none is a pass.
    ///
    /// Each way is looked at once and its best candidate kept. A later way replaces an earlier
    /// one only with a better candidate, so the first way to the best candidate wins.
    pub fn choose(self, maze: &Maze, from: Coordinate, goal: Coordinate) -> Option<Choice> {
        let goal_cell = maze.board.contains(goal).then(|| maze.board.cell(goal));
        let mut best: Option<((u64, usize), Choice)> = None;
        for prospect in maze.prospects(from) {
            let choice = |to| Choice { slide: prospect.slide, degree: prospect.degree, to };
            if goal_cell.is_some_and(|cell| prospect.destinations.contains(cell)) {
                return Some(choice(goal));
            }
            for cell in prospect.destinations.iter() {
                let at = maze.board.coordinate(cell);
                let distance = match self {
                    Strategy::Riemann => 0,
                    Strategy::Euclid => at.distance_squared(goal),
                };
                if best.is_none_or(|(least, _)| (distance, cell) < least) {
                    best = Some(((distance, cell), choice(at)));
                }
            }
        }
        best.map(|(_, choice)| choice)
    }
}
