//! The review of a finished game, made while somebody waits for it.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use hall::Code;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::{Progress, ReviewWish, Reviewing};

use super::long_answer::STEPS_PER_REQUEST;
use super::results::{find, in_turn, may_know_deal};
use super::{ApiError, AppState, Bill, Caller, ErrorBody, Path};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(review))
}

/// What there is of a review.
enum Found {
    /// It was made before.
    Kept(String),
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
    let rules = app.hosted(&game)?.any_game();
    let (house, payer) = (app.clone(), bill.clone());
    let records = in_turn(&app, &bill, move |archive, _| {
        let replay = find(archive, &game, &id)?;
        may_know_deal(&house, &caller, &replay)?;
        if let Some(kept) = house.reviews.kept(&game, &id) {
            return Ok(Err(kept));
        }
        payer.charge(replay.lines.len() as u64 / STEPS_PER_REQUEST);
        Ok(Ok(replay.lines.into_iter().map(|line| (line.at, line.record)).collect::<Vec<_>>()))
    });
    let found = match records.await? {
        Err(kept) => Found::Kept(line_of(&kept)),
        Ok(records) => {
            let begun = app.reviews.run(bill.asker(), move || {
                let records: Vec<(u64, &str)> =
                    records.iter().map(|(at, text)| (*at, text.as_str())).collect();
                rules.review(&records, ReviewWish::default())
            });
            Found::Begun(begun.await?.map_err(|why| ApiError::new(Code::Conflict, why))?)
        }
    };
    let kind = [(header::CONTENT_TYPE, "application/jsonl")];
    Ok(match found {
        Found::Kept(text) => (kind, text).into_response(),
        Found::Begun(reviewing) => (kind, told(app, bill, reviewing)).into_response(),
    })
}

fn line_of(review: &str) -> String {
    format!("{{\"type\":\"review\",\"review\":{review}}}\n")
}

/// Each step as it is made; whoever reads no more of it ends the work.
fn told(app: AppState, bill: Bill, reviewing: Reviewing) -> Body {
    Body::from_stream(try_unfold(Some(reviewing), move |reviewing| {
        let (app, bill) = (app.clone(), bill.clone());
        async move {
            let Some(mut reviewing) = reviewing else { return Ok(None) };
            let step = app.reviews.run(bill.goes_on(), move || {
                let step = reviewing.next();
                (step, reviewing)
            });
            // The head of the answer is sent: whoever reads it learns of this by its end.
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
