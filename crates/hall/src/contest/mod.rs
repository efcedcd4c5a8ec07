//! A tournament as data: its records and their fold, what organisers ask of it, and what readers see.

mod info;
mod orders;
mod record;
mod state;

#[cfg(test)]
pub use info::EntrantInfo;
pub use info::{TournamentCard, TournamentInfo};
pub use orders::{NewEntrant, NewTournament, Order};
pub use record::{Convened, EntrantKey, Entry, TournamentEntry, TournamentRecord};
pub use state::{GameKey, TournamentState};
