//! `parlor bench strategies`: house bots against each other, two at a table, without sockets.

use anyhow::{Result, bail};
use games::roster::{self, Visitor};
use rules::{Bot, BotKind, Dice, Move, Seat, Seed, Step, Viewer};
use serde_json::json;
use wire::Playable;

use crate::cli::StrategiesArgs;
use crate::output;
use crate::unreadable::Unreadable;

pub fn run(args: &StrategiesArgs) -> Result<()> {
    if let Some(game) = args.game.as_deref().filter(|game| !roster::GAMES.contains(game)) {
        let known = roster::GAMES.join(", ");
        return Err(Unreadable(format!("no game '{game}'; there are {known}")).into());
    }
    let mut matches = Matches { args, pairs: Vec::new(), failure: None };
    roster::each(&mut matches);
    if let Some(failure) = matches.failure {
        return Err(failure);
    }
    if args.json {
        let pairs: Vec<_> = matches.pairs.iter().map(Pair::json).collect();
        return output::line(&json!({"seed": args.seed, "pairs": pairs}).to_string());
    }
    for pair in &matches.pairs {
        output::line(&pair.line())?;
    }
    Ok(())
}

struct Matches<'a> {
    args: &'a StrategiesArgs,
    pairs: Vec<Pair>,
    failure: Option<anyhow::Error>,
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

impl Visitor for Matches<'_> {
    fn visit<G: Playable>(&mut self) {
        let asked = self.args.game.as_deref().is_none_or(|game| game == G::NAME);
        if !asked || self.failure.is_some() {
            return;
        }
        for (index, one) in G::bots().iter().enumerate() {
            for two in &G::bots()[index + 1..] {
                match meet::<G>([*one, *two], self.args) {
                    Ok(pair) => self.pairs.push(pair),
                    Err(error) => self.failure = Some(error),
                }
            }
        }
    }
}

fn meet<G: Playable>(kinds: [BotKind<G>; 2], args: &StrategiesArgs) -> Result<Pair> {
    let terms = G::terms(&G::Options::default()).map_err(anyhow::Error::msg)?;
    let names = kinds.map(|kind| kind.name);
    let mut pair = Pair { game: G::NAME, names, wins: [0; 2], shared: 0, points: [0; 2] };
    for number in 0..args.games {
        // They change seats from game to game.
        let first = (number % 2) as usize;
        let seated = [kinds[first], kinds[1 - first]];
        let seed = Seed::from_number(args.seed.wrapping_add(number));
        let game = game_ref::<G>(&terms.config, &seated, seed)?;
        let outcome = game.outcome().expect("a game is played to its end");
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

/// A game between bots, played to its end.
pub fn game_ref<G: Playable>(config: &G::Config, kinds: &[BotKind<G>], seed: Seed) -> Result<G> {
    let mut dice = Dice::new(&seed, "bots", 0);
    let mut game = G::setup(config, kinds.len(), seed).map_err(anyhow::Error::msg)?;
    let mut bots: Vec<Box<dyn Bot<G>>> = kinds.iter().map(|kind| (kind.make)()).collect();
    let mut turn: Vec<(Seat, Move<G::Action>)> = Vec::new();
    while !game.to_act().is_empty() {
        turn.clear();
        for seat in game.to_act().iter() {
            let action = bots[seat.index()].choose(&game.view(Viewer::Seat(seat)), &mut dice);
            if let Err(why) = game.check(seat, &action) {
                bail!("{} plays {action:?} at {}: {why}", kinds[seat.index()].name, G::NAME);
            }
            turn.push((seat, Move::Act(action)));
        }
        game.advance(Step::Turn(&turn));
    }
    Ok(game)
}
