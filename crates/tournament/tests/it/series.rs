//! Pairings of several games, in which every game is played whatever the result.

use tournament::{Format, How, Plan, Tournament, TournamentPhase};

use crate::kit::{due_of, name, plan, play_on, played, started};

const SWISS: Format = Format::Swiss { rounds: 1 };

/// Ann and Ben in a Swiss of one round, best of a given number; `results` are Ann's places.
fn series(best_of: u32, results: &[(u32, u32)]) -> Tournament {
    let mut tournament = started(Plan { best_of, ..plan(SWISS, 2) }, 2);
    for &(ann, ben) in results {
        assert_eq!(tournament.phase(), TournamentPhase::Running, "decided before {results:?}");
        let due = due_of(&tournament, "Ann").clone();
        let first = name(&tournament, due.seats[0]) == "Ann";
        let places = if first { [ann, ben] } else { [ben, ann] };
        tournament.apply(&played(&due, &places)).unwrap();
    }
    tournament
}

/// Points, and games won, of an entrant.
fn line(tournament: &Tournament, who: &str) -> (u32, u32) {
    let standings = tournament.standings();
    let line = standings.iter().find(|line| name(tournament, line.entrant) == who).unwrap();
    (line.points, line.tie_breaks.games_won)
}

/// `best_of` was refused in all formats but the knockout: one lucky hand decided a pairing.
#[test]
fn a_pairing_counts_once_by_the_majority_of_its_games() {
    let win = (1, 2);
    let loss = (2, 1);
    let draw = (1, 1);
    for (best_of, results, ann, ben) in [
        (1, &[win][..], (2, 0), (0, 0)),
        (3, &[win, win], (2, 2), (0, 0)),
        (3, &[win, loss, win], (2, 2), (0, 1)),
        (3, &[loss, win, loss], (0, 1), (2, 2)),
        // A drawn game counts: only three are played.
        (3, &[win, draw, draw], (2, 1), (0, 0)),
        (3, &[win, draw, loss], (1, 1), (1, 1)),
        (3, &[draw, draw, draw], (1, 0), (1, 0)),
        (5, &[win, draw, win, draw], (2, 2), (0, 0)),
    ] {
        let tournament = series(best_of, results);
        assert_eq!(tournament.phase(), TournamentPhase::Over, "{results:?} of {best_of} decide");
        assert_eq!((line(&tournament, "Ann"), line(&tournament, "Ben")), (ann, ben), "{results:?}");
        assert_eq!(tournament.pairings()[0].decision.as_ref().unwrap().how, How::Played);
    }
    for (best_of, results) in
        [(3, &[win][..]), (3, &[win, draw]), (3, &[win, loss]), (5, &[win, win])]
    {
        let tournament = series(best_of, results);
        assert_eq!(
            tournament.phase(),
            TournamentPhase::Running,
            "{results:?} of {best_of} leave it open"
        );
    }
}

#[test]
fn seats_rotate_with_every_game_of_a_pairing() {
    let mut tournament =
        started(Plan { best_of: 3, ..plan(Format::RoundRobin { cycles: 1 }, 2) }, 2);
    let first = due_of(&tournament, "Ann").clone();
    tournament.apply(&played(&first, &[1, 1])).unwrap();
    let second = due_of(&tournament, "Ann");
    assert_eq!((second.pairing, second.attempt), (first.pairing, 2));
    assert_eq!(second.seats, [first.seats[1], first.seats[0]]);
}

/// Each entrant has beaten one and lost to one. The one that needed the fewest games for that is
/// behind.
#[test]
fn games_won_break_ties() {
    for [ann, ben, cid] in [["Ann", "Ben", "Cid"], ["Ben", "Cid", "Ann"], ["Cid", "Ann", "Ben"]] {
        let plan = Plan { best_of: 3, ..plan(Format::RoundRobin { cycles: 1 }, 2) };
        let mut tournament = started(plan, 3);
        let mut games = 0;
        play_on(&mut tournament, |names| {
            let wins = |own: &str, other: &str| names.contains(&own) && names.contains(&other);
            // Ann - Ben 2:0, Ben - Cid 2:1, Cid - Ann 2:1.
            let winner = match () {
                () if wins(ann, ben) => ann,
                () => {
                    games += 1;
                    let (strong, weak) = if wins(ben, cid) { (ben, cid) } else { (cid, ann) };
                    if games % 3 == 1 { weak } else { strong }
                }
            };
            names.iter().map(|name| if *name == winner { 1 } else { 2 }).collect()
        });
        let won = [ann, ben, cid].map(|who| line(&tournament, who));
        assert_eq!(won, [(2, 3), (2, 2), (2, 3)]);
        let standings = tournament.standings();
        assert_eq!(name(&tournament, standings[2].entrant), ben);
    }
}

#[test]
fn at_larger_tables_ranks_are_added_up() {
    let mut tournament = started(Plan { best_of: 3, ..plan(SWISS, 3) }, 3);
    let orders = [["Ann", "Ben", "Cid"], ["Ben", "Ann", "Cid"], ["Cid", "Ben", "Ann"]];
    let mut games = orders.into_iter();
    play_on(&mut tournament, |names| {
        let order = games.next().expect("three games");
        names.iter().map(|name| 1 + order.iter().position(|o| o == name).unwrap() as u32).collect()
    });
    // Ann 1+2+3, Ben 2+1+2, Cid 3+3+1: Ben, then Ann before Cid.
    assert_eq!(line(&tournament, "Ben"), (4, 1));
    assert_eq!(line(&tournament, "Ann"), (2, 1));
    assert_eq!(line(&tournament, "Cid"), (0, 1));

    // Always the same order: the fifth game could not change it any more.
    let mut tournament = started(Plan { best_of: 5, ..plan(SWISS, 3) }, 3);
    play_on(&mut tournament, crate::kit::alphabet);
    assert_eq!(tournament.pairings()[0].games.len(), 4);
    assert_eq!(line(&tournament, "Ann"), (4, 4));
}
