//! What clocks do to a table, in virtual time.

use rules::Exit;

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

#[test]
fn what_the_house_was_late_by_is_given_back() {
    let mut stage = Sitting::playing(policy());
    let deadline = stage.hall.deadline().expect("a turn runs");
    stage.hall.give_back(700);
    assert_eq!(stage.hall.deadline(), Some(deadline + 700));
    stage.pass(1699);
    assert_eq!(stage.table().seq(), 0);
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!(stage.table().seq(), 1);
}

#[test]
fn what_is_given_back_counts_for_those_who_are_away() {
    let by_name = Policy {
        names: Names::UniqueInHall,
        start: Start::OnCall { min: 2 },
        away_in_play: AwayInPlay::RetireAfter { ms: 5000 },
        way_back: WayBack::Name,
        turn_ms: None,
        ..policy()
    };
    let mut stage = Sitting::new(by_name);
    for (conn, name) in [(ANN, "ann"), (BOB, "bob")] {
        stage.handle(Input::Said(conn, Command::Enter { name: name.into() }));
        stage.join(conn, name);
    }
    stage.handle(Input::Said(ANN, Command::Start));
    stage.handle(Input::Gone(BOB));
    stage.hall.give_back(700);
    stage.pass(5699);
    assert_eq!(stage.phase(), Phase::Playing);
    stage.pass(1);
    assert_eq!(stage.phase(), Phase::Closed);
}

/// One crashed bot stalled a round for six minutes: the clock played every turn of it.
#[test]
fn three_silent_turns_in_a_row_retire_a_seat() {
    let mut stage = Sitting::playing(Policy { strikes: 3, ..policy() });
    for turn in 0..3 {
        assert_eq!(stage.table().seq(), turn);
        stage.act(ANN);
        stage.pass(1000);
    }
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::TimedOut)]);
    // The player who leaves completes the turn: no one is asked for another move.
    let asked = |(_, event): (_, Event)| matches!(event, Event::Update(update) if update.owes);
    assert!(!stage.events().any(asked), "{:?}", stage.outputs);
}

#[test]
fn a_move_resets_the_count_of_silent_turns() {
    let mut stage = Sitting::playing(Policy { strikes: 3, ..policy() });
    let strikes = |stage: &Sitting| stage.table().chair(stage.seat("bob")).expect("bob").strikes;
    for expected in [1, 2] {
        stage.act(ANN);
        stage.pass(1000);
        assert_eq!(strikes(&stage), expected);
    }
    stage.act(BOB);
    assert_eq!(strikes(&stage), 0);
    stage.act(ANN);
    stage.act(ANN);
    stage.pass(1000);
    assert_eq!((strikes(&stage), stage.phase()), (1, Phase::Playing));
}

/// A bot that moved a second late every time was never out: each late move counted for the next
/// turn and reset the count.
#[test]
fn silent_turns_add_up_over_a_game() {
    let mut stage = Sitting::playing(Policy { strikes: 3, strikes_in_all: 4, ..policy() });
    for turn in 0..3 {
        stage.act(ANN);
        stage.pass(1000);
        assert_eq!(stage.phase(), Phase::Playing, "{turn}");
        stage.act(ANN);
        stage.act(BOB);
    }
    stage.act(ANN);
    stage.pass(1000);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::TimedOut)]);
}

#[test]
fn when_the_time_of_a_game_has_run_out_the_slowest_is_out() {
    let mut stage =
        Sitting::playing(Policy { turn_ms: Some(1000), game_ms: Some(3000), ..policy() });
    // Ann takes 300 milliseconds a turn, Bob 700.
    for _ in 0..4 {
        stage.pass(300);
        stage.act(ANN);
        stage.pass(400);
        stage.act(BOB);
    }
    stage.act(BOB);
    stage.pass(199);
    assert_eq!(stage.phase(), Phase::Playing);
    stage.pass(1);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::TimedOut)]);
}

