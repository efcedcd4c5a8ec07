//! Every protocol, replay and journal of every game, mangled. `FUZZ_SECONDS` sets the time for
//! each.

use std::path::PathBuf;

use trials::fuzz::{self, Mangler};
use wire::{AnyGame, Playable, Visitor};

fn folder(inside: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(inside)
}

fn rehearsals<G: Playable>() -> Vec<Vec<u8>> {
    fuzz::corpus(&folder(&format!("src/{}/rehearsals", G::NAME.replace('-', "_"))))
}

/// Inputs that were thought up, or that a fuzzer found.
fn hostile() -> Vec<Vec<u8>> {
    fuzz::corpus(&folder("../../fuzz/corpus/hostile"))
}

struct Transcripts;

impl Visitor for Transcripts {
    fn visit<G: Playable>(&mut self) {
        let corpus = [rehearsals::<G>(), hostile()].concat();
        Mangler::new(&format!("{} transcript", G::NAME), corpus).run(60, fuzz::transcript::<G>);
    }
}

#[test]
fn mangled_transcripts_break_nothing() {
    crate::each(&mut Transcripts);
}

struct Replays;

impl Visitor for Replays {
    fn visit<G: Playable>(&mut self) {
        let scripts = rehearsals::<G>();
        let scripts: Vec<_> = scripts.iter().map(|text| String::from_utf8_lossy(text)).collect();
        let game = <dyn AnyGame>::of::<G>();
        let files = scripts.iter().take(12).flat_map(|text| fuzz::replays_of::<G>(text)).collect();
        Mangler::new(&format!("{} replay", G::NAME), files)
            .run(40, |bytes| fuzz::replay(game, bytes));
        let files = scripts.iter().take(12).flat_map(|text| fuzz::journals_of::<G>(text)).collect();
        Mangler::new(&format!("{} journal", G::NAME), files).run(60, fuzz::journal::<G>);
    }
}

#[test]
fn mangled_replays_and_journals_break_nothing() {
    crate::each(&mut Replays);
}

struct Frames;

impl Visitor for Frames {
    fn visit<G: Playable>(&mut self) {
        for dialect in G::dialects() {
            let corpus = [rehearsals::<G>(), hostile()].concat();
            Mangler::new(dialect.name, corpus)
                .run(30, |bytes| fuzz::frames(dialect.framing, bytes));
        }
    }
}

#[test]
fn frames_are_the_same_however_bytes_are_cut() {
    crate::each(&mut Frames);
}
