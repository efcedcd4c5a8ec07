//! What strangers may choose for a private table.

use hall::{Code, Start, Terms};
use serde_json::{Map, Value};

use super::refusals::Refused;
use crate::AnyGame;
use crate::manual::Limit;

/// What strangers may choose besides seats, clock and lists, in words.
pub fn choices(game: &'static dyn AnyGame) -> Vec<String> {
    let known = game.option_help();
    let help = |key: &str| known.iter().find(|(option, _)| *option == key);
    let choice = |(key, limit): &(&str, Limit)| {
        let about = help(key).map_or("", |(_, about)| about);
        match limit {
            Limit::Any => format!("{key}: {about}"),
            Limit::Between(least, most) => format!("{key} ({least} to {most}): {about}"),
            Limit::Characters(most) => format!("{key} (up to {most} characters): {about}"),
        }
    };
    game.manual().options.iter().map(choice).collect()
}

/// The clocks that strangers may choose, in seconds.
const CLOCKS: (u64, u64) = (5, 600);

/// Makes of what a stranger has chosen a table that begins when it is full.
pub fn own_table(
    game: &'static dyn AnyGame,
    house: &Value,
    mut options: Map<String, Value>,
    bots: usize,
) -> Result<Terms, Refused> {
    let manual = game.manual();
    let seats = number(&mut options, "seats", (1, manual.seats.1 as u64))?;
    let clock = number(&mut options, "clock_s", CLOCKS)?;
    let legal = match options.remove("legal") {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Bool(false)) => false,
        Some(_) => return Err(bad("legal", "it is true or false")),
    };
    for (key, value) in &options {
        match manual.options.iter().find(|(option, _)| option == key) {
            Some((_, limit)) => limit.check(value).map_err(|why| bad(key, &why))?,
            None => {
                let own = manual.options.iter().map(|(option, _)| *option);
                let known: Vec<&str> =
                    ["seats", "clock_s", "legal"].into_iter().chain(own).collect();
                let message = format!("you cannot choose \"{key}\" here");
                return Err(Refused::new(Code::BadRequest, message, known.join(", ")));
            }
        }
    }
    let made = game.changed(house, &options).and_then(|options| game.terms(&options));
    let mut terms =
        made.map_err(|why| Refused::new(Code::BadRequest, why, "change \"options\""))?;
    let policy = &mut terms.policy;
    policy.seats = seats.map_or(0, |seats| seats as usize).max(1 + bots).max(manual.seats.0);
    policy.start = Start::WhenFull { ready_grace_ms: 0 };
    policy.house_bots = Vec::new();
    if let Some(clock) = clock {
        policy.turn_ms = Some(clock * 1000);
    }
    policy.hides_legal = !legal;
    Ok(terms)
}

fn number(
    options: &mut Map<String, Value>,
    key: &str,
    (least, most): (u64, u64),
) -> Result<Option<u64>, Refused> {
    let Some(value) = options.remove(key) else { return Ok(None) };
    let number = value.as_u64().filter(|number| (least..=most).contains(number));
    number.map(Some).ok_or_else(|| bad(key, &format!("it goes from {least} to {most}")))
}

fn bad(key: &str, hint: &str) -> Refused {
    Refused::new(Code::BadRequest, format!("\"{key}\" cannot be so"), hint)
}
