//! Which sentence of a game's page a refusal goes back to, for the author of a bot that was refused.

/// A sentence of the game's page, and which refusals it explains.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Words of the refusing message, or of the cause behind it.
    pub says: &'static str,
    /// The section of the page that holds the sentence: the last part of a link, without `#`.
    pub anchor: &'static str,
    /// The sentence, as docs/reference/games/GAME.md has it.
    pub page: &'static str,
    /// What to do about it, in words of the same section.
    pub hint: &'static str,
}

impl Clause {
    /// The sentence as people read it.
    pub fn sentence(&self) -> String {
        unmarked(self.page)
    }

    /// The hint as people read it.
    pub fn advice(&self) -> String {
        unmarked(self.hint)
    }
}

/// Without what marks code on a page, and bars in its tables.
fn unmarked(text: &str) -> String {
    text.replace('`', "").replace("\\|", "|")
}

/// The first clause that explains a refusal in these words.
pub fn clause_behind(clauses: &'static [Clause], words: &str) -> Option<&'static Clause> {
    clauses.iter().find(|clause| words.contains(clause.says))
}

/// The anchor that a heading of a page gets: its letters, digits and hyphens, in lower case, with hyphens
/// for spaces.
pub fn anchor_of(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// The sections of a page: each heading's anchor, and the text up to the next heading.
pub fn sections(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        in_code ^= line.starts_with("```");
        let heading = line.trim_start_matches('#').strip_prefix(' ');
        match heading.filter(|_| !in_code && line.starts_with('#')) {
            Some(heading) => found.push((anchor_of(heading), String::new())),
            None => {
                if let Some((_, text)) = found.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_get_the_anchors_that_links_use() {
        for (heading, anchor) in [
            ("Error E006", "error-e006"),
            ("Error: not your turn", "error-not-your-turn"),
            ("`V`: the settings of a game", "v-the-settings-of-a-game"),
            ("What is this?", "what-is-this"),
        ] {
            assert_eq!(anchor_of(heading), anchor);
        }
    }

    #[test]
    fn a_section_ends_at_the_next_heading_and_code_has_none() {
        let page = "# Game\none\n## Errors\n```sh\n# not a heading\n```\n### Error: late\ntwo\n";
        let sections = sections(page);
        let anchors: Vec<&str> = sections.iter().map(|(anchor, _)| anchor.as_str()).collect();
        assert_eq!(anchors, ["game", "errors", "error-late"]);
        assert!(sections[1].1.contains("# not a heading") && sections[2].1 == "two\n");
    }
}
