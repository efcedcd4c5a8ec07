//! The rules of the game.
//!
//! An action is a whole turn. After the last move comes one more, simultaneous turn, in which
//! every seat still in acknowledges the result; who fails to cannot be a winner.

mod config;
mod deal;
mod determinise;
mod picture;
mod quest;
mod redeal;
mod scoring;
mod state;
mod turn;
mod view;

use rules::{
    Dice, Exit, Game, Illegal, Outcome, Scene, Seat, SeatSet, Seed, SetupError, Step, Viewer,
};
use serde::{Deserialize, Serialize};

use super::board::{Choice, Coordinate, Degree, Maze, Treasure};
use deal::Start;

pub use config::{Config, Passes, Scoring, Treasures, TurnOrder};
pub use state::{Color, PlayerEntry, State};
pub use view::{Deed, Ending, News, Phase, SeatView, View};

pub(super) use state::repeated_treasures;

/// What a seat does in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Pass,
    Play(Choice),
    /// The answer every seat owes once the last move is made.
    Acknowledge,
}

/// A seat's piece on the board: public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Avatar {
    pub color: Color,
    pub home: Coordinate,
    pub position: Coordinate,
}

/// What a seat is after: known to it alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quest {
    /// The gems on the tile it was sent to most recently.
    pub treasure: Treasure,
    /// Where that tile is; none while it is the spare.
    pub place: Option<Coordinate>,
    /// True once there is nothing left to find: only the way home counts.
    pub homeward: bool,
    /// How many goals it has reached.
    pub found: u32,
}

impl Quest {
    /// Where to go now.
    pub fn target(&self, home: Coordinate) -> Option<Coordinate> {
        if self.homeward { Some(home) } else { self.place }
    }
}

/// One table's play.
#[derive(Clone, Debug, PartialEq)]
pub struct Labyrinth {
    pub(super) max_rounds: u32,
    pub(super) passes: Passes,
    pub(super) scoring: Scoring,
    pub(super) treasures: Treasures,

    pub(super) maze: Maze,
    pub(super) avatars: Vec<Avatar>,
    pub(super) quests: Vec<Quest>,
    /// Where each seat was sent first.
    pub(super) first: Vec<Option<Coordinate>>,
    /// Further goals, the next one last.
    pub(super) goals: Vec<Coordinate>,

    /// The seats still in, the one to move first.
    pub(super) order: Vec<Seat>,
    /// The seats that have a turn left in this round.
    pub(super) due: SeatSet,
    /// The seats whose latest turn was a pass.
    pub(super) passed: SeatSet,
    /// The seats that drop out when this turn ends.
    pub(super) leaving: SeatSet,
    pub(super) exits: Vec<Option<Exit>>,
    pub(super) rounds: u32,
    pub(super) turns: u32,

    pub(super) ending: Option<Ending>,
    pub(super) winners: SeatSet,
    /// Places as they stood when the last move was made.
    pub(super) places: Vec<u32>,
    pub(super) news: News,
    pub(super) outcome: Option<Outcome>,
}

