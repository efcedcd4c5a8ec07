//! How a tournament begins, or continues from an earlier run.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::Value;
use wire::{AnyDialect, Games};

use super::{ID, blocking};
use crate::cli::RunArgs;
use crate::servers::{Embedded, Remote, escaped};
use crate::terminal::Unreadable;

/// Creates the tournament first where nothing is kept, so that one which is refused leaves nothing
/// behind.
pub async fn try_out(roster: &Games, args: &RunArgs, wire: &AnyDialect, wish: Value) -> Result<()> {
    let server = Embedded::start(roster, wire, &args.set, None).await?;
    let remote = server.remote();
    let convened = blocking(move || remote.post_json("/api/v1/tournaments", &wish)).await;
    server.shutdown().await?;
    let refused = |why| Unreadable(format!("the tournament cannot begin: {why:#}"));
    Ok(convened.map(drop).map_err(refused)?)
}

/// Entrants' keys by their names.
pub type Keys = BTreeMap<String, String>;

/// A tournament that has begun.
pub struct Begun {
    /// Its present state, if it continues from an earlier run.
    pub earlier: Option<Value>,
    pub keys: Keys,
}

/// Creates the tournament, unless an earlier run did; then it must be the same one, and its present
/// state is printed. In any case every entrant gets a key, which only its relay knows.
pub fn create_or_resume(
    games: &[&str],
    remote: &Remote,
    wish: &Value,
    out: &Path,
) -> Result<Begun> {
    let mut kept = None;
    for game in games {
        kept = kept.or(remote.look_up(&format!("/api/v1/tournaments/{game}/{ID}"))?);
    }
    let Some(kept) = kept else {
        let convened = remote.post_json("/api/v1/tournaments", wish)?;
        let keys = convened["keys"].as_array().into_iter().flatten();
        let keys = keys.filter_map(|given| Some((text(&given["name"])?, text(&given["key"])?)));
        return Ok(Begun { earlier: None, keys: keys.collect() });
    };
    let names_and_bots = |tournament: &Value| {
        let entrants = tournament["entrants"].as_array().into_iter().flatten();
        entrants
            .map(|entrant| (entrant["name"].clone(), entrant["bot"].clone()))
            .collect::<Vec<_>>()
    };
    // The seed of a tournament is not told before its end.
    let same_plan = ["format", "table_seats", "best_of", "rated"]
        .into_iter()
        .all(|key| kept["plan"][key] == wish["plan"][key]);
    if kept["game"] != wish["game"] || names_and_bots(&kept) != names_and_bots(wish) || !same_plan {
        bail!(
            "there is another tournament in {}: pass another --out, or the same game, bots and format",
            out.display()
        );
    }
    let keys = new_keys(remote, &kept)?;
    Ok(Begun { earlier: Some(kept), keys })
}

/// The keys of an earlier run are lost. A tournament of an earlier release may have none.
fn new_keys(remote: &Remote, kept: &Value) -> Result<Keys> {
    let mut keys = Keys::new();
    let is_over = matches!(kept["phase"].as_str(), Some("over" | "cancelled"));
    if is_over || kept["open_names"] == true {
        return Ok(keys);
    }
    let game = kept["game"].as_str().unwrap_or_default();
    for entrant in kept["entrants"].as_array().into_iter().flatten() {
        let Some(name) = text(&entrant["name"]).filter(|_| entrant["bot"].is_null()) else {
            continue;
        };
        let place = format!("/api/v1/tournaments/{game}/{ID}/entrants/{}/key", escaped(&name));
        let given = remote.post(&place)?;
        keys.extend(text(&given["key"]).map(|key| (name, key)));
    }
    Ok(keys)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
