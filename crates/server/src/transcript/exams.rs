//! The result of `parlor check` for a bot, if its author uploads it.

use hall::one_line;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of tests in an exam, and of faults per test.
const ITEMS: usize = 20;
const FAULTS: usize = 10;
/// Maximum length of any text in it.
const LETTERS: usize = 300;
/// Maximum number of bytes of all lines of an exam; further ones are left out.
const LINE_BYTES: usize = 24 << 10;

/// An exam as it is sent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The questions, in order.
    pub items: Vec<Item>,
}

/// One question and its mark.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Such as `refused move`.
    pub item: String,
    pub mark: Mark,
    #[serde(default)]
    pub comment: String,
    #[serde(default)]
    pub faults: Vec<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Mark {
    #[serde(rename = "ok")]
    Good,
    #[serde(rename = "wrong")]
    Wrong,
    /// The protocol has no such thing.
    #[serde(rename = "n/a")]
    NotApplicable,
}

/// What is wrong, and the lines that show it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub what: String,
    #[serde(default)]
    pub lines: Vec<String>,
}

/// An exam that a bot of a name has sat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Exam {
    pub game: &'static str,
    /// When it was sent, in milliseconds since 1970.
    pub at: u64,
    pub items: Vec<Item>,
}

impl Report {
    /// The same, not longer than the server keeps.
    pub fn bounded(mut self) -> Vec<Item> {
        self.items.truncate(ITEMS);
        let mut room = LINE_BYTES;
        for item in &mut self.items {
            cut(&mut item.item);
            cut(&mut item.comment);
            item.faults.truncate(FAULTS);
            for fault in &mut item.faults {
                cut(&mut fault.what);
                fault.lines.iter_mut().for_each(cut);
                fault.lines.retain(|line| {
                    let fits = line.len() <= room;
                    room = room.saturating_sub(line.len());
                    fits
                });
            }
        }
        self.items
    }
}

fn cut(text: &mut String) {
    *text = one_line(text, LETTERS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exam_is_cut_to_what_the_server_keeps() {
        let fault = Fault { what: "x".repeat(5000), lines: vec!["é".repeat(5000); 40] };
        let item = Item {
            item: "many games".to_owned(),
            mark: Mark::Wrong,
            comment: String::new(),
            faults: vec![fault; 40],
        };
        let kept = Report { items: vec![item; 40] }.bounded();
        assert_eq!((kept.len(), kept[0].faults.len()), (ITEMS, FAULTS));
        assert_eq!(kept[0].faults[0].what.chars().count(), LETTERS + 1);
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.len() < 128 << 10, "{}", text.len());
        assert!(kept[0].faults[0].lines[0].ends_with('…'));
        let mut deceives = "a\u{1b}[2J\u{202e}b".to_owned();
        cut(&mut deceives);
        assert_eq!(deceives, "a?[2J?b");
    }
}
