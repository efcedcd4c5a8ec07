//! `parlor bench rules`: how fast each game's rules are, on one core.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Map, Value, json};
use trials::bench::rules::playouts;
use wire::{AnyGame, Games};

use super::figures::FIGURES;
use crate::terminal::output;

pub fn run(games: &Games, seconds: u64, as_json: bool) -> Result<()> {
    let run = Duration::from_secs(seconds);
    let rates = |game: &'static dyn AnyGame| {
        let (moves, played) = playouts(game, run);
        (game.name(), moves, played)
    };
    let rates: Vec<_> = games.iter().map(rates).collect();
    if as_json {
        let mut results = Map::new();
        for (game, moves, games) in rates {
            let rates = json!({"moves_per_s": moves.round(), "games_per_s": games.round()});
            results.insert(game.to_owned(), rates);
        }
        for figure in FIGURES {
            results[figure.game][figure.key] = (figure.measure)(run).into();
        }
        return output::line(&Value::Object(results).to_string());
    }
    for (game, moves, games) in rates {
        output::line(&format!("{game:<14}{moves:>12.0} moves/s {games:>10.0} games/s"))?;
    }
    for figure in FIGURES {
        let cost = (figure.measure)(run);
        let (game, about, aim) = (figure.game, figure.about, figure.aim_us);
        output::line(&format!("{game:<14}{cost:>12.1} us (aim {aim})  {about}"))?;
    }
    Ok(())
}
