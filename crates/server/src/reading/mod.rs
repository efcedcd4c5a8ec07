//! What can be read without asking a hall: a game's lists, what finished games say about players,
//! and the pool that does the long work for that.

mod directory;
mod placements;
mod profile;
mod ratings;
mod replays;
mod reviews;
mod strengths;
mod trail;

pub use directory::{Directory, Recalled, TournamentText, leave_to_the_hall};
pub use placements::Placement;
pub use profile::{Moves, Record};
pub use ratings::{Ladder, Per};
pub use replays::{Asker, Replays, Stop, Undone};
pub use reviews::Reviews;
pub use strengths::{Found, Strengths};
pub use trail::Point;
