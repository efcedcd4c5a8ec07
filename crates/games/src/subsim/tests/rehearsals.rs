//! The transcripts of this game.

use super::super::SubSim;

#[test]
fn everything_sounds_as_written() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/subsim/rehearsals");
    trials::rehearsal::rehearse::<SubSim>(folder);
}
