//! Tools that test and measure the other crates.
//!
//! - [`stage`]: a hall with its connections, journal and clock in memory, for everything that needs no
//!   sockets;
//! - [`rehearsal`] replays whole transcripts there;
//! - [`sparring`] lets clients play whole games there and compares what they see with the truth;
//! - [`stress`] sends sessions valid, invalid and random input there;
//! - [`fuzz`] mangles transcripts, replays and journals;
//! - [`simulation`] drives a hall with random clients and restarts, and checks its laws;
//! - [`exam`]: what every game must pass;
//! - [`disk`]: a slow journal;
//! - [`fleet`] tests several servers that share a database;
//! - [`bench`] measures servers and rules, [`soak`] wears a server out and then audits it. Both play
//!   over real sockets against a server in a [`child`] process; one [`driver`] moves each client over a
//!   [`line`], and [`ports`] finds ports that stay reserved.
//!
//! Everything is generic over games, so the crates above, games included, can use it in their
//! tests. [`sums`] is a minimal game for tests that need any game, and [`tic_tac_toe`] a complete
//! one.

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
