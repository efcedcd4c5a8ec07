//! What tries the others out.
//!
//! - [`stage`] is a hall with its connections, journal and clock, in memory: all that needs no sockets
//!   happens there;
//! - [`rehearsal`] replays whole transcripts there;
//! - [`sparring`] lets clients play whole games there and compares what they see with the truth;
//! - [`stress`] puts sessions under fire there;
//! - [`fuzz`] mangles transcripts, replays and journals;
//! - [`simulation`] puts a hall under fire, with restarts, and holds it to its laws;
//! - [`exam`] is what every game must pass;
//! - [`disk`] is a journal that takes its time;
//! - [`fleet`] is what several servers that share a database are tried by;
//! - [`bench`] measures servers and rules, [`soak`] wears a server out and then audits it: both play
//!   over real sockets, with a server that is a [`child`] process of its own, each client of
//!   them moved by one [`driver`] over a [`line`]; [`ports`] finds them ports that stay theirs.
//!
//! All of it is generic over games, so that the crates above, games included, take it for their
//! tests. [`sums`] is a game for those who need any, and [`tic_tac_toe`]
//! a whole one.

pub mod bench;
pub mod child;
pub mod disk;
pub mod driver;
pub mod exam;
mod failure;
pub mod fleet;
pub mod floor;
pub mod fuzz;
pub mod line;
pub mod ports;
pub mod rehearsal;
pub mod simulation;
pub mod soak;
pub mod sparring;
pub mod stage;
pub mod stress;
pub mod sums;
pub mod tic_tac_toe;
