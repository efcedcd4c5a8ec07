//! How strong everybody is, from the rated games of the archive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tournament::Rated;
use utoipa::ToSchema;
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
#[utoipa::path(get, path = "/api/v1/ratings/{game}", params(("game" = String, Path)),
    responses((status = OK, body = Vec<RatedBody>), (status = NOT_FOUND, body = ErrorBody)))]
async fn leaderboard(
    State(app): State<AppState>,
    Path(game): Path<String>,
) -> Result<Json<Vec<RatedBody>>, ApiError> {
    let game = app.hosted(&game)?.game();
    let ladders = app.ladders.clone();
    let rated = super::results::look_up(&app, move |archive| {
        let mut ladders = ladders.0.lock().expect("no holder of this lock panics");
        let ladder = ladders.entry(game.to_owned()).or_default();
        ladder.catch_up(game, archive)?;
        Ok(ladder.ratings.leaderboard())
    });
    Ok(Json(rated.await?.into_iter().map(Into::into).collect()))
}
