//! How a tournament begins, or goes on from an earlier run.

use std::path::Path;

use anyhow::{Result, bail};
use serde_json::Value;
use server::Roster;
use wire::AnyDialect;

use super::{ID, blocking};
use crate::cli::RunArgs;
use crate::servers::{Embedded, Remote};
use crate::terminal::Unreadable;

/// Convenes the tournament where nothing is kept, so that one which is refused leaves nothing
/// behind.
pub async fn try_out(
    roster: &Roster,
    args: &RunArgs,
    wire: &AnyDialect,
    wish: Value,
) -> Result<()> {
    let server = Embedded::start(roster, wire, &args.set, None).await?;
    let remote = server.remote();
    let convened = blocking(move || remote.post_json("/api/v1/tournaments", &wish)).await;
    server.shutdown().await?;
    let refused = |why| Unreadable(format!("the tournament cannot begin: {why:#}"));
    Ok(convened.map(drop).map_err(refused)?)
}

/// Convenes the tournament, unless it is there from an earlier run; then it must be the same, and
/// this is how it stands.
pub fn take_up(games: &[&str], remote: &Remote, wish: &Value, out: &Path) -> Result<Option<Value>> {
    let mut kept = None;
    for game in games {
        kept = kept.or(remote.look_up(&format!("/api/v1/tournaments/{game}/{ID}"))?);
    }
    let Some(kept) = kept else {
        return remote.post_json("/api/v1/tournaments", wish).map(|_| None);
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
            "there is another tournament in {}: say another --out, or the same game, bots and format",
            out.display()
        );
    }
    Ok(Some(kept))
}
