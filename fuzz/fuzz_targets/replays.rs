#![no_main]
//! Replay files and journals of every game. Rules may panic on what they have never written; that
//! is caught, and so it must be here.

use wire::{AnyGame, Playable, Visitor};

struct Readers<'a>(&'a [u8]);

impl Visitor for Readers<'_> {
    fn visit<G: Playable>(&mut self) {
        trials::fuzz::replay(<dyn AnyGame>::of::<G>(), self.0);
        trials::fuzz::journal::<G>(self.0);
    }
}

libfuzzer_sys::fuzz_target!(
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| games::each(&mut Readers(bytes))
);
