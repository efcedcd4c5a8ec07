//! Where records go and come from: the journal's one writer, its storage, and what an earlier
//! server left there.

mod restoring;
mod shared_stream;
mod storage;
mod writer;

pub use restoring::restore;
pub use shared_stream::{SharedHouse, SharedStream};
pub use storage::Storage;
pub use writer::{JournalWriter, PendingBatches, kept_of, rows};
