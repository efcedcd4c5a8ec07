//! Tests of what can't be rehearsed over a wire: a hall without room, a restart, repeated draws, a
//! game that breaks. All players play the greatest number, and equal numbers are a draw.

mod desk;
mod ladders;
mod names;
mod numbers;
mod running;

use rules::Seed;
use tournament::{Fact, Format, How, PairingId, Plan, TournamentPhase};

use super::CLOSED_KEPT;
use crate::*;
use desk::Desk;
use numbers::{BOTS, terms};

fn plan(max_entrants: usize) -> Plan {
    Plan { max_entrants, seed: Some(Seed::from_number(3)), ..Plan::default() }
}

#[test]
fn drawn_games_are_played_again_and_then_lots_decide() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    desk.enrol(1, "ann");
    desk.enrol(2, "bob");
    for game in 1..=3 {
        for conn in [1, 2] {
            let (_, round) = &desk.paired[&ConnId(conn)];
            assert_eq!(*round, 1, "game {game}");
            desk.attend(conn);
        }
        assert!(desk.decided.is_empty());
        desk.play(1, 5);
        desk.play(2, 5);
    }
    assert!(desk.paired.is_empty(), "two replays, then no more");
    let winner = desk.decided[&ConnId(1)].clone();
    assert!(winner.is_some() && winner == desk.decided[&ConnId(2)]);
    let (_, state) = desk.hall.tournaments().next().expect("still remembered");
    let pairing = &state.tournament.pairings()[0];
    assert_eq!(pairing.games.len(), 3);
    assert_eq!(pairing.decision.as_ref().map(|decision| decision.how), Some(How::Lot));
}

#[test]
fn a_hall_without_room_puts_games_off() {
    let mut desk = Desk::new(1);
    desk.convene("cup", plan(4), &[], false);
    for (conn, name) in (1..).zip(["ann", "bob", "cy", "dee"]) {
        desk.enrol(conn, name);
    }
    for left in [2, 1, 0] {
        assert_eq!((desk.open_bouts(), desk.paired.len()), (1, 2), "{left} more");
        let pair: Vec<u64> = desk.paired.keys().map(|conn| conn.0).collect();
        pair.iter().for_each(|conn| desk.attend(*conn));
        pair.iter().for_each(|conn| desk.play(*conn, *conn as u32));
    }
    assert_eq!(desk.decided[&ConnId(1)].as_deref(), Some("dee"));
}

#[test]
fn a_tournament_without_room_is_forgotten_whole() {
    let mut desk = Desk::new(1);
    let table = NewTable {
        terms: terms(false),
        id: Some("t".into()),
        reserved: vec![],
        seed: None,
        bots_at_once: false,
    };
    desk.give(Input::Asked(0, Request::Open(Box::new(table))));
    for number in 0..=CLOSED_KEPT {
        let (id, one) = (format!("cup-{number}"), format!("ann-{number}"));
        desk.convene(&id, plan(2), &[(&one, None), (&format!("bob-{number}"), None)], false);
        desk.order(&id, Order::Cancel);
    }
    desk.give(Input::Asked(0, Request::Close { id: "t".into(), reason: "enough".into() }));
    assert_eq!((desk.open_bouts(), desk.hall.tournaments().count()), (0, CLOSED_KEPT));
}

#[test]
fn a_game_that_breaks_is_not_played_for_ever() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[("ann", Some("seven")), ("bob", Some("seven"))], true);
    for _ in 0..10 {
        desk.tick(0);
    }
    let (_, state) = desk.hall.tournaments().next().expect("still remembered");
    assert!(state.closed && state.tournament.winner().is_some());
    let voids = desk.records.values().flatten().filter(|record| {
        matches!(record, TableRecord::Closed(Closing::Void(why)) if why.contains("cannot be made"))
    });
    assert_eq!(voids.count(), 3);
}

