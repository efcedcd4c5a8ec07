//! Programs that end, and the reason given for it.

use rules::{Exit, Seat};

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

/// A dead bot cost the full no-show time in every pairing, although the tool that had started it
/// saw it end.
#[test]
fn a_game_does_not_wait_for_a_program_that_has_ended() {
    for seated_first in [true, false] {
        let mut stage = Sitting::new(policy());
        stage.convene(&["ann", "bob"]);
        if seated_first {
            stage.join(ANN, "ann");
        }
        assert!(matches!(stage.crash("bob"), Reply::Table(_)));
        if !seated_first {
            assert_eq!(stage.phase(), Phase::Gathering);
            stage.join(ANN, "ann");
        }
        assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Crashed)]);
        assert_eq!(stage.crash("bob"), Reply::Refused(Refusal::AlreadyOver));
    }
}

#[test]
fn a_game_whose_programs_have_all_ended_ends_at_once() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob"]);
    stage.crash("ann");
    stage.crash("bob");
    assert_eq!(stage.table().closing(), Some(&Closing::Void("nobody came".to_owned())));
    assert_eq!(stage.now, Time(1000));
}

#[test]
fn a_seat_that_crashed_before_the_start_is_not_given_away() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob", "cy"]);
    stage.join(BOB, "bob");
    stage.crash("bob");
    assert!(stage.table().chair(stage.seat("bob")).is_none());
    // It comes again, and waits for its next game.
    let join =
        Command::Join { table: None, name: "bob".into(), role: Role::Player, joined_via: None };
    stage.handle(Input::Said(ConnId(3), join));
    assert!(matches!(stage.outputs[0].answer(), Some((_, Answer::Awaited))), "{:?}", stage.outputs);
    stage.join(ANN, "ann");
    stage.join(ConnId(4), "cy");
    assert_eq!(stage.phase(), Phase::Playing);
    assert!(stage.table().chair(stage.seat("bob")).is_some_and(|chair| chair.retired));
}

#[test]
fn a_program_that_ends_during_play_is_retired_at_once() {
    let mut stage = Sitting::playing(policy());
    let (id, seat) = (stage.table().opened().id.clone(), Seat(2));
    let none = stage.ask(Request::Crashed { id, seat });
    assert!(matches!(none, Reply::Refused(Refusal::BadTable(_))), "{none:?}");
    stage.crash("ann");
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Crashed), None]);
}

#[test]
fn who_goes_says_how() {
    let mut stage = Sitting::playing(Policy { away_in_play: AwayInPlay::Retire, ..policy() });
    stage.handle(Input::Gone(ANN));
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Lost), None]);

    let mut stage = Sitting::playing(policy());
    stage.handle(Input::Said(BOB, Command::Leave));
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Left)]);

    let mut stage = Sitting::new(Policy { hold_waiting_ms: 90_000, ..policy() });
    stage.convene(&["ann", "bob", "cy", "dee"]);
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    stage.handle(Input::Gone(BOB));
    stage.pass(20_000);
    let order = Order::Withdraw("dee".into());
    stage.ask(Request::Order { id: "cup".into(), order });
    stage.pass(5000);
    assert_eq!(
        stage.exits(["ann", "bob", "cy", "dee"]),
        [None, Some(Exit::Lost), Some(Exit::NeverCame), Some(Exit::Left)]
    );
}

/// It was not recorded: after a restart the game waited for it again.
#[test]
fn a_program_that_has_ended_stays_so_over_a_restart() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob", "cy"]);
    stage.crash("bob");
    stage.restart();
    stage.join(ANN, "ann");
    stage.join(ConnId(3), "cy");
    assert_eq!(stage.phase(), Phase::Playing, "nobody waits for bob");
    assert!(stage.table().chair(stage.seat("bob")).is_some_and(|chair| chair.retired));
}

/// Both read `never came`.
#[test]
fn whose_program_ended_and_who_never_came_are_told_apart() {
    let mut stage = Sitting::new(policy());
    stage.convene(&["ann", "bob"]);
    stage.crash(&stage.table().opened().reserved[1].clone());
    stage.pass(25_000);
    let (no, _) = stage.hall.tournaments().next().expect("the cup");
    let info = stage.hall.tournament_info(no).expect("the cup");
    assert_eq!(info.pairings[0].games[0].causes, ["never came", "crashed"]);
}

/// A program of the JSON protocol that ended before its table closed kept its name for the
/// reconnect window: the same program, started again for the next game, was refused because its own
/// name was taken.
#[test]
fn a_name_is_free_once_its_program_is_gone_and_its_table_is_over() {
    for gone_first in [true, false] {
        let mut stage = Sitting::new(Policy { names: Names::UniqueInHall, ..policy() });
        for (conn, name) in [(ANN, "ann"), (BOB, "bob")] {
            stage.handle(Input::Said(conn, Command::Introduce(Introduction::default())));
            stage.handle(Input::Said(conn, Command::Enter { name: name.into() }));
            stage.join(conn, name);
        }
        let id = stage.table().opened().id.clone();
        let close = Request::Close { id, reason: "enough".to_owned() };
        if gone_first {
            stage.handle(Input::Gone(ANN));
            stage.ask(close);
        } else {
            stage.ask(close);
            stage.handle(Input::Gone(ANN));
        }
        let again = ConnId(3);
        stage.handle(Input::Said(again, Command::Introduce(Introduction::default())));
        stage.handle(Input::Said(again, Command::Enter { name: "ann".into() }));
        let entered = |output: &Output| matches!(output.answer(), Some((_, Answer::Entered)));
        assert!(stage.outputs.iter().any(entered), "{gone_first}: {:?}", stage.outputs);
    }
}
