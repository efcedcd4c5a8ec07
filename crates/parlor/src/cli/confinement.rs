//! How bots of strangers are kept apart from each other and from everything else.

use clap::{Args, ValueEnum};

#[derive(Args, Default)]
pub struct ConfinementArgs {
    /// Give every bot its own user, processes, files and network, so that it can reach nothing but its
    /// game: as far as this system allows it (auto), not at all (none), or else refuse to start (strict)
    /// [default: auto for `tournament run`, none for `play` and `match`].
    #[arg(long, value_name = "HOW", value_enum)]
    pub isolate: Option<Isolate>,
    /// Run each bot as another user of a range of ids, such as 20000-20063, or all as one user of the
    /// machine, which `--isolate strict` refuses. They cannot read your files then. Needs root.
    #[arg(long = "as", value_name = "USER")]
    pub run_as: Option<String>,
    /// The most memory for a bot, in megabytes [default: 1024 if bots are isolated]. Without isolation,
    /// for each process of a bot.
    #[arg(long, value_name = "MB")]
    pub bot_memory: Option<u64>,
    /// The most processor time for each process of a bot, in seconds.
    #[arg(long, value_name = "SECONDS")]
    pub bot_cpu: Option<u64>,
    /// The most processes that a bot may have at once [default: 64 if bots are isolated]. Without
    /// isolation, all processes of the bots' user count.
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
