//! A tournament runs unattended: who misses too much, who may enter, what is dealt.

use rules::any::AnyRules;
use std::collections::BTreeSet;

use tournament::Why;

use super::numbers::Numbers;
use super::*;

fn round_robin(max_entrants: usize) -> Plan {
    Plan { format: Format::RoundRobin { cycles: 1 }, ..plan(max_entrants) }
}

impl Desk {
    fn info(&self) -> TournamentInfo {
        let mut all = self.hall.tournaments().filter(|(_, state)| &*state.convened.id == "cup");
        let (no, _) = all.next().expect("it is remembered");
        self.hall.tournament_info(no).expect("it is remembered")
    }

    fn is_withdrawn(&mut self, name: &str) -> Option<&'static str> {
        let info = self.info();
        let entrant = info.entrants.iter().find(|entrant| &*entrant.name == name).unwrap();
        assert_eq!(entrant.withdrawn, entrant.withdrawn_because.is_some());
        entrant.withdrawn_because
    }

    /// Bots take a moment for each of their games, one after the other.
    fn let_bots_play(&mut self) {
        (0..40).for_each(|_| self.tick(1));
    }

    /// The deal of each table ever opened for a tournament's game.
    fn deals(&self) -> Vec<(PairingId, u32, Seed)> {
        let opened = self.records.values().filter_map(|records| match &records[0] {
            TableRecord::Opened(opened) => Some(opened),
            _ => None,
        });
        let due_games = opened.filter_map(|opened| Some((opened.game_ref.as_ref()?, opened.seed)));
        due_games
            .map(|(game_ref, seed)| (PairingId(game_ref.pairing), game_ref.attempt, seed))
            .collect()
    }
}

const ALONE: [(&str, Option<&str>); 8] = [
    ("ann", None),
    ("b1", Some("seven")),
    ("b2", Some("seven")),
    ("b3", Some("seven")),
    ("b4", Some("seven")),
    ("b5", Some("seven")),
    ("b6", Some("seven")),
    ("b7", Some("seven")),
];

/// No-shows were never withdrawn, and each of their pairings cost the full waiting time.
#[test]
fn an_entrant_that_misses_three_games_in_a_row_is_withdrawn_and_can_be_reinstated() {
    let mut desk = Desk::new(50);
    desk.convene("cup", round_robin(8), &ALONE, false);
    for missed in 1..=3 {
        assert_eq!(desk.is_withdrawn("ann"), None, "{missed}");
        desk.tick(25_000);
        desk.let_bots_play();
    }
    assert_eq!(desk.is_withdrawn("ann"), Some("missed 3 games in a row"));
    // No one waits for the no-show any more: all others have played.
    assert_eq!(desk.info().phase, TournamentPhase::Over);
    assert_eq!(desk.info().pairings.iter().filter(|p| p.how == Some(How::Withdrawn)).count(), 4);

    let mut desk = Desk::new(50);
    desk.convene("cup", round_robin(4), &[("ann", None), ("bob", None), ("cid", None)], false);
    desk.order("cup", Order::Start);
    desk.order("cup", Order::Withdraw("ann".into()));
    let reinstate = |name: &str| Order::Reinstate(name.into());
    desk.order("cup", reinstate("ann"));
    assert!(!desk.info().entrants[0].withdrawn);
    assert!(desk.info().pairings.iter().all(|pairing| pairing.decision.is_none()));
    assert!(desk.hall.desk.premises.kept("ann").is_some(), "its name is kept again");
    let again = Request::Order { id: "cup".into(), order: reinstate("ann") };
    desk.give(Input::Asked(0, again));
    let refusal = Refusal::BadTable("\"ann\" has not withdrawn".to_owned());
    assert!(
        matches!(&desk.reply, Some(Reply::Refused(why)) if *why == refusal),
        "{:?}",
        desk.reply
    );
    let before = desk.hall.tournament(TournamentNo(1)).cloned();
    desk.restart();
    assert_eq!(desk.hall.tournament(TournamentNo(1)).cloned(), before);
}

