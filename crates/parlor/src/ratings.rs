//! `parlor ratings`: how strong everybody is, worked out anew from the games of a data folder.

use anyhow::Result;
use serde_json::json;
use store::sqlite::SqliteArchive;
use wire::Games;

use crate::cli::RatingsArgs;
use crate::output;
use crate::unreadable::Unreadable;

pub fn run(games: &Games, args: &RatingsArgs) -> Result<()> {
    games.find(&args.game).map_err(Unreadable)?;
    let archive = SqliteArchive::open(&args.data)?;
    let leaderboard = server::ratings::ratings(&archive, &args.game)?.leaderboard();
    if args.json {
        return output::line(&json!(leaderboard).to_string());
    }
    if leaderboard.is_empty() {
        output::error(&format!("no rated game of {} was finished yet", args.game));
    }
    let width = leaderboard.iter().map(|rated| rated.name.chars().count()).max().unwrap_or(0);
    for (place, rated) in (1..).zip(&leaderboard) {
        let (name, rating) = (&rated.name, &rated.rating);
        output::line(&format!(
            "{place:>4}  {name:<width$}  {:>6.2} ± {:<5.2}  {}",
            rating.mean,
            rating.uncertainty,
            output::count(rating.games, "game")
        ))?;
    }
    Ok(())
}
