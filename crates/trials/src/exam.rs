//! What every game must have. A game's tests call these functions; each panics and names what is
//! missing.

use std::path::Path;

use hall::{AwayInPlay, GameHooks};
use rules::any::Strategy;
use rules::{Grade, Seed};
use serde_json::json;
use wire::{AnyGame, Playable, option_help, overlay};

use crate::sparring::Sparring;
use crate::{rehearsal, simulation};

/// Rehearsals every game needs, by how their names begin.
const REHEARSALS: [&str; 6] =
    ["full_game", "illegal_move", "garbage", "timeout", "reconnect", "spectator"];

/// There are rehearsals of everything that matters in this folder, and they are true.
pub fn rehearsed<G: Playable>(folder: &Path) {
    let files: Vec<String> = std::fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .collect();
    for name in REHEARSALS {
        let found = files.iter().any(|file| file.starts_with(name));
        assert!(found, "{} has no rehearsal {name}*.txt", G::NAME);
    }
    rehearsal::rehearse::<G>(folder);
}

/// The game's page explains every option, its transcripts are true, and whatever is refused in them
/// has a sentence there.
pub fn documented<G: Playable>(page: &Path) {
    rehearsal::rehearse_document::<G>(page);
    let text = std::fs::read_to_string(page).expect("just read");
    for (key, _) in option_help::<G>() {
        let common = ["waiting_expire_s", "resume_grace_s"].contains(&key);
        let explained = common || text.contains(&format!("`{key}`"));
        assert!(explained, "{} does not explain {key}", page.display());
    }
    refusals_have_clauses::<G>(&text);
}

/// Every clause quotes its page, and every refusal in the transcripts has a clause.
fn refusals_have_clauses<G: Playable>(page: &str) {
    let flowing = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = flowing(page);
    let sections = wire::sections(page);
    for clause in G::CLAUSES {
        assert!(whole.contains(&flowing(clause.page)), "no page says '{}'", clause.page);
        let section = sections.iter().filter(|(anchor, _)| anchor == clause.anchor);
        let texts: Vec<String> = section.map(|(_, text)| flowing(text)).collect();
        assert_eq!(texts.len(), 1, "{}: sections called #{}", G::NAME, clause.anchor);
        for said in [clause.page, clause.hint] {
            let says_it = !said.is_empty() && texts[0].contains(&flowing(said));
            assert!(says_it, "{}: #{} does not say '{said}'", G::NAME, clause.anchor);
        }
    }
    let heard = page.lines().filter_map(|line| line.split_once("< "));
    let said = heard.filter(|(who, _)| !who.is_empty() && !who.contains(' ')).map(|(_, said)| said);
    for said in said {
        let refuses = G::dialects().iter().any(|dialect| (dialect.signs.is_refusal)(said));
        let behind = wire::clause_behind(G::CLAUSES, said);
        assert!(!refuses || behind.is_some(), "{}: no clause for {said}", G::NAME);
    }
}

/// Every option has its help, the defaults are valid, there is a clock, and those of the game's
/// trial are options.
pub fn explains_its_options<G: Playable>() {
    let usual = G::Options::default();
    let options = serde_json::to_value(&usual).expect("options are plain data");
    let mut keys: Vec<&str> =
        options.as_object().expect("a table of options").keys().map(String::as_str).collect();
    let mut helped: Vec<&str> = option_help::<G>().map(|(key, _)| key).collect();
    keys.sort_unstable();
    helped.sort_unstable();
    assert_eq!(keys, helped, "{}: every option has its help", G::NAME);
    let turn_ms = |ms: u64| {
        let change = json!({"turn_timeout_ms": ms}).as_object().cloned().unwrap_or_default();
        let options = overlay::<G>(&usual, &change).expect("every game has this option");
        G::terms(&options).expect("a clock is valid").policy.turn_ms
    };
    assert_eq!((turn_ms(1234), turn_ms(0)), (Some(1234), None), "{}: the clock", G::NAME);
    let endless = json!({"waiting_expire_s": u64::MAX, "resume_grace_s": u64::MAX});
    let endless = endless.as_object().cloned().unwrap_or_default();
    let endless = overlay::<G>(&usual, &endless).expect("options of every game");
    let terms = G::terms(&endless).expect("nobody is hurried");
    assert_eq!(terms.policy.waiting_expire_ms, u64::MAX);
    for set in G::TRIAL.quick.iter().chain(G::TRIAL.hurried) {
        let options = rehearsal::change_option::<G>(&usual, set).unwrap_or_else(|e| panic!("{e}"));
        G::terms(&options).unwrap_or_else(|why| panic!("{set}: {why}"));
    }
}

/// The JSON protocol's greeting describes actions and seats correctly.
pub fn introduces_itself<G: Playable>() {
    for example in G::MANUAL.examples {
        let read: Result<G::Action, _> = serde_json::from_str(example);
        assert!(read.is_ok(), "{}: {example} is no action: {read:?}", G::NAME);
    }
    let (least, most) = G::MANUAL.seats;
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    let plays = |seats| terms.config.setup(seats, Seed::from_number(1)).is_ok();
    for seats in least..=most.min(9) {
        assert!(plays(seats), "{}: {seats} seats", G::NAME);
    }
    assert!(!plays(least - 1), "{}: {} seats are too few", G::NAME, least - 1);
    assert!(plays(G::TRIAL.seats), "{}: its trial has {} seats", G::NAME, G::TRIAL.seats);
    for (option, _) in G::MANUAL.options {
        let known = option_help::<G>().any(|(key, _)| key == *option);
        assert!(known, "{} has no option {option}", G::NAME);
    }
}

