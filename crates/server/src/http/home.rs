//! What the first page shows, in one answer: each list of it is a request for itself as well.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{ApiError, AppState, Bill, ErrorBody, api, paging, results, tournaments};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(home))
}

/// So many results of each kind.
const RESULTS: usize = 30;

/// What the first page shows.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is put together from texts; this describes it")]
struct HomeBody {
    /// As `GET /api/v1/games` lists them.
    #[schema(value_type = Vec<Object>)]
    games: (),
    /// Tables that wait for players, at most 200.
    #[schema(value_type = Object)]
    waiting: (),
    /// Tables in play, at most 200.
    #[schema(value_type = Object)]
    playing: (),
    /// The latest games of open play.
    #[schema(value_type = Object)]
    results: (),
    /// The latest games of tournaments.
    #[schema(value_type = Object)]
    matches: (),
    #[schema(value_type = Object)]
    tournaments: (),
}

/// What the first page shows: games, tables, results and tournaments.
#[utoipa::path(get, path = "/api/v1/home", responses((status = OK, body = HomeBody),
    (status = SERVICE_UNAVAILABLE, body = ErrorBody)))]
async fn home(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
) -> Result<Response, ApiError> {
    let games = serde_json::to_string(&api::games(&app)).expect("plain data");
    let waiting = api::tables(&app, hall::Status::Waiting)?;
    let playing = api::tables(&app, hall::Status::Playing)?;
    let open = results::latest(&app, &bill, false, RESULTS).await?;
    let matches = results::latest(&app, &bill, true, RESULTS).await?;
    let tournaments = tournaments::first(&app)?;
    let text = format!(
        "{{\"games\":{games},\"waiting\":{waiting},\"playing\":{playing},\"results\":{open},\
         \"matches\":{matches},\"tournaments\":{tournaments}}}"
    );
    Ok(paging::json(text).into_response())
}
