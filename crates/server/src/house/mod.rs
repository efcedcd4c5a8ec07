//! What all games of a server share: settings, clock, metrics, register and audit log.

mod audit;
mod audit_books;
pub mod clock;
mod complaints;
pub mod descriptors;
mod health;
mod keys;
mod lapsing;
mod metrics;
pub mod register;
mod settings;

pub use audit::{Act, AuditKeeper, AuditLog};
pub use complaints::Complaints;
pub use health::Health;
pub use keys::{TICKET_MS, Tickets, fresh_key};
pub use lapsing::Lapsing;
pub use metrics::{Counts, GameMetrics, Metrics};
pub use register::RegisterHandle;
pub use settings::{FleetOptions, HttpOptions, NamesOptions, NetworkOptions, Port, Settings};

pub(crate) use register::{Pen, RegisterKeeper};
