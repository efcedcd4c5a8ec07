//! `parlor bench rules`: how fast each game's rules are, on one core.

use std::time::{Duration, Instant};

use anyhow::Result;
use games::roster::{self, Visitor};
use rules::{Dice, Move, Seat, Seed, Step};
use serde_json::{Map, Value, json};
use wire::Playable;

use super::figures::FIGURES;
use crate::output;

pub fn run(seconds: u64, as_json: bool) -> Result<()> {
    let run = Duration::from_secs(seconds);
    let mut playouts = Playouts { run, results: Vec::new() };
    roster::each(&mut playouts);
    if as_json {
        let mut results = Map::new();
        for (game, moves, games) in playouts.results {
            let rates = json!({"moves_per_s": moves.round(), "games_per_s": games.round()});
            results.insert(game.to_owned(), rates);
        }
        for figure in FIGURES {
            results[figure.game][figure.key] = (figure.measure)(run).into();
        }
        return output::line(&Value::Object(results).to_string());
    }
    for (game, moves, games) in playouts.results {
        output::line(&format!("{game:<14}{moves:>12.0} moves/s {games:>10.0} games/s"))?;
    }
    for figure in FIGURES {
        let cost = (figure.measure)(run);
        let (game, about, aim) = (figure.game, figure.about, figure.aim_us);
        output::line(&format!("{game:<14}{cost:>12.1} us (aim {aim})  {about}"))?;
    }
    Ok(())
}

struct Playouts {
    run: Duration,
    results: Vec<(&'static str, f64, f64)>,
}

impl Visitor for Playouts {
    fn visit<G: Playable>(&mut self) {
        let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
        let seats = terms.policy.seats.min(4);
        let (mut moves, mut games) = (0u64, 0u64);
        let mut turn: Vec<(Seat, Move<G::Action>)> = Vec::new();
        let start = Instant::now();
        while games == 0 || start.elapsed() < self.run {
            let seed = Seed::from_number(games);
            let mut dice = Dice::new(&seed, "bench", 0);
            let mut game =
                G::setup(&terms.config, seats, seed).expect("the defaults can be played");
            while !game.to_act().is_empty() {
                turn.clear();
                let act = |seat| (seat, Move::Act(game.sample(seat, &mut dice)));
                turn.extend(game.to_act().iter().map(act));
                game.advance(Step::Turn(&turn));
                moves += turn.len() as u64;
            }
            games += 1;
        }
        let seconds = start.elapsed().as_secs_f64();
        self.results.push((G::NAME, moves as f64 / seconds, games as f64 / seconds));
    }
}
