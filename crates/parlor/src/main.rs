//! Parlor's command line.

mod bench;
mod cli;
mod config;
mod data;
mod output;
mod replay;
mod serve;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Serve(flags) => serve::run(&flags),
        Command::Config(flags) => config::print(&flags),
        Command::Data(args) => data::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Bench(command) => bench::run(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&format!("parlor: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
