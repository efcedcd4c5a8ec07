//! `parlor bench hostile`: what clients that mean harm cost those who play.

use ::wire::Games;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use trials::bench::hostile::{self, Attack, HostileSize};

use crate::cli::HostileArgs;
use crate::terminal::output;

pub async fn run(games: &Games, args: &HostileArgs) -> Result<()> {
    let attacks = match &args.attack {
        None => Attack::ALL.to_vec(),
        Some(name) => match Attack::ALL.iter().find(|attack| attack.name() == name) {
            Some(attack) => vec![*attack],
            None => {
                let known: Vec<&str> = Attack::ALL.iter().map(|attack| attack.name()).collect();
                bail!("no attack '{name}'; there are {}", known.join(", "));
            }
        },
    };
    let (rounds, seconds) = if args.quick { (1, 1) } else { (args.rounds, args.seconds) };
    let size = HostileSize { tables: args.tables, rounds, seconds };
    if !args.json {
        output::line(
            "| attack | p50 elsewhere, us | p50 here, us | times | p99 times | memory, MB |\n\
             |---|---|---|---|---|---|",
        )?;
    }
    let told = |result: &Value| if args.json { Ok(()) } else { output::line(&row(result)) };
    let results = hostile::measure(games, size, &attacks, told).await?;
    if args.json {
        let json = json!({"tables": args.tables, "rounds": rounds, "attacks": results});
        output::line(&json.to_string())?;
    }
    Ok(())
}

fn row(result: &Value) -> String {
    let figure = |of: &Value| of.as_f64().unwrap_or_default();
    format!(
        "| {} | {:.0} | {:.0} | {:.2} | {:.2} | {:.0} |",
        result["about"].as_str().unwrap_or_default(),
        figure(&result["p50_us"]["control"]),
        figure(&result["p50_us"]["attacked"]),
        figure(&result["p50_ratio"]),
        figure(&result["p99_ratio"]),
        figure(&result["resident_mb"]),
    )
}
