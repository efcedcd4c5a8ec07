//! What the tests share: entering, playing on, and telling a tournament as text.

use rules::{Outcome, Seed};
use tournament::{DueGame, EntrantId, Fact, Format, How, Plan, Tournament, TournamentPhase};

/// A plan with a fixed seed.
pub fn plan(format: Format, table_seats: usize) -> Plan {
    Plan { format, table_seats, seed: Some(Seed::from_number(7)), ..Plan::default() }
}

pub const NAMES: [&str; 13] =
    ["Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Max"];

/// A tournament of the first `entrants` names, started.
pub fn started(plan: Plan, entrants: usize) -> Tournament {
    let mut tournament = Tournament::new(plan).expect("a plan that can be played");
    for name in &NAMES[..entrants] {
        tournament.apply(&Fact::Entered { name: (*name).to_owned(), bot: None }).unwrap();
    }
    tournament.apply(&Fact::Started).unwrap();
    tournament
}

/// Plays on until nothing is due. `judge` gives a place for each name at a table.
pub fn play_on(tournament: &mut Tournament, mut judge: impl FnMut(&[&str]) -> Vec<u32>) {
    while let Some(due) = first_due(tournament) {
        let names: Vec<&str> = due.seats.iter().map(|&id| name(tournament, id)).collect();
        let places = judge(&names);
        tournament.apply(&played(&due, &places)).unwrap();
    }
}

fn first_due(tournament: &Tournament) -> Option<DueGame> {
    tournament.due().next().cloned()
}

/// The first in the alphabet wins, and so on down.
pub fn alphabet(names: &[&str]) -> Vec<u32> {
    names.iter().map(|own| 1 + names.iter().filter(|other| other < &own).count() as u32).collect()
}

pub fn played(due: &DueGame, places: &[u32]) -> Fact {
    let seats = places.iter().map(|&place| (0, -i64::from(place), None)).collect();
    let outcome = Outcome::ranked(seats);
    Fact::Played { pairing: due.pairing, attempt: due.attempt, outcome }
}

/// The due game of this entrant.
pub fn due_of<'a>(tournament: &'a Tournament, name: &str) -> &'a DueGame {
    let id = tournament.find(name).expect("an entrant");
    tournament.due().find(|due| due.seats.contains(&id)).expect("a game is due")
}

pub fn name(tournament: &Tournament, id: EntrantId) -> &str {
    &tournament.entrant(id).name
}

/// Every pairing, a line each: the round, who met in order of the first seats, who won and how.
pub fn bracket(tournament: &Tournament) -> String {
    let mut text = String::new();
    for pairing in tournament.pairings() {
        let names: Vec<&str> = pairing.entrants.iter().map(|&id| name(tournament, id)).collect();
        let result = match &pairing.decision {
            None => "open".to_owned(),
            Some(decision) => {
                let winner = decision.winner.map_or("nobody", |id| name(tournament, id));
                match decision.how {
                    How::Played => winner.to_owned(),
                    how => format!("{winner} ({how:?})"),
                }
            }
        };
        text += &format!("{}: {} -> {result}\n", pairing.round, names.join(" "));
    }
    text
}

/// The standings, a line each: place, name, points, tie-breaks, won-drawn-lost.
pub fn table(tournament: &Tournament) -> String {
    let mut text = String::new();
    for line in tournament.standings() {
        let (name, breaks) = (name(tournament, line.entrant), line.tie_breaks);
        text += &format!(
            "{} {name}: {} points, {}/{}/{}/{}, {}-{}-{}\n",
            line.place,
            line.points,
            breaks.direct,
            breaks.buchholz,
            breaks.sonneborn_berger,
            breaks.wins,
            line.won,
            line.drawn,
            line.lost
        );
    }
    text
}

/// Compares texts, ignoring the indentation of the expected one.
#[track_caller]
pub fn expect(heard: &str, expected: &str) {
    let trim = |text: &str| -> String {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(|line| format!("{line}\n")).collect()
    };
    let (heard, expected) = (trim(heard), trim(expected));
    assert!(heard == expected, "\n--- expected\n{expected}--- heard\n{heard}---");
}

pub fn winner(tournament: &Tournament) -> Option<&str> {
    assert_eq!(tournament.phase() == TournamentPhase::Over, tournament.winner().is_some());
    tournament.winner().map(|id| name(tournament, id))
}
