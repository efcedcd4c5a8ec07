//! What bots printed on standard error while a tool let them play, next to the turns of the replay.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// When, in milliseconds since 1970.
    pub at: u64,
    #[serde(default)]
    pub name: String,
    pub text: String,
}

/// Where the lines of a replay are kept: beside it.
pub fn file_of(replay: &Path) -> PathBuf {
    replay.with_extension("stderr")
}

/// Keeps what bots printed in a game; nothing if they printed nothing.
pub fn keep(replay: &Path, lines: &[Printed]) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let line = |line: &Printed| serde_json::to_string(line).map(|line| line + "\n");
    let text: String = lines.iter().map(line).collect::<Result<_, _>>()?;
    let file = file_of(replay);
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// The lines of a replay, if it has any.
pub fn read(replay: &Path) -> Result<Vec<Printed>> {
    let file = file_of(replay);
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(&file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    lines.with_context(|| format!("{} does not hold what bots printed", file.display()))
}

/// A story whose turns tell what was printed while they were played. `records`: of the same game, with
/// their times.
pub fn beside(mut story: Vec<String>, records: &[(u64, &str)], lines: &[Printed]) -> Vec<String> {
    let ends = ends_of_turns(records);
    for line in lines {
        // What was printed after the last move belongs to the end.
        let turn = ends.iter().find(|(_, end)| *end >= line.at).map(|(turn, _)| *turn);
        let head = turn.map(|turn| format!("turn {turn}"));
        let is_turn = |part: &String| {
            let rest = head.as_ref().and_then(|head| part.strip_prefix(head.as_str()));
            rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_digit()))
        };
        let last = story.len().saturating_sub(1);
        let at = story.iter().position(is_turn).unwrap_or(last);
        if let Some(part) = story.get_mut(at) {
            part.push_str(&format!("\n{} printed: {}", line.name, line.text));
        }
    }
    story
}

/// Every turn, counted from 1, with the time of its last move.
fn ends_of_turns(records: &[(u64, &str)]) -> Vec<(u64, u64)> {
    let mut ends: Vec<(u64, u64)> = Vec::new();
    for (at, record) in records {
        let Ok(record) = serde_json::from_str::<Value>(record) else { continue };
        let Some(seq) = record["moved"]["seq"].as_u64() else { continue };
        match ends.last_mut() {
            Some((turn, end)) if *turn == seq + 1 => *end = *at,
            _ => ends.push((seq + 1, *at)),
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_with_the_turn_in_which_they_were_printed() {
        let records = [
            (10, r#"{"opened":{}}"#),
            (20, r#"{"moved":{"seq":0,"seat":0}}"#),
            (25, r#"{"moved":{"seq":0,"seat":1}}"#),
            (40, r#"{"moved":{"seq":1,"seat":0}}"#),
        ];
        let story = ["table t", "turn 1\nx", "turn 2, ann to move\ny", "over"].map(str::to_owned);
        let line = |at, text: &str| Printed { at, name: "ann".to_owned(), text: text.to_owned() };
        let lines = [line(12, "thinking"), line(24, "still"), line(26, "next"), line(90, "bye")];
        assert_eq!(
            beside(story.to_vec(), &records, &lines),
            [
                "table t",
                "turn 1\nx\nann printed: thinking\nann printed: still",
                "turn 2, ann to move\ny\nann printed: next",
                "over\nann printed: bye",
            ]
        );
    }

    #[test]
    fn what_was_printed_is_kept_beside_its_replay() {
        let folder = tempfile::tempdir().unwrap();
        let replay = folder.path().join("game-1.jsonl");
        assert_eq!(read(&replay).unwrap(), []);
        let lines = [Printed { at: 7, name: "ann".to_owned(), text: "x \"y\"".to_owned() }];
        keep(&replay, &lines).unwrap();
        assert_eq!(read(&replay).unwrap(), lines);
        keep(&folder.path().join("game-2.jsonl"), &[]).unwrap();
        assert!(!folder.path().join("game-2.stderr").exists());
    }
}
