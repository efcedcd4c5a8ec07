//! Every game as numbers, for programs that learn.
//!
//! An action is a code, an observation a row of numbers, and [`Spec`] names all of them. Both are
//! made of what a seat may know and of nothing else: [`Encode`] sees views; only
//! [`Encode::redeal`] has the game, for the table's settings. [`Play`]
//! asks one seat after the other, [`Batch`] does so for many games at once, and [`state`] and
//! [`batch`] find either by the game's name.
//!
//! ```
//! let mut state = gym::state("gamba", "{}", 2, rules::Seed::from_number(7)).unwrap();
//! let mut mask = vec![0; state.spec().actions];
//! while let Some(seat) = state.to_play() {
//!     state.mask(seat, &mut mask);
//!     let code = mask.iter().position(|&legal| legal == 1).unwrap();
//!     state.apply(code).unwrap();
//! }
//! assert_eq!(state.returns().iter().sum::<f32>(), 0.0);
//! ```

mod any;
mod batch;
mod gamba;
mod labyrinth;
mod play;
mod reader;
mod redeal;
mod row;
mod spec;
mod state;
mod subsim;
mod sushi_go;
mod tiger_dragon;
mod values;

#[cfg(test)]
mod tests;

use std::fmt::Debug;

use rules::{BotKind, Determinise, Dice, Seat};

pub use any::{
    AnyBatch, AnyReader, AnyState, NAMES, batch, from_replay, load, load_batch, reader, review,
    spec, state,
};
pub use batch::{Batch, Buffers, Rows, WAIT};
pub use play::Play;
pub use reader::Reader;
pub use redeal::{Past, Recall};
pub use spec::{Codes, Plane, Spec, legal_codes};
pub use state::{RANDOM, State, UNIFORM};
pub use values::Valued;

/// A game whose actions and views can be written as numbers.
///
/// An action is one code, or several chosen one after the other (SubSim: one per submarine). The
/// codes chosen so far are the draft.
pub trait Encode: Determinise {
    /// What a seat keeps of earlier views, if the last one doesn't show everything relevant.
    type Memory: Clone + Debug + Default + PartialEq + Send;

    /// Whether there is anything to keep. If so, a seat gets every one of its views.
    const REMEMBERS: bool = false;

    /// The house strategies, the weakest first.
    fn bots() -> &'static [BotKind<Self>];

    /// A legal action of a seat that is to move, made of codes that are each equally likely. The
    /// house strategy `random` chooses the same way; this finds it without a view, because views
    /// take time.
    fn random(&self, seat: Seat, dice: &mut Dice) -> Self::Action;

    fn spec(config: &Self::Config, seats: usize) -> Spec;

    /// The configuration of a table with exactly this number of seats.
    fn seated(config: Self::Config, _seats: usize) -> Self::Config {
        config
    }

    /// Takes the next view of the seat in. Showing one twice changes nothing.
    fn remember(_memory: &mut Self::Memory, _view: &Self::View) {}

    /// Another game that the seat can't tell from this one by anything it has seen so far. Where
    /// that is well defined, every deal that fits is equally likely. `None` once the game is over.
    fn redeal(past: Past<'_, Self>, dice: &mut Dice) -> Option<Self>;

    /// What another seat remembers in the new game. It must contain none of the secrets that seat
    /// knew in the old one.
    fn recall(recall: &Recall<'_, Self>) -> Self::Memory {
        let mut memory = Self::Memory::default();
        Self::remember(&mut memory, &recall.now[recall.seat.index()]);
        memory
    }

    /// Of how many codes the viewer's action is made now.
    fn parts(_view: &Self::View) -> usize {
        1
    }

    /// Writes down what the viewer knows; `out` is zero everywhere.
    fn observe(view: &Self::View, memory: &Self::Memory, draft: &[usize], out: &mut [f32]);

    /// Marks the codes that a viewer who is to move may choose next; `out` is zero everywhere.
    fn mask(view: &Self::View, draft: &[usize], out: &mut [u8]);

    /// The codes of the mask, in their order. Only to be faster where masks are large.
    fn legal_codes(view: &Self::View, draft: &[usize], actions: usize, out: &mut Vec<usize>) {
        let mut mask = vec![0; actions];
        Self::mask(view, draft, &mut mask);
        legal_codes(&mask, out);
    }

    /// The action of these codes; none if they mean nothing here. Where several actions differ in
    /// nothing that counts (suits, say), it is the first of them.
    fn decode(view: &Self::View, codes: &[usize]) -> Option<Self::Action>;

    /// The codes of a legal action.
    fn encode(view: &Self::View, action: &Self::Action) -> Option<Vec<usize>>;
}

/// Why the caller cannot have what it asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("there is no game {0:?}; the games are {games}", games = NAMES.join(", "))]
    NoSuchGame(String),
    #[error("config: {0}")]
    Config(String),
    #[error(transparent)]
    Setup(#[from] rules::SetupError),
    #[error("the game is over; nobody is to move")]
    Over,
    #[error("code {code} ({name}) is not legal for seat {seat} now{}", of_game(*game))]
    Illegal { code: i64, name: String, seat: rules::Seat, game: Option<usize> },
    #[error("not a legal action: {0}")]
    NotAnAction(String),
    #[error("{0}")]
    Size(String),
    #[error("there is no strategy {name:?}; this game has {known}")]
    NoStrategy { name: String, known: String },
    #[error("no house strategy sits at seat {0}")]
    NoBot(rules::Seat),
    #[error("a game that is over cannot be dealt again")]
    NothingHidden,
    #[error("no deal was found that fits everything seat {0} has seen")]
    NoDeal(rules::Seat),
    #[error("no view was shown yet")]
    NothingSeen,
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// Which game of a batch it was.
fn of_game(game: Option<usize>) -> String {
    game.map_or(String::new(), |game| format!(" (game {game} of the batch)"))
}