impl Game for Labyrinth {
    const NAME: &'static str = "labyrinth";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = Action;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<Labyrinth, SetupError> {
        let Start { state, order } = deal::start(config, seats, &mut Dice::new(&seed, "deal", 0))?;
        let mut pieces: Vec<(Seat, Avatar, Quest)> = Vec::with_capacity(seats);
        for (&seat, player) in order.iter().zip(state.players) {
            let goto = player.goto.expect("every player was dealt a treasure");
            let treasure = state.maze.board.tile(goto).treasure;
            let quest = Quest { treasure, place: Some(goto), homeward: false, found: 0 };
            let (color, home, position) = (player.color, player.home, player.current);
            pieces.push((seat, Avatar { color, home, position }, quest));
        }
        pieces.sort_by_key(|(seat, ..)| *seat);
        let (avatars, quests): (Vec<Avatar>, Vec<Quest>) =
            pieces.into_iter().map(|(_, avatar, quest)| (avatar, quest)).unzip();
        Ok(Labyrinth {
            max_rounds: config.max_rounds,
            passes: config.passes,
            scoring: config.scoring,
            treasures: config.treasures,
            maze: state.maze,
            avatars,
            first: quests.iter().map(|quest| quest.place).collect(),
            quests,
            goals: state.goals.into_iter().rev().collect(),
            order,
            due: SeatSet::all(seats),
            passed: SeatSet::EMPTY,
            leaving: SeatSet::EMPTY,
            exits: vec![None; seats],
            rounds: 0,
            turns: 0,
            ending: None,
            winners: SeatSet::EMPTY,
            places: vec![1; seats],
            news: News::default(),
            outcome: None,
        })
    }

    fn to_act(&self) -> SeatSet {
        match (self.ending, self.outcome.is_some()) {
            (_, true) => SeatSet::EMPTY,
            (Some(_), false) => self.still_in(),
            (None, false) => SeatSet::of(self.mover()),
        }
    }

    fn legal(&self, seat: Seat) -> Option<Vec<Action>> {
        if self.ending.is_some() {
            return Some(vec![Action::Acknowledge]);
        }
        let choices = self.maze.choices(self.position(seat));
        let plays = choices.into_iter().map(Action::Play);
        Some(std::iter::once(Action::Pass).chain(plays).collect())
    }

    fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        match self.ending {
            Some(_) => Some(1),
            None => Some(1 + self.maze.choices_at_most(self.position(seat))),
        }
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> Action {
        if self.ending.is_some() {
            return Action::Acknowledge;
        }
        sample(&self.maze, self.position(seat), dice)
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        match (action, self.ending) {
            (Action::Acknowledge, None) => Err(Illegal::new("the game is not over yet")),
            (Action::Acknowledge, Some(_)) | (Action::Pass, None) => Ok(()),
            (Action::Play(choice), None) => self.maze.check(self.position(seat), choice),
            (Action::Pass | Action::Play(_), Some(_)) => {
                Err(Illegal::new("the game is over: no more moves, only an acknowledgement"))
            }
        }
    }

    /// Silence is misbehaviour on both wires: the seat is removed.
    fn default_action(&self, _seat: Seat) -> Option<Action> {
        None
    }

    fn advance(&mut self, step: Step<'_, Action>) {
        match (step, self.ending) {
            (Step::Turn(moves), None) => self.play_turn(moves),
            (Step::Turn(moves), Some(_)) => self.close_table(moves),
            (Step::Departure(exits), None) => self.depart(exits),
            (Step::Departure(exits), Some(_)) => self.depart_unacknowledged(exits),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        picture::draw(scene)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

impl Labyrinth {
    /// A legal action of a seat that owes one, each equally likely.
    pub fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        match self.ending {
            Some(_) => Action::Acknowledge,
            None => random(&self.maze, self.position(seat), dice),
        }
    }
}

/// Any turn, each equally likely; the pass is one of them.
pub(super) fn random(maze: &Maze, from: Coordinate, dice: &mut Dice) -> Action {
    /// To look at one slide is much faster than to look at all, and every sixth guess or so is a
    /// turn. Where more guesses fail, few turns are possible, and then they are listed.
    const GUESSES: usize = 24;
    let (slides, cells) = (maze.slides().count(), maze.board.tiles().len());
    let pass = slides * Degree::ALL.len() * cells;
    for _ in 0..GUESSES {
        let guess = dice.below(pass + 1);
        if guess == pass {
            return Action::Pass;
        }
        let (way, cell) = (guess / cells, guess % cells);
        let slide = maze.slides().nth(way / 4).expect("counted above");
        let degree = Degree::ALL[way % 4];
        if maze.prospect(from, slide, degree).destinations.contains(cell) {
            return Action::Play(Choice { slide, degree, to: maze.board.coordinate(cell) });
        }
    }
    let choices = maze.choices(from);
    let choice = choices.get(dice.below(choices.len() + 1));
    choice.map_or(Action::Pass, |choice| Action::Play(*choice))
}

/// A pass now and then, else any slide that lets the avatar move and any cell it lets it reach.
pub(super) fn sample(maze: &Maze, from: Coordinate, dice: &mut Dice) -> Action {
    if dice.one_in(8) {
        return Action::Pass;
    }
    let ways = maze.slides().count() * Degree::ALL.len();
    let first = dice.below(ways);
    for way in (first..ways).chain(0..first) {
        let slide = maze.slides().nth(way / 4).expect("counted above");
        let degree = Degree::ALL[way % 4];
        let destinations = maze.prospect(from, slide, degree).destinations;
        if !destinations.is_empty() {
            let nth = dice.below(destinations.len());
            let cell = destinations.iter().nth(nth).expect("fewer than there are");
            return Action::Play(Choice { slide, degree, to: maze.board.coordinate(cell) });
        }
    }
    Action::Pass
}