#[test]
fn the_reason_of_a_withdrawal_is_in_the_journal() {
    let mut desk = Desk::new(50);
    desk.convene("cup", round_robin(8), &ALONE, false);
    for _ in 0..3 {
        desk.tick(25_000);
        desk.let_bots_play();
    }
    let records = &desk.tournament_records[&TournamentNo(1)];
    let missed = Fact::Withdrawn { name: "ann".to_owned(), why: Some(Why::Missed) };
    assert!(records.contains(&TournamentRecord::Fact(missed)));
    // Records from before reasons existed still parse.
    let old: Fact = serde_json::from_str(r#"{"withdrawn":{"name":"ann"}}"#).unwrap();
    assert_eq!(old, Fact::Withdrawn { name: "ann".to_owned(), why: None });
}

/// Entrants were listed, and a stranger who named the tournament was welcomed and paired.
#[test]
fn a_tournament_with_a_list_of_entrants_admits_no_one_else() {
    let enrol = |name: &str| Command::Enrol { tournament: "cup".into(), name: name.into() };
    for open in [false, true] {
        let mut desk = Desk::new(10);
        let entrant = NewEntrant {
            name: "ann".into(),
            display: None,
            plays_as: None,
            bot: None,
            version: None,
            key: None,
        };
        let new = NewTournament {
            id: Some("cup".into()),
            plan: plan(4),
            terms: terms(false),
            no_show_ms: 25_000,
            starts_when_full: false,
            open,
            open_names: true,
            entry: Entry::Open,
            entrants: vec![entrant.clone(), NewEntrant { name: "zoe".into(), ..entrant.clone() }],
        };
        desk.give(Input::Asked(0, Request::Convene(Box::new(new))));
        assert!(matches!(desk.say(1, enrol("ann")), Answer::Enrolled(_)));
        let eve = desk.say(2, enrol("eve"));
        match open {
            true => assert!(matches!(eve, Answer::Enrolled(_)), "{eve:?}"),
            false => assert_eq!(eve, Answer::Refused(Refusal::NotEntered)),
        }
        // The organiser can enter more at any time before the start.
        desk.order("cup", Order::Enter(NewEntrant { name: "bob".into(), ..entrant }));
        assert!(matches!(desk.say(3, enrol("bob")), Answer::Enrolled(_)));
    }
}

/// The pairings of a seed were the same each time, and the cards were not.
#[test]
fn the_same_plan_deals_the_same_games() {
    let played = |hall_seed: u64, seed: u64| {
        let mut desk = Desk::new(50);
        desk.hall = Hall::new(terms(false), BOTS, 50, Seed::from_number(hall_seed));
        let plan = Plan { seed: Some(Seed::from_number(seed)), ..round_robin(7) };
        desk.convene("cup", plan, &ALONE[1..], false);
        desk.let_bots_play();
        let mut deals = desk.deals();
        deals.sort_by_key(|(pairing, attempt, _)| (*pairing, *attempt));
        assert_eq!(deals.len(), 21);
        deals
    };
    let deals = played(1, 7);
    assert_eq!(deals, played(2, 7));
    assert_ne!(deals, played(1, 8));
    let distinct: BTreeSet<String> = deals.iter().map(|(_, _, seed)| seed.to_string()).collect();
    assert_eq!(distinct.len(), deals.len(), "no two games are dealt alike");
}

/// A journal with impossible records ended the server with a panic.
#[test]
fn an_odd_journal_is_refused_and_says_why() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(4), &[("ann", None), ("bob", None)], false);
    let records = desk.tournament_records.get_mut(&TournamentNo(1)).unwrap();
    records.push(TournamentRecord::Fact(Fact::Withdrawn { name: "zoe".to_owned(), why: None }));
    let why = desk.try_restart().unwrap_err().to_string();
    assert!(why.contains("tournament 1 cannot be continued"), "{why}");
    assert!(why.contains("its entry 4 cannot follow"), "{why}");
    assert!(why.contains("\"zoe\" is not an entrant"), "{why}");
}

/// Tournaments had no version: with another pairing method, the same facts would silently have
/// given other pairings.
#[test]
fn a_tournament_whose_pairings_cannot_be_reproduced_is_refused() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    for records in desk.tournament_records.values_mut() {
        let TournamentRecord::Convened(convened) = &mut records[0] else {
            panic!("it begins otherwise")
        };
        let text = serde_json::to_string(convened).unwrap();
        let silent = text.replace(r#""pairing_version":1,"#, "");
        assert_ne!(silent, text);
        **convened =
            <dyn AnyRules>::of::<Numbers>().reading(|| serde_json::from_str(&silent)).unwrap();
        assert_eq!(convened.pairing_version, 1, "those that do not say it were paired so");
        convened.pairing_version += 1;
    }
    let refused = desk.try_restart().expect_err("paired otherwise").to_string();
    assert!(refused.contains("version 2 of the pairings"), "{refused}");
}

/// A tournament that is over and cannot be folded any more is forgotten; its archive stays.
#[test]
fn a_finished_tournament_with_other_pairings_does_not_stop_the_start() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    for records in desk.tournament_records.values_mut() {
        records.push(TournamentRecord::Fact(Fact::Resumed));
        records.push(TournamentRecord::Closed);
    }
    desk.restart();
    assert_eq!(desk.hall.tournaments().count(), 0);
}
