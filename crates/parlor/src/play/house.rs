//! The server that `play` and `check` start for themselves: one game, in memory, on free ports.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use store::{Kind, Replay};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use wire::{Account, AnyDialect, AnyGame, Games};

use super::reasons::Reason;
use crate::cli::with_game;
use crate::servers::Embedded;
use crate::terminal::Unreadable;

pub struct House {
    server: Embedded,
    rules: &'static dyn AnyGame,
}

/// A table to open.
#[derive(Clone, Debug)]
pub struct NewTable {
    pub id: String,
    /// Who sits there, in the order of the seats.
    pub names: Vec<String>,
    pub seed: u64,
    pub options: Map<String, Value>,
}

impl House {
    pub async fn start(roster: &Games, wire: &AnyDialect, set: &[String]) -> Result<House> {
        let rules = roster.find(wire.game).map_err(Unreadable)?;
        let server = Embedded::start(roster, wire, set, None).await?;
        Ok(House { server, rules })
    }

    pub async fn open(&self, table: &NewTable) -> Result<()> {
        let body = json!({
            "game": self.game(),
            "id": table.id,
            "seats": table.names.len(),
            "names": table.names,
            "seed": table.seed,
            "options": table.options,
        });
        let url = format!("http://{}/api/v1/tables", self.server.http);
        self.request(false, move |token| {
            let call = ureq::post(&url).config().http_status_as_error(false).build();
            call.header("Authorization", token).send_json(&body)
        })
        .await
        .context("the table cannot be opened")
    }

    /// The key of a name: from now on the name cannot be used without it. None: names of this
    /// protocol cannot have keys.
    pub async fn claim(&self, wire: &AnyDialect, name: &str) -> Result<Option<String>> {
        if wire.signs.given_names {
            return Ok(None);
        }
        let (remote, body) = (self.server.remote(), json!({ "name": name }));
        let claimed =
            tokio::task::spawn_blocking(move || remote.post_json("/api/v1/names", &body)).await?;
        let claimed = claimed.with_context(|| format!("the name {name} cannot have a key"))?;
        let key = claimed["key"].as_str().map(str::to_owned);
        if let Some(key) = &key {
            // From now on the server keeps what goes over its connections.
            self.reasons(key, &mut 0).await?;
        }
        Ok(key)
    }

    /// Why the server rejected what was sent with this key, since the line `after`, which is moved on.
    pub async fn reasons(&self, key: &str, after: &mut u64) -> Result<Vec<Reason>> {
        let remote = self.server.remote_as(key.to_owned());
        let mut lines = Vec::new();
        loop {
            let (remote, path) = (remote.clone(), format!("/api/v1/wire?after={after}"));
            let page = tokio::task::spawn_blocking(move || remote.get(&path)).await?;
            let mut page = page.context("the server does not tell why it rejected something")?;
            let Value::Array(more) = page["lines"].take() else { break };
            *after = page["next"].as_u64().unwrap_or(*after);
            if more.is_empty() {
                break;
            }
            lines.extend(more);
        }
        Ok(Reason::among(&lines))
    }

    /// Closes a table that will not come to an end by itself. It may have done so just now.
    pub async fn close(&self, id: &str) -> Result<()> {
        let url = format!("http://{}/api/v1/tables/{}/{id}", self.server.http, self.game());
        self.request(true, move |token| {
            let call = ureq::delete(&url).config().http_status_as_error(false).build();
            call.header("Authorization", token).call()
        })
        .await
        .with_context(|| format!("table {id} cannot be closed"))
    }

    /// Closes the tables at which a game runs.
    pub async fn close_running(&self) -> Result<()> {
        let path = format!("/api/v1/tables?game={}&status=playing", self.game());
        let remote = self.server.remote();
        let tables = tokio::task::spawn_blocking(move || remote.get_all(&path, "tables")).await??;
        for table in &tables {
            self.close(table["id"].as_str().context("a table has an id")?).await?;
        }
        Ok(())
    }

    /// Reports that the program of a seat has ended, so that the game does not wait for it.
    pub async fn report_crash(&self, id: &str, seat: usize) -> Result<()> {
        let game = self.game();
        let url = format!("http://{}/api/v1/tables/{game}/{id}/crashed", self.server.http);
        self.request(true, move |token| {
            let call = ureq::post(&url).config().http_status_as_error(false).build();
            call.header("Authorization", token).send_json(json!({ "seat": seat }))
        })
        .await
        .with_context(|| format!("table {id} cannot be told that a bot has ended"))
    }

