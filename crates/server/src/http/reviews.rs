//! The review of a finished game, made while a reader waits for it.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use hall::Code;
use serde_json::json;
use store::Replay;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::{Progress, ReviewWish, Reviewing};

use super::long_answer::STEPS_PER_REQUEST;
use super::results::{everybody_may_know_deal, find, in_turn, may_know_deal};
use super::{ApiError, AppState, Bill, Caller, ErrorBody, Path};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(review))
}

/// What there is of a review.
enum Found {
    /// It was made before.
    Kept(Arc<str>),
    Begun(Reviewing),
}

/// The review of a finished game, as JSON Lines: while it is made, `{"type":"progress","done":3,"all":30}`
/// after every step, and at the end `{"type":"review","review":{...}}`. A review that was made before comes
/// at once. When the connection closes, the work ends.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}/review",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, description = "no result, other rules, or its tournament deals the same cards again",
            body = ErrorBody)))]
async fn review(
    State(app): State<AppState>,
    caller: Caller,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let may_know = move |house: &AppState, replay: &Replay| may_know_deal(house, &caller, replay);
    let found = begin(&app, &bill, (game, id), may_know).await?;
    let kind = [(header::CONTENT_TYPE, "application/jsonl")];
    Ok(match found {
        Found::Kept(text) => (kind, line_of(&text)).into_response(),
        Found::Begun(reviewing) => (kind, told(app, bill, reviewing)).into_response(),
    })
}

/// The review that is kept, or the beginning of one.
async fn begin(
    app: &AppState,
    bill: &Bill,
    (game, id): (String, String),
    may_know: impl FnOnce(&AppState, &Replay) -> Result<(), ApiError> + Send + 'static,
) -> Result<Found, ApiError> {
    let rules = app.hosted(&game)?.game;
    let (house, payer) = (app.clone(), bill.clone());
    let records = in_turn(app, bill, move |archive, _| {
        let replay = find(archive, &game, &id)?;
        may_know(&house, &replay)?;
        if let Some(kept) = house.reviews.kept(&game, &id) {
            return Ok(Err(kept));
        }
        payer.charge(replay.lines.len() as u64 / STEPS_PER_REQUEST);
        Ok(Ok(replay.lines.into_iter().map(|line| (line.at, line.record)).collect::<Vec<_>>()))
    });
    let records = match records.await? {
        Err(kept) => return Ok(Found::Kept(kept)),
        Ok(records) => records,
    };
    let begun = app.reviews.run(bill.asker(), move || {
        let records: Vec<(u64, &str)> =
            records.iter().map(|(at, text)| (*at, text.as_str())).collect();
        rules.review(&records, ReviewWish::default())
    });
    Ok(Found::Begun(begun.await?.map_err(|why| ApiError::new(Code::Conflict, why))?))
}

/// The whole review of a game that is open to everyone, as JSON.
pub async fn whole(
    app: &AppState,
    bill: &Bill,
    game: &str,
    id: &str,
) -> Result<Arc<str>, ApiError> {
    let place = (game.to_owned(), id.to_owned());
    let mut reviewing = match begin(app, bill, place, everybody_may_know_deal).await? {
        Found::Kept(text) => return Ok(text),
        Found::Begun(reviewing) => reviewing,
    };
    loop {
        let step = app.reviews.run(bill.goes_on(), move || {
            let step = reviewing.next();
            (step, reviewing)
        });
        let (step, rest) = step.await?;
        reviewing = rest;
        match step {
            Some(Progress::Steps(..)) => bill.charge(1),
            Some(Progress::Done(review)) => {
                app.reviews.keep(&review);
                let text = serde_json::to_string(&review).expect("reviews are plain data");
                return Ok(text.into());
            }
            None => return Err(ApiError::new(Code::Internal, "the review has no end")),
        }
    }
}

fn line_of(review: &str) -> String {
    format!("{{\"type\":\"review\",\"review\":{review}}}\n")
}

/// Each step as it is made. When the client stops reading, the work ends.
fn told(app: AppState, bill: Bill, reviewing: Reviewing) -> Body {
    Body::from_stream(try_unfold(Some(reviewing), move |reviewing| {
        let (app, bill) = (app.clone(), bill.clone());
        async move {
            let Some(mut reviewing) = reviewing else { return Ok(None) };
            let step = app.reviews.run(bill.goes_on(), move || {
                let step = reviewing.next();
                (step, reviewing)
            });
            // The head of the answer is sent, so the client only sees that the rest is missing.
            let (step, reviewing) = step.await.map_err(|undone| {
                tracing::warn!(?undone, "a review ends early");
                std::io::Error::other("a review ends early")
            })?;
            bill.charge(1);
            Ok::<_, std::io::Error>(match step {
                Some(Progress::Steps(done, all)) => {
                    let line = json!({"type": "progress", "done": done, "all": all});
                    Some((format!("{line}\n"), Some(reviewing)))
                }
                Some(Progress::Done(review)) => {
                    app.reviews.keep(&review);
                    let text = serde_json::to_string(&review).map_err(std::io::Error::other)?;
                    Some((line_of(&text), None))
                }
                None => None,
            })
        }
    }))
}
