//! What each fact does, and which are refused.

use rules::{Exit, Outcome, Standing};
use tournament::{
    DueGame, Fact, Format, How, PairingId, Plan, Refusal, Tournament, TournamentPhase,
};

use crate::kit::{alphabet, bracket, due_of, expect, plan, play_on, played, started, winner};

fn knockout(entrants: usize) -> Tournament {
    started(plan(Format::Knockout, 2), entrants)
}

fn entered(name: &str) -> Fact {
    Fact::Entered { name: name.to_owned(), bot: None }
}

fn withdrawn(name: &str) -> Fact {
    Fact::Withdrawn { name: name.to_owned(), why: None }
}

fn only_due(tournament: &Tournament) -> DueGame {
    let due: Vec<&DueGame> = tournament.due().collect();
    assert_eq!(due.len(), 1, "{due:?}");
    due[0].clone()
}

#[test]
fn a_drawn_pairing_is_replayed_with_seats_exchanged_then_lots_are_drawn() {
    let mut tournament = knockout(2);
    let first = only_due(&tournament);
    tournament.apply(&played(&first, &[1, 1])).unwrap();
    let second = only_due(&tournament);
    assert_eq!((second.pairing, second.attempt), (first.pairing, 2));
    assert_eq!(second.seats, [first.seats[1], first.seats[0]]);
    tournament.apply(&played(&second, &[1, 1])).unwrap();
    let third = only_due(&tournament);
    assert_eq!(third.seats, first.seats);
    tournament.apply(&played(&third, &[1, 1])).unwrap();
    assert_eq!(tournament.phase(), TournamentPhase::Over);
    let decision = tournament.pairings()[0].decision.as_ref().unwrap();
    assert_eq!(decision.how, How::Lot);
    assert_eq!(decision.winner, tournament.winner());
}

#[test]
fn lots_are_drawn_at_once_without_replays_and_fall_either_way() {
    let winners = |number| {
        let seed = Some(rules::Seed::from_number(number));
        let mut tournament = started(Plan { draw_replays: 0, seed, ..Plan::default() }, 2);
        tournament.apply(&played(&only_due(&tournament), &[1, 1])).unwrap();
        tournament.winner().unwrap().0
    };
    let first: u32 = (0..100).map(winners).filter(|&winner| winner == 0).count() as u32;
    assert!((30..=70).contains(&first), "{first} of 100");
}

#[test]
fn best_of_three_ends_with_the_second_win() {
    let mut tournament = started(Plan { best_of: 3, ..plan(Format::Knockout, 2) }, 2);
    tournament.apply(&played(&only_due(&tournament), &[1, 2])).unwrap();
    assert_eq!(tournament.phase(), TournamentPhase::Running);
    let second = only_due(&tournament);
    tournament.apply(&played(&second, &[2, 1])).unwrap();
    // The seats were exchanged, so the same entrant has won twice.
    assert_eq!(tournament.winner(), Some(second.seats[1]));
    assert_eq!(tournament.pairings()[0].games.len(), 2);
}

#[test]
fn in_a_series_a_lead_decides_when_there_are_too_many_draws() {
    let mut tournament = started(Plan { best_of: 5, ..plan(Format::Knockout, 2) }, 2);
    let first = only_due(&tournament);
    tournament.apply(&played(&first, &[1, 2])).unwrap();
    for _ in 0..3 {
        tournament.apply(&played(&only_due(&tournament), &[1, 1])).unwrap();
    }
    assert_eq!(tournament.winner(), Some(first.seats[0]));
    assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Played);
}

#[test]
fn three_with_a_win_each_after_best_of_three_are_told_apart_by_their_places() {
    let mut tournament = started(Plan { best_of: 3, ..plan(Format::Knockout, 3) }, 3);
    let judge = |names: &[&str], order: [&str; 3]| -> Vec<u32> {
        names.iter().map(|name| 1 + order.iter().position(|o| o == name).unwrap() as u32).collect()
    };
    let orders = [["Ann", "Ben", "Cid"], ["Ben", "Ann", "Cid"], ["Cid", "Ben", "Ann"]];
    let mut games = orders.into_iter();
    play_on(&mut tournament, |names| judge(names, games.next().unwrap()));
    // Ann 1+2+3, Ben 2+1+2, Cid 3+3+1.
    assert_eq!(winner(&tournament), Some("Ben"));
    assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Played);
}

