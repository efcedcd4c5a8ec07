//! `parlor bench`: what the server does on this machine, over real sockets, beside what the
//! machine can do at all.

mod all;
pub mod child;
mod echo;
mod figures;
mod floor;
mod idle;
mod load;
mod players;
mod rules;
mod spectators;
mod strategies;
mod wire;

use anyhow::Result;

use crate::cli::BenchCommand;

pub fn run(command: &BenchCommand) -> Result<()> {
    match command {
        BenchCommand::Rules { seconds, json } => rules::run(*seconds, *json),
        BenchCommand::All(args) => all::run(args),
        BenchCommand::Strategies(args) => strategies::run(args),
        BenchCommand::Wire(args) => block_on(wire::run(args)),
        BenchCommand::Idle(args) => block_on(idle::run(args)),
        BenchCommand::Spectators(args) => block_on(spectators::run(args)),
        BenchCommand::EchoServer => block_on(echo::serve()),
    }
}

fn block_on(bench: impl Future<Output = Result<()>>) -> Result<()> {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        crate::output::error(&format!("cannot raise the limit of open files: {error}"));
    }
    tokio::runtime::Runtime::new()?.block_on(bench)
}
