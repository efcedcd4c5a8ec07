//! A ladder runs unattended: waiting entrants are paired, broken ones are kept away, and it doesn't
//! grow.

use super::numbers::Numbers;
use super::*;
use crate::contest::EntrantInfo;
use rules::any::AnyRules;

fn ladder() -> Plan {
    Plan { format: Format::Ladder { wait_s: 20 }, ..plan(50) }
}

impl Desk {
    fn state(&self) -> &TournamentState {
        self.hall.tournament(TournamentNo(1)).expect("it is remembered")
    }

    /// Comes by name and waits, or sits down at once.
    fn wait_for_game(&mut self, conn: u64, name: &str) {
        let join =
            Command::Join { table: None, name: name.into(), role: Role::Player, joined_via: None };
        let answer = self.say(conn, join);
        assert!(matches!(answer, Answer::Awaited | Answer::Joined(_)), "{name}: {answer:?}");
    }

    fn games_of(&self, name: &str) -> u32 {
        let ladder = &self.state().tournament;
        ladder.ladder().unwrap().rung(ladder.find(name).unwrap()).unwrap().played
    }

    fn shown(&self, name: &str) -> EntrantInfo {
        let info = self.hall.tournament_info(TournamentNo(1)).unwrap();
        info.entrants.into_iter().find(|entrant| &*entrant.name == name).unwrap()
    }
}

#[test]
fn whoever_waits_is_paired_and_plays_on_over_a_restart() {
    let mut desk = Desk::new(50);
    desk.convene("cup", ladder(), &[("ann", None), ("bob", None)], false);
    assert_eq!(desk.state().tournament.phase(), TournamentPhase::Running);
    desk.wait_for_game(1, "ann");
    assert_eq!(desk.shown("ann").waiting_since, Some(desk.now));
    assert_eq!(desk.open_bouts(), 0);
    desk.wait_for_game(2, "bob");
    assert_eq!((desk.open_bouts(), desk.shown("ann").waiting_since), (1, None));
    desk.play(1, 9);
    desk.play(2, 1);
    assert_eq!((desk.games_of("ann"), desk.games_of("bob")), (1, 1));
    // A new entrant joins the running ladder and is paired with a waiting one.
    let cid = NewEntrant {
        name: "cid".into(),
        display: None,
        plays_as: None,
        bot: None,
        version: None,
        key: None,
    };
    desk.order("cup", Order::Enrol(cid.clone()));
    desk.wait_for_game(3, "cid");
    desk.wait_for_game(11, "ann");
    assert_eq!(desk.open_bouts(), 1);
    let before = desk.state().clone();
    desk.restart();
    assert_eq!(*desk.state(), before);
    // Its players reconnect to their seats, and it continues.
    desk.wait_for_game(21, "ann");
    desk.wait_for_game(23, "cid");
    desk.play(21, 9);
    desk.play(23, 1);
    assert_eq!((desk.games_of("ann"), desk.games_of("cid")), (2, 1));
    // An entrant who leaves may return, and keeps their position.
    desk.order("cup", Order::Leave("cid".into()));
    desk.order("cup", Order::Enrol(cid));
    assert_eq!(desk.games_of("cid"), 1);
}

/// An entrant removed from a ladder by the organiser used to return the next moment.
#[test]
fn only_the_organiser_brings_back_whom_it_has_taken_off_a_ladder() {
    let mut desk = Desk::new(50);
    desk.convene("cup", ladder(), &[("ann", None), ("bob", None)], false);
    desk.wait_for_game(1, "ann");
    desk.wait_for_game(2, "bob");
    desk.play(1, 9);
    desk.play(2, 1);
    desk.order("cup", Order::Withdraw("bob".into()));
    assert_eq!(desk.shown("bob").withdrawn_because, Some("removed by the organiser"));
    let bob = NewEntrant {
        name: "bob".into(),
        display: None,
        plays_as: None,
        bot: None,
        version: None,
        key: None,
    };
    for _ in 0..2 {
        desk.give(Input::Asked(
            0,
            Request::Order { id: "cup".into(), order: Order::Enrol(bob.clone()) },
        ));
        let Some(Reply::Refused(refusal)) = &desk.reply else { panic!("{:?}", desk.reply) };
        let why = "the organiser has withdrawn 'bob' from this ladder and can reinstate it";
        assert_eq!(refusal.cause(), why);
        assert!(desk.shown("bob").withdrawn);
        desk.restart();
    }
    desk.order("cup", Order::Reinstate("bob".into()));
    assert!(!desk.shown("bob").withdrawn);
    assert_eq!(desk.games_of("bob"), 1, "with what it had");
    // An entrant who left may return.
    desk.order("cup", Order::Leave("bob".into()));
    desk.order("cup", Order::Enrol(bob));
    assert!(!desk.shown("bob").withdrawn);
}

