//! A bot that looks two turns ahead: at everything it can do, at what may be slid before its next
//! turn, and at how often it could then be where it wants. It also follows what the others go to,
//! and does not let those home who look as if they only had to go home.

use rules::{Bot, Dice, Seat};

use super::super::board::{Choice, Coordinate, Degree, Prospect};
use super::super::rules::{Action, Labyrinth, Phase, View};
use super::guess::Guess;
use super::thread::{Grid, Lane, Thread};
use super::{Strategy, act};

/// How many ways the board may have changed until the next turn.
const REPLIES: usize = 12;

#[derive(Clone, Debug, Default)]
pub struct Ariadne {
    /// What the other seats are after.
    guesses: Vec<Guess>,
}

impl Bot<Labyrinth> for Ariadne {
    fn choose(&mut self, view: &View, dice: &mut Dice) -> Action {
        if view.phase == Phase::Playing {
            self.follow(view);
        }
        let guesses = &self.guesses;
        act(view, |from| match Plan::of(view, guesses) {
            Some(plan) => plan.best(from, dice),
            // Too large a board to look that far.
            None => {
                let goal = view.target().unwrap_or(from);
                Strategy::Euclid.choose(&view.maze, from, goal).map_or(Action::Pass, Action::Play)
            }
        })
    }
}

impl Ariadne {
    /// The turns of the seat to move that look best, the best first. None on a board that is too
    /// large to look far.
    pub(super) fn proposals(&self, view: &View, most: usize, dice: &mut Dice) -> Vec<Choice> {
        let Some(plan) = Plan::of(view, &self.guesses) else { return Vec::new() };
        let from = view.avatar(view.order[0]).position;
        let mut choices = plan.choices(from, dice);
        choices.sort_by(|one, two| two.0.total_cmp(&one.0));
        choices.into_iter().map(|(_, choice)| choice).take(most).collect()
    }

    pub(super) fn follow(&mut self, view: &View) {
        if self.guesses.len() != view.seats.len() {
            self.guesses = Seat::all(view.seats.len()).map(|seat| Guess::of(view, seat)).collect();
        }
        if let Some(mover) = view.news.mover {
            self.guesses[mover.index()].follow(view, mover);
        }
    }
}

/// What the seat to move wants, and what it fears.
struct Plan<'a> {
    view: &'a View,
    thread: Thread,
    grid: Grid,
    /// The cell to go to now, and the one after it; none once this is the last.
    goals: (usize, Option<usize>),
    /// The others' places and homes, and how likely it is that they only have to go home.
    rivals: Vec<Rival>,
}

struct Rival {
    at: usize,
    home: usize,
    homeward: f64,
}

/// What it is worth to have found the treasure, next to having come home.
const FOUND: f64 = 0.5;
/// What decides between moves that are as good.
const NEARNESS: f64 = 1e-4;

