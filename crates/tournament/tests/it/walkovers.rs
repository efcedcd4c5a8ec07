//! Pairings that are won without being played out.

use rules::{Exit, Outcome};
use tournament::{DueGame, Fact, Format, Plan, Tournament};

use crate::kit::{due_of, name, plan, played, started};

const ROUND_ROBIN: Format = Format::RoundRobin { cycles: 1 };

fn withdraw(tournament: &mut Tournament, who: &str) {
    tournament.apply(&Fact::Withdrawn { name: who.to_owned(), why: None }).unwrap();
}

/// A game to which some did not come; the others have played to the end.
fn missed(tournament: &Tournament, due: &DueGame, absent: &[&str]) -> Fact {
    let seat = |id| match absent.contains(&name(tournament, id)) {
        true => (0, -2, Some(Exit::NeverCame)),
        false => (0, -1, None),
    };
    let outcome = Outcome::ranked(due.seats.iter().map(|id| seat(*id)).collect());
    Fact::Played { pairing: due.pairing, attempt: due.attempt, outcome }
}

/// Points, wins and games won.
fn line(tournament: &Tournament, who: &str) -> (u32, u32, u32) {
    let standings = tournament.standings();
    let line = standings.iter().find(|line| name(tournament, line.entrant) == who).unwrap();
    (line.points, line.won, line.tie_breaks.games_won)
}

/// An entrant whose opponent was withdrawn at 1:0 ranked behind others that got 2:0 from an equal
/// team.
#[test]
fn a_withdrawal_is_worth_as_many_games_as_a_win() {
    let mut tournament = started(Plan { best_of: 3, ..plan(ROUND_ROBIN, 2) }, 2);
    let due = due_of(&tournament, "Ann").clone();
    let places = if name(&tournament, due.seats[0]) == "Ann" { [1, 2] } else { [2, 1] };
    tournament.apply(&played(&due, &places)).unwrap();
    withdraw(&mut tournament, "Ben");
    assert_eq!(line(&tournament, "Ann"), (2, 1, 2));
    assert_eq!(line(&tournament, "Ben"), (0, 0, 0));
}

#[test]
fn a_bye_and_a_decision_are_worth_as_many_games_as_a_win() {
    let swiss = Format::Swiss { rounds: 1 };
    let mut tournament = started(Plan { best_of: 5, ..plan(swiss, 2) }, 3);
    let bye = tournament.byes(1)[0];
    let due = tournament.due().next().expect("the other two play").clone();
    let places = vec![1, 2];
    tournament.apply(&Fact::Adjudicated { pairing: due.pairing, places }).unwrap();
    let bye = name(&tournament, bye).to_owned();
    assert_eq!(line(&tournament, &bye), (2, 0, 3));
    let winner = name(&tournament, due.seats[0]).to_owned();
    assert_eq!(line(&tournament, &winner), (2, 1, 3));
}

/// A team that never connected was 27th of 30 with two wins: two others had been withdrawn first.
#[test]
fn who_never_came_wins_nothing_by_the_withdrawal_of_others() {
    let mut tournament = started(plan(ROUND_ROBIN, 2), 4);
    withdraw(&mut tournament, "Cid");
    // It may still come, so far.
    assert_eq!(line(&tournament, "Dot"), (2, 1, 0));
    while tournament.due().next().is_some() {
        let due = tournament.due().next().expect("checked").clone();
        let fact = missed(&tournament, &due, &["Dot"]);
        tournament.apply(&fact).unwrap();
    }
    assert_eq!(line(&tournament, "Dot"), (0, 0, 0));
    let standings = tournament.standings();
    let dot = standings.iter().find(|line| name(&tournament, line.entrant) == "Dot").unwrap();
    assert_eq!((dot.played, dot.lost), (3, 3));
    // An entrant that came to a single game keeps what it was given.
    let mut tournament = started(plan(ROUND_ROBIN, 2), 4);
    withdraw(&mut tournament, "Cid");
    let first = due_of(&tournament, "Dot").clone();
    tournament.apply(&played(&first, &[1, 1])).unwrap();
    let second = due_of(&tournament, "Dot").clone();
    let fact = missed(&tournament, &second, &["Dot"]);
    tournament.apply(&fact).unwrap();
    assert_eq!(line(&tournament, "Dot"), (3, 1, 0));
}
