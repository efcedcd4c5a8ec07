//! Reconnecting, absence and restart are properties of a seat: seats of the JSON protocol are held
//! in every game, and native seats keep their protocol's rule.

use rules::{Exit, Seat};

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

const AGAIN: ConnId = ConnId(9);

/// A game whose own protocol does not support reconnecting.
fn unforgiving() -> Policy {
    Policy {
        seats: 3,
        away_in_play: AwayInPlay::Retire,
        way_back: WayBack::None,
        turn_ms: None,
        ..policy()
    }
}

impl Sitting {
    pub fn join_via(&mut self, conn: ConnId, name: &str, joined_via: &str) -> Option<String> {
        let (name, role) = (Name::from(name), Role::Player);
        let joined_via = Some(joined_via.into());
        self.handle(Input::Said(conn, Command::Join { table: None, name, role, joined_via }));
        let token = |output: &Output| match output.answer()? {
            (_, Answer::Joined(joined)) => joined.token.clone(),
            _ => None,
        };
        self.outputs.iter().find_map(token)
    }

    fn resume(&mut self, conn: ConnId, token: &str) -> bool {
        let token = Credential::Token(token.to_owned());
        self.handle(Input::Said(conn, Command::Resume(token)));
        let joined = |output: &Output| matches!(output.answer(), Some((_, Answer::Joined(_))));
        self.outputs.iter().any(joined)
    }

    fn exit(&self, name: &str) -> bool {
        self.table().chair(self.seat(name)).is_some_and(|chair| chair.retired)
    }
}

/// Ann plays over the JSON protocol, Bob and Cy over a protocol that cannot reconnect.
fn mixed(policy: Policy) -> (Sitting, String) {
    let mut stage = Sitting::new(policy);
    let token = stage.join_via(ANN, "ann", HOUSE_WIRE).expect("a token in every game");
    assert_eq!(stage.join_via(BOB, "bob", "native"), None);
    stage.join_via(ConnId(3), "cy", "native");
    assert_eq!(stage.phase(), Phase::Playing);
    (stage, token)
}

#[test]
fn a_seat_of_the_house_wire_is_held_where_native_ones_are_not() {
    let (mut stage, token) = mixed(unforgiving());
    stage.handle(Input::Gone(BOB));
    assert!(stage.exit("bob"), "its protocol has no way back");
    stage.handle(Input::Gone(ANN));
    stage.pass(59_999);
    assert!(!stage.exit("ann"));
    assert!(stage.resume(AGAIN, &token));
    stage.handle(Input::Gone(AGAIN));
    stage.pass(60_000);
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Lost), Some(Exit::Lost)]);
}

/// Absence is a silence like any other: the clock runs, and three in a row are the end.
#[test]
fn an_absent_player_of_the_house_wire_counts_as_silent() {
    let clocked = Policy { turn_ms: Some(1000), strikes: 3, ..unforgiving() };
    for policy in [clocked.clone(), Policy { away_stops_clock: true, ..clocked }] {
        let (mut stage, _) = mixed(policy);
        stage.handle(Input::Gone(ANN));
        for _ in 0..2 {
            stage.act(BOB);
            stage.act(ConnId(3));
            stage.pass(1000);
            assert!(!stage.exit("ann"));
        }
        stage.act(BOB);
        stage.act(ConnId(3));
        stage.pass(1000);
        assert!(stage.exit("ann"));
    }
}

#[test]
fn in_a_tournament_a_seat_of_the_house_wire_is_held_for_half_as_long() {
    let mut stage = Sitting::new(Policy { seats: 2, ..unforgiving() });
    stage.convene(&["ann", "bob"]);
    let token = stage.join_via(ANN, "ann", HOUSE_WIRE).expect("a token in every game");
    stage.join(BOB, "bob");
    stage.handle(Input::Gone(ANN));
    stage.pass(29_999);
    assert_eq!(stage.phase(), Phase::Playing);
    assert!(stage.resume(AGAIN, &token));
    stage.handle(Input::Gone(AGAIN));
    stage.pass(30_000);
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Lost), None]);
}

#[test]
fn after_a_restart_only_native_seats_without_a_way_back_are_gone() {
    let (mut stage, token) = mixed(Policy { turn_ms: Some(5000), ..unforgiving() });
    stage.handle(Input::ShuttingDown);
    assert_eq!(stage.phase(), Phase::Playing, "it has somebody to go on for");
    stage.restart();
    assert_eq!(stage.exits(["ann", "bob", "cy"]), [None, Some(Exit::Lost), Some(Exit::Lost)]);
    assert!(stage.resume(AGAIN, &token), "it hears the end");

    let mut stage = Sitting::new(unforgiving());
    let token = stage.join_via(ANN, "ann", HOUSE_WIRE).expect("a token in every game");
    stage.join(BOB, "bob");
    stage.restart();
    assert_eq!(stage.phase(), Phase::Gathering);
    assert!(stage.table().chair(Seat(1)).is_none(), "bob cannot come back");
    assert!(stage.resume(AGAIN, &token));

    let mut stage = Sitting::new(unforgiving());
    stage.join(BOB, "bob");
    stage.restart();
    assert_eq!(stage.phase(), Phase::Closed, "nobody could come back");
}

/// A player who plays by calls is never away, and any number of calls share its seat.
#[test]
fn a_seat_held_by_its_token_alone_is_never_away() {
    let clocked = Policy { turn_ms: Some(1000), strikes: 3, seats: 2, ..unforgiving() };
    let mut stage = Sitting::new(clocked);
    let token = stage.join_via(ANN, "ann", CALLS).expect("a token");
    stage.handle(Input::Gone(ANN));
    stage.pass(50_000);
    stage.join(BOB, "bob");
    assert_eq!(stage.phase(), Phase::Playing, "its seat was held");
    assert!(stage.resume(ConnId(10), &token) && stage.resume(ConnId(11), &token));
    let told = |conn: u64| {
        let dismissed = |(to, event): (ConnId, Event)| {
            to == ConnId(conn) && matches!(event, Event::Dismissed(_))
        };
        stage.events().any(dismissed)
    };
    assert!(!told(10), "calls share a seat");
    stage.act(ConnId(10));
    stage.handle(Input::Gone(ConnId(10)));
    stage.handle(Input::Gone(ConnId(11)));
    stage.act(BOB);
    let member = |stage: &Sitting| {
        let (_, info) = stage.hall.inspection().table_infos().next().expect("there is one");
        info.company.seats[0].clone().expect("ann")
    };
    assert!(member(&stage).present);
    // It is bounded by the clock alone.
    for _ in 0..3 {
        assert_eq!(stage.phase(), Phase::Playing);
        stage.act(BOB);
        stage.pass(1000);
    }
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::TimedOut), None]);
}
