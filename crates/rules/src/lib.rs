//! What a game is.
//!
//! A [`Game`] value *is* the state of one table's play. It has one constructor
//! ([`Game::setup`]), one mutator ([`Game::advance`]) and one exit for secrets
//! ([`Game::view`]). It has no clock, no socket and no log; all chance comes from its seed.
//! A caller loops like this, whatever the game:
//!
//! ```
//! use rules::{Dice, Game, Move, Seat, Seed, Step};
//!
//! fn random_game<G: Game>(config: &G::Config, seats: usize, seed: Seed) -> G {
//!     let mut dice = Dice::new(&seed, "players", 0);
//!     let mut game = G::setup(config, seats, seed).expect("a fair number of seats");
//!     while !game.to_act().is_empty() {
//!         let turn: Vec<(Seat, Move<G::Action>)> = game
//!             .to_act()
//!             .iter()
//!             .map(|seat| (seat, Move::Act(game.sample(seat, &mut dice))))
//!             .collect();
//!         game.advance(Step::Turn(&turn));
//!     }
//!     game
//! }
//! ```
//!
//! [`kit`] holds the promises every game must keep, as a test any game can run.

pub mod any;
mod bot;
mod determinise;
mod dice;
pub mod kit;
mod outcome;
pub mod picture;
mod reviewable;
pub mod search;
mod seat;

use std::fmt::{Debug, Display};

use serde::{Serialize, de::DeserializeOwned};

pub use bot::{Bot, BotKind, Grade, mixed};
pub use determinise::Determinise;
pub use dice::{Dice, Seed, hex};
pub use outcome::{Exit, Outcome, Standing};
pub use picture::Scene;
pub use reviewable::{Past, Reviewable};
pub use seat::{Seat, SeatSet, Viewer};

/// The rules of one game; the value itself is the state.
pub trait Game: Clone + PartialEq + Debug + Send + 'static {
    /// The name used in URLs, options and journals, such as `sushi-go`.
    const NAME: &'static str;

    /// Raised whenever the same seed and moves would give another game.
    const VERSION: u32;

    /// What an organiser can choose.
    type Config: Clone
        + PartialEq
        + Debug
        + Default
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;

    /// One seat's action in one turn.
    type Action: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// What one viewer may know, including the news of the last turn. JSON players read the same
    /// value back, so it is part of a game's public interface.
    type View: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The only constructor. All chance of the game comes from `seed`.
    fn setup(config: &Self::Config, seats: usize, seed: Seed) -> Result<Self, SetupError>;

    /// The seats that are to move: one in a sequential game, several in a simultaneous one, none
    /// exactly when there is an [`outcome`](Game::outcome).
    fn to_act(&self) -> SeatSet;

    /// Every legal action of a seat that is to move, or `None` where there are too many to list.
    fn legal(&self, seat: Seat) -> Option<Vec<Self::Action>>;

    /// An upper bound of the number of legal actions of a seat that is to move, found without
    /// listing them; `None` exactly where [`legal`](Game::legal) lists none.
    fn legal_at_most(&self, seat: Seat) -> Option<usize>;

    /// A random legal action of a seat that is to move. Every legal action is possible, but not
    /// each is equally likely: tests play by this, and should soon see all of a game.
    fn sample(&self, seat: Seat, dice: &mut Dice) -> Self::Action;

    /// The authority on what is legal for a seat that is to move.
    fn check(&self, seat: Seat, action: &Self::Action) -> Result<(), Illegal>;

    /// The action played for a seat whose time runs out. `None`: the seat retires instead.
    fn default_action(&self, seat: Seat) -> Option<Self::Action>;

    /// The single mutator. It cannot fail once every action has passed [`check`](Game::check).
    fn advance(&mut self, step: Step<'_, Self::Action>);

    /// The single exit for secrets.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// The position for people: a few lines of text, at most [`picture::WIDTH`] wide.
    fn picture(scene: &Scene<'_, Self::View>) -> String;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<&Outcome>;
}

/// A step of a game. Seats are in ascending order: the order of arrival is forgotten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a, A> {
    /// A whole turn: a move of every seat that is to move; other seats may only retire. It may
    /// include moves of seats that left after they had moved: the rules decide what those are
    /// worth.
    Turn(&'a [(Seat, Move<A>)]),
    /// Seats leave in the middle of a turn. The table keeps the moves already made, and the turn
    /// continues unless this ends the game.
    Departure(&'a [(Seat, Exit)]),
}

/// One seat's part in a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Move<A> {
    Act(A),
    /// The seat stops playing. Retirement is a move, so several seats can retire in one turn and no
    /// seat wins by order of execution.
    Retire(Exit),
}

/// Why an action is illegal, for humans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal(pub String);

impl Illegal {
    pub fn new(why: impl Into<String>) -> Illegal {
        Illegal(why.into())
    }
}

/// Why a game cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Illegal {}

impl Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}
