//! Ladders: who is paired when, who is put in quarantine, and whether the standings are true.

use rules::{Exit, Outcome};
use tournament::{
    EntrantId, Fact, Format, Matchmaking, Refusal, Tournament, TournamentPhase, Waiting,
};

use crate::kit::{NAMES, plan};
use crate::league::{self, League};

fn ladder(entrants: usize, table_seats: usize) -> Tournament {
    let mut ladder = Tournament::new(plan(Format::Ladder { wait_s: 20 }, table_seats)).unwrap();
    ladder.apply(&Fact::Started).unwrap();
    for name in &NAMES[..entrants] {
        ladder.apply(&Fact::Entered { name: (*name).to_owned(), bot: None }).unwrap();
    }
    ladder
}

fn waiting(entrants: &[u32], waited_ms: u64) -> Vec<Waiting> {
    let one = |id: &u32| Waiting { entrant: EntrantId(*id), waited_ms };
    entrants.iter().map(one).collect()
}

fn tables(ladder: &Tournament, waiting: &[Waiting]) -> Vec<Vec<EntrantId>> {
    Matchmaking::of(ladder).unwrap().tables(waiting)
}

fn is_free(ladder: &Tournament, entrant: EntrantId) -> bool {
    Matchmaking::of(ladder).unwrap().is_free(entrant)
}

fn pair(ladder: &mut Tournament, entrants: &[u32]) {
    let entrants = entrants.iter().copied().map(EntrantId).collect();
    ladder.apply(&Fact::Paired { entrants }).unwrap();
}

/// The game of an entrant ends: the player that entered first wins, and `exits` end otherwise.
fn end(ladder: &mut Tournament, of: u32, exits: &[(u32, Exit)]) {
    let due = ladder.open_game_of(EntrantId(of)).expect("it plays").clone();
    let standing = |id: &EntrantId| {
        let exit = exits.iter().find(|(of, _)| *of == id.0).map(|(_, exit)| exit.clone());
        (0, (exit.is_none(), -i64::from(id.0)), exit)
    };
    let outcome = Outcome::ranked(due.seats.iter().map(standing).collect());
    let (pairing, attempt) = (due.pairing, due.attempt);
    ladder.apply(&Fact::Played { pairing, attempt, outcome }).unwrap();
}

#[test]
fn five_hundred_bots_find_their_places_their_intervals_hold_and_nobody_waits_too_long() {
    for (table_seats, games_each, slow_one_in) in [(2, 40, 100), (4, 25, 0)] {
        let league = League { table_seats, games_each, slow_one_in, ..League::default() };
        let report = league::play(league);
        assert!(report.rank_correlation > 0.93, "{}", report.text());
        assert!((0.92..=0.98).contains(&report.coverage), "{}", report.text());
        assert!(report.longest_wait_ms <= u64::from(league.wait_s) * 1000, "{}", report.text());
        assert!(report.met_again * 50 < report.games || table_seats > 2, "{}", report.text());
    }
}

#[test]
fn a_broken_bot_is_given_few_games_and_nobody_waits_for_it() {
    let league = League { bots: 60, games_each: 60, broken_one_in: 10, ..League::default() };
    let report = league::play(league);
    // Ten minutes of games: three at first, then one after each of a few quarantines.
    assert!((4..=12).contains(&report.broken_games), "{}", report.text());
    assert!(report.longest_wait_ms <= u64::from(league.wait_s) * 1000, "{}", report.text());
}

#[test]
fn a_ladder_is_entered_at_any_time_and_never_over() {
    let mut ladder = ladder(2, 2);
    pair(&mut ladder, &[0, 1]);
    ladder.apply(&Fact::Entered { name: "Zoe".to_owned(), bot: None }).unwrap();
    end(&mut ladder, 0, &[]);
    assert_eq!(ladder.phase(), TournamentPhase::Running);
    pair(&mut ladder, &[0, 2]);
    ladder.apply(&Fact::Withdrawn { name: "Zoe".to_owned(), why: None }).unwrap();
    assert!(ladder.open_game_of(EntrantId(0)).is_none() && is_free(&ladder, EntrantId(0)));
    ladder.apply(&Fact::Reinstated { name: "Zoe".to_owned() }).unwrap();
    pair(&mut ladder, &[2, 0]);
    end(&mut ladder, 2, &[]);
    let standings = ladder.standings();
    let line = |at: usize| (standings[at].entrant.0, standings[at].played, standings[at].won);
    assert_eq!([line(0), line(1), line(2)], [(0, 2, 2), (1, 1, 0), (2, 1, 0)]);
    for elsewhere in [&[0, 0][..], &[0], &[0, 9], &[0, 1, 2]] {
        let entrants: Vec<EntrantId> = elsewhere.iter().copied().map(EntrantId).collect();
        let refusal = Refusal::CannotMeet(entrants.clone());
        assert_eq!(ladder.check(&Fact::Paired { entrants }), Err(refusal));
    }
}

#[test]
fn whoever_is_free_meets_at_once_if_nobody_plays_and_waits_for_somebody_new_otherwise() {
    let mut ladder = ladder(4, 2);
    assert_eq!(tables(&ladder, &waiting(&[0, 1], 0)), [[EntrantId(1), EntrantId(0)]]);
    pair(&mut ladder, &[0, 1]);
    pair(&mut ladder, &[2, 3]);
    end(&mut ladder, 0, &[]);
    // Two are free who have just met, and two others will be.
    assert!(tables(&ladder, &waiting(&[0, 1], 1000)).is_empty());
    let fresh = tables(&ladder, &[waiting(&[0], 1000), waiting(&[1, 2], 0)].concat());
    assert_eq!(fresh, [[EntrantId(2), EntrantId(0)]]);
    // After half of the longest allowed wait, they meet again.
    assert_eq!(tables(&ladder, &waiting(&[0, 1], 10_000)).len(), 1);
}

