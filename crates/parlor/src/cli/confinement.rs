//! How bots of strangers are kept apart from each other and from everything else.

use clap::{Args, ValueEnum};

#[derive(Args, Default)]
pub struct ConfinementArgs {
    /// Isolate each bot with its own user, processes, files and network, so that it can reach only its
    /// game: as far as this system can (auto), fully or not start (strict), or not at all (none)
    /// [default: auto for `tournament run`, none for `play` and `match`].
    #[arg(long, value_name = "HOW", value_enum)]
    pub isolate: Option<Isolate>,
    /// Run each bot as a separate user from a range of ids, such as 20000-20063, or all bots as one user,
    /// which `--isolate strict` refuses. The bots then cannot read your files. Needs root.
    #[arg(long = "as", value_name = "USER")]
    pub run_as: Option<String>,
    /// Memory limit per bot in megabytes [default: 1024 if bots are isolated]. Without isolation, the limit
    /// is per process.
    #[arg(long, value_name = "MB")]
    pub bot_memory: Option<u64>,
    /// Limit of processor time for each process of a bot, in seconds.
    #[arg(long, value_name = "SECONDS")]
    pub bot_cpu: Option<u64>,
    /// Limit of processes and threads per bot [default: 64 if bots are isolated]. Without isolation, all
    /// processes of the bots' user count.
    #[arg(long, value_name = "N")]
    pub bot_processes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Isolate {
    Auto,
    None,
    Strict,
}

/// Builds a jail for one bot. Started by this program itself.
#[derive(Args)]
pub struct JailArgs {
    /// The jail, in JSON.
    pub jail: String,
    /// Whether this is the jail's first process.
    #[arg(long)]
    pub inside: bool,
}
