//! Which game a value is read for.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use erased_serde::Deserializer as Erased;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::{AnyAction, AnyActions, AnyConfig, AnyState, AnyView};
use crate::{Game, Scene, Seed, SetupError};

/// The rules of one game, as a value.
pub trait AnyRules: Send + Sync {
    fn name(&self) -> &'static str;

    /// Raised whenever the same seed and moves would give another game.
    fn version(&self) -> u32;

    fn setup(&self, config: &AnyConfig, seats: usize, seed: Seed) -> Result<AnyState, SetupError>;

    /// The position for people; none for a view of another game.
    fn picture(&self, scene: &Scene<'_, AnyView>) -> Option<String>;

    #[doc(hidden)]
    fn read_action(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyAction>;

    #[doc(hidden)]
    fn read_actions(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyActions>;

    #[doc(hidden)]
    fn read_view(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyView>;

    #[doc(hidden)]
    fn read_config(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyConfig>;
}

thread_local! {
    static READING: Cell<Option<&'static dyn AnyRules>> = const { Cell::new(None) };
}

struct Rules<G>(PhantomData<fn() -> G>);

impl dyn AnyRules {
    /// The rules of this game.
    pub fn of<G: Game>() -> &'static dyn AnyRules {
        &Rules::<G>(PhantomData)
    }

    /// Runs `read`; the opaque values that it reads are those of this game.
    pub fn reading<T>(&'static self, read: impl FnOnce() -> T) -> T {
        struct Restore(Option<&'static dyn AnyRules>);
        impl Drop for Restore {
            fn drop(&mut self) {
                READING.set(self.0);
            }
        }
        let _restore = Restore(READING.replace(Some(self)));
        read()
    }
}

impl fmt::Debug for dyn AnyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<G: Game> AnyRules for Rules<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn version(&self) -> u32 {
        G::VERSION
    }

    fn setup(&self, config: &AnyConfig, seats: usize, seed: Seed) -> Result<AnyState, SetupError> {
        let config = config.of::<G>().ok_or_else(|| SetupError(another_game(G::NAME)))?;
        Ok(AnyState::new(G::setup(config, seats, seed)?))
    }

    fn picture(&self, scene: &Scene<'_, AnyView>) -> Option<String> {
        let view = scene.view.of::<G>()?;
        let seat_views: Vec<G::View> =
            scene.seat_views.iter().map(|view| view.of::<G>().cloned()).collect::<Option<_>>()?;
        Some(G::picture(&Scene { view, seat_views: &seat_views, names: scene.names }))
    }

    fn read_action(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyAction> {
        erased_serde::deserialize(from).map(AnyAction::new::<G>)
    }

    fn read_actions(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyActions> {
        erased_serde::deserialize(from).map(AnyActions::new::<G>)
    }

    fn read_view(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyView> {
        erased_serde::deserialize(from).map(AnyView::new::<G>)
    }

    fn read_config(&self, from: &mut dyn Erased<'_>) -> erased_serde::Result<AnyConfig> {
        erased_serde::deserialize(from).map(AnyConfig::new::<G>)
    }
}

/// Says that a value is not one of this game.
pub(super) fn another_game(name: &str) -> String {
    format!("this belongs to another game than {name}")
}

/// Reads a value of the game that [`AnyRules::reading`] names.
fn read<'de, T, D: Deserializer<'de>>(
    from: D,
    read: impl FnOnce(&'static dyn AnyRules, &mut dyn Erased<'de>) -> erased_serde::Result<T>,
) -> Result<T, D::Error> {
    let rules = READING.get().ok_or_else(|| D::Error::custom("nothing says which game this is"))?;
    read(rules, &mut <dyn Erased<'de>>::erase(from)).map_err(D::Error::custom)
}

impl<'de> Deserialize<'de> for AnyAction {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnyAction, D::Error> {
        read(from, |rules, from| rules.read_action(from))
    }
}

impl<'de> Deserialize<'de> for AnyActions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnyActions, D::Error> {
        read(from, |rules, from| rules.read_actions(from))
    }
}

impl<'de> Deserialize<'de> for AnyView {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnyView, D::Error> {
        read(from, |rules, from| rules.read_view(from))
    }
}

impl<'de> Deserialize<'de> for AnyConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnyConfig, D::Error> {
        read(from, |rules, from| rules.read_config(from))
    }
}
