//! How often programs play in open play.

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

/// The phase of the table of this number.
fn phase(stage: &Sitting, no: u64) -> Phase {
    stage.hall.table(TableNo(no)).expect("a table that the hall knows").phase()
}

/// Ann and Bob sit down at the next table, and Ann gives the game up once it has begun.
fn play(stage: &mut Sitting, no: u64) {
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    assert_eq!(phase(stage, no), Phase::Playing, "game {no}");
    stage.handle(Input::Said(ANN, Command::Leave));
    stage.handle(Input::Said(BOB, Command::Leave));
}

/// Thirty bots that played on after their tournament played 8,743 games in four minutes.
#[test]
fn a_program_that_has_played_a_lot_begins_its_next_game_later() {
    let mut stage = Sitting::new(policy());
    stage.hall.pace_open_play(2);
    for no in 1..=4 {
        play(&mut stage, no);
    }
    // Two minutes' games were played at once; the fifth is worth half a minute.
    play(&mut stage, 5);
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    assert_eq!(phase(&stage, 6), Phase::Gathering);
    stage.pass(29_999);
    assert_eq!(phase(&stage, 6), Phase::Gathering);
    stage.pass(1);
    assert_eq!(phase(&stage, 6), Phase::Playing);
}

#[test]
fn a_game_that_players_start_themselves_waits_for_a_program_that_rests() {
    let by_call = Policy { start: Start::OnCall { min: 2 }, ..policy() };
    let mut stage = Sitting::new(by_call);
    stage.hall.pace_open_play(1);
    let sit = |stage: &mut Sitting| {
        stage.join(ANN, "ann");
        stage.join(BOB, "bob");
        stage.handle(Input::Said(ANN, Command::Start));
    };
    for no in 1..=3 {
        sit(&mut stage);
        assert_eq!(phase(&stage, no), Phase::Playing, "game {no}");
        stage.handle(Input::Said(ANN, Command::Leave));
        stage.handle(Input::Said(BOB, Command::Leave));
    }
    sit(&mut stage);
    assert_eq!(phase(&stage, 4), Phase::Gathering);
    stage.pass(60_000);
    assert_eq!(phase(&stage, 4), Phase::Playing);
}

#[test]
fn games_of_tournaments_wait_for_nobodys_rest() {
    let mut stage = Sitting::new(policy());
    stage.hall.pace_open_play(1);
    for no in 1..=3 {
        play(&mut stage, no);
    }
    stage.convene(&["ann", "bob"]);
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    assert_eq!(phase(&stage, 4), Phase::Playing);
}
