//! The rules: two players take turns to mark one of nine squares, and three in a row win.

use rules::{
    Determinise, Dice, Exit, Game, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed, SetupError,
    Step, Viewer,
};
use serde::{Deserialize, Serialize};

use super::board::{Board, Square};

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct TicTacToe {
    board: Board,
    /// How each went who has gone.
    exits: [Option<Exit>; 2],
    outcome: Option<Outcome>,
}

/// There is nothing to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {}

/// All viewers see everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub board: Board,
    /// None once the game is over.
    pub to_move: Option<Seat>,
}

impl TicTacToe {
    fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then(|| self.board.to_move())
    }

    /// The game ends with a row, a full board, or when a player has left.
    fn end_if_over(&mut self) {
        let row = self.board.row();
        let is_over = row.is_some() || self.board.free().next().is_none();
        if is_over || self.exits.iter().any(Option::is_some) {
            let standing = |seat: Seat| {
                let exit = self.exits[seat.index()].clone();
                let points = i64::from(row == Some(seat));
                (points, (exit.is_none(), points), exit)
            };
            self.outcome = Some(Outcome::ranked(Seat::all(2).map(standing).collect()));
        }
    }
}

impl Game for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = Square;
    type View = View;

    fn setup(_config: &Config, seats: usize, _seed: Seed) -> Result<TicTacToe, SetupError> {
        match seats {
            2 => Ok(TicTacToe { board: Board::default(), exits: [None, None], outcome: None }),
            _ => Err(SetupError(format!("two play tic-tac-toe, not {seats}"))),
        }
    }

    fn to_act(&self) -> SeatSet {
        self.to_move().into_iter().collect()
    }

    fn legal(&self, _seat: Seat) -> Option<Vec<Square>> {
        Some(self.board.free().collect())
    }

    fn legal_at_most(&self, _seat: Seat) -> Option<usize> {
        Some(9)
    }

    fn sample(&self, _seat: Seat, dice: &mut Dice) -> Square {
        let free: Vec<Square> = self.board.free().collect();
        *dice.pick(&free)
    }

    fn check(&self, _seat: Seat, action: &Square) -> Result<(), Illegal> {
        match self.board.free().any(|free| free == *action) {
            true => Ok(()),
            false => Err(Illegal::new(format!("square {action} is not free"))),
        }
    }

    fn default_action(&self, _seat: Seat) -> Option<Square> {
        self.board.free().next()
    }

    fn advance(&mut self, step: Step<'_, Square>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    match part {
                        Move::Act(square) => self.board.mark(*square, *seat),
                        Move::Retire(exit) => self.exits[seat.index()] = Some(exit.clone()),
                    }
                }
            }
            Step::Departure(seats) => {
                for (seat, exit) in seats {
                    self.exits[seat.index()] = Some(exit.clone());
                }
            }
        }
        self.end_if_over();
    }

    fn view(&self, _viewer: Viewer) -> View {
        View { board: self.board, to_move: self.to_move() }
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        let signs = scene.view.board.to_string();
        let (top, rest) = signs.split_at(3);
        let (middle, bottom) = rest.split_at(3);
        let (x, o) = (scene.name(Seat(0)), scene.name(Seat(1)));
        format!("{top}   X {x}\n{middle}   O {o}\n{bottom}\n")
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

impl Determinise for TicTacToe {
    /// There is nothing to guess.
    fn determinise(view: &View, _dice: &mut Dice) -> Option<TicTacToe> {
        view.to_move?;
        Some(TicTacToe { board: view.board, exits: [None, None], outcome: None })
    }
}
