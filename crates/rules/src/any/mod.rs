//! Games whose type is known only while the program runs.
//!
//! A table, and everything around it, never looks inside an action or a view. It handles these
//! opaque values instead of a game's own types, so it is compiled once, whatever the number of
//! games. The code of a game opens a value again with `of`; a value of another game opens as
//! `None`.
//!
//! Values are written as the game writes them. To read one back, the reader must know the game:
//! [`AnyRules::reading`] says which it is.

mod reading;
mod state;
mod strategy;
mod value;

pub use reading::AnyRules;
pub use state::AnyState;
pub use strategy::{AnyBot, Strategy};
pub use value::{AnyAction, AnyActions, AnyConfig, AnyView};
