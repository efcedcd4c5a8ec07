//! How strong everybody is, from the rated games of the archive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Archive, StoreError};
use tournament::Rated;
use tournament::rating::name_and_version;
use tournament::seats::TableSeats;
use tournament::strength::Strength;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{ApiError, AppState, Bill, ErrorBody, Path};
use crate::http::results::ROWS_PER_REQUEST;
use crate::reading::{Found, Ladder, Per, Strengths};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(leaderboard))
        .routes(routes!(likelihood))
        .routes(routes!(seats))
}

/// Ratings as far as they have been worked out, by game. They follow from the archive alone, so
/// what is kept here only saves time.
#[derive(Clone, Default)]
pub struct Ladders {
    running: Arc<Mutex<BTreeMap<String, Ladder>>>,
    strengths: Strengths,
}

impl Ladders {
    /// Asks the ratings of a game, brought up to now.
    pub fn ask<T>(
        &self,
        game: &str,
        archive: &dyn Archive,
        question: impl FnOnce(&Ladder) -> T,
    ) -> Result<T, StoreError> {
        let mut ladders = self.running.lock().expect("no holder of this lock panics");
        let ladder = ladders.entry(game.to_owned()).or_default();
        ladder.catch_up(game, archive)?;
        Ok(question(ladder))
    }

    /// How strong everybody is from all games at once.
    fn strengths(
        &self,
        game: &str,
        per: Per,
        archive: &dyn Archive,
    ) -> Result<Arc<Found>, StoreError> {
        let latest = self.ask(game, archive, |ladder| ladder.place)?;
        self.strengths.ask(game, per, archive, latest)
    }
}

/// Who is rated.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PerQuery {
    /// Each name.
    #[default]
    Bot,
    /// Each version of a name as a player of its own.
    Version,
}

