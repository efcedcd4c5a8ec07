//! What a server has for all its games: its settings, the clock, what it counts, and what the house
//! knows and has done (the register, the audit log).

mod audit;
pub mod clock;
mod complaints;
pub mod descriptors;
mod keys;
mod metrics;
pub mod register;
mod settings;

pub use audit::{Act, AuditKeeper, AuditLog};
pub use complaints::Complaints;
pub use keys::{TICKET_MS, Tickets, fresh_key};
pub use metrics::{Counts, GameMetrics, Metrics};
pub use register::RegisterHandle;
pub use settings::{FleetOptions, HttpOptions, NetworkOptions, Port, Settings};

pub(crate) use register::{Pen, RegisterKeeper};
