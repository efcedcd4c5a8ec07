//! The games of rehearsals as frames, for the tests of the boards.

use std::path::Path;

use hall::{Eyes, Frame, Recorded, TableRecord};
use wire::Playable;

use super::perform_all;
use crate::stage::Journey;

/// Names a folder to write frames to: one file for every game that was begun in a rehearsal.
pub(super) const FOLDER: &str = "REHEARSAL_FRAMES";

/// Writes what every viewer could see of every game of a rehearsal.
pub(super) fn write<G: Playable>(folder: &Path, rehearsal: &Path, script: &str) {
    let performed = perform_all::<G>(script, Journey::Direct).expect("it was just rehearsed");
    let name = rehearsal.file_stem().expect("a file").to_string_lossy();
    let folder = folder.join(G::NAME);
    std::fs::create_dir_all(&folder).expect("a writable folder");
    for (number, recorded) in &performed.stage.written.tables {
        let frames = frames(recorded).unwrap_or_else(|why| panic!("{name}: {why}"));
        let lines = frames.iter().map(|frame| serde_json::to_string(frame).expect("plain data"));
        let text = lines.map(|line| line + "\n").collect::<String>();
        if !frames.is_empty() {
            let file = folder.join(format!("{name}-{}.jsonl", number.0));
            std::fs::write(file, text).expect("a writable file");
        }
    }
}

/// All frames; up to the last turn, if the game has no end.
fn frames(recorded: &Recorded) -> Result<Vec<Frame<'static>>, String> {
    if !recorded.records().any(|record| matches!(record, TableRecord::Started { .. })) {
        return Ok(Vec::new());
    }
    if recorded.is_over() {
        return recorded.frames(Eyes::All);
    }
    let updates = recorded.updates(Eyes::All, 0..=u64::MAX, usize::MAX)?;
    Ok(updates.into_iter().map(|update| Frame::Update(Box::new(update))).collect())
}
