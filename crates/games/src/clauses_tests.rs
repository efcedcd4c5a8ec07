//! What the debugging page quotes for a rejected message: the section of the game's page about just that.

use wire::{Playable, clause_behind};

use crate::gamba::Gamba;
use crate::labyrinth::Labyrinth;
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

fn check<G: Playable>(cases: &[(&str, &str)]) {
    for (refusal, anchor) in cases {
        let clause = clause_behind(G::CLAUSES, refusal);
        assert_eq!(clause.map(|clause| clause.anchor), Some(*anchor), "{refusal}");
    }
}

#[test]
fn sushi_go_is_explained_by_its_codes() {
    check::<SushiGo>(&[
        ("ERROR E010 This is not the key of this name. Check it: a key is pk_ and 26", "keys"),
        ("ERROR E010 This name belongs to whoever has its key. Say <name>:<key>", "keys"),
        ("ERROR E010 Every player here needs a key, and 'ann' came without one.", "keys"),
        ("ERROR E001 The name 'eve' is banned here.", "keys"),
        ("ERROR E001 Your key is banned here.", "keys"),
        ("ERROR E001 Your address is banned here.", "keys"),
        ("ERROR E010 This name is taken in that game. Choose another one.", "error-e010"),
        ("ERROR E006 Your hand has cards 0 to 9.", "error-e006"),
    ]);
}

#[test]
fn gamba_is_explained_by_its_rules_where_they_are_known() {
    let play = "103|||error=Invalid card play";
    check::<Gamba>(&[
        (&format!("4S is lower than 9H {play}"), "the-game-in-brief"),
        (&format!("there is no such card {play}"), "error-invalid-card-play"),
        (play, "error-invalid-card-play"),
        ("103|||error=Must connect first", "error-must-connect-first"),
        (
            "103|||error=Connection failed - name already taken",
            "error-connection-failed---name-already-taken",
        ),
    ]);
}

#[test]
fn labyrinth_is_explained_although_it_says_nothing() {
    check::<Labyrinth>(&[
        (r#"expected a Color, found "me1""#, "error-expected-a-color"),
        ("expected a call, found \"jump\"", "error-expected"),
        ("a JoinRequest has no \"color\"", "error-no-joinrequest"),
        ("not a move: this is not the key of the name 'ann'", "keys"),
        ("cannot join: the name 'ann' belongs to whoever has its key", "keys"),
        ("cannot join: the name 'eve' is banned here", "keys"),
        ("row 1 cannot slide, only even ones can", "error-cannot-slide"),
    ]);
}

#[test]
fn subsim_is_explained_by_its_error_texts() {
    check::<SubSim>(&[
        ("wrong key: it is not the key of this name", "error-wrong-key"),
        ("name in use: it belongs to whoever has its key", "error-name-in-use"),
        ("name in use", "error-name-in-use"),
        ("name too long", "error-name-too-long"),
        ("Coordinate 3|4 is blocked", "error-coordinate-is-blocked"),
        ("Illegal move command", "error-illegal-move-command"),
        ("the rules do not allow this move: No command for sub ID 1", "messages-from-you"),
    ]);
}

#[test]
fn tiger_and_dragon_is_explained_by_its_rules_where_they_are_known() {
    let illegal = r#"{"type":"error","message":"illegal action"}"#;
    check::<TigerDragon>(&[
        (&format!("4 does not answer 5 {illegal}"), "the-game-in-brief"),
        (illegal, "error-illegal-action"),
        (r#"{"type":"error","message":"not your turn"}"#, "error-not-your-turn"),
    ]);
}
