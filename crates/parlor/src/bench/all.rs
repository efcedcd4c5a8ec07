//! `parlor bench all`: every benchmark one after another, as tables for a document.
//!
//! Each is an ordinary command, run as its own program; the table comes from its JSON.

use std::fmt::Write;
use std::pin::pin;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::process::Command;
use wire::Games;

use super::figures::FIGURES;
use crate::cli::AllArgs;
use crate::system::terminate;
use crate::terminal::{interrupt, output};

pub async fn run(games: &Games, args: &AllArgs) -> Result<()> {
    let seconds = args.seconds.to_string();
    let tables = args.tables.to_string();
    let connections = args.connections.to_string();
    output::line(&machine())?;
    output::line(&rules(games, &bench(&["rules", "--seconds", &seconds]).await?)?)?;
    for durable in [false, true] {
        let mut rows = Vec::new();
        for game in games.names() {
            let mut typed = vec!["wire", "--game", game, "--tables", &tables];
            typed.extend(["--seconds", &seconds]);
            typed.extend(durable.then_some("--durable"));
            rows.push(bench(&typed).await?);
        }
        output::line(&wire(&rows, args.tables, durable))?;
    }
    let mut rows = Vec::new();
    for game in ["sushi-go", "gamba", "tiger-dragon"] {
        let mut typed = vec!["idle", "--game", game, "--connections", &connections];
        // A client that has not joined Tiger & Dragon watches, so no client is idle there while
        // others play.
        let played_beside = if game == "tiger-dragon" { "0" } else { &tables };
        typed.extend(["--tables", played_beside, "--seconds", &seconds]);
        rows.push(bench(&typed).await?);
    }
    output::line(&idle(&rows))?;
    output::line(&spectators(&bench(&["spectators", "--seconds", &seconds]).await?))?;
    output::line(strategies(&bench(&["strategies"]).await?).trim_end())
}

async fn bench(arguments: &[&str]) -> Result<Value> {
    let typed = format!("parlor bench {} --json", arguments.join(" "));
    output::error(&typed);
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(program);
    command.arg("bench").args(arguments).arg("--json").stdout(Stdio::piped());
    let child = command.spawn().with_context(|| typed.clone())?;
    let id = child.id();
    let interrupt = interrupt()?;
    let mut ending = pin!(child.wait_with_output());
    let ended = tokio::select! {
        ended = &mut ending => ended?,
        interrupt = interrupt => {
            // It has a server to end before it ends itself.
            terminate(id)?;
            ending.await?;
            return Err(interrupt.into());
        }
    };
    if !ended.status.success() {
        bail!("{typed} ended with {}", ended.status);
    }
    serde_json::from_slice(&ended.stdout).with_context(|| format!("{typed}: no JSON"))
}

fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_once(':').map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Parlor {}, {} x {}, {} of memory, Linux {}\n",
        env!("CARGO_PKG_VERSION"),
        cores,
        value(&read("/proc/cpuinfo"), "model name"),
        value(&read("/proc/meminfo"), "MemTotal"),
        read("/proc/sys/kernel/osrelease").trim(),
    )
}

/// A number with three digits or so: more would mean nothing.
fn number(value: &Value) -> String {
    match value.as_f64() {
        None => "-".to_owned(),
        Some(number) if number.abs() >= 100.0 => grouped(number.round() as i64),
        Some(number) if number.abs() >= 10.0 => format!("{number:.1}"),
        Some(number) => format!("{number:.2}"),
    }
}

/// Digits in groups of three.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let sign = if number < 0 { "-" } else { "" };
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    sign.to_owned() + &groups.join(",")
}

/// A table with a line for each row.
fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rule = columns.iter().map(|_| "---").collect::<Vec<_>>().join("|");
    let mut text = format!("| {} |\n|{rule}|\n", columns.join(" | "));
    for row in rows {
        writeln!(text, "| {} |", row.join(" | ")).expect("writing to a string");
    }
    text
}

