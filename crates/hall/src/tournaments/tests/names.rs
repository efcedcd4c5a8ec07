//! Names that several tournaments of a game want.

use super::desk::Desk;
use super::plan;
use crate::*;

/// The refusal said `the name is taken already`, and not where.
#[test]
fn a_name_that_is_entered_elsewhere_is_refused_with_that_tournament() {
    let mut desk = Desk::new(10);
    desk.convene("saturday", plan(4), &[("ann", None)], false);
    desk.convene("sunday", plan(4), &[("bob", None)], false);
    let ann = NewEntrant {
        name: "ann".into(),
        display: None,
        plays_as: None,
        bot: None,
        version: None,
        key: None,
    };
    let order = Order::Enter(ann);
    desk.give(Input::Asked(0, Request::Order { id: "sunday".into(), order: order.clone() }));
    let refused = Refusal::NameEntered { name: "ann".into(), tournament: "saturday".into() };
    assert_eq!(desk.reply.take(), Some(Reply::Refused(refused.clone())));
    assert_eq!(refused.code(), Code::NameTaken);
    assert_eq!(
        refused.to_string(),
        "The name 'ann' is entered in 'saturday', which is not over. A name can be in one \
         tournament or ladder of a game at a time: finish or cancel that one, withdraw the name \
         there, or choose another name."
    );
    desk.order("saturday", Order::Withdraw("ann".into()));
    desk.order("sunday", order);
}

fn guests(desk: &mut Desk) {
    let terms = super::numbers::terms(false);
    let cup = NewTournament {
        id: Some("cup".into()),
        plan: plan(3),
        terms,
        no_show_ms: 25_000,
        starts_when_full: true,
        open: true,
        open_names: false,
        entry: Entry::Open,
        entrants: Vec::new(),
    };
    desk.give(Input::Asked(0, Request::Convene(Box::new(cup))));
}

fn entrants(desk: &Desk) -> Vec<String> {
    let (_, cup) = desk.hall.tournaments().next().expect("there is a cup");
    cup.tournament.entrants().iter().map(|entrant| entrant.name.clone()).collect()
}

fn try_enrol(desk: &mut Desk, conn: u64, name: &str) -> Result<(), Refusal> {
    match desk.say(conn, Command::Enrol { tournament: "cup".into(), name: name.into() }) {
        Answer::Enrolled(_) => Ok(()),
        Answer::Refused(why) => Err(why),
        other => panic!("{other:?}"),
    }
}

/// Anyone could take the place at once, and an abandoned place was never free again.
#[test]
fn the_place_of_a_guest_who_left_before_the_start_is_free_after_five_seconds() {
    let mut desk = Desk::new(10);
    guests(&mut desk);
    let token = desk.enrol(1, "ann");
    desk.enrol(2, "bob");
    desk.give(Input::Gone(ConnId(1)));
    let taken = Err(Refusal::NameTaken("ann".into()));
    assert_eq!(try_enrol(&mut desk, 3, "ann"), taken);
    assert_eq!(desk.hall.deadline(), Some(desk.now + 5000));
    desk.tick(4999);
    assert_eq!(try_enrol(&mut desk, 3, "ann"), taken);
    desk.tick(1);
    assert_eq!(entrants(&desk), ["bob"]);
    assert_eq!(desk.come_back(4, &token), Answer::Refused(Refusal::UnknownCredential));
    assert_eq!(try_enrol(&mut desk, 3, "ann"), Ok(()));
}

#[test]
fn a_guest_who_is_back_in_time_keeps_its_place() {
    let mut desk = Desk::new(10);
    guests(&mut desk);
    let token = desk.enrol(1, "ann");
    desk.give(Input::Gone(ConnId(1)));
    desk.tick(4999);
    assert!(matches!(desk.come_back(2, &token), Answer::Enrolled(_)));
    desk.tick(60_000);
    assert_eq!(entrants(&desk), ["ann"]);
}

/// After a restart all are absent, and have the time that players at tables have.
#[test]
fn a_restart_gives_guests_time_to_come_back() {
    let mut desk = Desk::new(10);
    guests(&mut desk);
    desk.enrol(1, "ann");
    let token = desk.enrol(2, "bob");
    desk.restart();
    desk.tick(59_999);
    assert!(matches!(desk.come_back(3, &token), Answer::Enrolled(_)));
    desk.tick(1);
    assert_eq!(entrants(&desk), ["bob"]);
}

fn convene(desk: &mut Desk, open: bool, names: &[&str]) -> Reply {
    let entrant = |name: &&str| NewEntrant {
        name: (*name).into(),
        display: None,
        plays_as: None,
        bot: None,
        version: None,
        key: None,
    };
    let cup = NewTournament {
        id: Some("cup".into()),
        plan: plan(4),
        terms: super::numbers::terms(false),
        no_show_ms: 25_000,
        starts_when_full: false,
        open,
        open_names: true,
        entry: Entry::Open,
        entrants: names.iter().map(entrant).collect(),
    };
    desk.give(Input::Asked(0, Request::Convene(Box::new(cup))));
    desk.reply.take().expect("every request is answered")
}

/// A cancelled tournament kept its id forever, so a mistake could not be corrected.
#[test]
fn the_id_of_a_cancelled_tournament_can_be_used_again() {
    let mut desk = Desk::new(10);
    assert!(matches!(convene(&mut desk, false, &["ann", "bob"]), Reply::Tournament(_)));
    let again = convene(&mut desk, false, &["ann", "bob"]);
    assert_eq!(again, Reply::Refused(Refusal::IdTaken), "while it is on");
    desk.order("cup", Order::Cancel);
    assert!(matches!(convene(&mut desk, false, &["ann", "cy"]), Reply::Tournament(_)));
    assert_eq!(entrants(&desk), ["ann", "cy"]);
    // After a restart the id still means the second one.
    desk.restart();
    desk.order("cup", Order::Start);
    assert_eq!(desk.open_bouts(), 1);
}

/// One team was accepted, and the error came at the start.
#[test]
fn a_tournament_that_nobody_can_enter_needs_two_entrants_when_it_is_made() {
    for (names, has) in [(&[][..], 0), (&["ann"][..], 1)] {
        let why = format!(
            "a tournament that players cannot enter by themselves needs at least 2 entrants, and this \
             one has {has}: list more entrants, or make it open"
        );
        let refused = convene(&mut Desk::new(10), false, names);
        assert_eq!(refused, Reply::Refused(Refusal::BadTable(why)));
        let made = convene(&mut Desk::new(10), true, names);
        assert!(matches!(made, Reply::Tournament(_)), "{made:?}");
    }
}
