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

use hall::ConnId;
use trials::stage::Stage;

use super::{Options, SubSim};

/// A stage where two players begin a game when both are there, and ten tables fit.
fn duel() -> Stage {
    Stage::of::<SubSim>(&duel_options(), 10, 1)
}

fn duel_options() -> Options {
    let mut options = Options::default();
    options.config.max_players = 2;
    options
}

/// A new connection that has joined.
fn join(stage: &mut Stage, name: &str, squares: &str) -> ConnId {
    let conn = stage.connect();
    stage.say(conn, &format!("J|{name}|{squares}"));
    conn
}

/// Ann and Bob, who begin two squares from each other.
fn ann_and_bob(stage: &mut Stage) -> (ConnId, ConnId) {
    (join(stage, "ann", "5|5"), join(stage, "bob", "5|7"))
}