#[test]
fn a_restart_keeps_places_invitations_and_results() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(4), &[], false);
    let names = ["ann", "bob", "cy", "dee"];
    let tokens: Vec<String> = (1..).zip(names).map(|(conn, name)| desk.enrol(conn, name)).collect();
    let invitations = desk.paired.clone();
    // One game is over, one has not begun.
    let opponent = {
        let (_, state) = desk.hall.tournaments().next().expect("it runs");
        let ann = state.tournament.find("ann").expect("she is in");
        let due = state.tournament.open_game_of(ann).expect("she plays");
        due.seats.iter().find(|id| **id != ann).expect("she meets somebody").index() as u64 + 1
    };
    desk.attend(1);
    desk.attend(opponent);
    desk.play(1, 9);
    desk.play(opponent, 1);
    let others: Vec<u64> = (2..=4).filter(|conn| *conn != opponent).collect();
    desk.attend(others[0]);
    let before = desk.hall.tournaments().next().map(|(_, state)| state.clone());
    desk.restart();
    let after = desk.hall.tournaments().next().map(|(_, state)| state.clone());
    assert_eq!(before, after);
    // By its token a player comes to its place and to its seat; by its invitation as well.
    let answer = desk.come_back(10 + others[0], &tokens[others[0] as usize - 1]);
    assert!(matches!(answer, Answer::Enrolled(_)), "{answer:?}");
    let (token, _) = invitations[&ConnId(others[1])].clone();
    let answer = desk.say(10 + others[1], Command::Attend { token, joined_via: None });
    assert!(matches!(answer, Answer::Joined(_)), "{answer:?}");
    desk.play(10 + others[0], 1);
    desk.play(10 + others[1], 2);
    desk.come_back(11, &tokens[0]);
    desk.attend(11);
    desk.attend(10 + others[1]);
    desk.play(11, 9);
    desk.play(10 + others[1], 1);
    assert_eq!(desk.decided[&ConnId(11)].as_deref(), Some("ann"));
}

#[test]
fn a_tournament_of_other_rules_is_not_taken_up() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    for records in desk.tournament_records.values_mut() {
        let TournamentRecord::Convened(convened) = &mut records[0] else {
            panic!("it begins otherwise")
        };
        convened.version = 0;
    }
    let refused = desk.try_restart().expect_err("other rules").to_string();
    assert!(refused.starts_with("tournament cup was begun under version 0"), "{refused}");
    // A finished tournament is not continued, by any rules.
    desk.tournament_records.values_mut().for_each(|records| records.push(TournamentRecord::Closed));
    desk.restart();
}

#[test]
fn nobody_waits_for_who_has_withdrawn() {
    let by_itself = Start::WhenFull { ready_grace_ms: 0 };
    let on_call = Start::OnCall { min: 2 };
    for (start, seated_first) in
        [(by_itself, true), (by_itself, false), (on_call, true), (on_call, false)]
    {
        let mut terms = terms(false);
        terms.policy.start = start;
        let mut desk = Desk::new(10);
        desk.convene_with("cup", Plan { table_seats: 3, ..plan(3) }, &[], terms);
        (1..).zip(["ann", "bob", "cy"]).for_each(|(conn, name)| _ = desk.enrol(conn, name));
        if seated_first {
            [1, 2].into_iter().for_each(|conn| desk.attend(conn));
        }
        desk.order("cup", Order::Withdraw("cy".into()));
        if !seated_first {
            [1, 2].into_iter().for_each(|conn| desk.attend(conn));
        }
        if start == on_call {
            assert_eq!(desk.say(1, Command::Start), Answer::Accepted);
        }
        desk.play(1, 2);
        desk.play(2, 1);
        assert_eq!(desk.decided[&ConnId(1)].as_deref(), Some("ann"), "{start:?} {seated_first}");
    }
}

#[test]
fn a_place_has_one_token_and_one_connection() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(3), &[], false);
    let first = desk.enrol(1, "ann");
    desk.give(Input::Gone(ConnId(1)));
    // Before the start, the name of an absent entrant is taken again.
    let second = desk.enrol(2, "ann");
    assert_eq!(desk.come_back(3, &first), Answer::Refused(Refusal::UnknownCredential));
    assert!(desk.replaced.is_empty());
    assert!(matches!(desk.come_back(3, &second), Answer::Enrolled(_)));
    assert_eq!(desk.replaced, [ConnId(2)]);
    // A removed entrant may return, and another may enter under the name; the token is void.
    desk.order("cup", Order::Withdraw("ann".into()));
    assert_eq!(desk.come_back(4, &second), Answer::Refused(Refusal::UnknownCredential));
    desk.enrol(5, "ann");
    assert_eq!(desk.replaced, [ConnId(2), ConnId(3)]);
    desk.enrol(3, "bob");
}

