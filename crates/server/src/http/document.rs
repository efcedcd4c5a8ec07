//! What the description of the API says of every call alike: how it may fail.

use axum::http::Method;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder};

/// Adds the errors that any call of its kind can answer with, where its own description does not.
pub fn add_errors(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            for (status, what) in errors(path, &method, operation) {
                let error = || RefOr::T(error_response(what));
                operation.responses.responses.entry(status.to_owned()).or_insert_with(error);
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let all = [
        (Method::GET, item.get.as_mut()),
        (Method::POST, item.post.as_mut()),
        (Method::DELETE, item.delete.as_mut()),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation?)))
}

fn errors(
    path: &str,
    method: &Method,
    operation: &Operation,
) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let names_something = path.contains('{')
        || operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty())
        || operation.request_body.is_some();
    let changes_something = *method != Method::GET;
    let all = [
        ("400", "what was sent cannot be read or used", names_something),
        ("401", "the admin token is missing", changes_something),
        ("403", "this is not the admin token", changes_something),
        ("404", "there is no such game, table, tournament or result", names_something),
        ("409", "it is over, or the name is taken", changes_something),
        ("413", "the body is too large", operation.request_body.is_some()),
        ("429", "this address asks too often: see Retry-After", true),
        ("503", "the server is shutting down or full", true),
    ];
    all.into_iter().filter(|(_, _, applies)| *applies).map(|(status, what, _)| (status, what))
}

fn error_response(what: &str) -> utoipa::openapi::Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    ResponseBuilder::new().description(what).content("application/json", body).build()
}
