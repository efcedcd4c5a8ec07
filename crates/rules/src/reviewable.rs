//! What a game adds to its rules so that its decisions can be judged: what a seat remembers, which
//! actions are worth weighing, and how to play a position out quickly.

use std::fmt::Debug;

use crate::{Determinise, Dice, Seat, Viewer};

/// A game whose finished games can be reviewed.
///
/// The value of a position for a seat is the share of opponents it finishes ahead of, averaged over
/// games that [`quick_move`](Reviewable::quick_move) plays to the end.
pub trait Reviewable: Determinise {
    /// What a seat keeps of the views it was shown, where the last one doesn't show everything.
    type Memory: Clone + Debug + Default + Send;

    /// The kinds of decisions, each in a word or two, such as `take`.
    const KINDS: &'static [&'static str];

    /// Number of deals in which a decision is tried, unless the caller sets another.
    const DEALS: u32;

    /// A game that lasts this many turns longer is judged as it stands.
    const LONGEST: usize = 1_000;

    /// Takes the next view of a seat in. Every view is shown once, in order.
    fn remember(_memory: &mut Self::Memory, _view: &Self::View) {}

    /// Another game that the seat can't tell from this one by anything it has seen so far. `None`
    /// if none is found.
    fn redeal(past: &Past<'_, Self>, dice: &mut Dice) -> Option<Self> {
        Self::determinise(&past.game.view(Viewer::Seat(past.seat)), dice)
    }

    /// Draws the chance that is still to come again, such as the order of a deck. Nothing that a
    /// player has been dealt or shown changes.
    fn shuffle_future(&mut self, _dice: &mut Dice) {}

    /// The actions worth weighing for a seat that is to move, as
    /// [`canonical`](Reviewable::canonical) writes them: all of them if there are few, else those
    /// that the house's strategies propose. Never none.
    fn candidates(view: &Self::View, memory: &Self::Memory, dice: &mut Dice) -> Vec<Self::Action>;

    /// The action that stands for all those that do the same.
    fn canonical(_view: &Self::View, action: &Self::Action) -> Self::Action {
        action.clone()
    }

    /// The kind of a decision, one of [`KINDS`](Reviewable::KINDS).
    fn kind(view: &Self::View, action: &Self::Action) -> &'static str;

    /// A decent action for a seat that is to move, chosen in microseconds from what the seat may
    /// know.
    fn quick_move(&self, seat: Seat, dice: &mut Dice) -> Self::Action;

    /// The share of opponents each seat is ahead of in a game that lasts too long.
    fn unfinished(&self, seats: usize) -> Vec<f64> {
        vec![0.5; seats]
    }
}

/// A game as one seat has come to know it. The game itself is here for what the table knows and no
/// view shows, such as its settings; what the seat can't know must not be taken from it.
#[derive(Debug)]
pub struct Past<'a, G: Reviewable> {
    pub game: &'a G,
    pub config: &'a G::Config,
    pub seat: Seat,
    pub memory: &'a G::Memory,
    /// Everything that was done so far, in order.
    pub actions: &'a [G::Action],
}
