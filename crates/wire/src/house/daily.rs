//! The daily deal: all players who ask for it on one day get the same cards against the same bots.

use hall::{Name, NewTable, Time};
use rules::{Grade, Seed};
use serde_json::{Map, Value, json};

use super::refusals::Refused;
use super::strangers;
use crate::AnyGame;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const CLOCK_S: u64 = 120;
/// The bots of a day are of this level where a game has it.
const STRATEGY: &str = "otto";

/// The table of a day and its house bots. Days begin at midnight UTC.
pub fn table(
    game: &'static dyn AnyGame,
    house: &Value,
    now: Time,
    name: &str,
) -> Result<(NewTable, Vec<Name>), Refused> {
    let day = now.0 / DAY_MS;
    let known = game.hooks().bots;
    let of_level = known.iter().find(|strategy| strategy.name == STRATEGY);
    let decent = || known.iter().rfind(|strategy| strategy.grade == Grade::Decent);
    let strategy = of_level.or_else(decent).unwrap_or(&known[0]);
    let bots = vec![Name::from(strategy.name); (game.manual().seats.1 - 1).min(2)];
    let options = Map::from_iter([("clock_s".to_owned(), json!(CLOCK_S))]);
    let terms = strangers::own_table(game, house, options, bots.len())?;
    // Results of the day are found by their ids, which say the day first.
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let who: String = name.chars().map(plain).take(16).collect();
    let id = format!("daily-{day}-{}-{who}", now.0 % DAY_MS);
    let table = NewTable {
        terms,
        id: Some(id.into()),
        reserved: Vec::new(),
        seed: Some(Seed::from_number(day)),
        bots_at_once: false,
    };
    Ok((table, bots))
}
