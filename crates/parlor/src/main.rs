//! Parlor, with the games of this project.

use std::process::ExitCode;

use wire::Games;

fn main() -> ExitCode {
    let mut roster = Games::default();
    games::each(&mut roster);
    parlor::run(&roster)
}