#[test]
fn the_time_of_a_game_is_given_back_like_any_other() {
    let mut stage = Sitting::playing(Policy { turn_ms: None, game_ms: Some(3000), ..policy() });
    stage.hall.give_back(500);
    stage.act(ANN);
    stage.pass(3499);
    assert_eq!(stage.phase(), Phase::Playing);
    stage.pass(1);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::TimedOut)]);
}

#[test]
fn a_closed_socket_counts_as_silent_only_where_no_other_limit_covers_absence() {
    for (away_in_play, exit) in [
        (AwayInPlay::Hold, Some(Exit::Lost)),
        (AwayInPlay::RetireAfter { ms: 30_000 }, None),
        (AwayInPlay::BotAfter { ms: 300_000 }, None),
    ] {
        let mut stage = Sitting::playing(Policy { strikes: 3, away_in_play, ..policy() });
        stage.handle(Input::Gone(BOB));
        for _ in 0..3 {
            stage.act(ANN);
            stage.pass(1000);
        }
        let closed = stage.phase() == Phase::Closed;
        assert_eq!(closed, exit.is_some(), "{away_in_play:?}");
        if closed {
            assert_eq!(stage.exits(["bob"]), [exit]);
        } else {
            assert_eq!(stage.table().chair(stage.seat("bob")).map(|chair| chair.strikes), Some(0));
        }
    }
}

#[test]
fn who_strikes_out_together_goes_together() {
    let mut stage = Sitting::playing(Policy { strikes: 2, ..policy() });
    stage.pass(2000);
    let timed_out = Some(Exit::TimedOut);
    assert_eq!(stage.exits(["ann", "bob"]), [timed_out.clone(), timed_out]);
}

#[test]
fn an_absence_that_stops_the_clock_gives_nobody_more_time() {
    let mut stage = Sitting::new(Policy {
        away_in_play: AwayInPlay::RetireAfter { ms: 5000 },
        away_stops_clock: true,
        way_back: WayBack::Name,
        names: Names::Free,
        ..policy()
    });
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    stage.act(ANN);
    stage.pass(600);
    // Ann has moved: her absence stops nothing.
    stage.handle(Input::Gone(ANN));
    assert_eq!(stage.hall.deadline(), Some(Time(2000)));
    stage.join(ConnId(3), "ann");
    stage.handle(Input::Gone(BOB));
    stage.pass(4000);
    assert_eq!(stage.table().seq(), 0);
    stage.join(ConnId(4), "bob");
    stage.pass(399);
    assert_eq!(stage.table().seq(), 0);
    stage.pass(1);
    assert_eq!(stage.table().seq(), 1);
}

#[test]
fn who_gives_up_sooner_than_the_clock_gets_no_seat() {
    let slow = Policy { too_slow_for: Some("hasty".to_owned()), ..policy() };
    let mut stage = Sitting::new(slow);
    let join = |joined_via: &str| Command::Join {
        table: None,
        name: "ann".into(),
        role: Role::Player,
        joined_via: Some(joined_via.into()),
    };
    stage.handle(Input::Said(ANN, join("hasty")));
    let refused = |output: &Output| {
        matches!(output.answer(), Some((_, Answer::Refused(Refusal::BadTable(_)))))
    };
    assert!(stage.outputs.iter().any(refused), "{:?}", stage.outputs);
    stage.handle(Input::Said(ANN, join("calm")));
    assert!(!stage.outputs.iter().any(refused), "{:?}", stage.outputs);
}

/// A journal of before strikes: the same records give the same table.
#[test]
fn a_record_of_the_clock_reads_as_it_was_written_before() {
    type Records = TableRecord;
    let old: Records = serde_json::from_str(r#"{"expired":{"seq":3}}"#).expect("an older record");
    assert_eq!(old, TableRecord::Expired { seq: 3, spared: rules::SeatSet::EMPTY });
    assert_eq!(serde_json::to_string(&old).expect("plain data"), r#"{"expired":{"seq":3}}"#);
}
