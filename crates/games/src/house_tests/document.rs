//! The page about the JSON protocol is true, and covers everything that views contain.

use std::collections::BTreeSet;

use rules::{Dice, Game, Move, Seat, Seed, Step, Viewer};
use serde_json::Value;
use wire::{Playable, Visitor};

fn page() -> String {
    format!("{}/../../docs/reference/json-protocol.md", env!("CARGO_MANIFEST_DIR"))
}

struct Examples;

impl Visitor for Examples {
    fn visit<G: Playable>(&mut self) {
        trials::rehearsal::rehearse_blocks::<G>(page(), G::NAME);
    }
}

#[test]
fn every_example_on_the_page_is_true() {
    crate::each(&mut Examples);
}

#[test]
fn the_page_about_names_is_true() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides/keep-your-name.md");
    trials::rehearsal::rehearse_blocks::<crate::sushi_go::SushiGo>(page, "sushi-go");
}

struct Manuals;

impl Visitor for Manuals {
    fn visit<G: Playable>(&mut self) {
        let text = std::fs::read_to_string(page()).expect("the page is there");
        for (option, _) in G::MANUAL.options {
            assert!(text.contains(&format!("`{option}`")), "the page does not tell of {option}");
        }
    }
}

#[test]
fn the_options_that_players_may_choose_are_on_the_page() {
    crate::each(&mut Manuals);
}

struct Fields(Vec<String>);

impl Visitor for Fields {
    fn visit<G: Playable>(&mut self) {
        let text = std::fs::read_to_string(page()).expect("the page is there");
        let heading = format!("\n## {}\n", title(G::NAME));
        let Some(begin) = text.find(&heading) else {
            return self.0.push(format!("{}: there is no section '{}'", G::NAME, heading.trim()));
        };
        let section = &text[begin + 4..];
        let section = &section[..section.find("\n## ").unwrap_or(section.len())];
        let mut keys = BTreeSet::new();
        let config = G::terms(&G::Options::default()).expect("the defaults are valid").config;
        for number in 0..3 {
            keys_of_game::<G>(config.of::<G>().expect("its own"), number, &mut keys);
        }
        let missing = keys.into_iter().filter(|key| !section.contains(&format!("`{key}`")));
        self.0.extend(missing.map(|key| format!("{}: {key}", G::NAME)));
    }
}

fn keys_of_game<G: Game>(config: &G::Config, number: u64, keys: &mut BTreeSet<String>) {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "fields", 0);
    let mut game = G::setup(config, 2, seed).expect("two may play");
    for _ in 0..200 {
        for viewer in Viewer::all(2) {
            keys_of(&serde_json::to_value(game.view(viewer)).expect("JSON"), keys);
        }
        let act = |seat: Seat| (seat, Move::Act(game.sample(seat, &mut dice)));
        let turn: Vec<_> = game.to_act().iter().map(act).collect();
        if turn.is_empty() {
            return;
        }
        game.advance(Step::Turn(&turn));
    }
}

/// The names of all fields; what is called by tiles and the like is none.
fn keys_of(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys_of(item, keys)),
        Value::Object(fields) => {
            for (key, value) in fields {
                if key.len() > 1 {
                    keys.insert(key.clone());
                }
                keys_of(value, keys);
            }
        }
        _ => {}
    }
}

/// What the game is called on its own page.
fn title(game: &str) -> String {
    let page = format!("{}/../../docs/reference/games/{game}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{page}: {e}"));
    let heading = text.lines().next().and_then(|line| line.strip_prefix("# "));
    heading.unwrap_or_else(|| panic!("{page} does not begin with a title")).to_owned()
}

#[test]
fn every_field_of_every_view_is_documented() {
    let mut fields = Fields(Vec::new());
    crate::each(&mut fields);
    assert!(
        fields.0.is_empty(),
        "docs/reference/json-protocol.md says nothing of\n{}",
        fields.0.join("\n")
    );
}
