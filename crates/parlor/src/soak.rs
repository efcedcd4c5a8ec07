//! `parlor soak`, as it is printed.

use anyhow::{Result, bail};
use serde_json::Value;
use trials::fleet::{FleetTrial, try_fleet};
use trials::soak::{Soak, soak};
use wire::Games;

use crate::cli::SoakArgs;
use crate::terminal::{output, unless_interrupted};

pub fn run(games: &Games, args: &SoakArgs) -> Result<()> {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        output::error(&format!("cannot raise the limit of open files: {error}"));
    }
    let SoakArgs { seconds, clients, fleet, kills, seed, no_network, json } = *args;
    let runtime = tokio::runtime::Runtime::new()?;
    let report = match fleet {
        true => {
            let players = clients.unwrap_or(3);
            let trial = FleetTrial { kills, seed, players, has_network: !no_network };
            runtime.block_on(unless_interrupted(try_fleet(games, trial)))?
        }
        false => {
            let soaked = soak(games, Soak { seconds, clients: clients.unwrap_or(8) });
            runtime.block_on(unless_interrupted(soaked))?
        }
    };
    output::line(&if json { report.to_string() } else { serde_json::to_string_pretty(&report)? })?;
    let faults = report["faults"].as_array().map_or(&[][..], Vec::as_slice);
    let faults: Vec<&str> = faults.iter().filter_map(Value::as_str).collect();
    match report["kept"].as_str() {
        Some(kept) => bail!("{} (see {kept})", faults.join("; ")),
        None => Ok(()),
    }
}
