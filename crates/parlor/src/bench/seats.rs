//! `parlor bench seats`: what each seat is worth when the same house strategy sits in all of them.

use anyhow::Result;
use rules::Seed;
use serde_json::{Value, json};
use tournament::seats::{SeatTally, TableSeats};
use wire::{AnyGame, Games};

use crate::cli::SeatsArgs;
use crate::terminal::{Unreadable, output};

/// Tables of more than this are rare, and take long to measure.
const MOST_SEATS: u64 = 5;

pub fn run(games: &Games, args: &SeatsArgs) -> Result<()> {
    if let Some(game) = &args.game {
        games.find(game).map_err(Unreadable)?;
    }
    let asked =
        |game: &&'static dyn AnyGame| args.game.as_deref().is_none_or(|asked| asked == game.name());
    let mut measured = Vec::new();
    for game in games.iter().filter(asked) {
        let strategy = strategy(game, args)?;
        let greeting = game.greeting();
        let bound = |end: &str| greeting["seats"][end].as_u64().unwrap_or(2);
        let mut tables = Vec::new();
        for seats in bound("min").max(2)..=bound("max").min(MOST_SEATS) {
            if args.seats.is_none_or(|only| only as u64 == seats) {
                tables.push(measure(game, &strategy, seats as usize, args)?);
            }
        }
        if !args.json {
            tables.iter().try_for_each(|table| output::line(&line(game, &strategy, table)))?;
        }
        measured.push(json!({ "game": game.name(), "strategy": strategy, "tables": tables }));
    }
    match args.json {
        true => output::line(&Value::Array(measured).to_string()),
        false => Ok(()),
    }
}

/// The one that was asked for, or the strongest of those that think for a moment only.
fn strategy(game: &'static dyn AnyGame, args: &SeatsArgs) -> Result<String, Unreadable> {
    let known = game.wires().swap_remove(0).strategies;
    if let Some(asked) = &args.strategy {
        return match known.iter().any(|kind| kind.name == *asked) {
            true => Ok(asked.clone()),
            false => Err(Unreadable(format!("{} has no strategy '{asked}'", game.name()))),
        };
    }
    let greeting = game.greeting();
    let mut all = greeting["strategies"].as_array().into_iter().flatten();
    let quick = all.rfind(|kind| kind["level"].as_u64().is_some_and(|level| level <= 2));
    let name = quick.and_then(|kind| kind["name"].as_str());
    Ok(name.unwrap_or(known[0].name).to_owned())
}

fn measure(
    game: &'static dyn AnyGame,
    strategy: &str,
    seats: usize,
    args: &SeatsArgs,
) -> Result<TableSeats> {
    let mut tally = SeatTally::default();
    let seated = vec![strategy; seats];
    for number in 0..args.games {
        let seed = Seed::from_number(args.seed.wrapping_add(number));
        let played = game.let_play(&seated, seed, &mut |_, think| think());
        let outcome = played.map_err(anyhow::Error::msg)?;
        let places: Vec<u32> = outcome.standings.iter().map(|standing| standing.place).collect();
        tally.add(&places);
    }
    Ok(tally.tables().swap_remove(0))
}

fn line(game: &'static dyn AnyGame, strategy: &str, table: &TableSeats) -> String {
    let TableSeats { seats, games, shares, error } = table;
    let shares: Vec<String> =
        shares.iter().map(|share| format!("{:>5.1}", 100.0 * share)).collect();
    let (name, shares, error) = (game.name(), shares.join(" "), 100.0 * error);
    format!("{name:<13} {strategy:<9} {seats} seats, {games} games   {shares} %   ± {error:.1}")
}