#[test]
fn a_void_game_is_played_again_with_the_same_seats() {
    let mut tournament = knockout(2);
    let first = only_due(&tournament);
    tournament.apply(&Fact::Void { pairing: first.pairing, attempt: 1 }).unwrap();
    let second = only_due(&tournament);
    assert_eq!((second.attempt, &second.seats), (2, &first.seats));
    let late = played(&first, &[1, 2]);
    let refusal = Refusal::NotDue { pairing: first.pairing, attempt: 1 };
    assert_eq!(tournament.check(&late), Err(refusal));
}

#[test]
fn whoever_left_does_not_win_over_one_who_finished() {
    let mut tournament = knockout(2);
    let due = only_due(&tournament);
    let standing = |place, exit| Standing { points: 0, place, exit };
    let standings = vec![standing(1, Some(Exit::Left)), standing(2, None)];
    let outcome = Outcome { standings };
    tournament.apply(&Fact::Played { pairing: due.pairing, attempt: 1, outcome }).unwrap();
    assert_eq!(tournament.winner(), Some(due.seats[1]));
}

#[test]
fn nobody_came_to_a_knockout_pairing() {
    let mut tournament = knockout(4);
    let pairing = only_pairing_of(&tournament, "Ann");
    tournament.apply(&Fact::Forfeited { pairing, broken: false, exits: Vec::new() }).unwrap();
    let decision = tournament.pairings()[pairing.index()].decision.clone().unwrap();
    // No one led, so the lot decided.
    assert_eq!(decision.how, How::Lot);
    assert_eq!(tournament.pairings()[pairing.index()].games[0].causes(), ["never came"; 2]);
    assert!(decision.winner.is_some());
    assert_eq!(
        tournament.check(&Fact::Forfeited { pairing, broken: false, exits: Vec::new() }),
        Err(Refusal::Decided(pairing))
    );
}

#[test]
fn nobody_came_to_the_second_game_so_the_winner_of_the_first_goes_on() {
    let mut tournament = started(Plan { best_of: 3, ..plan(Format::Knockout, 2) }, 2);
    play_once(&mut tournament);
    tournament
        .apply(&Fact::Forfeited { pairing: PairingId(0), broken: false, exits: Vec::new() })
        .unwrap();
    assert_eq!(winner(&tournament), Some("Ann"));
    assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Forfeit);
}

/// A pairing decided by an absence or a crash was reported as played.
#[test]
fn a_pairing_is_played_only_if_its_games_were() {
    for format in [Format::Knockout, Format::Swiss { rounds: 1 }] {
        let mut tournament = started(plan(format, 2), 2);
        let due = only_due(&tournament);
        let outcome = Outcome::ranked(vec![(0, 1, None), (0, 0, Some(Exit::Crashed))]);
        tournament.apply(&Fact::Played { pairing: due.pairing, attempt: 1, outcome }).unwrap();
        let pairing = &tournament.pairings()[0];
        assert_eq!(pairing.decision.as_ref().unwrap().how, How::Forfeit);
        assert_eq!(pairing.games[0].how(), How::Forfeit);
        assert_eq!(pairing.games[0].causes(), ["finished", "crashed"]);
    }
    // At a larger table the remaining players continue.
    let mut tournament = started(plan(Format::Swiss { rounds: 1 }, 3), 3);
    let due = only_due(&tournament);
    let outcome = Outcome::ranked(vec![(0, 1, None), (0, 0, Some(Exit::Lost)), (0, 2, None)]);
    tournament.apply(&Fact::Played { pairing: due.pairing, attempt: 1, outcome }).unwrap();
    assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Played);
}

/// The rules' own code failed again and again: no entrant lost, and none was absent.
#[test]
fn a_broken_game_is_void_and_not_forfeit() {
    let broken = Fact::Forfeited { pairing: PairingId(0), broken: true, exits: Vec::new() };
    let mut tournament = started(plan(Format::Swiss { rounds: 1 }, 2), 2);
    tournament.apply(&broken).unwrap();
    let pairing = &tournament.pairings()[0];
    assert_eq!(pairing.decision.as_ref().unwrap().how, How::Void);
    assert!(pairing.games[0].causes().is_empty());
    let mut tournament = knockout(2);
    tournament.apply(&broken).unwrap();
    assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Lot);
}

#[test]
fn nobody_came_in_a_round_robin_so_nobody_scores() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 1 }, 2), 2);
    tournament
        .apply(&Fact::Forfeited { pairing: PairingId(0), broken: false, exits: Vec::new() })
        .unwrap();
    let standings = tournament.standings();
    assert!(standings.iter().all(|line| (line.points, line.lost) == (0, 1)), "{standings:?}");
}