#[test]
fn house_bots_are_there_for_whoever_waits_and_never_meet_each_other() {
    let mut ladder = ladder(1, 2);
    for name in ["h1", "h2"] {
        let bot = Some("greedy".to_owned());
        ladder.apply(&Fact::Entered { name: name.to_owned(), bot }).unwrap();
    }
    assert!(tables(&ladder, &waiting(&[1, 2], 60_000)).is_empty());
    assert_eq!(tables(&ladder, &waiting(&[0, 1, 2], 0)), [[EntrantId(1), EntrantId(0)]]);
}

#[test]
fn a_table_of_four_waits_for_four_and_then_takes_those_who_are_there() {
    let mut ladder = ladder(7, 4);
    assert!(tables(&ladder, &waiting(&[0, 1, 2], 0)).is_empty());
    assert_eq!(tables(&ladder, &waiting(&[0, 1, 2, 3, 4], 0))[0].len(), 4);
    assert_eq!(tables(&ladder, &waiting(&[0, 1, 2], 10_000))[0].len(), 3);
    pair(&mut ladder, &[0, 1, 2, 3]);
    end(&mut ladder, 0, &[]);
    assert_eq!(ladder.standings()[0].entrant, EntrantId(0));
}

#[test]
fn quarantine_comes_after_three_missed_games_and_grows_until_ten_are_finished() {
    let mut ladder = ladder(2, 2);
    let crash = |ladder: &mut Tournament| {
        pair(ladder, &[0, 1]);
        end(ladder, 0, &[(0, Exit::Crashed)]);
    };
    let finish = |ladder: &mut Tournament| {
        pair(ladder, &[0, 1]);
        end(ladder, 0, &[]);
    };
    let broken =
        |ladder: &Tournament| ladder.ladder().unwrap().broken().next().map(|(id, ms)| (id.0, ms));
    let quarantine = |ladder: &mut Tournament, until: u64| {
        let name = NAMES[0].to_owned();
        ladder.apply(&Fact::Quarantined { name, until }).unwrap();
    };
    crash(&mut ladder);
    crash(&mut ladder);
    finish(&mut ladder);
    crash(&mut ladder);
    crash(&mut ladder);
    assert_eq!(broken(&ladder), None);
    crash(&mut ladder);
    assert_eq!(broken(&ladder), Some((0, 60_000)));
    quarantine(&mut ladder, 60_000);
    let rung = ladder.ladder().unwrap().rung(EntrantId(0)).unwrap();
    assert_eq!(rung.why(), [Exit::Crashed, Exit::Crashed, Exit::Crashed]);
    assert_eq!((rung.quarantine(59_999), rung.quarantine(60_000)), (Some(60_000), None));
    // It returns, and one more is enough.
    crash(&mut ladder);
    assert_eq!(broken(&ladder), Some((0, 120_000)));
    quarantine(&mut ladder, 240_000);
    (0..10).for_each(|_| finish(&mut ladder));
    (0..3).for_each(|_| crash(&mut ladder));
    assert_eq!(broken(&ladder), Some((0, 60_000)));
    quarantine(&mut ladder, 900_000);
    ladder.apply(&Fact::Reinstated { name: NAMES[0].to_owned() }).unwrap();
    assert_eq!(ladder.ladder().unwrap().rung(EntrantId(0)).unwrap().quarantine(0), None);
}

#[test]
fn a_game_that_came_to_nothing_is_not_played_again() {
    let mut ladder = ladder(2, 2);
    pair(&mut ladder, &[0, 1]);
    let due = ladder.open_game_of(EntrantId(0)).unwrap().clone();
    ladder.apply(&Fact::Void { pairing: due.pairing, attempt: due.attempt }).unwrap();
    assert!(is_free(&ladder, EntrantId(0)) && ladder.due().next().is_none());
    assert_eq!(ladder.standings()[0].played, 0);
}

#[test]
fn what_is_long_over_is_forgotten_and_the_text_of_a_ladder_gives_it_back() {
    let mut ladder = ladder(3, 2);
    pair(&mut ladder, &[0, 2]);
    let slow = ladder.open_game_of(EntrantId(0)).unwrap().clone();
    ladder.apply(&Fact::Entered { name: "Zoe".to_owned(), bot: None }).unwrap();
    for _ in 0..2000 {
        pair(&mut ladder, &[1, 3]);
        end(&mut ladder, 1, &[]);
    }
    assert_eq!(ladder.pairings().len(), 61);
    assert_eq!(ladder.ladder().unwrap().games_counted(), 500);
    let text = serde_json::to_string(&ladder).unwrap();
    assert!(text.len() < 40_000, "{}", text.len());
    assert_eq!(serde_json::from_str::<Tournament>(&text).unwrap(), ladder);
    // The slow game is still there.
    assert_eq!(ladder.find_pairing(slow.pairing).unwrap().entrants.len(), 2);
    end(&mut ladder, 0, &[]);
    assert_eq!(
        ladder.check(&Fact::Forfeited { pairing: slow.pairing, broken: false, exits: vec![] }),
        Err(Refusal::Decided(slow.pairing))
    );
    let forgotten = tournament::PairingId(1);
    assert!(ladder.find_pairing(forgotten).is_none());
    assert_eq!(
        ladder.check(&Fact::Void { pairing: forgotten, attempt: 1 }),
        Err(Refusal::Decided(forgotten))
    );
}
