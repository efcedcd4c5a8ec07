//! Judges the decisions of a finished game.
//!
//! The value of a position for a seat is the share of opponents it finishes ahead of, from 0 to 1,
//! averaged over games that are played out from there. It is estimated twice. The *line* is the
//! value with all cards known: it shows how the game went. A *decision* is judged by what its
//! player knew: everything hidden is dealt again, many times, and each candidate action is tried in
//! the same deals.
//!
//! A course is replayed by its rules alone. Nothing here knows tables, clocks or files, and the
//! same course, [`Budget`] and seed give the same [`Review`].

mod course;
mod file;
mod line;
mod mark;
mod playing;
mod report;
mod reviewing;
mod tally;
mod weighing;

pub mod kit;
pub mod trial;

pub use course::{Course, Played, What};
pub use file::ReplayFile;
pub use mark::{Mark, Marks};
pub use report::{Choice, Decision, KindReview, Point, Review, SeatReview};
pub use reviewing::{Budget, Progress, Request, Reviewing, review};
pub use weighing::{Weighed, weigh};

/// Raised whenever the same game would get another review.
pub const ENGINE: u32 = 1;
