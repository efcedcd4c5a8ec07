//! The anchors of headings, as the forges make them, so that one link works in both places.

use std::collections::BTreeMap;

/// The anchors of one page.
#[derive(Debug, Default)]
pub struct Slugs {
    given: BTreeMap<String, usize>,
}

impl Slugs {
    /// The anchor of the next heading. Equal headings are numbered from the second on.
    pub fn of(&mut self, heading: &str) -> String {
        let slug = slug(heading);
        let seen = self.given.entry(slug.clone()).or_default();
        *seen += 1;
        if *seen == 1 { slug } else { format!("{slug}-{}", *seen - 1) }
    }
}

/// Small letters, digits, `-` and `_` stay, a space becomes `-`, and everything else goes.
fn slug(heading: &str) -> String {
    let small = heading.trim().to_lowercase();
    let kept = small.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_the_forge() {
        let mut slugs = Slugs::default();
        for (heading, anchor) in [
            ("How a game begins", "how-a-game-begins"),
            ("Why was my move refused?", "why-was-my-move-refused"),
            ("Tiger & Dragon", "tiger--dragon"),
            ("`parlor check` and `play`", "parlor-check-and-play"),
            ("Über_uns 2.0", "über_uns-20"),
            ("Errors", "errors"),
            ("Errors", "errors-1"),
            ("Errors", "errors-2"),
        ] {
            assert_eq!(slugs.of(heading), anchor);
        }
    }
}
