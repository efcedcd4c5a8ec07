//! `parlor labyrinth`: the exercises of the Labyrinth course, from standard input.

use std::io::Read;

use anyhow::{Result, anyhow};
use games::labyrinth::exercises::{self, Failure, GameFlags};

use crate::cli::LabyrinthCommand;
use crate::terminal::{Unreadable, output};

pub fn run(command: &LabyrinthCommand) -> Result<()> {
    let mut input = String::new();
    std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| Unreadable(format!("the input is not text: {error}")))?;
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
            output::line(&answer.output)
        }
        Err(Failure::IllFormed(why)) => Err(Unreadable(why.to_string()).into()),
        Err(Failure::Illegal(why)) => Err(anyhow!(why)),
    }
}
