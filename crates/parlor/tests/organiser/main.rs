//! An organiser's day: thirty entrants over real sockets at one server, most of them good, some of
//! them not. The day ends by itself, no good entrant loses anything to a bad one, and every result
//! says how it came about.
//!
//! It is a separate program so that nothing else runs beside it: the good ones must be able to keep
//! a clock of 300 ms. `ORGANISER=all` tries every format in every game.

mod day;
mod entrants;

use day::Day;

/// One after the other, so that each has the machine to itself.
#[test]
fn a_day_with_thirty_entrants_runs_by_itself() {
    let all = std::env::var_os("ORGANISER").is_some_and(|what| what == "all");
    let days = [
        Day { game: "gamba", format: "round-robin", best_of: 1 },
        Day { game: "sushi-go", format: "swiss", best_of: 3 },
        Day { game: "tiger-dragon", format: "knockout", best_of: 1 },
        Day { game: "gamba", format: "swiss", best_of: 3 },
        Day { game: "gamba", format: "knockout", best_of: 1 },
        Day { game: "sushi-go", format: "round-robin", best_of: 1 },
        Day { game: "sushi-go", format: "knockout", best_of: 1 },
        Day { game: "tiger-dragon", format: "round-robin", best_of: 1 },
        Day { game: "tiger-dragon", format: "swiss", best_of: 3 },
    ];
    for day in &days[..if all { days.len() } else { 3 }] {
        day.run();
    }
}
