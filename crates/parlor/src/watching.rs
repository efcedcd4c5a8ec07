//! `parlor tables` and `parlor watch`: what a running server shows of its tables.

use anyhow::{Context, Result, bail};
use futures_util::StreamExt;
use serde_json::Value;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::advice::Advice;
use crate::browser;
use crate::cli::{TablesArgs, WatchArgs};
use crate::output;
use crate::remote::Remote;

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

pub fn watch(args: &WatchArgs) -> Result<()> {
    let remote = Remote::find(&args.remote)?;
    let (game, table) = match &args.table[..] {
        [table] => (game_of(&remote, table)?, table),
        [game, table] => (game.clone(), table),
        _ => bail!("too many words. Type parlor watch [GAME] TABLE"),
    };
    // Told over plain HTTP, so that a table which is not there is an error like any other.
    remote
        .get(&format!("/api/v1/tables/{game}/{table}"))
        .context(Advice("'parlor tables' lists what can be watched.".to_owned()))?;
    if args.browser {
        return browser::open(&format!("http://{}/{game}/tables/{table}", remote.address));
    }
    let full = if args.full { "&full=true" } else { "" };
    let url = format!("ws://{}/watch/{game}/{table}?words=true{full}", remote.address);
    tokio::runtime::Runtime::new()?.block_on(show(&remote, &url, args.full))
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

/// Prints what comes until the game is over.
async fn show(remote: &Remote, url: &str, full: bool) -> Result<()> {
    let mut request = url.into_client_request()?;
    if let Some(token) = remote.token.as_ref().filter(|_| full) {
        request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    }
    let (mut socket, _) = match tokio_tungstenite::connect_async(request).await {
        Ok(connected) => connected,
        Err(Error::Http(response)) if matches!(response.status().as_u16(), 401 | 403) => {
            bail!(
                "--full needs the admin token. Pass --token, or --data for a server on this machine"
            )
        }
        Err(error) => return Err(remote.no_answer(error)),
    };
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => output::line(&format!("{text}\n"))?,
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
