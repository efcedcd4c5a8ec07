//! Parlor, with the games of this project.

use std::process::ExitCode;

use server::Roster;

fn main() -> ExitCode {
    let mut roster = Roster::default();
    games::each(&mut roster);
    parlor::run(&roster)
}