#[test]
fn an_organiser_adjudicates() {
    let mut tournament = knockout(2);
    let pairing = PairingId(0);
    let adjudicated = |places: &[u32]| Fact::Adjudicated { pairing, places: places.to_vec() };
    let check = |places: &[u32]| tournament.check(&adjudicated(places));
    assert_eq!(check(&[1]), Err(Refusal::WrongPlaces { got: 1, entrants: 2 }));
    assert_eq!(check(&[2, 3]), Err(Refusal::BadPlaces(vec![2, 3])));
    assert_eq!(check(&[0, 1]), Err(Refusal::BadPlaces(vec![0, 1])));
    assert_eq!(check(&[1, 1]), Err(Refusal::NoSingleWinner(vec![1, 1])));
    tournament.apply(&adjudicated(&[9, 1])).unwrap();
    let pairing = &tournament.pairings()[0];
    assert_eq!(tournament.winner(), Some(pairing.entrants[1]));
    assert_eq!(pairing.decision.as_ref().unwrap().places, [Some(2), Some(1)]);
}

#[test]
fn withdrawing_before_the_start_leaves_no_trace() {
    let mut tournament = Tournament::new(Plan::default()).unwrap();
    for name in ["Ann", "Ben", "Cid"] {
        tournament.apply(&entered(name)).unwrap();
    }
    tournament.apply(&withdrawn("Ann")).unwrap();
    let names: Vec<&str> = tournament.entrants().iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["Ben", "Cid"]);
    assert_eq!(tournament.find("Cid").map(|id| id.0), Some(1));
    tournament.apply(&entered("Ann")).unwrap();
    assert_eq!(tournament.find("Ann").map(|id| id.0), Some(2));
}

#[test]
fn withdrawing_loses_the_pairing_and_a_winner_who_withdraws_is_not_paired_again() {
    let mut tournament = knockout(4);
    tournament.apply(&withdrawn("Dot")).unwrap();
    tournament.apply(&withdrawn("Cid")).unwrap();
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Dot Cid -> Cid (Withdrawn)
         1: Ben Ann -> Ann",
    );
    let places: Vec<(u32, u32)> =
        tournament.standings().iter().map(|line| (line.place, line.entrant.0)).collect();
    // Ann; Cid, who had won its pairing; Ben, who lost his; Dot, who did not finish hers.
    assert_eq!(places, [(1, 0), (2, 2), (3, 1), (4, 3)]);
    assert_eq!(tournament.check(&withdrawn("Ann")), Err(Refusal::Over));
}

#[test]
fn at_a_table_of_three_the_others_go_on_without_the_one_who_withdrew() {
    let mut tournament = started(plan(Format::Knockout, 3), 3);
    let first = only_due(&tournament);
    tournament.apply(&withdrawn("Ann")).unwrap();
    assert_eq!(only_due(&tournament), first, "the game on the table goes on");
    // Ann comes first in it all the same, and Ben and Cid are level.
    tournament.apply(&played(&first, &places_by(&tournament, &first, &[("Ann", 1)], 2))).unwrap();
    let second = only_due(&tournament);
    assert_eq!((second.attempt, second.seats.len()), (2, 2));
    tournament.apply(&withdrawn("Ben")).unwrap();
    assert_eq!(winner(&tournament), Some("Cid"));
}

#[test]
fn withdrawing_from_a_round_robin_gives_the_others_their_points() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 1 }, 2), 3);
    tournament.apply(&withdrawn("Ann")).unwrap();
    assert_eq!(tournament.check(&withdrawn("Ann")), Err(Refusal::HasWithdrawn("Ann".to_owned())));
    play_on(&mut tournament, alphabet);
    let points: Vec<(u32, u32)> =
        tournament.standings().iter().map(|line| (line.entrant.0, line.points)).collect();
    assert_eq!(points, [(1, 4), (2, 2), (0, 0)]);
}

/// Ann and Ben have won a game each. Without Ben, Ann was the first of both.
#[test]
fn a_withdrawal_can_decide_a_series_of_three() {
    let mut tournament = started(Plan { best_of: 3, ..plan(Format::Knockout, 3) }, 3);
    for places in [[("Ann", 1), ("Ben", 2)], [("Ben", 1), ("Ann", 2)]] {
        let due = only_due(&tournament);
        tournament.apply(&played(&due, &places_by(&tournament, &due, &places, 3))).unwrap();
    }
    assert_eq!(tournament.phase(), TournamentPhase::Running);
    tournament.apply(&withdrawn("Ben")).unwrap();
    assert_eq!(winner(&tournament), Some("Ann"));
}

