//! The secret that is mixed into a tournament's seed: a number that a person chose can be guessed,
//! and the deals with it.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rules::Seed;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::bot;

/// The number of `--seed`, and what is mixed into it.
#[derive(Clone, Debug)]
pub struct Secret {
    number: u64,
    secret: Seed,
    path: PathBuf,
    is_new: bool,
}

impl Secret {
    /// The secret of the run in this folder: that of an earlier run, or a new one. None: an earlier run
    /// had none.
    pub fn read_or_create(out: &Path, number: u64) -> Result<Option<Secret>> {
        let path = out.join("seed.json");
        if !path.exists() {
            if out.join("data").exists() {
                return Ok(None);
            }
            return Ok(Some(Secret { number, secret: bot::entropy()?, path, is_new: true }));
        }
        let wrong = || format!("{} cannot be read", path.display());
        let kept: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).with_context(wrong)?)
                .with_context(wrong)?;
        if kept["number"].as_u64() != Some(number) {
            bail!(
                "the tournament in {} has another --seed: pass that one, or another --out",
                out.display()
            );
        }
        let secret = serde_json::from_value(kept["secret"].clone()).with_context(wrong)?;
        Ok(Some(Secret { number, secret, path, is_new: false }))
    }

    /// What is dealt by: SHA-256 of the number, eight bytes with the lowest first, and the secret.
    pub fn seed(&self) -> Seed {
        let mut digest = Sha256::new();
        digest.update(self.number.to_le_bytes());
        digest.update(self.secret.0);
        Seed(digest.finalize().into())
    }

    /// Keeps it for the run that continues where this one stops, and for everyone when it is over.
    pub fn keep(&self) -> Result<()> {
        if !self.is_new {
            return Ok(());
        }
        let write = || -> std::io::Result<()> {
            let mut file = store::private::create(&self.path)?;
            writeln!(file, "{}", self.json())?;
            file.sync_all()
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// With all that is needed to check the deals.
    pub fn json(&self) -> Value {
        json!({
            "number": self.number,
            "secret": self.secret,
            "seed": self.seed(),
            "rule": "seed = SHA-256(number as 8 bytes, lowest first; then the 32 bytes of secret)",
        })
    }

    /// The run is over: the file gets the permissions that the folder gives.
    pub fn reveal(&self) -> Result<()> {
        let text = format!("{}\n", self.json());
        std::fs::remove_file(&self.path)
            .and_then(|()| std::fs::write(&self.path, text))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_makes_another_seed_each_time_and_the_same_for_one_run() {
        let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let first = Secret::read_or_create(one.path(), 7).unwrap().expect("nothing is there yet");
        let second =
            Secret::read_or_create(other.path(), 7).unwrap().expect("nothing is there yet");
        assert_ne!(first.seed(), second.seed());
        assert_ne!(first.seed(), Seed::from_number(7));
        first.keep().unwrap();
        let again = Secret::read_or_create(one.path(), 7).unwrap().expect("it was kept");
        assert_eq!(again.seed(), first.seed());
        let refused = Secret::read_or_create(one.path(), 8).unwrap_err().to_string();
        assert!(refused.contains("has another --seed"), "{refused}");
    }
}
