//! Plays a Swiss tournament with random results and prints how long each round took to pair:
//! `cargo run --release -p tournament --example swiss -- [ENTRANTS] [SEATS]`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rules::{Dice, Outcome, Seed};
use tournament::{DueGame, Fact, Format, Plan, Tournament, TournamentPhase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>());
    let entrants = numbers.next().transpose()?.unwrap_or(10_000);
    let table_seats = numbers.next().transpose()?.unwrap_or(2);
    let format = Format::Swiss { rounds: 0 };
    let plan = Plan { format, table_seats, max_entrants: entrants, ..Plan::default() };
    let mut tournament = Tournament::new(plan)?;
    for number in 0..entrants {
        tournament.apply(&Fact::Entered { name: format!("bot {number}"), bot: None }).unwrap();
    }

    let mut out = io::stdout().lock();
    let mut dice = Dice::new(&Seed::from_number(1), "results", 0);
    let mut slowest = apply(&mut tournament, &Fact::Started);
    writeln!(out, "round 1 paired in {slowest:.1?}")?;
    while tournament.phase() == TournamentPhase::Running {
        let due: Vec<DueGame> = tournament.due().cloned().collect();
        let (last, others) = due.split_last().ok_or("a running round has games")?;
        for game in others {
            tournament.apply(&played(game, &mut dice)).unwrap();
        }
        // The last result of a round pairs the next one.
        let took = apply(&mut tournament, &played(last, &mut dice));
        if tournament.phase() == TournamentPhase::Running {
            slowest = slowest.max(took);
            writeln!(out, "round {} paired in {took:.1?}", tournament.round())?;
        }
    }
    let begun = Instant::now();
    let winner = &tournament.standings()[0];
    let name = &tournament.entrant(winner.entrant).name;
    writeln!(
        out,
        "standings in {:.1?}: {name} won with {} points",
        begun.elapsed(),
        winner.points
    )?;
    writeln!(out, "{entrants} entrants, tables of {table_seats}: slowest pairing {slowest:.1?}")?;
    Ok(())
}

fn apply(tournament: &mut Tournament, fact: &Fact) -> Duration {
    let begun = Instant::now();
    tournament.apply(fact).unwrap();
    begun.elapsed()
}

fn played(due: &DueGame, dice: &mut Dice) -> Fact {
    let points = due.seats.iter().map(|_| dice.below(10) as i64);
    let outcome = Outcome::ranked(points.map(|points| (points, points, None)).collect());
    Fact::Played { pairing: due.pairing, attempt: due.attempt, outcome }
}
