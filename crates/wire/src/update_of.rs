//! An update of a known game.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use hall::Update;
use rules::Game;

use crate::Speech;

/// An update whose view is of this game: a session opens it once and keeps it.
pub struct UpdateOf<G> {
    update: Arc<Update>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> UpdateOf<G> {
    /// The update, unless it is of another game: no session expects one, so that ends the
    /// connection.
    pub fn open(update: &Arc<Update>, out: &mut Speech) -> Option<UpdateOf<G>> {
        if update.view.of::<G>().is_none() {
            out.hangup("the server sent a position of another game");
            return None;
        }
        Some(UpdateOf { update: update.clone(), game: PhantomData })
    }

    /// Whether both are the same update, not just equal ones.
    pub fn is_same(&self, other: &UpdateOf<G>) -> bool {
        Arc::ptr_eq(&self.update, &other.update)
    }

    /// The view with the game's own type.
    pub fn view(&self) -> &G::View {
        self.update.view.of::<G>().expect("it was of this game when it was opened")
    }
}

impl<G> Clone for UpdateOf<G> {
    fn clone(&self) -> UpdateOf<G> {
        UpdateOf { update: self.update.clone(), game: PhantomData }
    }
}

impl<G> Deref for UpdateOf<G> {
    type Target = Update;

    fn deref(&self) -> &Update {
        &self.update
    }
}

impl<G> std::fmt::Debug for UpdateOf<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.update.fmt(f)
    }
}