#[test]
fn a_slow_game_keeps_nobody_else_waiting_beyond_the_bound() {
    let mut desk = Desk::new(50);
    let names = [("ann", None), ("bob", None), ("cid", None), ("dot", None)];
    let mut untimed = terms(false);
    untimed.policy.turn_ms = None;
    desk.convene_with("cup", ladder(), &names, untimed);
    for (conn, (name, _)) in (1..).zip(names) {
        desk.wait_for_game(conn, name);
    }
    assert_eq!(desk.open_bouts(), 2);
    // One table never moves; at the other they meet again when half of the time is over.
    let quick: Vec<u64> = {
        let due = desk.state().tournament.due().next().unwrap();
        due.seats.iter().map(|id| u64::from(id.0) + 1).collect()
    };
    quick.iter().for_each(|conn| desk.play(*conn, *conn as u32));
    for conn in &quick {
        desk.wait_for_game(conn + 10, names[*conn as usize - 1].0);
    }
    assert_eq!(desk.open_bouts(), 1, "somebody new may be free soon");
    let mut waited = 0;
    while desk.open_bouts() == 1 {
        let next = desk.hall.deadline().expect("it is looked at again");
        let ms = next.0 - desk.now.0;
        waited += ms;
        assert!(waited <= 20_000, "nobody waits beyond the bound");
        desk.tick(ms);
    }
    assert!(waited >= 9_000, "{waited}");
}

#[test]
fn who_keeps_missing_its_games_is_in_quarantine_for_a_while() {
    let mut desk = Desk::new(50);
    let mut strict = terms(false);
    strict.policy.strikes = 1;
    desk.convene_with("cup", ladder(), &[("ann", None), ("seven", Some("seven"))], strict);
    for conn in 1..=3 {
        assert_eq!(desk.shown("ann").quarantined_until, None);
        desk.wait_for_game(conn, "ann");
        assert_eq!(desk.open_bouts(), 1);
        desk.give(Input::Gone(ConnId(conn)));
        // Its clock runs out.
        desk.tick(10_000);
        assert_eq!(desk.open_bouts(), 0);
    }
    let shown = desk.shown("ann");
    assert_eq!(shown.quarantined_until, Some(desk.now + 60_000));
    assert_eq!(shown.quarantined_because.as_deref(), Some("lost, lost, lost"));
    assert!(!shown.withdrawn);
    let before = desk.state().clone();
    desk.restart();
    assert_eq!(*desk.state(), before);
    desk.wait_for_game(4, "ann");
    desk.tick(50_000);
    assert_eq!(desk.open_bouts(), 0, "nobody is paired with it");
    desk.tick(5_000);
    assert_eq!(desk.open_bouts(), 1, "it has a way back");
}

#[test]
fn a_ladder_does_not_grow_with_its_games() {
    let mut desk = Desk::new(50);
    desk.convene("cup", ladder(), &[("ann", None), ("bob", None)], false);
    let mut most = 0;
    for game in 0..1500 {
        let (one, other) = (2 * game + 1, 2 * game + 2);
        desk.wait_for_game(one, "ann");
        desk.wait_for_game(other, "bob");
        desk.play(one, 2);
        desk.play(other, 1);
        desk.give(Input::Gone(ConnId(one)));
        desk.give(Input::Gone(ConnId(other)));
        let records = &desk.tournament_records[&TournamentNo(1)];
        most = most.max(records.len());
        let condensed =
            |record: &TournamentRecord| matches!(record, TournamentRecord::Condensed(_));
        if let Some(at) = records.iter().rposition(condensed) {
            // As the journal does with earlier records.
            desk.tournament_records.get_mut(&TournamentNo(1)).unwrap().drain(..at);
        }
    }
    assert_eq!((desk.games_of("ann"), desk.state().tournament.pairings().len()), (1500, 60));
    assert!((2000..2100).contains(&most), "{most}");
    assert!(desk.state().tables.len() <= 61);
    let before = desk.state().clone();
    let text = serde_json::to_string(&before).unwrap();
    let read = || serde_json::from_str::<TournamentState>(&text).unwrap();
    assert_eq!(<dyn AnyRules>::of::<Numbers>().reading(read), before);
    desk.restart();
    assert_eq!(*desk.state(), before);
    desk.wait_for_game(9001, "ann");
    desk.wait_for_game(9002, "bob");
    assert_eq!(desk.open_bouts(), 1);
}
