//! Organisers' tokens, and what was done with them.

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use hall::{Code, HouseRecord, KeyHash, Scope};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::access::FIRST;
use super::guard::About;
use super::{ApiError, AppState, Caller, ErrorBody, Path};
use crate::house::{Act, fresh_key};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(revoke)).routes(routes!(audit))
}

/// What a token may do; each may do what those before it may.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ScopeBody {
    /// See everything of what it watches.
    Read,
    /// Open and close tables, run tournaments.
    Organise,
    /// Run the server: tokens, bans, data.
    Operate,
}

impl From<ScopeBody> for Scope {
    fn from(scope: ScopeBody) -> Scope {
        match scope {
            ScopeBody::Read => Scope::Read,
            ScopeBody::Organise => Scope::Organise,
            ScopeBody::Operate => Scope::Operate,
        }
    }
}

impl From<Scope> for ScopeBody {
    fn from(scope: Scope) -> ScopeBody {
        match scope {
            Scope::Read => ScopeBody::Read,
            Scope::Organise => ScopeBody::Organise,
            Scope::Operate => ScopeBody::Operate,
        }
    }
}

/// A token, without itself.
#[derive(Serialize, ToSchema)]
struct TokenBody {
    name: String,
    scope: ScopeBody,
    /// When it was made, in milliseconds since 1970.
    since: u64,
}

#[derive(Serialize, ToSchema)]
struct TokenList {
    tokens: Vec<TokenBody>,
}

/// Who shall have a token, and what for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    name: String,
    scope: ScopeBody,
}

/// A token, said this once.
#[derive(Serialize, ToSchema)]
struct MadeToken {
    name: String,
    scope: ScopeBody,
    token: String,
}

/// The tokens, without themselves; the one in the data folder is not among them.
#[utoipa::path(get, path = "/api/v1/tokens", responses((status = OK, body = TokenList),
    (status = UNAUTHORIZED, body = ErrorBody), (status = FORBIDDEN, body = ErrorBody)))]
async fn list(State(app): State<AppState>, caller: Caller) -> Result<Json<TokenList>, ApiError> {
    caller.demand(Scope::Operate)?;
    let register = app.access.register.read();
    let body = |(name, grant): (&str, &hall::AdminGrant)| TokenBody {
        name: name.to_owned(),
        scope: grant.scope.into(),
        since: grant.since.0,
    };
    Ok(Json(TokenList { tokens: register.admins.iter().map(body).collect() }))
}

/// Makes a token. The answer is the only place where it is ever said.
#[utoipa::path(post, path = "/api/v1/tokens", request_body = NewToken, responses(
    (status = CREATED, body = MadeToken), (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody), (status = CONFLICT, body = ErrorBody)))]
async fn add(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<NewToken>, JsonRejection>,
) -> Result<(StatusCode, Extension<About>, Json<MadeToken>), ApiError> {
    caller.demand(Scope::Operate)?;
    let Json(NewToken { name, scope }) = body.map_err(ApiError::bad_body)?;
    super::api::check_id(&name)?;
    // Made as keys are, and not to be taken for one.
    let token = fresh_key().map_err(ApiError::internal)?.replacen("pk_", "pt_", 1);
    let (holder, hash) = (name.clone(), KeyHash::of(&token));
    let taken = format!("there is a token '{name}' already; revoke it first");
    let granted = app.access.register.change(move |register| {
        if holder == FIRST || register.admins.get(&holder).is_some() {
            return Err(ApiError::new(Code::NameTaken, taken));
        }
        Ok(HouseRecord::Granted { name: holder, scope: scope.into(), token: hash })
    });
    granted.await.ok_or(Code::Unavailable)??;
    let about = format!("made the token {name} for {}", Scope::from(scope).as_str());
    Ok((StatusCode::CREATED, Extension(About(about)), Json(MadeToken { name, scope, token })))
}

/// Revokes a token; whoever has it may do nothing with it from now on.
#[utoipa::path(delete, path = "/api/v1/tokens/{name}", params(("name" = String, Path)),
    responses((status = OK, body = Object), (status = UNAUTHORIZED, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn revoke(
    State(app): State<AppState>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<Json<serde_json::Value>, ApiError> {
    caller.demand(Scope::Operate)?;
    let missing = format!("there is no token '{name}'");
    let revoked = app.access.register.change(move |register| {
        let known = register.admins.get(&name).is_some();
        if known { Ok(HouseRecord::Revoked { name }) } else { Err(ApiError::not_found(missing)) }
    });
    revoked.await.ok_or(Code::Unavailable)??;
    Ok(Json(serde_json::json!({})))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// The `next` of the page before.
    after: Option<u64>,
    /// At most so many, 100 unless given, 1000 at most.
    limit: Option<usize>,
}

/// A page of the audit log.
#[derive(Serialize, ToSchema)]
struct AuditPage {
    acts: Vec<Act>,
    /// Give this as `after` for the next page; null on the last.
    next: Option<String>,
}

/// What organisers have done, the latest first.
#[utoipa::path(get, path = "/api/v1/audit", params(AuditQuery),
    responses((status = OK, body = AuditPage), (status = UNAUTHORIZED, body = ErrorBody)))]
async fn audit(
    State(app): State<AppState>,
    caller: Caller,
    query: Result<Query<AuditQuery>, QueryRejection>,
) -> Result<Json<AuditPage>, ApiError> {
    caller.demand(Scope::Operate)?;
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let limit = query.limit.unwrap_or(100).clamp(1, 1000);
    // One more tells whether another page follows.
    let mut acts = app.audit.before(query.after.unwrap_or(u64::MAX), limit + 1);
    let more = acts.len() > limit;
    acts.truncate(limit);
    let next = acts.last().filter(|_| more).map(|act| act.number.to_string());
    Ok(Json(AuditPage { acts, next }))
}
