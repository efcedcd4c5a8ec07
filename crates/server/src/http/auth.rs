//! The first admin token: made at the first start, readable by its owner alone.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use store::private;

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
                let written = private::create(path).and_then(|mut file| writeln!(file, "{fresh}"));
                written.with_context(|| format!("cannot write {}", path.display()))?;
                Ok(AdminToken(fresh.into()))
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// The token that all nodes of a fleet have, put where commands look for it.
    pub fn of_fleet(token: &str, place: Option<&Path>) -> Result<AdminToken> {
        if let Some(place) = place {
            let written = private::create(place).and_then(|mut file| writeln!(file, "{token}"));
            written.with_context(|| format!("cannot write {}", place.display()))?;
        }
        Ok(AdminToken(token.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AdminToken")
    }
}
