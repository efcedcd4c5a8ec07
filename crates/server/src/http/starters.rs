//! Bots to start from, with this server's address and the reader's name filled in.

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hall::is_key;
use manual::{Addresses, Filling, Language, STARTERS, Starter};
use serde::Deserialize;

use super::secured::Secured;
use super::{ApiError, AppState, Path, docs, pages};

/// Who asks for a starter: its defaults are theirs.
#[derive(Debug, Default, Deserialize)]
pub struct Whose {
    name: Option<String>,
    key: Option<String>,
}

/// Letters of the longest name that is filled in; a game's own rule may be stricter.
const LONGEST_NAME: usize = 64;

impl Whose {
    /// What a bot says as its name.
    fn player(&self) -> Result<Option<String>, ApiError> {
        let Some(name) = self.name.as_deref().filter(|name| !name.is_empty()) else {
            return match self.key {
                Some(_) => Err(ApiError::bad_request("a key without a name: add ?name=NAME")),
                None => Ok(None),
            };
        };
        let is_plain = name.chars().all(|letter| !letter.is_control() && letter != ':');
        if !is_plain || name.chars().count() > LONGEST_NAME {
            let most = format!("a name has at most {LONGEST_NAME} characters, none of them ':'");
            return Err(ApiError::bad_request(most));
        }
        match self.key.as_deref().filter(|key| !key.is_empty()) {
            Some(key) if is_key(key) => Ok(Some(format!("{name}:{key}"))),
            Some(_) => Err(ApiError::bad_request("a key is pk_ and 26 letters and digits")),
            None => Ok(Some(name.to_owned())),
        }
    }
}

/// `GET /starters`: a page for browsers, and a list with commands for other clients.
pub async fn list(
    State(app): State<AppState>,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Response {
    if pages::is_wanted(&headers) {
        return pages::page(&app, StatusCode::OK, "/starters", secured.is_some(), &headers);
    }
    let addresses = docs::addresses(&app, &headers, secured.is_some());
    let mut answer =
        pages::whole(pages::kind(".txt"), listed(&app, &addresses).as_bytes(), &headers);
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    answer
}

fn listed(app: &AppState, addresses: &Addresses) -> String {
    let scheme = if addresses.is_secure { "https" } else { "http" };
    let base = format!("{scheme}://{}/starters", addresses.authority);
    let mut text =
        String::from("Starter bots. They need Python 3.8 or Node 18.3, and no packages.\n");
    for starter in &STARTERS {
        let Some(game) = starter.game.filter(|game| app.hosted.contains_key(game)) else {
            continue;
        };
        let program = starter.language.program();
        text.push_str(&format!(
            "\n{game} in {}\n  curl -O {base}/{file} && {program} {file}\n",
            starter.language.name(),
            file = starter.file,
        ));
    }
    text.push_str(&format!(
        "\nA library for every game, in Python\n  curl -O {base}/net.py\n\nAll of a language at once\n  \
         curl -O {base}/python.zip\n  curl -O {base}/javascript.zip\n\n\
         Add ?name=NAME (and &key=KEY) to have your name filled in. On Windows, type curl.exe and py instead.\n"
    ));
    text
}

/// `GET /starters/{file}`
pub async fn file(
    State(app): State<AppState>,
    Path(name): Path<String>,
    Query(whose): Query<Whose>,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let addresses = docs::addresses(&app, &headers, secured.is_some());
    let player = whose.player()?;
    let filling = |starter: &Starter| Filling {
        host: Some(addresses.host.clone()),
        port: starter.game.and_then(|game| port(&app, game)),
        name: player.clone(),
    };
    let content = match (Starter::named(&name), archived(&name)) {
        (Some(starter), _) => starter.filled(&filling(starter)).into_bytes(),
        (None, Some(language)) => manual::archive(language, filling),
        (None, None) => {
            let known: Vec<&str> = STARTERS.iter().map(|starter| starter.file).collect();
            let known = known.join(", ");
            let message =
                format!("no starter '{name}'; there are {known}, python.zip and javascript.zip");
            return Err(ApiError::not_found(message));
        }
    };
    let mut answer = pages::whole(pages::kind(&name), &content, &headers);
    let saved = format!("attachment; filename=\"{name}\"");
    let saved = HeaderValue::from_str(&saved).expect("the name of a known file");
    answer.headers_mut().insert(header::CONTENT_DISPOSITION, saved);
    if whose.key.is_some() {
        // No cache on the way may keep a key.
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(answer.into_response())
}

fn archived(name: &str) -> Option<Language> {
    let name = name.strip_suffix(".zip")?;
    Language::ALL.into_iter().find(|language| language.name() == name)
}

/// Where a game's own protocol listens.
fn port(app: &AppState, game: &str) -> Option<u16> {
    let dialect = *app.hosted.get(game)?.dialects().first()?;
    app.ports.plain.get(dialect).copied()
}
