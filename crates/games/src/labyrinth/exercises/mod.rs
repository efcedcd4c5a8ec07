//! The course's exercises as functions from text to text: each takes a stream of JSON values and
//! gives one. What breaks a definition and can still be answered is answered, with a warning.

mod referee;

use rules::Illegal;
use serde::Serialize;
use serde_json::Value;

use super::board::{Board, Coordinate, Degree, Direction, Slide};
use super::json::{self, Defined, Malformed};
use super::rules::{Action, State, repeated_treasures};

/// What a command prints, and what it grumbles about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One canonical JSON value, without a line end.
    pub output: String,
    pub warnings: Vec<String>,
}

/// Why a command has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input is not the JSON that was asked for.
    IllFormed(Malformed),
    /// The input is understood and asks for something the rules forbid.
    Illegal(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::IllFormed(why) => write!(f, "ill-formed input: {why}"),
            Failure::Illegal(why) => write!(f, "illegal: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Illegal> for Failure {
    fn from(Illegal(why): Illegal) -> Failure {
        Failure::Illegal(why)
    }
}

/// `Board`, `Coordinate` → the reachable Coordinates, the start included.
pub fn reach(input: &str) -> Result<Answer, Failure> {
    let mut input = Input::new(input);
    let board: Board = input.next("a Board")?;
    let from: Coordinate = input.next("a Coordinate")?;
    input.end();
    input.warnings.extend(repeated_treasures(board.tiles().iter()));
    if !board.contains(from) {
        return Err(Failure::Illegal(format!("{from} is not on the board")));
    }
    input.answer(&board.coordinates_of(&board.reachable(from)))
}

/// `State`, `Index`, `Direction`, `Degree` → the Coordinates the first player can reach after the
/// spare is turned and pushed in. An undo is no obstacle here.
pub fn slide(input: &str) -> Result<Answer, Failure> {
    let mut input = Input::new(input);
    let state = input.state()?;
    let index = json::index(&input.value("an Index")?).map_err(Failure::IllFormed)?;
    let direction: Direction = input.next("a Direction")?;
    let degree: Degree = input.next("a Degree")?;
    input.end();
    let slide = Slide { index, direction };
    let State { mut maze, mut players, .. } = state;
    maze.board.check_slide(slide)?;
    maze.rotate(degree);
    maze.slide(slide, players.iter_mut().map(|player| &mut player.current));
    let reachable = maze.board.reachable(players[0].current);
    input.answer(&maze.board.coordinates_of(&reachable))
}

/// A strategy's name, `State`, goal `Coordinate` → the first player's Choice.
pub fn choose(input: &str) -> Result<Answer, Failure> {
    let mut input = Input::new(input);
    let strategy = referee::strategy(&input.value("a strategy")?).map_err(Failure::IllFormed)?;
    let state = input.state()?;
    let goal: Coordinate = input.next("a Coordinate")?;
    input.end();
    if !state.maze.board.contains(goal) {
        return Err(Failure::Illegal(format!("the goal {goal} is not on the board")));
    }
    let choice = strategy.choose(&state.maze, state.players[0].current, goal);
    input.answer(&choice.map_or(Action::Pass, Action::Play))
}

/// `State`, then `"PASS"` or a Choice → the next `State`.
pub fn turn(input: &str) -> Result<Answer, Failure> {
    let mut input = Input::new(input);
    let mut state = input.state()?;
    let action: Action = input.next("\"PASS\" or a Choice")?;
    input.end();
    match action {
        Action::Pass => {}
        Action::Play(choice) => {
            state.maze.check(state.players[0].current, &choice)?;
            state.maze.rotate(choice.degree);
            let avatars = state.players.iter_mut().map(|player| &mut player.current);
            state.maze.slide(choice.slide, avatars);
            state.players[0].current = choice.to;
        }
        Action::Acknowledge => {
            return Err(ill_formed("expected \"PASS\" or a Choice"));
        }
    }
    state.players.rotate_left(1);
    input.answer(&state)
}

/// How [`game`] is played and told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFlags {
    /// Print the sorted winners alone.
    pub winners_only: bool,
    /// The players are given in the order in which they signed up.
    pub remote: bool,
}

/// Player specifications and a `RefereeState` → `[[winners], [misbehaved]]`, each sorted.
pub fn game(input: &str, flags: GameFlags) -> Result<Answer, Failure> {
    let mut input = Input::new(input);
    let specifications = input.value("an array of players")?;
    let entrants = referee::entrants(&specifications).map_err(Failure::IllFormed)?;
    // Without players there is nobody to win, and nobody to misbehave.
    let state = input.state_of_any()?;
    input.end();
    if state.players.iter().any(|player| player.goto.is_none()) {
        return Err(ill_formed("the State tells no goto: it is no RefereeState"));
    }
    let entrants = referee::admit(entrants, &state, flags.remote, &mut input.warnings);
    let result = referee::play(entrants, state, flags.remote)?;
    if flags.winners_only { input.answer(&result.winners) } else { input.answer(&result.both()) }
}

fn ill_formed(why: &str) -> Failure {
    Failure::IllFormed(Malformed::Inconsistent(why.to_owned()))
}

/// The values of standard input, one after the other, and what was odd about them.
struct Input<'a> {
    values: Box<dyn Iterator<Item = Result<Value, Malformed>> + 'a>,
    warnings: Vec<String>,
}

impl<'a> Input<'a> {
    fn new(text: &'a str) -> Input<'a> {
        Input { values: Box::new(json::parse_stream(text)), warnings: Vec::new() }
    }

    fn value(&mut self, what: &str) -> Result<Value, Failure> {
        match self.values.next() {
            Some(value) => value.map_err(Failure::IllFormed),
            None => Err(Failure::IllFormed(Malformed::Unexpected {
                what: what.to_owned(),
                found: "the end of the input".to_owned(),
            })),
        }
    }

    fn next<T: Defined>(&mut self, what: &str) -> Result<T, Failure> {
        T::read(&self.value(what)?).map_err(Failure::IllFormed)
    }

    /// A State with somebody to move.
    fn state(&mut self) -> Result<State, Failure> {
        let state = self.state_of_any()?;
        if state.players.is_empty() {
            return Err(ill_formed("a State in which plmt names no player"));
        }
        Ok(state)
    }

    /// A State, of no player at all perhaps.
    fn state_of_any(&mut self) -> Result<State, Failure> {
        let state: State = self.next("a State")?;
        self.warnings.extend(state.oddities());
        Ok(state)
    }

    fn end(&mut self) {
        if self.values.next().is_some() {
            self.warnings.push("there is more input than the question needs".to_owned());
        }
    }

    fn answer(self, value: &impl Serialize) -> Result<Answer, Failure> {
        let output = serde_json::to_string(value).expect("answers are plain JSON");
        Ok(Answer { output, warnings: self.warnings })
    }
}
