#![no_main]
//! Bytes for what cuts them into messages, of every protocol.

use wire::{Playable, Visitor};

struct Frames<'a>(&'a [u8]);

impl Visitor for Frames<'_> {
    fn visit<G: Playable>(&mut self) {
        for dialect in G::dialects() {
            trials::fuzz::frames(dialect.framing, self.0);
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| games::each(&mut Frames(bytes)));
