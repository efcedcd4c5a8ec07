//! A game in play, of any type.

use std::any::Any;
use std::fmt;

use super::reading::another_game;
use super::{AnyAction, AnyActions, AnyView};
use crate::{Dice, Game, Illegal, Move, Outcome, Seat, SeatSet, Step, Viewer};

/// The state of one table's play.
pub struct AnyState(Box<dyn State>);

/// What [`Game`] does, with opaque values.
trait State: Send {
    fn copy(&self) -> Box<dyn State>;
    fn is_same(&self, other: &dyn State) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn to_act(&self) -> SeatSet;
    fn legal(&self, seat: Seat) -> Option<AnyActions>;
    fn legal_at_most(&self, seat: Seat) -> Option<usize>;
    fn sample(&self, seat: Seat, dice: &mut Dice) -> AnyAction;
    fn check(&self, seat: Seat, action: &AnyAction) -> Result<(), Illegal>;
    fn default_action(&self, seat: Seat) -> Option<AnyAction>;
    fn advance(&mut self, step: Step<'_, AnyAction>) -> Result<(), Illegal>;
    fn view(&self, viewer: Viewer) -> AnyView;
    fn outcome(&self) -> Option<&Outcome>;
}

/// A game with room for the moves of a turn, so that a turn doesn't allocate any.
struct Held<G: Game> {
    game: G,
    turn: Vec<(Seat, Move<G::Action>)>,
}

impl AnyState {
    pub fn new<G: Game>(game: G) -> AnyState {
        AnyState(Box::new(Held { game, turn: Vec::new() }))
    }

    /// The state, unless it is of another game.
    pub fn of<G: Game>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }

    /// See [`Game::to_act`].
    pub fn to_act(&self) -> SeatSet {
        self.0.to_act()
    }

    /// See [`Game::legal`].
    pub fn legal(&self, seat: Seat) -> Option<AnyActions> {
        self.0.legal(seat)
    }

    /// See [`Game::legal_at_most`].
    pub fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        self.0.legal_at_most(seat)
    }

    /// See [`Game::sample`].
    pub fn sample(&self, seat: Seat, dice: &mut Dice) -> AnyAction {
        self.0.sample(seat, dice)
    }

    /// See [`Game::check`]. An action of another game is illegal.
    pub fn check(&self, seat: Seat, action: &AnyAction) -> Result<(), Illegal> {
        self.0.check(seat, action)
    }

    /// See [`Game::default_action`].
    pub fn default_action(&self, seat: Seat) -> Option<AnyAction> {
        self.0.default_action(seat)
    }

    /// See [`Game::advance`]. It fails, and changes nothing, only if an action is of another game.
    pub fn advance(&mut self, step: Step<'_, AnyAction>) -> Result<(), Illegal> {
        self.0.advance(step)
    }

    /// See [`Game::view`].
    pub fn view(&self, viewer: Viewer) -> AnyView {
        self.0.view(viewer)
    }

    /// See [`Game::outcome`].
    pub fn outcome(&self) -> Option<&Outcome> {
        self.0.outcome()
    }
}

impl Clone for AnyState {
    fn clone(&self) -> AnyState {
        AnyState(self.0.copy())
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &AnyState) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.describe(f)
    }
}

impl<G: Game> State for Held<G> {
    fn copy(&self) -> Box<dyn State> {
        Box::new(Held { game: self.game.clone(), turn: Vec::new() })
    }

    fn is_same(&self, other: &dyn State) -> bool {
        other.as_any().downcast_ref::<G>() == Some(&self.game)
    }

    fn as_any(&self) -> &dyn Any {
        &self.game
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }

    fn to_act(&self) -> SeatSet {
        self.game.to_act()
    }

    fn legal(&self, seat: Seat) -> Option<AnyActions> {
        self.game.legal(seat).map(AnyActions::new::<G>)
    }

    fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        self.game.legal_at_most(seat)
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> AnyAction {
        AnyAction::new::<G>(self.game.sample(seat, dice))
    }

    fn check(&self, seat: Seat, action: &AnyAction) -> Result<(), Illegal> {
        let action = action.of::<G>().ok_or_else(|| Illegal(another_game(G::NAME)))?;
        self.game.check(seat, action)
    }

    fn default_action(&self, seat: Seat) -> Option<AnyAction> {
        self.game.default_action(seat).map(AnyAction::new::<G>)
    }

    fn advance(&mut self, step: Step<'_, AnyAction>) -> Result<(), Illegal> {
        let moves = match step {
            Step::Departure(seats) => {
                self.game.advance(Step::Departure(seats));
                return Ok(());
            }
            Step::Turn(moves) => moves,
        };
        self.turn.clear();
        for (seat, part) in moves {
            let part = match part {
                Move::Act(action) => {
                    let action = action.of::<G>().ok_or_else(|| Illegal(another_game(G::NAME)))?;
                    Move::Act(action.clone())
                }
                Move::Retire(exit) => Move::Retire(exit.clone()),
            };
            self.turn.push((*seat, part));
        }
        self.game.advance(Step::Turn(&self.turn));
        Ok(())
    }

    fn view(&self, viewer: Viewer) -> AnyView {
        AnyView::new::<G>(self.game.view(viewer))
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.game.outcome()
    }
}
