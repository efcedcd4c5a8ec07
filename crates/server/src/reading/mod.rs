//! What everybody may read without asking a hall: the lists of a game, and what finished games say of
//! players.

mod directory;
mod profile;
mod ratings;
mod strengths;
mod trail;

pub use directory::{Directory, TournamentText};
pub use profile::{Moves, Record};
pub use ratings::{Ladder, Per};
pub use strengths::{Found, Strengths};
pub use trail::Point;
