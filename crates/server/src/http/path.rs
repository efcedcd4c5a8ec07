//! What stands in a request's path; what does not fit there is told as JSON, like every error.

use axum::extract::{self, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;

pub struct Path<T>(pub T);

impl<S, T> FromRequestParts<S> for Path<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let found = extract::Path::<T>::from_request_parts(parts, state).await;
        let wrong = |rejection: extract::rejection::PathRejection| {
            ApiError::bad_request(rejection.body_text())
        };
        found.map(|extract::Path(found)| Path(found)).map_err(wrong)
    }
}
