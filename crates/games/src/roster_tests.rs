//! What every game must have, whoever adds it.

use super::*;
use std::path::PathBuf;
use trials::sparring::Sparring;

/// Rehearsals every game needs, by how their names begin.
const REHEARSALS: [&str; 6] =
    ["full_game", "illegal_move", "garbage", "timeout", "reconnect", "spectator"];

struct HasRehearsals;

impl Visitor for HasRehearsals {
    fn visit<G: Playable>(&mut self) {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(G::NAME.replace('-', "_"))
            .join("rehearsals");
        let files: Vec<String> = std::fs::read_dir(&folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for name in REHEARSALS {
            let found = files.iter().any(|file| file.starts_with(name));
            assert!(found, "{} has no rehearsal {name}*.txt", G::NAME);
        }
        trials::rehearsal::rehearse::<G>(&folder);
    }
}

#[test]
fn every_game_is_rehearsed() {
    each(&mut HasRehearsals);
}

struct HasDocument;

impl Visitor for HasDocument {
    fn visit<G: Playable>(&mut self) {
        let document = format!("{}/../../docs/games/{}.md", env!("CARGO_MANIFEST_DIR"), G::NAME);
        trials::rehearsal::rehearse_document::<G>(&document);
        let text = std::fs::read_to_string(&document).unwrap();
        for (key, _) in wire::option_help::<G>() {
            let common = ["waiting_expire_s", "resume_grace_s"].contains(&key);
            assert!(
                common || text.contains(&format!("`{key}`")),
                "{document} does not explain {key}"
            );
        }
    }
}

#[test]
fn every_transcript_in_the_documents_is_true() {
    each(&mut HasDocument);
}

struct HasHelp;

impl Visitor for HasHelp {
    fn visit<G: Playable>(&mut self) {
        let options = serde_json::to_value(G::Options::default()).unwrap();
        let mut keys: Vec<&str> = options.as_object().unwrap().keys().map(String::as_str).collect();
        let mut helped: Vec<&str> = wire::option_help::<G>().map(|(key, _)| key).collect();
        keys.sort_unstable();
        helped.sort_unstable();
        assert_eq!(keys, helped, "{}: every option has its help", G::NAME);
        G::terms(&G::Options::default()).unwrap();
        let endless = serde_json::json!({"waiting_expire_s": u64::MAX, "resume_grace_s": u64::MAX});
        let endless = endless.as_object().unwrap();
        let endless = wire::overlay::<G>(&G::Options::default(), endless).unwrap();
        assert_eq!(G::terms(&endless).unwrap().policy.waiting_expire_ms, u64::MAX);
    }
}

#[test]
fn every_option_is_explained_and_the_defaults_are_valid() {
    each(&mut HasHelp);
}

struct HasClients;

impl Visitor for HasClients {
    fn visit<G: Playable>(&mut self) {
        let seats = G::terms(&G::Options::default()).unwrap().policy.seats.min(4);
        for dialect in G::dialects() {
            let mut sparring = Sparring::<G>::new(G::Options::default(), dialect.name, 7);
            // Colours are names on every wire.
            let names = ["red", "blue", "green", "white"].iter().take(seats);
            for (name, kind) in names.zip(G::bots().iter().cycle()) {
                sparring.add(name, kind.name, 2, |_, _| {});
            }
            for endings in sparring.play() {
                assert_eq!(endings.len(), 2, "{}: {sparring:?}", dialect.name);
                assert!(endings.iter().all(|ending| !ending.words.is_empty()));
            }
        }
    }
}

#[test]
fn every_dialect_has_a_player_who_finishes_games() {
    each(&mut HasClients);
}

struct IsSimulated;

impl Visitor for IsSimulated {
    fn visit<G: Playable>(&mut self) {
        let terms = G::terms(&G::Options::default()).unwrap();
        let mut with_bots = terms.clone();
        with_bots.policy.house_bots = G::bots().iter().map(|kind| kind.name.to_owned()).collect();
        let mut impatient = terms.clone();
        impatient.policy.away_in_play = hall::AwayInPlay::RetireAfterMove;
        let mut paced = with_bots.clone();
        (paced.policy.pace_ms, paced.policy.strikes) = (700, 2);
        let runs = [&terms, &terms, &with_bots, &with_bots, &impatient, &paced, &paced];
        for (number, terms) in (1..).zip(runs) {
            let digest = || trials::simulation::run(terms, G::hooks(), number, 4000);
            assert_eq!(digest(), digest(), "{} seed {number}: not the same outputs twice", G::NAME);
        }
        trials::simulation::arrival_order_does_not_matter(&terms, 20);
    }
}

#[test]
fn every_hall_keeps_its_laws_under_fire() {
    each(&mut IsSimulated);
}

#[test]
fn ports_and_games_are_among_those_announced() {
    struct Announced;
    impl Visitor for Announced {
        fn visit<G: Playable>(&mut self) {
            assert!(GAMES.contains(&G::NAME));
            assert!(G::dialects().iter().all(|dialect| PORTS.contains(&dialect.name)));
        }
    }
    each(&mut Announced);
}

/// A game's tournaments under fire, with clocks of a few seconds; how many were played to their end.
fn fire<G: Playable>(seeds: u64, steps: usize) -> usize {
    let mut terms = G::terms(&G::Options::default()).unwrap();
    terms.policy.turn_ms = Some(3000);
    terms.policy.resume_grace_ms = 5000;
    terms.policy.waiting_expire_ms = 60_000;
    let run = |seed| trials::simulation::tournaments::run(&terms, G::hooks(), seed, steps);
    assert_eq!(run(0), run(0), "{}: not the same outputs twice", G::NAME);
    (1..=seeds).map(|seed| run(seed).over).sum()
}

#[test]
fn tournaments_come_to_their_end_under_fire() {
    assert!(fire::<SushiGo>(12, 600) > 12);
    assert!(fire::<Gamba>(12, 600) > 12);
    assert!(fire::<TigerDragon>(12, 600) > 12);
}