#[test]
fn whoever_sits_under_a_listed_name_keeps_it() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[("ann", None), ("bob", None)], false);
    let role = Role::Player;
    let join = Command::Join { table: None, name: "ann".into(), role, joined_via: None };
    assert!(matches!(desk.say(1, join), Answer::Joined(_)));
    let claim = Command::Enrol { tournament: "cup".into(), name: "ann".into() };
    assert_eq!(desk.say(2, claim), Answer::Refused(Refusal::AlreadyStarted));
    assert!(desk.replaced.is_empty());
}

#[test]
fn who_comes_back_in_a_pause_hears_of_its_game() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    let token = desk.enrol(1, "ann");
    desk.enrol(2, "bob");
    desk.order("cup", Order::Pause);
    desk.paired.clear();
    desk.give(Input::Gone(ConnId(1)));
    desk.come_back(3, &token);
    desk.attend(3);
    // A decision during the pause leaves no table behind that could decide it again.
    desk.order("cup", Order::Adjudicate { pairing: PairingId(0), places: vec![1, 2] });
    assert_eq!(desk.open_bouts(), 0);
    assert_eq!(desk.decided.len(), 2);
}

#[test]
fn who_waits_for_its_table_may_rather_watch() {
    let mut desk = Desk::new(10);
    let bots = [("ann", None), ("bob", Some("seven")), ("cy", Some("seven"))];
    desk.convene("cup", plan(4), &bots, false);
    let join = |role| Command::Join { table: None, name: "ann".into(), role, joined_via: None };
    assert_eq!(desk.say(1, join(Role::Player)), Answer::Awaited);
    let taken = Answer::Refused(Refusal::NameTaken("ann".into()));
    assert_eq!(desk.say(2, join(Role::Player)), taken);
    assert!(matches!(desk.say(1, join(Role::Follower)), Answer::Joined(_)));
    assert_eq!(desk.say(2, join(Role::Player)), Answer::Awaited);
    // After the withdrawal the name is free.
    desk.order("cup", Order::Withdraw("ann".into()));
    let seated = desk.hall.tables().flat_map(|(_, table)| table.seated());
    assert_eq!(seated.map(|(_, chair)| &*chair.name).collect::<Vec<_>>(), ["ann"]);
}

#[test]
fn a_great_many_can_be_listed_and_no_two_have_one_name() {
    let mut desk = Desk::new(10);
    let names: Vec<String> = (0..20_000).map(|number| format!("player-{number}")).collect();
    let entrants: Vec<(&str, Option<&str>)> = names.iter().map(|name| (&**name, None)).collect();
    desk.convene("cup", plan(20_001), &entrants, false);
    assert_eq!(desk.hall.desk.premises.all_kept().len(), 20_000);
    let plays_as = Some("red".into());
    let red = NewEntrant {
        name: "ann".into(),
        display: None,
        plays_as,
        bot: None,
        version: None,
        key: None,
    };
    desk.order("cup", Order::Withdraw("player-7".into()));
    desk.order("cup", Order::Enter(red));
    let enrol = |name: &str| Command::Enrol { tournament: "cup".into(), name: name.into() };
    // Both names are hers.
    assert!(matches!(desk.say(1, enrol("red")), Answer::Enrolled(_)));
    let taken = Answer::Refused(Refusal::NameTaken("ann".into()));
    assert_eq!(desk.say(2, enrol("ann")), taken);
    // An entrant with a token needs no reserved name; one who has left keeps none.
    assert_eq!(desk.hall.desk.premises.all_kept().len(), 19_999);
    let kept = desk.hall.desk.premises.all_kept();
    desk.restart();
    assert_eq!(desk.hall.desk.premises.all_kept(), kept);
}

/// Organisers of small machines want few games at once.
#[test]
fn no_more_games_are_on_tables_than_the_plan_allows() {
    let mut desk = Desk::new(10);
    let format = Format::RoundRobin { cycles: 1 };
    let names = ["ann", "bob", "carl", "dora", "ed", "flo"];
    let entrants = names.map(|name| (name, None));
    let plan = Plan { format, concurrency: 2, ..plan(6) };
    desk.convene("cup", plan, &entrants, false);
    // No entrant comes, so two games are forfeited at a time, until no one is waited for.
    let mut most = 0;
    for _ in 0..8 {
        most = most.max(desk.open_bouts());
        desk.tick(25_000);
    }
    assert_eq!((most, desk.open_bouts()), (2, 0));
}
