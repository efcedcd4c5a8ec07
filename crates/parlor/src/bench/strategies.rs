//! `parlor bench strategies`: house bots against each other, two at a table, without sockets.

use anyhow::Result;
use rules::Seed;
use serde_json::json;
use wire::{AnyGame, Games};

use crate::cli::StrategiesArgs;
use crate::output;
use crate::unreadable::Unreadable;

pub fn run(games: &Games, args: &StrategiesArgs) -> Result<()> {
    if let Some(game) = &args.game {
        games.find(game).map_err(Unreadable)?;
    }
    let mut pairs = Vec::new();
    let asked = |game: &str| args.game.as_deref().is_none_or(|asked| asked == game);
    for game in games.iter().filter(|game| asked(game.name())) {
        let strategies = game.wires().swap_remove(0).strategies;
        for (index, (one, _)) in strategies.iter().enumerate() {
            for (two, _) in &strategies[index + 1..] {
                pairs.push(meet(game, [*one, *two], args)?);
            }
        }
    }
    if args.json {
        let pairs: Vec<_> = pairs.iter().map(Pair::json).collect();
        return output::line(&json!({"seed": args.seed, "pairs": pairs}).to_string());
    }
    for pair in &pairs {
        output::line(&pair.line())?;
    }
    Ok(())
}

/// What came of all games between two strategies.
struct Pair {
    game: &'static str,
    names: [&'static str; 2],
    wins: [u64; 2],
    shared: u64,
    points: [i64; 2],
}

impl Pair {
    fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.shared
    }

    fn average(&self, side: usize) -> f64 {
        self.points[side] as f64 / self.games().max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.game,
            "strategies": self.names,
            "games": self.games(),
            "wins": self.wins,
            "shared": self.shared,
            "average_points": [self.average(0), self.average(1)],
        })
    }

    fn line(&self) -> String {
        let (one, two) = (self.names[0], self.names[1]);
        format!(
            "{:<13} {one:>9} {:>5} : {:<5} {two:<9} {:>5} shared   points {:.1} : {:.1}",
            self.game,
            self.wins[0],
            self.wins[1],
            self.shared,
            self.average(0),
            self.average(1)
        )
    }
}

fn meet(game: &dyn AnyGame, names: [&'static str; 2], args: &StrategiesArgs) -> Result<Pair> {
    let mut pair = Pair { game: game.name(), names, wins: [0; 2], shared: 0, points: [0; 2] };
    for number in 0..args.games {
        // They change seats from game to game.
        let first = (number % 2) as usize;
        let seated = [names[first], names[1 - first]];
        let seed = Seed::from_number(args.seed.wrapping_add(number));
        let played = game.let_play(&seated, seed, &mut |_, think| think());
        let outcome = played.map_err(anyhow::Error::msg)?;
        for (seat, standing) in outcome.standings.iter().enumerate() {
            pair.points[seat ^ first] += standing.points;
        }
        let winners = outcome.winners();
        match winners.first().filter(|_| winners.len() == 1) {
            Some(seat) => pair.wins[seat.index() ^ first] += 1,
            None => pair.shared += 1,
        }
    }
    Ok(pair)
}