impl<'a> Plan<'a> {
    fn of(view: &'a View, guesses: &[Guess]) -> Option<Plan<'a>> {
        let board = &view.maze.board;
        let own = view.order[0];
        let home = view.avatar(own).home;
        let quest = view.quest()?;
        let on_board = |at: Option<Coordinate>| at.filter(|at| board.contains(*at));
        let goals = match on_board(quest.place).filter(|_| !quest.homeward) {
            Some(place) => (board.cell(place), on_board(Some(home)).map(|home| board.cell(home))),
            // A treasure on the spare has no place to go to; its owner waits near home.
            None => (board.cell(on_board(Some(home))?), None),
        };
        let rival = |seat: &Seat| Rival {
            at: board.cell(view.avatar(*seat).position),
            home: board.cell(view.avatar(*seat).home),
            homeward: guesses.get(seat.index()).map_or(0.0, Guess::homeward),
        };
        Some(Plan {
            view,
            thread: Thread::of(&view.maze)?,
            grid: Grid::of(board),
            goals,
            rivals: view.order[1..].iter().map(rival).collect(),
        })
    }

    fn best(&self, from: Coordinate, dice: &mut Dice) -> Action {
        let mut best: Option<(f64, Choice)> = None;
        for (worth, choice) in self.choices(from, dice) {
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, choice));
            }
        }
        best.map_or(Action::Pass, |(_, choice)| Action::Play(choice))
    }

    /// Where to go after each slide, and what that is worth.
    fn choices(&self, from: Coordinate, dice: &mut Dice) -> Vec<(f64, Choice)> {
        let prospects = self.view.maze.prospects(from);
        let look = |prospect: Prospect| {
            if prospect.destinations.is_empty() {
                return None;
            }
            let (worth, to) = self.look(&prospect, dice)?;
            let (slide, degree) = (prospect.slide, prospect.degree);
            Some((worth, Choice { slide, degree, to: self.view.maze.board.coordinate(to) }))
        };
        prospects.filter_map(look).collect()
    }

    /// Where to go after this slide, and what that is worth: 1 is to be home.
    fn look(&self, prospect: &Prospect, dice: &mut Dice) -> Option<(f64, usize)> {
        let lane = self.grid.lane(prospect.slide)?;
        let thread = self.thread.slid(lane, prospect.degree);
        let (goal, next) = self.goals;
        let reached = prospect.destinations.contains(goal);
        let threat = self.threat(&thread, lane);
        let (least, goal, step) = match (reached, next) {
            (true, None) => return Some((1.0, goal)),
            (true, Some(home)) => (FOUND, home, 1.0 - FOUND),
            (false, None) => (0.0, goal, 1.0),
            (false, Some(_)) => (0.0, goal, FOUND),
        };
        let chances = self.chances(&thread, goal, dice);
        let worth = |cell: usize| {
            let near = NEARNESS * self.distance(cell, goal);
            // Whoever bars the way does it for all others too.
            let loss = threat / self.rivals.len().max(1) as f64;
            (least + 0.9 * step * chances[cell]) * (1.0 - threat) - loss - near
        };
        if reached {
            return Some((worth(self.goals.0), self.goals.0));
        }
        let cells = prospect.destinations.iter().map(|cell| (worth(cell), cell));
        cells.max_by(|one, two| one.0.total_cmp(&two.0))
    }

    /// How likely it is, cell by cell, that the goal is in reach in the next turn.
    fn chances(&self, thread: &Thread, goal: usize, dice: &mut Dice) -> Vec<f64> {
        let board = &self.view.maze.board;
        let mut chances = vec![0.0; board.tiles().len()];
        for number in 0..REPLIES {
            let mut after = *thread;
            let mut slid: Vec<Lane> = Vec::with_capacity(self.rivals.len());
            for rival in 0..self.rivals.len() {
                let lanes: Vec<Lane> = self.grid.lanes(after.last()).copied().collect();
                // The first who moves tries each slide in turn.
                let pick = if rival == 0 { number % lanes.len() } else { dice.below(lanes.len()) };
                after = after.slid(&lanes[pick], *dice.pick(&Degree::ALL));
                slid.push(lanes[pick]);
            }
            let good = after.leads_to(&self.grid, goal);
            for (cell, chance) in chances.iter_mut().enumerate() {
                let stands = slid.iter().fold(cell, |at, lane| lane.carry(board, at));
                *chance += (good >> stands & 1) as f64 / REPLIES as f64;
            }
        }
        chances
    }

    /// How likely it is that somebody else goes home next.
    fn threat(&self, thread: &Thread, lane: &Lane) -> f64 {
        let board = &self.view.maze.board;
        let mut safe = 1.0;
        for rival in self.rivals.iter().filter(|rival| rival.homeward > 0.02) {
            let at = lane.carry(board, rival.at);
            if thread.leads_to(&self.grid, rival.home) >> at & 1 == 1 {
                safe *= 1.0 - rival.homeward;
            }
        }
        1.0 - safe
    }

    fn distance(&self, cell: usize, goal: usize) -> f64 {
        let board = &self.view.maze.board;
        board.coordinate(cell).distance_squared(board.coordinate(goal)) as f64
    }
}
