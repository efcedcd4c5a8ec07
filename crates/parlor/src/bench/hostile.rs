//! `parlor bench hostile`: how much clients that mean harm slow players down.

use ::wire::Games;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use trials::bench::hostile::{self, Attack, HostileSize, MOST_MB, MOST_TIMES};

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
    let failed: Vec<String> = results.iter().filter_map(above_the_bar).collect();
    if !failed.is_empty() {
        bail!("more than players may notice: {}", failed.join("; "));
    }
    Ok(())
}

/// What an attack has cost, if that is more than it may.
fn above_the_bar(result: &Value) -> Option<String> {
    let figure = |of: &Value| of.as_f64().unwrap_or_default();
    let (times, mb) = (figure(&result["p50_ratio"]), figure(&result["resident_mb"]));
    let is_above = times > MOST_TIMES || mb > MOST_MB;
    let name = result["attack"].as_str().unwrap_or_default();
    is_above.then(|| format!("{name} ({times:.2} times, {mb:.0} MB)"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attack_that_players_notice_fails_by_name() {
        let result = |times: f64, mb: f64| {
            above_the_bar(&json!({"attack": "garbage", "p50_ratio": times, "resident_mb": mb}))
        };
        assert_eq!(result(1.2, 300.0), None);
        assert_eq!(result(1.3, 52.0).as_deref(), Some("garbage (1.30 times, 52 MB)"));
        assert_eq!(result(0.9, 301.0).as_deref(), Some("garbage (0.90 times, 301 MB)"));
    }
}
