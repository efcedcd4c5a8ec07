//! `parlor bench`: what the server does on this machine, over real sockets, beside what the
//! machine can do at all.

mod all;
mod figures;
mod fleet;
mod hostile;
mod idle;
mod reading;
mod review;
mod rules;
mod seats;
mod spectators;
mod strategies;
mod viewers;
mod wire;

use ::wire::Games;
use anyhow::Result;
use tokio::runtime::{Builder, LocalOptions};

use crate::cli::BenchCommand;
use crate::terminal::unless_interrupted;

pub fn run(games: &Games, command: &BenchCommand) -> Result<()> {
    match command {
        BenchCommand::Rules { seconds, json } => rules::run(games, *seconds, *json),
        BenchCommand::All(args) => tokio::runtime::Runtime::new()?.block_on(all::run(games, args)),
        BenchCommand::Review(args) => review::run(games, args),
        BenchCommand::Seats(args) => seats::run(games, args),
        BenchCommand::Strategies(args) => strategies::run(games, args),
        BenchCommand::Wire(args) => drive(wire::run(games, args)),
        BenchCommand::Idle(args) => drive(idle::run(games, args)),
        BenchCommand::Spectators(args) => drive(spectators::run(games, args)),
        BenchCommand::Reading(args) => drive(reading::run(games, args)),
        BenchCommand::Viewers(args) => drive(viewers::run(games, args)),
        BenchCommand::Hostile(args) => drive(hostile::run(games, args)),
        BenchCommand::Fleet(args) => drive(fleet::run(games, args)),
        BenchCommand::EchoServer { seats } => drive(trials::bench::echo::serve(*seats)),
    }
}

/// Drives all clients of a benchmark with one thread: it shares the machine with the server it
/// measures, and threads that wake each other would be measured too.
fn drive(bench: impl Future<Output = Result<()>>) -> Result<()> {
    allow_many_files();
    let runtime = Builder::new_current_thread().enable_all().build_local(LocalOptions::default())?;
    runtime.block_on(unless_interrupted(bench))
}

fn allow_many_files() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        crate::terminal::output::error(&format!("cannot raise the limit of open files: {error}"));
    }
}