/// Ann's table continues without her; her next table does not wait for that.
#[test]
fn a_table_does_not_wait_for_somebody_who_withdrew() {
    let format = Format::Gauntlet { challengers: 1, cycles: 1 };
    let mut tournament = started(plan(format, 3), 5);
    assert_eq!(tournament.due().count(), 1);
    tournament.apply(&withdrawn("Ann")).unwrap();
    let seats: Vec<usize> = tournament.due().map(|due| due.seats.len()).collect();
    assert_eq!(seats, [3, 2]);
}

#[test]
fn a_pause_shows_nothing_new_and_takes_results() {
    let mut tournament = knockout(4);
    let due: Vec<DueGame> = tournament.due().cloned().collect();
    tournament.apply(&Fact::Paused).unwrap();
    assert_eq!(tournament.due().count(), 0);
    assert_eq!(tournament.check(&Fact::Paused), Err(Refusal::IsPaused));
    for due in &due {
        assert_eq!(tournament.open_game(due.pairing), Some(due));
        tournament.apply(&played(due, &[1, 2])).unwrap();
    }
    assert_eq!((tournament.due().count(), tournament.round()), (0, 2));
    tournament.apply(&Fact::Resumed).unwrap();
    assert_eq!(tournament.due().count(), 1);
    assert_eq!(tournament.check(&Fact::Resumed), Err(Refusal::NotPaused));
}

#[test]
fn a_cancelled_tournament_is_silent() {
    let mut tournament = knockout(4);
    tournament.apply(&Fact::Cancelled).unwrap();
    assert_eq!((tournament.due().count(), tournament.winner()), (0, None));
    assert_eq!(tournament.open_game(PairingId(0)), None);
    assert_eq!(tournament.check(&Fact::Cancelled), Err(Refusal::Cancelled));
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let small = Plan { max_entrants: 2, ..Plan::default() };
    let mut tournament = Tournament::new(small).unwrap();
    let refusals = [
        (Fact::Started, "0 entrants are too few: at least 2 are needed"),
        (Fact::Paused, "the tournament has not begun"),
        (
            Fact::Forfeited { pairing: PairingId(0), broken: false, exits: Vec::new() },
            "the tournament has not begun",
        ),
        (entered(""), "the name \"\" is empty or longer than 200 bytes"),
        (withdrawn("Ann"), "\"Ann\" is not an entrant"),
    ];
    refused(&tournament, &refusals);
    tournament.apply(&entered("Ann")).unwrap();
    refused(&tournament, &[(entered("Ann"), "\"Ann\" has entered already")]);
    tournament.apply(&entered("Ben")).unwrap();
    refused(&tournament, &[(entered("Cid"), "the tournament is full: 2 entrants")]);
    tournament.apply(&Fact::Started).unwrap();
    let mut three = only_due(&tournament);
    three.attempt = 1;
    let refusals = [
        (Fact::Started, "the tournament has begun"),
        (entered("Cid"), "the tournament has begun"),
        (Fact::Void { pairing: PairingId(5), attempt: 1 }, "there is no pairing 5"),
        (
            Fact::Void { pairing: PairingId(0), attempt: 2 },
            "pairing 0 has no game 2 to be played now",
        ),
        (played(&three, &[1, 2, 3]), "the outcome has 3 seats, the game has 2"),
    ];
    refused(&tournament, &refusals);
}

#[track_caller]
fn refused(tournament: &Tournament, refusals: &[(Fact, &str)]) {
    for (fact, why) in refusals {
        let refusal = tournament.check(fact).expect_err("refused");
        assert_eq!(refusal.to_string(), *why);
    }
}

fn only_pairing_of(tournament: &Tournament, name: &str) -> PairingId {
    due_of(tournament, name).pairing
}

fn play_once(tournament: &mut Tournament) {
    let due = only_due(tournament);
    let places = places_by(tournament, &due, &[("Ann", 1)], 2);
    tournament.apply(&played(&due, &places)).unwrap();
}

/// The places given by name, and `others` for all others.
fn places_by(
    tournament: &Tournament,
    due: &DueGame,
    given: &[(&str, u32)],
    others: u32,
) -> Vec<u32> {
    let place = |name: &str| given.iter().find(|(n, _)| *n == name).map_or(others, |(_, p)| *p);
    due.seats.iter().map(|&id| place(&tournament.entrant(id).name)).collect()
}
