//! Opaque actions, views and settings.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::AnyRules;
use super::state::AnyState;
use crate::{Game, Seed, SetupError};

/// What an opaque value can do without being opened.
pub(super) trait Value: Any + fmt::Debug + erased_serde::Serialize + Send + Sync {
    fn is_same(&self, other: &dyn Value) -> bool;

    fn as_any(&self) -> &dyn Any;
}

impl<T: Any + fmt::Debug + PartialEq + Serialize + Send + Sync> Value for T {
    fn is_same(&self, other: &dyn Value) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

macro_rules! opaque {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name(Arc<dyn Value>);

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.0.is_same(&*other.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                erased_serde::serialize(&*self.0, serializer)
            }
        }
    };
}

opaque! {
    /// One seat's action in one turn.
    AnyAction
}

opaque! {
    /// The legal actions of one seat.
    AnyActions
}

opaque! {
    /// What one viewer may know.
    AnyView
}

impl AnyAction {
    pub fn new<G: Game>(action: G::Action) -> AnyAction {
        AnyAction(Arc::new(action))
    }

    /// The action, unless it is of another game.
    pub fn of<G: Game>(&self) -> Option<&G::Action> {
        self.0.as_any().downcast_ref()
    }
}

impl AnyActions {
    pub fn new<G: Game>(actions: Vec<G::Action>) -> AnyActions {
        AnyActions(Arc::new(actions))
    }

    /// The actions, unless they are of another game.
    pub fn of<G: Game>(&self) -> Option<&Vec<G::Action>> {
        self.0.as_any().downcast_ref()
    }
}

impl AnyView {
    pub fn new<G: Game>(view: G::View) -> AnyView {
        AnyView(Arc::new(view))
    }

    /// The view, unless it is of another game.
    pub fn of<G: Game>(&self) -> Option<&G::View> {
        self.0.as_any().downcast_ref()
    }
}

/// What an organiser has chosen, and the game it is chosen for.
#[derive(Clone)]
pub struct AnyConfig {
    rules: &'static dyn AnyRules,
    value: Arc<dyn Value>,
}

impl AnyConfig {
    pub fn new<G: Game>(config: G::Config) -> AnyConfig {
        AnyConfig { rules: <dyn AnyRules>::of::<G>(), value: Arc::new(config) }
    }

    /// The settings, unless they are of another game.
    pub fn of<G: Game>(&self) -> Option<&G::Config> {
        self.value.as_any().downcast_ref()
    }

    /// The settings; those of another game count as the defaults.
    pub fn of_or_default<G: Game>(&self) -> G::Config {
        self.of::<G>().cloned().unwrap_or_default()
    }

    /// The game that these settings are for.
    pub fn rules(&self) -> &'static dyn AnyRules {
        self.rules
    }

    /// Begins a game by these settings.
    pub fn setup(&self, seats: usize, seed: Seed) -> Result<AnyState, SetupError> {
        self.rules.setup(self, seats, seed)
    }
}

impl PartialEq for AnyConfig {
    fn eq(&self, other: &AnyConfig) -> bool {
        self.value.is_same(&*other.value)
    }
}

impl fmt::Debug for AnyConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.value, f)
    }
}

impl Serialize for AnyConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.value, serializer)
    }
}
