//! How strong everybody is, from the rated games of the archive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use store::{Archive, StoreError};
use tournament::Rated;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::AppState;
use super::error::{ApiError, ErrorBody};
use super::path::Path;
use crate::ratings::Ladder;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(leaderboard))
}

/// Ratings as far as they have been worked out, by game. They follow from the archive alone, so
/// what is kept here only saves time.
#[derive(Clone, Default)]
pub struct Ladders(Arc<Mutex<BTreeMap<String, Ladder>>>);

impl Ladders {
    /// Asks the ratings of a game, brought up to now.
    pub fn ask<T>(
        &self,
        game: &str,
        archive: &dyn Archive,
        question: impl FnOnce(&Ladder) -> T,
    ) -> Result<T, StoreError> {
        let mut ladders = self.0.lock().expect("no holder of this lock panics");
        let ladder = ladders.entry(game.to_owned()).or_default();
        ladder.catch_up(game, archive)?;
        Ok(question(ladder))
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LeaderboardQuery {
    /// So many of the strongest are left out.
    after: Option<usize>,
    /// At most so many; all of them unless given.
    limit: Option<usize>,
}

#[derive(Serialize, ToSchema)]
struct RatedBody {
    name: String,
    /// The likeliest strength.
    mean: f64,
    /// How far off that may be.
    uncertainty: f64,
    games: u32,
}

impl From<Rated> for RatedBody {
    fn from(rated: Rated) -> RatedBody {
        let Rated { name, rating } = rated;
        RatedBody { name, mean: rating.mean, uncertainty: rating.uncertainty, games: rating.games }
    }
}

/// The rated players of a game, the strongest first.
#[utoipa::path(get, path = "/api/v1/ratings/{game}", params(("game" = String, Path), LeaderboardQuery),
    responses((status = OK, body = Vec<RatedBody>), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn leaderboard(
    State(app): State<AppState>,
    Path(game): Path<String>,
    query: Result<Query<LeaderboardQuery>, QueryRejection>,
) -> Result<Json<Vec<RatedBody>>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let game = app.hosted(&game)?.game();
    let ladders = app.ladders.clone();
    let rated = super::results::look_up(&app, move |archive| {
        ladders.ask(game, archive, |ladder| ladder.ratings.leaderboard())
    });
    let rated = rated.await?.into_iter().skip(query.after.unwrap_or(0));
    Ok(Json(rated.take(query.limit.unwrap_or(usize::MAX)).map(Into::into).collect()))
}
