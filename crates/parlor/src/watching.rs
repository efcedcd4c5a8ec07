//! `parlor tables` and `parlor watch`: what a running server shows of its tables.

use anyhow::{Context, Result, bail};
use futures_util::StreamExt;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;
use wire::Games;

use crate::cli::{TablesArgs, WatchArgs};
use crate::replay;
use crate::servers::{NoSocket, Remote};
use crate::terminal::{Advice, browser, output};

pub fn tables(args: &TablesArgs) -> Result<()> {
    let remote = Remote::find(&args.remote)?;
    let filter = args.game.as_ref().map(|game| format!("?game={game}")).unwrap_or_default();
    let tables = remote.get_all(&format!("/api/v1/tables{filter}"), "tables")?;
    if args.json {
        return output::line(&Value::from(tables).to_string());
    }
    let shown: Vec<&Value> = tables
        .iter()
        .filter(|table| args.all || matches!(text(&table["status"]), "waiting" | "playing"))
        .collect();
    if shown.is_empty() {
        return output::line("no tables");
    }
    let header = ["GAME", "TABLE", "STATUS", "TURN", "SEATS", "PLAYERS"].map(str::to_owned);
    let rows: Vec<[String; 6]> =
        std::iter::once(header).chain(shown.into_iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        output::line(cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn row(table: &Value) -> [String; 6] {
    let company = table["company"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = company.iter().map(|member| text(&member["name"])).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    [
        text(&table["game"]).to_owned(),
        text(&table["id"]).to_owned(),
        text(&table["status"]).to_owned(),
        table["seq"].to_string(),
        format!("{}/{}", table["players"], table["seats"]),
        names.join(", "),
    ]
}

pub fn watch(games: &Games, args: &WatchArgs) -> Result<()> {
    let remote = Remote::find(&args.remote)?;
    let (game, table) = match &args.table[..] {
        [table] => (game_of(&remote, table)?, table),
        [game, table] => (game.clone(), table),
        _ => bail!("too many words. Type parlor watch [GAME] TABLE"),
    };
    // Told over plain HTTP, so that a table which is not there is an error like any other.
    let info = remote
        .get(&format!("/api/v1/tables/{game}/{table}"))
        .context(Advice("'parlor tables' lists what can be watched.".to_owned()))?;
    if args.browser {
        return browser::open(&remote.address.url(&format!("/{game}/tables/{table}")));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let in_words = format!("/watch/{game}/{table}?words=true");
    if info["broadcast"] == "delayed" && !args.full {
        if info["status"] != "finished" {
            output::note("This game is shown when it is over, with every hand.");
            runtime.block_on(follow(&remote, &in_words, false, |_| Ok(())))?;
        }
        let replay = remote.get_text(&format!("/api/v1/results/{game}/{table}/replay"))?;
        return replay::as_if_live(games, &replay);
    }
    let full = if args.full { "&full=true" } else { "" };
    let print = |text: &str| output::line(&format!("{text}\n"));
    runtime.block_on(follow(&remote, &format!("{in_words}{full}"), args.full, print))
}

/// The game that has a table of this name.
fn game_of(remote: &Remote, table: &str) -> Result<String> {
    let all = remote.get("/api/v1/games")?;
    let mut games = Vec::new();
    for game in all.as_array().into_iter().flatten().map(|game| text(&game["name"])) {
        if remote.look_up(&format!("/api/v1/tables/{game}/{table}"))?.is_some() {
            games.push(game);
        }
    }
    match games[..] {
        [game] => Ok(game.to_owned()),
        [] => bail!("no table '{table}' at {}. 'parlor tables' lists them", remote.address),
        _ => {
            bail!(
                "{} each have a table '{table}'. Type parlor watch GAME {table}",
                games.join(", ")
            )
        }
    }
}

/// Passes on what comes until the game is over.
async fn follow(
    remote: &Remote,
    path: &str,
    full: bool,
    heard: impl Fn(&str) -> Result<()>,
) -> Result<()> {
    let token = remote.token.as_deref().filter(|_| full);
    let mut socket = match remote.address.socket(path, token).await {
        Ok(connected) => connected,
        Err(error) => match error.downcast_ref::<NoSocket>() {
            Some(NoSocket { status: 401 | 403, .. }) => bail!(
                "--full needs the admin token. Set PARLOR_TOKEN, or pass --data for a server on this machine"
            ),
            _ => return Err(remote.no_answer(error)),
        },
    };
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => heard(&text)?,
            Some(Ok(Message::Close(Some(frame)))) if frame.reason != wire::words::THE_END => {
                bail!("the server closed the connection: {}", frame.reason)
            }
            Some(Ok(Message::Close(_))) => return Ok(()),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error).context("the connection was lost"),
            None => bail!("the connection was lost"),
        }
    }
}
