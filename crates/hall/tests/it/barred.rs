//! A hall in which nothing new begins: existing games continue, and all others are refused with the
//! reason.

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

const EVE: ConnId = ConnId(3);

fn join(conn: ConnId, name: &str) -> Input {
    let (name, role) = (Name::from(name), Role::Player);
    Input::Said(conn, Command::Join { table: None, name, role, joined_via: None })
}

fn refusal(stage: &Sitting) -> Option<Refusal> {
    stage.outputs.iter().find_map(|output| match (output.answer(), output) {
        (Some((_, Answer::Refused(refusal))), _) => Some(refusal),
        (_, Output::Reply(_, Reply::Refused(refusal))) => Some(refusal.clone()),
        _ => None,
    })
}

#[test]
fn a_game_goes_on_and_no_other_begins() {
    let mut stage = Sitting::playing(policy());
    stage.handle(Input::Barred(Some(Refusal::Draining)));
    stage.handle(join(EVE, "eve"));
    assert_eq!(refusal(&stage), Some(Refusal::Draining));
    let (terms, reserved) = (stage.terms.clone(), Vec::new());
    let table = NewTable { terms, id: None, reserved, seed: None, bots_at_once: false };
    stage.handle(Input::Asked(1, Request::Open(Box::new(table))));
    assert_eq!(refusal(&stage), Some(Refusal::Draining));
    for _ in 0..10 {
        stage.act(ANN);
        stage.act(BOB);
    }
    assert_eq!(stage.phase(), Phase::Closed);
    stage.handle(Input::Barred(None));
    stage.join(EVE, "eve");
}

#[test]
fn who_waits_at_a_table_is_not_joined_by_others() {
    let mut stage = Sitting::new(policy());
    stage.join(ANN, "ann");
    stage.handle(Input::Barred(Some(Refusal::DiskFull)));
    stage.handle(join(BOB, "bob"));
    assert_eq!(refusal(&stage), Some(Refusal::DiskFull));
    assert_eq!(stage.phase(), Phase::Gathering);
}

/// If entrants were not let in at an open table, they would lose its pairing.
#[test]
fn entrants_come_to_a_table_that_waits_for_them_and_the_next_game_waits() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob"]);
    stage.handle(Input::Barred(Some(Refusal::Draining)));
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    assert_eq!(stage.phase(), Phase::Playing);
}

#[test]
fn a_tournament_that_begins_meanwhile_opens_its_tables_afterwards() {
    let mut stage = Sitting::new(policy());
    stage.handle(Input::Barred(Some(Refusal::Draining)));
    stage.convene(&["ann", "bob"]);
    assert_eq!(stage.hall.open_tables(), 0);
    stage.handle(Input::Barred(None));
    assert_eq!(stage.hall.open_tables(), 1);
}

/// A server that is about to stop marks commands of newcomers; the hall itself continues at
/// another.
#[test]
fn a_player_of_a_stopping_server_is_served_only_if_a_seat_is_reserved() {
    let mut stage = Sitting::new(policy());
    let expected = |conn, name: &str| {
        let Input::Said(conn, command) = join(conn, name) else { unreachable!("it joins") };
        Input::Said(conn, Command::IfExpected(Box::new(command)))
    };
    stage.handle(expected(ANN, "ann"));
    assert_eq!(refusal(&stage), Some(Refusal::Draining));
    let (terms, reserved) = (stage.terms.clone(), vec!["ann".into()]);
    let table = NewTable { terms, id: None, reserved, seed: None, bots_at_once: false };
    stage.ask(Request::Open(Box::new(table)));
    stage.handle(expected(ANN, "ann"));
    assert_eq!(refusal(&stage), None, "{:?}", stage.outputs);
    stage.handle(expected(BOB, "bob"));
    assert_eq!(refusal(&stage), Some(Refusal::Draining));
    // A player whose connection was lost reconnects over the same server.
    stage.handle(Input::Gone(ANN));
    stage.handle(expected(EVE, "ann"));
    assert_ne!(refusal(&stage), Some(Refusal::Draining), "{:?}", stage.outputs);
}
