//! `parlor labyrinth`: the exercises of the Labyrinth course, from standard input.

use std::io::Read;
use std::process::ExitCode;

use anyhow::Result;
use games::labyrinth::exercises::{self, Failure, GameFlags};

use crate::cli::LabyrinthCommand;
use crate::output;

pub fn run(command: &LabyrinthCommand) -> Result<ExitCode> {
    let mut input = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut input) {
        output::error(&format!("parlor: the input is not text: {error}"));
        return Ok(ExitCode::from(2));
    }
    let answered = match command {
        LabyrinthCommand::Reach => exercises::reach(&input),
        LabyrinthCommand::Slide => exercises::slide(&input),
        LabyrinthCommand::Choose => exercises::choose(&input),
        LabyrinthCommand::Turn => exercises::turn(&input),
        LabyrinthCommand::Game { winners_only, remote } => {
            exercises::game(&input, GameFlags { winners_only: *winners_only, remote: *remote })
        }
    };
    match answered {
        Ok(answer) => {
            for warning in &answer.warnings {
                output::error(&format!("warning: {warning}"));
            }
            output::line(&answer.output)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Failure::IllFormed(why)) => {
            output::error(&format!("parlor: {why}"));
            Ok(ExitCode::from(2))
        }
        Err(Failure::Illegal(why)) => {
            output::error(&format!("parlor: {why}"));
            Ok(ExitCode::FAILURE)
        }
    }
}