    async fn request(
        &self,
        may_be_over: bool,
        call: impl FnOnce(&str) -> Result<ureq::http::Response<ureq::Body>, ureq::Error>
        + Send
        + 'static,
    ) -> Result<()> {
        let token = format!("Bearer {}", self.server.server.admin_token);
        let mut response = tokio::task::spawn_blocking(move || call(&token)).await??;
        if response.status().is_success() || may_be_over && response.status() == 409 {
            return Ok(());
        }
        let body: Value = response.body_mut().read_json()?;
        let why = body["error"].as_str().unwrap_or("the server refuses").to_owned();
        match response.status().as_u16() {
            // Whatever a table is like was said on the command line.
            400 => Err(Unreadable(why).into()),
            _ => Err(anyhow!(why)),
        }
    }

    /// What happens at a table from now on.
    pub async fn watch(&self, id: &str) -> Result<Feed> {
        let url = format!("ws://{}/watch/{}/{id}", self.server.http, self.game());
        let (socket, _) = connect_async(url).await.context("the table cannot be watched")?;
        Ok(Feed(socket))
    }

    /// A game that is over; none if it never began.
    pub fn replay(&self, id: &str) -> Result<Option<Replay>> {
        Ok(self.server.archive.replay(Kind::Table, self.game(), id)?)
    }

    /// What a finished game says of each seat.
    pub fn account(&self, replay: &Replay) -> Result<Account> {
        let records = replay.lines.iter().map(|line| (line.at, &*line.record));
        self.rules.account(&records.collect::<Vec<_>>(), &|| true).map_err(anyhow::Error::msg)
    }

    fn game(&self) -> &'static str {
        self.rules.name()
    }

    /// Where its pages are.
    pub fn http(&self) -> &str {
        &self.server.http
    }

    /// Where the game's wire is spoken.
    pub fn address(&self) -> &str {
        &self.server.address
    }
}

/// Options of a game that say how many play.
const PLAYERS: [&str; 2] = ["players", "max_players"];

/// Refuses options that a server of one game would take and never look at. `seats`: what decides
/// how many play, and how many those are.
pub fn check_options(
    games: &Games,
    wire: &AnyDialect,
    set: &[String],
    seats: (&str, usize),
) -> Result<(), Unreadable> {
    let refuse = |text: &str, why: String| Err(Unreadable(format!("--set {text}: {why}")));
    for text in &with_game(set, wire.game) {
        // What is no option at all is refused where options are read.
        let Some((path, value)) = text.split_once('=') else { continue };
        let Some((section, key)) = path.trim().split_once('.') else { continue };
        if section != wire.game && games.find(section).is_ok() {
            let why = format!("only {} is played here, and {section} is not", wire.game);
            return refuse(text, why);
        }
        let (decider, seats) = seats;
        let says_players = section == wire.game && PLAYERS.contains(&key);
        if says_players && value.trim() != seats.to_string() {
            return refuse(text, format!("{decider} sets the number of players, which is {seats}"));
        }
    }
    Ok(())
}

/// Ends a server that is no longer needed.
pub async fn shutdown(house: Arc<House>) -> Result<()> {
    let house = Arc::into_inner(house).context("somebody is still at work")?;
    house.server.server.shutdown().await
}

pub struct Feed(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// What matters while waiting for a game.
#[derive(Debug, PartialEq, Eq)]
pub enum News {
    /// These names sit there.
    Seated(Vec<String>),
    /// The game runs.
    Turn,
    Over,
}

impl Feed {
    pub async fn next(&mut self) -> Result<News> {
        loop {
            let text = match self.0.next().await {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Close(_))) | None => return Ok(News::Over),
                Some(Ok(_)) => continue,
                Some(Err(error)) => bail!("the table is out of sight: {error}"),
            };
            let message: Value = serde_json::from_str(&text)?;
            return Ok(match message["type"].as_str() {
                Some("table") => {
                    let seats = message["seats"].as_array().map_or(&[][..], Vec::as_slice);
                    let names = seats.iter().filter_map(|seat| seat["name"].as_str());
                    News::Seated(names.map(str::to_owned).collect())
                }
                Some("update" | "waiting") => News::Turn,
                Some("over" | "closed") => News::Over,
                _ => bail!("the table is out of sight: {text}"),
            });
        }
    }
}
