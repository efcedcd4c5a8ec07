//! What every game must have.

use std::path::PathBuf;

use trials::exam;
use wire::Playable;

use super::*;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

struct IsRehearsed;

impl Visitor for IsRehearsed {
    fn visit<G: Playable>(&mut self) {
        let folder = root().join("src").join(G::NAME.replace('-', "_"));
        exam::rehearsed::<G>(&folder.join("rehearsals"));
    }
}

#[test]
fn every_game_is_rehearsed() {
    each(&mut IsRehearsed);
}

struct IsDocumented;

impl Visitor for IsDocumented {
    fn visit<G: Playable>(&mut self) {
        exam::documented::<G>(&root().join(format!("../../docs/reference/games/{}.md", G::NAME)));
    }
}

#[test]
fn every_transcript_in_the_documents_is_true() {
    each(&mut IsDocumented);
}

struct HasGrades;

impl Visitor for HasGrades {
    fn visit<G: Playable>(&mut self) {
        exam::has_bots_of_every_grade::<G>();
    }
}

#[test]
fn every_game_has_bots_of_every_grade() {
    each(&mut HasGrades);
}

struct HasLevels;

impl Visitor for HasLevels {
    fn visit<G: Playable>(&mut self) {
        for level in ["pip", "mika", "otto", "vera", "sage"] {
            let known = G::bots().iter().any(|kind| kind.name == level);
            assert!(known, "{} has no {level}", G::NAME);
        }
    }
}

#[test]
fn every_game_has_bots_of_five_levels_for_people() {
    each(&mut HasLevels);
}

struct Explains;

impl Visitor for Explains {
    fn visit<G: Playable>(&mut self) {
        exam::explains_its_options::<G>();
        exam::introduces_itself::<G>();
    }
}

#[test]
fn every_option_is_explained_and_the_defaults_are_valid() {
    each(&mut Explains);
}

struct IsTold;

impl Visitor for IsTold {
    fn visit<G: Playable>(&mut self) {
        exam::has_rules_in_words::<G>();
    }
}

#[test]
fn every_game_has_rules_for_those_who_play_by_words() {
    each(&mut IsTold);
}

struct HasClients;

impl Visitor for HasClients {
    fn visit<G: Playable>(&mut self) {
        exam::has_clients::<G>();
    }
}

#[test]
fn every_dialect_has_a_player_who_finishes_games() {
    each(&mut HasClients);
}

struct IsSimulated;

impl Visitor for IsSimulated {
    fn visit<G: Playable>(&mut self) {
        exam::keeps_its_laws::<G>();
    }
}

#[test]
fn every_hall_keeps_its_laws_under_fire() {
    each(&mut IsSimulated);
}

#[test]
fn tournaments_come_to_their_end_under_fire() {
    exam::finishes_tournaments::<SushiGo>();
    exam::finishes_tournaments::<Gamba>();
    exam::finishes_tournaments::<TigerDragon>();
}
