//! Another owner continues with a hall whose owner was lost, without what only that one knew.

use rules::Exit;

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::{AwayInPlay, Closing, ConnId, Event, Input, Phase, Policy, Standing};

/// None of the connections that were at a table is left.
fn nobody() -> Standing {
    Standing::default()
}

/// The result was decided and not told yet, and all players had been connected to the server that was
/// lost: the game was void after a while.
#[test]
fn a_game_that_was_decided_keeps_its_result() {
    let mut stage = Sitting::playing(Policy { pace_ms: 500, turn_ms: None, ..policy() });
    loop {
        stage.act(ANN);
        stage.act(BOB);
        if stage.table().game().is_some_and(|game| game.outcome().is_some()) {
            break;
        }
        stage.pass(500);
    }
    assert_eq!(stage.phase(), Phase::Playing, "nobody was told yet");
    stage.take_over(nobody());
    assert!(matches!(stage.table().closing(), Some(Closing::Over(_))));
}

/// The window of a player who was away already never ended, if all others at its table were connected to
/// the server that was lost.
#[test]
fn who_was_away_before_is_given_up_in_its_time() {
    let away_in_play = AwayInPlay::RetireAfter { ms: 5000 };
    let mut stage = Sitting::playing(Policy { away_in_play, turn_ms: None, ..policy() });
    stage.handle(Input::Gone(BOB));
    stage.pass(1000);
    stage.take_over(nobody());
    stage.pass(60_000);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Lost)]);
}

/// The same, if the remaining connection has not received it: its knowledge is older than the
/// records.
#[test]
fn who_was_away_before_is_given_up_whoever_is_left() {
    let away_in_play = AwayInPlay::RetireAfter { ms: 5000 };
    let mut stage = Sitting::playing(Policy { away_in_play, turn_ms: None, ..policy() });
    let left = stage.standing(&[ANN]);
    stage.handle(Input::Gone(BOB));
    stage.take_over(left);
    stage.pass(60_000);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Lost)]);
}

/// A tournament game whose entrants had not come waited for them forever.
#[test]
fn an_entrant_who_does_not_come_is_missed_all_the_same() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob"]);
    stage.take_over(nobody());
    stage.pass(60_000);
    assert_eq!(stage.phase(), Phase::Closed);
}

/// All have moved, and the next turn is held back for the pace of the table. None of the remaining
/// connections has received it.
#[test]
fn a_turn_that_was_held_back_is_told() {
    let mut stage = Sitting::playing(Policy { pace_ms: 500, turn_ms: None, ..policy() });
    stage.act(ANN);
    let left = stage.standing(&[ANN]);
    let seq = stage.table().seq();
    stage.act(BOB);
    assert_eq!(stage.table().seq(), seq + 1);
    stage.take_over(left);
    stage.pass(500);
    let is_told = |(conn, event): (ConnId, Event)| match event {
        Event::Update(update) => conn == ANN && update.seq == seq + 1,
        _ => false,
    };
    assert!(stage.events().any(is_told), "{:?}", stage.outputs);
}

/// No player was left at the table who could continue. Where players cannot reconnect they have
/// lost, all at once; before, the one counted last had won.
#[test]
fn a_game_whose_players_have_all_gone_has_a_result() {
    let away_in_play = AwayInPlay::Retire;
    let way_back = hall::WayBack::None;
    let mut stage = Sitting::playing(Policy { away_in_play, way_back, ..policy() });
    stage.take_over(nobody());
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Lost), Some(Exit::Lost)]);
}