impl From<PerQuery> for Per {
    fn from(per: PerQuery) -> Per {
        match per {
            PerQuery::Bot => Per::Bot,
            PerQuery::Version => Per::Version,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LeaderboardQuery {
    /// So many of the strongest are left out.
    after: Option<usize>,
    /// At most so many; all of them unless given.
    limit: Option<usize>,
    /// `bot`, or `version` for every version of a bot as a player of its own.
    #[serde(default)]
    per: PerQuery,
    /// This player alone.
    name: Option<String>,
}

impl LeaderboardQuery {
    /// Of all who are rated, those who are asked for.
    fn of<T>(&self, all: Vec<T>, rated_as: impl Fn(&T) -> &str) -> impl Iterator<Item = T> {
        let is_it = |rated: &T| {
            self.name.as_ref().is_none_or(|name| *name_and_version(rated_as(rated)).0 == **name)
        };
        let found: Vec<T> = all.into_iter().filter(is_it).collect();
        found.into_iter().skip(self.after.unwrap_or(0)).take(self.limit.unwrap_or(usize::MAX))
    }
}

#[derive(Serialize, ToSchema)]
struct RatedBody {
    name: String,
    /// What people read instead of the name, as its latest tournament has it; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    /// Where versions are rated, and this one was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// The likeliest strength.
    mean: f64,
    /// How far off that may be.
    uncertainty: f64,
    games: u32,
}

impl From<Rated> for RatedBody {
    fn from(rated: Rated) -> RatedBody {
        let Rated { name, rating } = rated;
        let (name, version) = parted(&name);
        RatedBody {
            name,
            display: None,
            version,
            mean: rating.mean,
            uncertainty: rating.uncertainty,
            games: rating.games,
        }
    }
}

/// The rated players of a game, the strongest first.
#[utoipa::path(get, path = "/api/v1/ratings/{game}", params(("game" = String, Path), LeaderboardQuery),
    responses((status = OK, body = Vec<RatedBody>), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn leaderboard(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path(game): Path<String>,
    query: Result<Query<LeaderboardQuery>, QueryRejection>,
) -> Result<Json<Vec<RatedBody>>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let hosted = app.hosted(&game)?;
    let (game, displays) = (hosted.name(), hosted.displays());
    let ladders = app.ladders.clone();
    let rated = super::results::look_up(&app, &bill, move |archive| {
        ladders.ask(game, archive, |ladder| match query.per {
            PerQuery::Bot => ladder.ratings.leaderboard(),
            PerQuery::Version => ladder.versions.leaderboard(),
        })
    });
    let rated = rated.await?;
    charge_for(&bill, rated.len());
    let rated = query.of(rated, |rated| &rated.name).map(RatedBody::from);
    let shown = |rated: RatedBody| {
        let display = displays.get(rated.name.as_str()).map(|display| display.to_string());
        RatedBody { display, ..rated }
    };
    Ok(Json(rated.map(shown).collect()))
}

/// A request for one of many pays for all of them, because the server puts all of them in order.
fn charge_for(bill: &Bill, rated: usize) {
    bill.charge(rated as u64 / ROWS_PER_REQUEST);
}

fn parted(rated: &str) -> (String, Option<String>) {
    let (name, version) = name_and_version(rated);
    (name.to_owned(), version.map(str::to_owned))
}

/// The strengths under which all rated games together are most likely.
#[derive(Serialize, ToSchema)]
struct LikelihoodBody {
    /// So many rated games this was computed from: the earliest, as `parlor export` has them. Those of
    /// the last seconds may not be among them.
    games: usize,
    /// The strongest first.
    players: Vec<StrengthBody>,
}

#[derive(Serialize, ToSchema)]
struct StrengthBody {
    name: String,
    /// Where versions are rated, and this one was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// On Elo's scale; the average player has 1500.
    elo: f64,
    /// The ends of the 95 % interval.
    low: f64,
    high: f64,
    games: u32,
}

impl From<Strength> for StrengthBody {
    fn from(Strength { name, elo, low, high, games }: Strength) -> StrengthBody {
        let (name, version) = parted(&name);
        StrengthBody { name, version, elo, low, high, games }
    }
}

/// How strong everybody is from all rated games at once, with 95 % intervals: what `parlor ratings
/// --method likelihood` computes from the same games.
#[utoipa::path(get, path = "/api/v1/ratings/{game}/likelihood",
    params(("game" = String, Path), LeaderboardQuery),
    responses((status = OK, body = LikelihoodBody), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn likelihood(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path(game): Path<String>,
    query: Result<Query<LeaderboardQuery>, QueryRejection>,
) -> Result<Json<LikelihoodBody>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let game = app.hosted(&game)?.name();
    let (ladders, per) = (app.ladders.clone(), query.per.into());
    let found =
        super::results::look_up(&app, &bill, move |archive| ladders.strengths(game, per, archive))
            .await?;
    charge_for(&bill, found.strengths.len());
    let players = query.of(found.strengths.clone(), |strength| &strength.name);
    let players = players.map(Into::into).collect();
    Ok(Json(LikelihoodBody { games: found.games, players }))
}

/// What each seat of a game is worth.
#[derive(Serialize, ToSchema)]
struct SeatsBody {
    /// As `parlor bench seats` has measured it, with one house strategy in all seats; null if nobody has.
    #[schema(value_type = Object)]
    house: Option<Box<RawValue>>,
    /// In the rated games of this server that everybody played to the end.
    archive: Vec<SeatsOfTable>,
}

/// The seats of tables of one size.
#[derive(Serialize, ToSchema)]
struct SeatsOfTable {
    seats: usize,
    games: u32,
    /// By seat, the share of opponents left behind; of equals half. 0.5 is fair.
    shares: Vec<f64>,
    /// So far off may a share be, with 95 % certainty.
    error: f64,
}

impl From<TableSeats> for SeatsOfTable {
    fn from(TableSeats { seats, games, shares, error }: TableSeats) -> SeatsOfTable {
        SeatsOfTable { seats, games, shares, error }
    }
}

/// What each seat of a game is worth: the share of opponents that whoever sits there leaves behind.
#[utoipa::path(get, path = "/api/v1/games/{game}/seats", params(("game" = String, Path)),
    responses((status = OK, body = SeatsBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn seats(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path(game): Path<String>,
) -> Result<Json<SeatsBody>, ApiError> {
    let hosted = app.hosted(&game)?;
    let file = hosted.file("seats.json").and_then(|text| serde_json::from_slice(&text).ok());
    let (ladders, game) = (app.ladders.clone(), hosted.name());
    let tables = super::results::look_up(&app, &bill, move |archive| {
        ladders.ask(game, archive, |ladder| ladder.seats.tables())
    });
    let archive = tables.await?.into_iter().map(Into::into).collect();
    Ok(Json(SeatsBody { house: file, archive }))
}
