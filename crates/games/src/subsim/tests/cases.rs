//! Known answers for every rule of the rule book, read from text.

use super::script::check;

const FILES: [(&str, &str); 11] = [
    ("start", include_str!("cases/start.txt")),
    ("charging", include_str!("cases/charging.txt")),
    ("legality", include_str!("cases/legality.txt")),
    ("move", include_str!("cases/move.txt")),
    ("sprint", include_str!("cases/sprint.txt")),
    ("mine", include_str!("cases/mine.txt")),
    ("fire", include_str!("cases/fire.txt")),
    ("reactor", include_str!("cases/reactor.txt")),
    ("surface", include_str!("cases/surface.txt")),
    ("sonar", include_str!("cases/sonar.txt")),
    ("end", include_str!("cases/end.txt")),
];

/// The numbers of the rule book's chapters and steps that say what happens in a game.
const RULES: &[&str] = &[
    "2.5", "3", "4", "5", "6", "7", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "8",
    "9", "10", "11", "12",
];

#[test]
fn known_answers() {
    let mut failed = Vec::new();
    let mut rules = Vec::new();
    for (file, text) in FILES {
        for case in text.split("== ").skip(1) {
            let title = case.lines().next().expect("a title");
            rules.push(title.split(' ').next().expect("the number of a rule"));
            let played = std::panic::catch_unwind(|| check(case));
            if played.is_err() {
                failed.push(format!("{file}: {title}"));
            }
        }
    }
    assert!(failed.is_empty(), "these cases differ, see above:\n{}", failed.join("\n"));
    for rule in RULES {
        assert!(rules.contains(rule), "rule {rule} has no case");
    }
}
