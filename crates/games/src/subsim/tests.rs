//! The rules under the conformance kit, against known answers and a second model, and under random
//! play; the wire in rehearsals and under fire.

mod agreement;
mod batches;
mod bouts;
mod cases;
mod client;
mod conformance;
mod crossing;
mod fire;
mod model;
mod options;
mod picture;
mod properties;
mod rehearsals;
mod script;
mod settings;
mod shown;
mod speech;
mod stage;