/// There are rules for those who play by words, and they name every kind of action.
pub fn has_rules_in_words<G: Playable>() {
    let rules = <dyn AnyGame>::of::<G>().rules_in_words();
    let actions = rules.split_once("\n## Actions\n").map_or("", |(_, actions)| actions.trim());
    assert!(
        !actions.is_empty(),
        "{}: Playable::file has no rules.md with a part '## Actions'",
        G::NAME
    );
    for example in G::MANUAL.examples {
        let kind: String = example.chars().take_while(|letter| *letter != ':').collect();
        let named = rules.contains(kind.trim_matches('"'));
        assert!(named, "{}: rules.md does not tell of {example}", G::NAME);
    }
}

/// Every dialect, and the house wire, has a player who finishes games.
pub fn has_clients<G: Playable>() {
    let seats = G::terms(&G::Options::default()).expect("the defaults are valid").policy.seats;
    let own = G::dialects().iter().map(|dialect| dialect.name);
    for dialect in own.chain([hall::HOUSE_WIRE]) {
        let mut sparring = Sparring::<G>::new(G::Options::default(), dialect, 7);
        // Colours are names on every wire.
        let names = ["red", "blue", "green", "white"].iter().take(seats);
        for (name, kind) in names.zip(G::bots().iter().cycle()) {
            sparring.add(name, kind.name, 2, |_, _| {});
        }
        for endings in sparring.play() {
            assert_eq!(endings.len(), 2, "{dialect}: {sparring:?}");
            assert!(endings.iter().all(|ending| !ending.words.is_empty()));
        }
        // Every strategy makes do with what a client knows.
        for kind in G::bots() {
            let mut sparring = Sparring::<G>::new(G::Options::default(), dialect, 8);
            sparring.add("red", kind.name, 1, |_, _| {});
            for name in ["blue", "green", "white"].iter().take(seats - 1) {
                sparring.add(name, G::bots()[0].name, 1, |_, _| {});
            }
            let endings = sparring.play();
            assert_eq!(endings[0].len(), 1, "{dialect} with {kind:?}: {sparring:?}");
        }
    }
}

/// Every grade has a strategy, the weakest are listed first, and a strategy that runs out of time
/// is replaced by one of the next lower grade.
pub fn has_bots_of_every_grade<G: Playable>() {
    let kinds = G::bots();
    for grade in Grade::ALL {
        assert!(kinds.iter().any(|kind| kind.grade == grade), "{} has no {grade} bot", G::NAME);
    }
    assert!(kinds.is_sorted_by_key(|kind| kind.grade), "{}: the weakest first", G::NAME);
    for kind in kinds {
        let weaker = kind.next_weaker(kinds).map(|weaker| weaker.grade);
        let expected = Grade::ALL.into_iter().rev().find(|grade| *grade < kind.grade);
        assert_eq!(weaker, expected, "{}: next to {}", G::NAME, kind.name);
    }
}

/// A game without the bots that look far ahead: to a hall bots are bots, and these take their time.
fn with_quick_bots<G: Playable>() -> GameHooks {
    let quick = G::bots().iter().take_while(|kind| kind.grade < Grade::Strong).count();
    GameHooks { bots: Strategy::all(&G::bots()[..quick]), ..G::hooks() }
}

/// The hall keeps its laws with this game, and the same seed gives the same outputs.
pub fn keeps_its_laws<G: Playable>() {
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    let mut with_bots = terms.clone();
    let quick = with_quick_bots::<G>().bots;
    with_bots.policy.house_bots = quick.iter().map(|kind| kind.name.to_owned()).collect();
    let mut impatient = terms.clone();
    impatient.policy.away_in_play = AwayInPlay::RetireAfterMove;
    let mut paced = with_bots.clone();
    (paced.policy.pace_ms, paced.policy.strikes) = (700, 2);
    let runs = [&terms, &terms, &with_bots, &with_bots, &impatient, &paced, &paced];
    for (number, terms) in (1..).zip(runs) {
        let digest = || simulation::run(terms, with_quick_bots::<G>(), number, 4000);
        assert_eq!(digest(), digest(), "{} seed {number}: not the same outputs twice", G::NAME);
    }
    simulation::arrival_order_does_not_matter(&terms, 20);
}

/// Tournaments come to their end under fire, with clocks of a few seconds.
pub fn finishes_tournaments<G: Playable>() {
    let mut terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    terms.policy.turn_ms = Some(3000);
    terms.policy.resume_grace_ms = 5000;
    terms.policy.waiting_expire_ms = 60_000;
    let run = |seed| simulation::tournaments::run(&terms, with_quick_bots::<G>(), seed, 600);
    assert_eq!(run(0), run(0), "{}: not the same outputs twice", G::NAME);
    let over: usize = (1..=12).map(|seed| run(seed).over).sum();
    assert!(over > 12, "{}: {over} tournaments of twelve runs were played to their end", G::NAME);
}
