//! Parlor's command line, for whatever games.

use wire::Games;
mod agents;
mod bench;
mod bot;
mod bots;
mod check;
mod cli;
mod config;
mod connect;
mod data;
mod docs;
mod export;
mod fleet;
mod labyrinth;

mod matches;
mod names;
mod operate;
mod play;
mod printed;
mod ratings;
mod replay;
mod review;
mod self_check;
mod serve;
mod servers;
mod soak;
mod system;
mod terminal;
mod tournament;
mod watching;

use std::process::ExitCode;

use cli::{Cli, Command};
use terminal::{Interrupt, Unreadable, describe, output};

/// Does what the command line asks, with these games.
pub fn run(roster: &Games) -> ExitCode {
    system::return_freed_memory();
    let Some(cli) = Cli::read(roster) else {
        return match output::line(cli::WELCOME) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    };
    // The banned key was someone else's, and is worthless now.
    if !matches!(cli.command, Command::Bans(_) | Command::Jail(_))
        && let Some(remark) = cli::told_to_everybody(
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()),
        )
    {
        output::note(&remark);
    }
    let done = match cli.command {
        Command::Serve(flags) => serve::run(roster, &flags).map(|()| ExitCode::SUCCESS),
        Command::Config(flags) => config::print(roster, &flags).map(|()| ExitCode::SUCCESS),
        Command::Data(args) => data::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Tokens(args) => operate::tokens(&args).map(|()| ExitCode::SUCCESS),
        Command::Audit(args) => operate::audit(&args).map(|()| ExitCode::SUCCESS),
        Command::Bans(args) => operate::bans(&args).map(|()| ExitCode::SUCCESS),
        Command::Kick(args) => operate::kick(&args).map(|()| ExitCode::SUCCESS),
        Command::Drain { remote } => operate::drain(&remote).map(|()| ExitCode::SUCCESS),
        Command::Fleet(args) => fleet::run(&args),
        Command::Replay(args) => replay::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Review(args) => review::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Bot(args) => bot::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Play(args) => play::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Jail(args) => bots::jail::run(&args),
        Command::Match(args) => matches::run(roster, &args),
        Command::Check(args) => check::run(roster, &args),
        Command::Tournament(command) => {
            tournament::run(roster, &command).map(|()| ExitCode::SUCCESS)
        }
        Command::Ladder(command) => {
            tournament::ladder::run(roster, &command).map(|()| ExitCode::SUCCESS)
        }
        Command::Connect(args) => connect::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Mcp(args) => agents::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Names(args) => names::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Ratings(args) => ratings::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Export(args) => export::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Tables(args) => watching::tables(&args).map(|()| ExitCode::SUCCESS),
        Command::Watch(args) => watching::watch(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Docs(args) => docs::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Starter(args) => docs::starter(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => {
            cli::completions(roster, shell).map(|()| ExitCode::SUCCESS)
        }
        Command::SelfCheck(args) => self_check::run(roster, &args),
        Command::Manual { folder } => cli::manual(roster, &folder).map(|()| ExitCode::SUCCESS),
        Command::Bench(command) => bench::run(roster, &command).map(|()| ExitCode::SUCCESS),
        Command::Soak(args) => soak::run(roster, &args).map(|()| ExitCode::SUCCESS),
        Command::Labyrinth(command) => labyrinth::run(&command).map(|()| ExitCode::SUCCESS),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            output::error(&format!("parlor: {}", describe(&error)));
            exit_code(&error)
        }
    }
}

fn exit_code(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<Interrupt>() {
        Some(interrupt) => ExitCode::from(interrupt.exit_code()),
        None if error.is::<Unreadable>() => ExitCode::from(2),
        None => ExitCode::FAILURE,
    }
}
