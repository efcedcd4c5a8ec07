//! The admin token: made at the first start, readable by its owner alone.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::http::{HeaderMap, header};
use hall::Code;

use super::Peer;
use super::error::ApiError;

#[derive(Clone)]
pub struct AdminToken(Arc<str>);

impl AdminToken {
    pub fn new(token: &str) -> AdminToken {
        AdminToken(token.into())
    }

    /// Reads the token of a data folder, or puts `fresh` there.
    pub fn load(path: &Path, fresh: &str) -> Result<AdminToken> {
        match fs::read_to_string(path) {
            Ok(text) if text.trim().len() >= 16 => Ok(AdminToken(text.trim().into())),
            Ok(_) => anyhow::bail!("{} holds no token of at least 16 characters", path.display()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut options = fs::OpenOptions::new();
                options.write(true).create_new(true);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                let written = options.open(path).and_then(|mut file| writeln!(file, "{fresh}"));
                written.with_context(|| format!("cannot write {}", path.display()))?;
                Ok(AdminToken(fresh.into()))
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn matches(&self, given: &str) -> bool {
        // Compared without stopping at the first difference, so timing tells nothing.
        given.len() == self.0.len()
            && given.bytes().zip(self.0.bytes()).fold(0, |acc, (a, b)| acc | (a ^ b)) == 0
    }

    /// Refuses a request that does not carry the token.
    pub fn demand(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        match given.and_then(|value| value.strip_prefix("Bearer ")) {
            Some(token) if self.matches(token.trim()) => Ok(()),
            Some(_) => Err(Code::WrongToken.into()),
            None => Err(ApiError::new(
                Code::NeedsToken,
                "this needs the admin token: send 'Authorization: Bearer TOKEN' \
                 (its place was printed when the server started)",
            )),
        }
    }

    /// As [`demand`](AdminToken::demand), but whoever is on this machine may, if `open` says so.
    pub fn demand_unless_local(
        &self,
        headers: &HeaderMap,
        peer: Peer,
        open: bool,
    ) -> Result<(), ApiError> {
        let local = peer.0.is_some_and(|address| address.ip().to_canonical().is_loopback());
        if open && local { Ok(()) } else { self.demand(headers) }
    }
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AdminToken")
    }
}
