//! Who asks, and what it may do: by a token of an organiser's, a player's key, or a ticket in place
//! of either, for browsers cannot send headers with a WebSocket.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use hall::{Code, KeyHash, Scope, is_key};

use super::ApiError;
use super::auth::AdminToken;
use crate::gate::Peer;
use crate::house::{RegisterHandle, Tickets, clock};

/// The name of the token that lies in the data folder.
pub const FIRST: &str = "admin";

/// Whose token it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    pub name: Arc<str>,
    pub scope: Scope,
}

/// What a request has shown.
#[derive(Clone, Debug)]
enum Shown {
    Nothing,
    /// A token that nobody has.
    Unknown,
    /// A ticket that was used, or is too old.
    BadTicket,
    Token(Holder, KeyHash),
    /// A player's key, whether or not it opens anything.
    Key(KeyHash),
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Caller {
    pub peer: Peer,
    shown: Shown,
}

impl Caller {
    /// Refuses who has shown no token that may do this.
    pub fn demand(&self, scope: Scope) -> Result<&Holder, ApiError> {
        match &self.shown {
            Shown::Token(holder, _) if holder.scope >= scope => Ok(holder),
            Shown::Token(Holder { scope: has, .. }, _) => Err(ApiError::new(
                Code::NeedsScope,
                format!(
                    "this needs a token for '{}', and yours is for '{}'",
                    scope.as_str(),
                    has.as_str()
                ),
            )),
            Shown::Unknown | Shown::BadTicket | Shown::Key(_) => Err(Code::WrongToken.into()),
            Shown::Nothing => Err(ApiError::new(
                Code::NeedsToken,
                "this needs the admin token: send 'Authorization: Bearer TOKEN' \
                 (its place was printed when the server started)",
            )),
        }
    }

    /// As [`demand`](Caller::demand), but programs on this machine may, if `open` says so.
    pub fn demand_unless_here(&self, scope: Scope, open: bool) -> Result<(), ApiError> {
        if open && self.peer.is_here() { Ok(()) } else { self.demand(scope).map(|_| ()) }
    }

    /// Whose token was shown.
    pub fn holder(&self) -> Option<&Holder> {
        match &self.shown {
            Shown::Token(holder, _) => Some(holder),
            _ => None,
        }
    }

    /// The player's key that was shown.
    pub fn key(&self) -> Option<&KeyHash> {
        match &self.shown {
            Shown::Key(key) => Some(key),
            _ => None,
        }
    }

    /// The key that a WebSocket shows, by header or by ticket. A ticket that is not good is refused.
    pub fn key_of_socket(&self) -> Result<Option<KeyHash>, ApiError> {
        match &self.shown {
            Shown::BadTicket => Err(ApiError::new(
                Code::WrongToken,
                "this ticket was used, or is too old: ask for another with POST /api/v1/tickets",
            )),
            _ => Ok(self.key().cloned()),
        }
    }

    /// What a ticket may stand for.
    pub fn shown_hash(&self) -> Option<&KeyHash> {
        match &self.shown {
            Shown::Token(_, hash) | Shown::Key(hash) => Some(hash),
            _ => None,
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Infallible> {
        Ok(parts.extensions.get().cloned().expect("every request passes the guard"))
    }
}

/// The tokens, keys and tickets there are.
#[derive(Clone, Debug)]
pub struct Access {
    /// The hash of the first token.
    first: KeyHash,
    pub register: RegisterHandle,
    tickets: Arc<Tickets>,
}

impl Access {
    pub fn new(first: &AdminToken, register: RegisterHandle, tickets: Arc<Tickets>) -> Access {
        Access { first: KeyHash::of(first.as_str()), register, tickets }
    }

    /// Who asks, by what it shows. A ticket is good for one request.
    pub fn identify(&self, peer: Peer, headers: &HeaderMap, query: Option<&str>) -> Caller {
        let shown = match (bearer(headers), query.and_then(ticket_in)) {
            (Some(bearer), _) => {
                let hash = KeyHash::of(bearer);
                match self.holder(&hash) {
                    Some(holder) => Shown::Token(holder, hash),
                    None if is_key(bearer) => Shown::Key(hash),
                    None => Shown::Unknown,
                }
            }
            (None, Some(ticket)) => match self.tickets.redeem(clock::now(), ticket) {
                None => Shown::BadTicket,
                Some(hash) => match self.holder(&hash) {
                    Some(holder) => Shown::Token(holder, hash),
                    None => Shown::Key(hash),
                },
            },
            (None, None) => Shown::Nothing,
        };
        Caller { peer, shown }
    }

    /// Whether a request carries the token of somebody who runs the server.
    pub fn is_operators(&self, headers: &HeaderMap) -> bool {
        let holder = bearer(headers).and_then(|bearer| self.holder(&KeyHash::of(bearer)));
        holder.is_some_and(|holder| holder.scope >= Scope::Operate)
    }

    /// Whose token has this hash. Hashes are compared without stopping at the first difference.
    fn holder(&self, hash: &KeyHash) -> Option<Holder> {
        if self.first == *hash {
            return Some(Holder { name: FIRST.into(), scope: Scope::Operate });
        }
        let register = self.register.read();
        let (name, scope) = register.admins.holder(hash)?;
        Some(Holder { name: name.into(), scope })
    }
}

/// The key that a request shows: `Authorization: Bearer pk_…`.
pub fn shown_key(headers: &HeaderMap) -> Option<KeyHash> {
    bearer(headers).filter(|bearer| is_key(bearer)).map(KeyHash::of)
}

/// The ticket in a query, if there is one.
pub fn ticket_in(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("ticket="))
}

/// What stands in the header; something that cannot be read is no token either.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?;
    let token = given.to_str().ok().and_then(|given| given.strip_prefix("Bearer "));
    Some(token.unwrap_or_default().trim())
}
