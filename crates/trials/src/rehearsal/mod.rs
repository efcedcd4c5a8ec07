//! Rehearsals: transcripts replayed over sessions and a hall, in virtual time, without sockets.
//!
//! A rehearsal is a text file. Some of its lines are inputs; the others are the resulting messages,
//! which are compared.
//!
//! ```text
//! # a comment
//! seed 7                          the chance of this rehearsal
//! set move_timeout_ms=0           an option of the game, as with --set
//! table myGame players=3          an organiser opens a table, with options
//! close myGame                    ... or closes one
//! tournament cup max_entrants=4   an organiser convenes a tournament, as its plan has it; also
//!                                 entrants=ann,bob:greedy (a bot),cy=red (plays as), no_show_ms
//! order cup start                 ... and starts, pauses, resumes or cancels it; also
//!                                 `withdraw ann` and `adjudicate 0 2,1`
//! claim ann pk_…                  the name has this key from now on; `release ann` lets it go
//! ban name eve                    this name is banned from now on; `ban key pk_…`
//! connect alice                   a connection (also made by the first thing said on it)
//! connect bob sushi-go-sdk        ... in another dialect; "house" is the house wire
//! watch carol myGame              an observer; "full" sees all seats, "words" is for people,
//!                                 "paced" gets updates as often as over HTTP
//! alice> JOIN myGame Alice        what alice sends, a newline added
//! alice>> "PLAY 1\r\nPLA"         bytes exactly as written, escapes read as in Rust
//! alice< WELCOME myGame 0 ...     what alice receives
//! alice! replaced                 alice's connection is closed by the server, and why
//! drop alice                      ... by the client
//! wait 12000                      milliseconds pass
//! restart                         the server ends and is started again; every connection is gone
//! ```
//!
//! `${alice WELCOME 3}` in what is sent stands for word 3 of the last line alice received that
//! begins with WELCOME. Run the tests with `REHEARSE=rewrite` to record the messages, and
//! review the difference. `REHEARSAL_FRAMES=DIR` writes every game of a rehearsal to a folder, for the
//! tests of the pages.

mod performing;
mod script;
mod seat_turns;
mod shown;

use std::path::{Path, PathBuf};

use wire::Playable;

use script::{difference, shortened};

use crate::stage::Journey;

pub use performing::Rehearsal;
pub(crate) use script::{change_option, is_heard, settings};

/// Replays every `*.txt` of a folder and panics with the differences.
pub fn rehearse<G: Playable>(folder: impl AsRef<Path>) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.as_ref())
        .unwrap_or_else(|e| panic!("{}: {e}", folder.as_ref().display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no rehearsals in {}", folder.as_ref().display());
    let mut failures = String::new();
    for path in files {
        let written = std::fs::read_to_string(&path).expect("a readable rehearsal");
        let (heard, changes) = heard::<G>(&path, &written);
        failures += &changes;
        if let Some(folder) = std::env::var_os(shown::FOLDER) {
            shown::write::<G>(Path::new(&folder), &path, &written);
        }
        if heard == written {
            continue;
        }
        if std::env::var("REHEARSE").as_deref() == Ok("rewrite") {
            std::fs::write(&path, heard).expect("a writable rehearsal");
        } else {
            failures += &difference(&path, &written, &heard);
        }
    }
    assert!(failures.is_empty(), "{failures}\nREHEARSE=rewrite writes down what is heard now");
}

/// Replays every transcript in a document: the blocks fenced as `rehearsal`.
pub fn rehearse_document<G: Playable>(path: impl AsRef<Path>) {
    rehearse_blocks::<G>(path, "rehearsal");
}

/// Replays every transcript in a document that is fenced with this word. Received lines may be
/// shortened there: the text before and after the `…` is compared.
pub fn rehearse_blocks<G: Playable>(path: impl AsRef<Path>, word: &str) {
    let fence = format!("```{word}\n");
    let path = path.as_ref();
    let written =
        std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut heard = String::new();
    for (index, part) in written.split(&fence).enumerate() {
        if index == 0 {
            heard += part;
            continue;
        }
        let (script, rest) = part.split_once("```").expect("a fence is closed");
        heard += &fence;
        let (now, changes) = self::heard::<G>(path, script);
        assert!(changes.is_empty(), "{changes}");
        heard += &shortened(script, &now);
        heard += "```";
        heard += rest;
    }
    assert!(written.contains(&fence), "{} shows no transcript", path.display());
    if heard != written && std::env::var("REHEARSE").as_deref() == Ok("rewrite") {
        std::fs::write(path, heard).expect("a writable document");
    } else {
        assert!(heard == written, "{}", difference(path, &written, &heard));
    }
}

/// A rehearsal's transcript now, and where it differs when sessions and hall exchange text only, or
/// when the hall is lost repeatedly. It must not differ.
fn heard<G: Playable>(path: &Path, script: &str) -> (String, String) {
    let [direct, as_text, taken_over] =
        [Journey::Direct, Journey::AsText, Journey::TakenOver].map(|journey| {
            replay::<G>(script, journey).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
        });
    let mut changes = String::new();
    if as_text != direct {
        changes += "\nwhat is said changes on its way as text:";
        changes += &difference(path, &direct, &as_text);
    }
    if taken_over != direct {
        changes += "\nwhat is said changes when the hall is taken over:";
        changes += &difference(path, &direct, &taken_over);
    }
    (direct, changes)
}

/// The inputs of a rehearsal with everything received after each.
fn replay<G: Playable>(script: &str, journey: Journey) -> Result<String, String> {
    let rehearsal = perform_all::<G>(script, journey)?;
    seat_turns::check(&rehearsal.stage)?;
    Ok(rehearsal.into_transcript())
}

/// A rehearsal after its last line.
fn perform_all<G: Playable>(script: &str, journey: Journey) -> Result<Rehearsal<G>, String> {
    let (options, seed) = settings::<G>(script)?;
    let mut rehearsal = Rehearsal::<G>::by(options, seed, journey)?;
    for (number, line) in script.lines().enumerate() {
        if !is_heard(line) {
            rehearsal.perform(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        }
    }
    Ok(rehearsal)
}

/// The records of every game of a rehearsal, as text.
pub(crate) fn written<G: Playable>(script: &str) -> Vec<Vec<String>> {
    let rehearsal = perform_all::<G>(script, Journey::Direct).unwrap_or_else(|why| panic!("{why}"));
    let text = |record| serde_json::to_string(record).expect("records are plain data");
    let tables = rehearsal.stage.written.tables.values();
    tables.map(|recorded| recorded.records().map(text).collect()).collect()
}