fn rules(games: &Games, result: &Value) -> Result<String> {
    let playouts = games.names().into_iter().map(|game| {
        let rates = &result[game];
        vec![game.to_owned(), number(&rates["moves_per_s"]), number(&rates["games_per_s"])]
    });
    let playouts = table(&["random playouts, one core", "moves/s", "games/s"], playouts);
    let steps = FIGURES.iter().map(|figure| {
        let cost = number(&result[figure.game][figure.key]);
        vec![format!("{}: {}", figure.game, figure.about), cost, format!("{}", figure.aim_us)]
    });
    Ok(playouts + "\n" + &table(&["single steps", "microseconds", "aim at most"], steps))
}

fn wire(rows: &[Value], tables: usize, durable: bool) -> String {
    let title = format!("{tables} tables, {}", if durable { "durable" } else { "ephemeral" });
    let columns = [
        &title,
        "games/s",
        "turns/s",
        "client messages/s",
        "echo messages/s",
        "ratio to echo",
        "turn p50 us",
        "p99",
        "p99.9",
        "server CPU us/turn",
        "bare CPU us/turn",
        "bytes/connection",
    ];
    let row = |row: &Value| {
        let latency = &row["turn_latency_us"];
        vec![
            row["game"].as_str().unwrap_or_default().to_owned(),
            number(&row["games_per_s"]),
            number(&row["turns_per_s"]),
            number(&row["client_messages_per_s"]),
            number(&row["echo_messages_per_s"]),
            number(&row["ratio_to_echo"]),
            number(&latency["p50"]),
            number(&latency["p99"]),
            number(&latency["p999"]),
            number(&row["server_cpu_us_per_turn"]),
            number(&row["bare_cpu_us_per_turn"]),
            number(&row["bytes_per_connection"]),
        ]
    };
    table(&columns, rows.iter().map(row))
}

fn idle(rows: &[Value]) -> String {
    let row = |row: &Value| {
        let latency = &row["turn_latency_us"];
        vec![
            row["game"].as_str().unwrap_or_default().to_owned(),
            number(&row["connections"]),
            number(&row["bytes_per_connection"]),
            number(&row["tables"]),
            number(&latency["alone"]["p99"]),
            number(&latency["beside"]["p99"]),
            number(&row["p99_ratio"]),
        ]
    };
    let columns = [
        "idle",
        "connections",
        "bytes of server memory each",
        "tables playing",
        "turn p99 us without them",
        "beside them",
        "times",
    ];
    table(&columns, rows.iter().map(row))
}

fn spectators(result: &Value) -> String {
    let latency = &result["latency_us"];
    let columns = ["spectators of one table", "p50 us", "p99", "p99.9", "server CPU us/delivery"];
    let cells = [
        &result["spectators"],
        &latency["p50"],
        &latency["p99"],
        &latency["p999"],
        &result["server_cpu_us_per_delivery"],
    ];
    table(&columns, std::iter::once(cells.into_iter().map(number).collect()))
}

fn strategies(result: &Value) -> String {
    let pairs = result["pairs"].as_array().map_or(&[][..], Vec::as_slice);
    let row = |pair: &Value| {
        let name = |side: usize| pair["strategies"][side].as_str().unwrap_or_default();
        vec![
            format!(
                "{}: {} against {}",
                pair["game"].as_str().unwrap_or_default(),
                name(0),
                name(1)
            ),
            format!("{} : {}", pair["wins"][0], pair["wins"][1]),
            pair["shared"].to_string(),
            format!("{} : {}", number(&pair["move_ms_p95"][0]), number(&pair["move_ms_p95"][1])),
        ]
    };
    let columns = ["house bots, 100 games", "wins", "shared", "p95 ms a move"];
    table(&columns, pairs.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_as_many_digits_as_anybody_reads() {
        let shown = [json!(1234567.8), json!(-12345), json!(99.44), json!(0.337), json!(null)];
        let expected = ["1,234,568", "-12,345", "99.4", "0.34", "-"];
        assert_eq!(shown.map(|value| number(&value)), expected);
    }

    #[test]
    fn a_table_is_markdown() {
        let rows = vec![vec!["gamba".to_owned(), "1".to_owned()]];
        assert_eq!(table(&["a", "b"], rows.into_iter()), "| a | b |\n|---|---|\n| gamba | 1 |\n");
    }
}
