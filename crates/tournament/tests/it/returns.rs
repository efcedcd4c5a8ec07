//! Who misses too many games, and who is brought back.

use rules::{Exit, Outcome};
use tournament::{DueGame, Fact, Format, How, Plan, Refusal, Tournament, TournamentPhase, Why};

use crate::kit::{alphabet, due_of, name, plan, play_on, played, started, winner};

const ROUND_ROBIN: Format = Format::RoundRobin { cycles: 1 };

/// The next game of an entrant. Others play theirs until it can begin.
fn next_of(tournament: &mut Tournament, who: &str) -> DueGame {
    let id = tournament.find(who).unwrap();
    loop {
        let due: Vec<DueGame> = tournament.due().cloned().collect();
        match due.iter().find(|due| due.seats.contains(&id)) {
            Some(own) => return own.clone(),
            None => tournament.apply(&played(&due[0], &[1, 2])).unwrap(),
        }
    }
}

/// The next game of this entrant ends with its exit; the others finish.
fn ends_with(tournament: &mut Tournament, who: &str, exit: Option<Exit>) {
    let due = next_of(tournament, who);
    let seats = due.seats.iter().map(|&id| match name(tournament, id) == who {
        true => (0, 0, exit.clone()),
        false => (0, 1, None),
    });
    let outcome = Outcome::ranked(seats.collect());
    let fact = Fact::Played { pairing: due.pairing, attempt: due.attempt, outcome };
    tournament.apply(&fact).unwrap();
}

fn missing(tournament: &Tournament) -> Vec<&str> {
    tournament.missing().into_iter().map(|id| name(tournament, id)).collect()
}

fn withdrawn(who: &str) -> Fact {
    Fact::Withdrawn { name: who.to_owned(), why: Some(Why::Missed) }
}

fn reinstated(who: &str) -> Fact {
    Fact::Reinstated { name: who.to_owned() }
}

/// A dead bot cost the full time to come in every pairing, for the whole tournament.
#[test]
fn three_missed_games_in_a_row_withdraw_an_entrant() {
    let mut tournament = started(plan(ROUND_ROBIN, 2), 8);
    ends_with(&mut tournament, "Ann", Some(Exit::NeverCame));
    ends_with(&mut tournament, "Ann", Some(Exit::Crashed));
    // A game played to its end resets the count; so does one that was left on purpose.
    ends_with(&mut tournament, "Ann", None);
    ends_with(&mut tournament, "Ann", Some(Exit::TimedOut));
    ends_with(&mut tournament, "Ann", Some(Exit::Lost));
    assert!(missing(&tournament).is_empty());
    ends_with(&mut tournament, "Ann", Some(Exit::NeverCame));
    assert_eq!(missing(&tournament), ["Ann"]);
    tournament.apply(&withdrawn("Ann")).unwrap();
    assert!(missing(&tournament).is_empty());
    let ann = tournament.find("Ann").unwrap();
    assert_eq!(tournament.entrant(ann).why, Some(Why::Missed));
    assert!(tournament.due().all(|due| !due.seats.contains(&ann)));
}

#[test]
fn leaving_is_not_missing_but_a_game_with_no_players_is() {
    let mut tournament = started(plan(ROUND_ROBIN, 2), 8);
    for _ in 0..4 {
        ends_with(&mut tournament, "Ann", Some(Exit::Left));
    }
    assert!(missing(&tournament).is_empty());
    for _ in 0..3 {
        let pairing = next_of(&mut tournament, "Ann").pairing;
        tournament.apply(&Fact::Forfeited { pairing, broken: false, exits: Vec::new() }).unwrap();
    }
    assert!(missing(&tournament).contains(&"Ann"));
}

#[test]
fn a_reinstated_entrant_plays_its_forfeited_games() {
    let mut tournament = started(plan(ROUND_ROBIN, 2), 4);
    let game = due_of(&tournament, "Dot").clone();
    tournament.apply(&withdrawn("Dot")).unwrap();
    let given = |tournament: &Tournament| {
        let decisions =
            tournament.pairings().iter().filter_map(|pairing| pairing.decision.as_ref());
        decisions.filter(|decision| decision.how == How::Withdrawn).count()
    };
    assert_eq!(given(&tournament), 3);
    tournament.apply(&reinstated("Dot")).unwrap();
    assert_eq!(given(&tournament), 0);
    // The game that its withdrawal cut short is not played under the same number again.
    let again = tournament.open_game(game.pairing).cloned();
    assert!(again.as_ref().is_none_or(|again: &DueGame| again.attempt == 2), "{again:?}");
    play_on(&mut tournament, alphabet);
    assert_eq!(tournament.phase(), TournamentPhase::Over);
    let played = tournament.standings().iter().map(|line| line.played).collect::<Vec<_>>();
    assert_eq!(played, [3; 4]);
    assert_eq!(winner(&tournament), Some("Ann"));
}

#[test]
fn a_knockout_reinstates_an_entrant_that_has_not_lost_yet() {
    let mut tournament = started(plan(Format::Knockout, 2), 4);
    tournament.apply(&withdrawn("Ann")).unwrap();
    assert_eq!(tournament.check(&reinstated("Ben")), Err(Refusal::HasNotWithdrawn("Ben".into())));
    assert_eq!(tournament.check(&reinstated("Zoe")), Err(Refusal::NoSuchEntrant("Zoe".into())));
    tournament.apply(&reinstated("Ann")).unwrap();
    play_on(&mut tournament, alphabet);
    assert_eq!(winner(&tournament), Some("Ann"));

    let mut tournament = started(plan(Format::Knockout, 2), 4);
    tournament.apply(&withdrawn("Ann")).unwrap();
    let other = tournament.due().next().unwrap().clone();
    tournament.apply(&played(&other, &[1, 2])).unwrap();
    assert_eq!(tournament.round(), 2);
    assert_eq!(tournament.check(&reinstated("Ann")), Err(Refusal::OutAlready("Ann".into())));
}

#[test]
fn a_reinstated_entrant_ranks_last_in_the_large_tables_it_missed() {
    let mut tournament = started(Plan { best_of: 3, ..plan(Format::Knockout, 3) }, 3);
    tournament.apply(&withdrawn("Cid")).unwrap();
    let due = tournament.due().next().unwrap().clone();
    tournament.apply(&played(&due, &[1, 2, 3])).unwrap();
    let second = tournament.due().next().unwrap().clone();
    assert_eq!(second.seats.len(), 2, "it is not seated again");
    tournament.apply(&reinstated("Cid")).unwrap();
    tournament.apply(&played(&second, &[1, 2])).unwrap();
    let third = tournament.due().next().cloned();
    assert!(third.is_none_or(|due| due.seats.len() == 3));
    play_on(&mut tournament, alphabet);
    assert_eq!(tournament.phase(), TournamentPhase::Over);
}

/// What cannot have happened is refused, and nothing has changed: a journal is no reason to panic.
#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut tournament = started(plan(ROUND_ROBIN, 2), 3);
    let before = tournament.clone();
    let due = tournament.due().next().unwrap().clone();
    for fact in [
        Fact::Started,
        Fact::Resumed,
        withdrawn("Zoe"),
        reinstated("Ann"),
        played(&due, &[1, 2, 3]),
        Fact::Void { pairing: due.pairing, attempt: 9 },
        Fact::Adjudicated { pairing: due.pairing, places: vec![0, 0] },
    ] {
        assert!(tournament.apply(&fact).is_err(), "{fact:?}");
        assert_eq!(tournament, before);
    }
}
