//! `parlor bench strategies`: house bots against each other, two at a table, without sockets.

use std::time::Duration;

use anyhow::Result;
use rules::Seed;
use serde_json::json;
use server::thread_cpu;
use wire::{AnyGame, Games, HouseStrategy};

use crate::cli::StrategiesArgs;
use crate::terminal::{Unreadable, output};

pub fn run(games: &Games, args: &StrategiesArgs) -> Result<()> {
    if let Some(game) = &args.game {
        games.find(game).map_err(Unreadable)?;
    }
    let mut pairs = Vec::new();
    let mut known = Vec::new();
    let only = &args.strategies;
    let meets = |kind: &HouseStrategy| only.is_empty() || only.iter().any(|name| name == kind.name);
    let asked = |game: &str| args.game.as_deref().is_none_or(|asked| asked == game);
    for game in games.iter().filter(|game| asked(game.name())) {
        let mut strategies = game.wires().swap_remove(0).strategies;
        known.extend(strategies.iter().map(|kind| kind.name));
        strategies.retain(meets);
        for (index, one) in strategies.iter().enumerate() {
            for two in &strategies[index + 1..] {
                pairs.push(meet(game, [one.name, two.name], args)?);
            }
        }
    }
    if pairs.is_empty() {
        let (asked, known) = (only.join(" and "), known.join(", "));
        return Err(Unreadable(format!("no game has both {asked}; there are {known}")).into());
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
    /// The processor's time each took for its moves: what else runs on the machine adds nothing.
    thought: [Vec<Duration>; 2],
}

impl Pair {
    fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.shared
    }

    /// What part of the games a side has won, of shared ones half, and the bounds within which the
    /// part lies that it would win in the long run, with a probability of 95 %.
    fn share(&self, side: usize) -> Share {
        Share::of(self.wins[side] as f64 + self.shared as f64 / 2.0, self.games() as f64)
    }

    /// Nineteen of twenty moves took no longer.
    fn p95_ms(&self, side: usize) -> f64 {
        let mut thought = self.thought[side].clone();
        thought.sort_unstable();
        let p95 = thought.get(thought.len() * 19 / 20).copied().unwrap_or_default();
        p95.as_secs_f64() * 1e3
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
            "share": self.share(1).value,
            "share_95": [self.share(1).least, self.share(1).most],
            "move_ms_p95": [self.p95_ms(0), self.p95_ms(1)],
        })
    }

    fn line(&self) -> String {
        let (one, two) = (self.names[0], self.names[1]);
        let Share { value, least, most } = self.share(1);
        format!(
            "{:<13} {one:>9} {:>5} : {:<5} {two:<9} {:>5} shared   {two} {:.1} % ({:.1} to {:.1})   \
             points {:.1} : {:.1}   p95 {:.2} : {:.2} ms a move",
            self.game,
            self.wins[0],
            self.wins[1],
            self.shared,
            100.0 * value,
            100.0 * least,
            100.0 * most,
            self.average(0),
            self.average(1),
            self.p95_ms(0),
            self.p95_ms(1),
        )
    }
}

/// A part of many games, and Wilson's interval around it.
struct Share {
    value: f64,
    least: f64,
    most: f64,
}

impl Share {
    fn of(won: f64, games: f64) -> Share {
        /// Standard deviations that leave out 5 %.
        const Z: f64 = 1.96;
        if games == 0.0 {
            return Share { value: 0.5, least: 0.0, most: 1.0 };
        }
        let value = won / games;
        let middle = (value + Z * Z / (2.0 * games)) / (1.0 + Z * Z / games);
        let spread = Z / (1.0 + Z * Z / games)
            * (value * (1.0 - value) / games + Z * Z / (4.0 * games * games)).sqrt();
        Share { value, least: middle - spread, most: middle + spread }
    }
}

fn meet(
    game: &'static dyn AnyGame,
    names: [&'static str; 2],
    args: &StrategiesArgs,
) -> Result<Pair> {
    let mut pair = Pair {
        game: game.name(),
        names,
        wins: [0; 2],
        shared: 0,
        points: [0; 2],
        thought: [Vec::new(), Vec::new()],
    };
    for number in 0..args.games {
        // They change seats from game to game.
        let first = (number % 2) as usize;
        let seated = [names[first], names[1 - first]];
        let seed = Seed::from_number(args.seed.wrapping_add(number));
        let played = game.let_play(&seated, seed, &mut |seat, think| {
            let begun = thread_cpu();
            think();
            pair.thought[seat.index() ^ first].push(thread_cpu().saturating_sub(begun));
        });
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

#[cfg(test)]
mod tests {
    use super::Share;

    /// Wilson's interval for 60 of 100, as tables have it.
    #[test]
    fn the_bounds_are_wilsons() {
        let Share { value, least, most } = Share::of(60.0, 100.0);
        assert_eq!(
            [value, least, most].map(|part| format!("{part:.3}")),
            ["0.600", "0.502", "0.691"]
        );
        assert!(Share::of(0.0, 0.0).least < 0.5);
    }
}
