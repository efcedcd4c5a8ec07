//! What attackers find on a server: tournaments, and large games that they made themselves.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::time::sleep;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use super::super::http_line::HttpLine;
use super::GAME;

pub const CUP: &str = "/api/v1/tournaments/sushi-go/cup";
pub const PLAYED: &str = "/api/v1/tournaments/gamba/played";

const ENTRANTS: usize = 200;
const BOTS: usize = 80;
const LARGE_GAMES: usize = 4;

/// Polling interval, and the number of polls before giving up.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const LOOKS: usize = 240;

/// A tournament whose entrants never connect, for watchers.
pub async fn make_cup(line: &mut HttpLine) -> Result<()> {
    let entrants: Vec<String> = (0..ENTRANTS).map(|number| format!("e{number}")).collect();
    let plan = json!({"format": "swiss", "max_entrants": ENTRANTS});
    let cup = json!({"game": GAME, "id": "cup", "plan": plan, "entrants": entrants,
        "no_show_s": 86_400});
    line.ask("POST", "/api/v1/tournaments", &cup.to_string()).await?;
    line.ask("POST", &format!("{CUP}/start"), "").await?;
    Ok(())
}

/// A tournament with many results, which is not over because one entrant never comes.
pub async fn make_played(line: &mut HttpLine) -> Result<()> {
    let mut entrants: Vec<Value> =
        (0..BOTS).map(|number| json!({"name": format!("b{number}"), "bot": "random"})).collect();
    entrants.push("absent".into());
    let plan = json!({"format": "round-robin", "max_entrants": BOTS + 1});
    let cup = json!({"game": "gamba", "id": "played", "plan": plan, "entrants": entrants,
        "no_show_s": 86_400});
    line.ask("POST", "/api/v1/tournaments", &cup.to_string()).await?;
    line.ask("POST", &format!("{PLAYED}/start"), "").await?;
    // One of the bots sits at a table where it waits for the entrant who never comes.
    let awaited = (BOTS - 1) * (BOTS - 2) / 2;
    for _ in 0..LOOKS {
        let shown: Value = serde_json::from_slice(line.ask("GET", PLAYED, "").await?)?;
        let pairings = shown["pairings"].as_array().context("pairings")?;
        let played = pairings.iter().filter(|pairing| pairing["games"].get(0).is_some()).count();
        if played >= awaited {
            return Ok(());
        }
        sleep(LOOK_EVERY).await;
    }
    bail!("the games of house bots are not over yet")
}

/// The largest games that a stranger may have house bots play, from the attackers' address. The id of one.
pub async fn make_large_games(http: &str, line: &mut HttpLine) -> Result<String> {
    let mut ids = Vec::new();
    for _ in 0..LARGE_GAMES {
        ids.push(make_large_game(http).await?);
    }
    for _ in 0..LOOKS {
        let path = "/api/v1/results?game=subsim";
        let shown: Value = serde_json::from_slice(line.ask("GET", path, "").await?)?;
        if shown["results"].as_array().is_some_and(|results| results.len() >= LARGE_GAMES) {
            return Ok(ids.swap_remove(0));
        }
        sleep(LOOK_EVERY).await;
    }
    bail!("the large games are not over yet")
}

/// Opens a table for as many house bots as it takes, and leaves it to them.
async fn make_large_game(http: &str) -> Result<String> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from(([127, 0, 1, 1], 0)))?;
    let socket = socket.connect(http.parse()?).await?;
    let (mut player, _) = client_async("ws://localhost/house/subsim", socket).await?;
    let options =
        json!({"seats": 16, "map_size": [40, 40], "subs_per_player": 5, "max_turns": 1000});
    let join = json!({"do": "join", "name": "eve", "bots": vec!["random"; 15], "options": options});
    player.send(Message::text(join.to_string())).await?;
    loop {
        let heard = player.next().await.context("the server hung up")??;
        let Message::Text(text) = heard else { continue };
        let heard: Value = serde_json::from_str(&text)?;
        match heard["type"].as_str() {
            Some("refused") => bail!("no large game: {heard}"),
            Some("joined") => {
                let table = heard["table"].as_str().context("a table")?.to_owned();
                player.send(Message::text(json!({"do": "leave"}).to_string())).await?;
                player.close(None).await?;
                return Ok(table);
            }
            _ => {}
        }
    }
}
