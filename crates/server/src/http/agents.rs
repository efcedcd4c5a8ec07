//! `/mcp`: agents that play by the Model Context Protocol.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use hall::{Code, Status, TableInfo};
use mcp::{AgentEnd, Endpoint, Guide, House, TableCard};
use serde_json::Value;
use store::Kind;
use tower_service::Service;

use super::long_answer::STEPS_PER_REQUEST;
use super::results::everybody_may_know_deal;
use super::reviews;
use super::{ApiError, AppState, Bill, Caller};
use crate::gate::{Admission, Limit};
use crate::hosting::Vehicle;
use crate::reading::Undone;

/// Where agents connect.
pub type Agents = Endpoint<AppState>;

pub fn endpoint(app: &AppState) -> Agents {
    mcp::endpoint(Arc::new(app.clone()), app.stopping.clone())
}

/// `POST /mcp`: one message of the protocol. It must arrive in time; the answer may take longer,
/// because agents wait for their turns.
pub async fn answer(State(mut agents): State<Agents>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let patience = parts.extensions.get::<Arc<Admission>>().and_then(|a| a.request_patience());
    let arriving = to_bytes(body, mcp::MAX_MESSAGE);
    let arrived = match patience {
        None => Ok(arriving.await),
        Some(patience) => tokio::time::timeout(patience, arriving).await,
    };
    let body = match arrived {
        Ok(Ok(body)) => body,
        Ok(Err(error)) => {
            let why = format!("a message has at most {} bytes: {error}", mcp::MAX_MESSAGE);
            return ApiError::no_body(StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
        }
        Err(_) => {
            let late = "the request did not arrive in time";
            return ApiError::new(Code::TooSlow, late).naming(Limit::RequestMs).into_response();
        }
    };
    match agents.call(Request::from_parts(parts, Body::from(body))).await {
        Ok(response) => response.map(Body::new),
    }
}

impl House for AppState {
    fn games(&self) -> Vec<&'static str> {
        self.hosted.keys().copied().collect()
    }

    fn guide(&self, game: &str) -> Option<Guide> {
        let game = self.hosted.get(game)?.game;
        Some(Guide {
            hello: game.greeting(),
            rules: game.rules_in_words(),
            options: game.choices(),
        })
    }

    fn tables(&self, game: &str) -> Vec<TableCard> {
        let Some(hosted) = self.hosted.get(game) else { return Vec::new() };
        let listed = [Status::Waiting, Status::Playing]
            .into_iter()
            .flat_map(|status| hosted.tables(Some(status), 0, MOST_TABLES));
        listed.map(|(_, info)| card(hosted.name(), &info)).collect()
    }

    async fn connect(&self, game: &str, caller: &Parts) -> Result<AgentEnd, String> {
        let hosted = self.hosted(game).map_err(|_| format!("there is no game '{game}'"))?;
        let known =
            caller.extensions.get::<Arc<Admission>>().zip(caller.extensions.get::<Caller>());
        let (carrier, who) = known.ok_or("the request does not say who sends it")?;
        let admission = carrier.beside(who.peer).ok_or("your address has too many connections")?;
        let (agent, house) = mcp::line();
        let (vehicle, key) = (Vehicle::Agent(house), who.key().cloned());
        hosted.play_house(false, key, vehicle, Arc::new(admission)).await;
        Ok(agent)
    }

    async fn tournament(&self, game: &str, id: &str, caller: &Parts) -> Result<Value, String> {
        let found = super::tournaments::read(self, &bill(caller), game, id).await;
        found.map_err(|error| match error.code() {
            Code::NotFound => format!("there is no tournament '{id}' of {game}"),
            _ => error.why().to_owned(),
        })
    }

    fn action_words(&self, game: &str, view: &Value, actions: &[Value]) -> Option<Vec<String>> {
        self.hosted.get(game)?.game.action_words(view, actions)
    }

    fn choice_words(&self, game: &str, view: &Value) -> Option<String> {
        self.hosted.get(game)?.game.choice_words(view)
    }

    fn examples(&self, game: &str, view: &Value) -> Vec<Value> {
        self.hosted.get(game).map(|hosted| hosted.game.examples(view)).unwrap_or_default()
    }

    async fn story(&self, game: &str, table: &str, caller: &Parts) -> Result<Vec<String>, String> {
        let hosted = self.hosted.get(game).ok_or_else(|| format!("there is no game '{game}'"))?;
        let (name, id) = (game.to_owned(), table.to_owned());
        let rules = hosted.game;
        let bill = bill(caller);
        let told = self.replays.run(bill.asker(), {
            let (archive, app) = (self.archive.clone(), self.clone());
            move |stop| {
                let found = archive.replay(Kind::Table, &name, &id);
                let replay = found.map_err(|_| "the archive cannot be read".to_owned())?;
                let replay =
                    replay.ok_or_else(|| format!("no game of {name} is over at '{id}'"))?;
                everybody_may_know_deal(&app, &replay)
                    .map_err(|refused| refused.why().to_owned())?;
                let lines = replay.lines.iter();
                let records: Vec<(u64, &str)> =
                    lines.map(|line| (line.at, line.record.as_str())).collect();
                bill.charge(records.len() as u64 / STEPS_PER_REQUEST);
                let parts = rules.retell_in_words(&records, None)?;
                let parts = parts.take_while(|_| !stop.is_said());
                parts.filter(|part| part.as_ref().map_or(true, |part| !part.is_empty())).collect()
            }
        });
        told.await.map_err(|undone| match undone {
            Undone::Crowded => ApiError::from(undone).why().to_owned(),
            Undone::Broken(_) => "this game cannot be played again".to_owned(),
        })?
    }

    async fn review(&self, game: &str, table: &str, caller: &Parts) -> Result<Value, String> {
        let review = reviews::whole(self, &bill(caller), game, table).await;
        let review = review.map_err(|error| error.why().to_owned())?;
        serde_json::from_str(&review).map_err(|error| error.to_string())
    }
}

/// Who pays for what an agent asks.
fn bill(caller: &Parts) -> Bill {
    caller.extensions.get::<Bill>().cloned().unwrap_or_default()
}

/// The most tables of one status that are listed.
const MOST_TABLES: usize = 50;

fn card(game: &'static str, info: &TableInfo) -> TableCard {
    let names = info.company.seats.iter().flatten().map(|member| member.name.to_string());
    TableCard {
        game,
        table: info.id.to_string(),
        status: if info.status == Status::Waiting { "waiting" } else { "playing" },
        seats: info.seats,
        players: names.collect(),
        open: info.status == Status::Waiting && info.players < info.seats,
        clock_s: info.company.facts.clock_ms.map(|ms| ms / 1000),
    }
}
