//! The rules under the conformance kit, against known answers, and under random play.

mod bouts;
mod cases;
mod conformance;
mod picture;
mod properties;
mod script;
mod settings;
mod speech;
