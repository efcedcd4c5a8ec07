//! Strengths from all games at once, with their uncertainty: the Plackett-Luce model by maximum
//! likelihood (Bradley-Terry for two players), with bootstrap intervals. The order of the games
//! doesn't matter, and the same games give the same bits on the same machine.

use std::collections::BTreeMap;

use rules::{Dice, Seed};
use serde::{Deserialize, Serialize};

/// One game: who took part, and the place of each (1 is best, equals share one).
pub type Placing<'a> = Vec<(&'a str, u32)>;

/// What the games say about one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    pub name: String,
    /// On Elo's scale: 400 more win ten times as often.
    pub elo: f64,
    /// The ends of the 95 % interval.
    pub low: f64,
    pub high: f64,
    pub games: u32,
}

/// What to compute.
#[derive(Clone, Debug, PartialEq)]
pub struct Question<'a> {
    /// A player pinned to a number; without one the average player is at 1500.
    pub anchor: Option<(&'a str, f64)>,
    /// How often the games are drawn again for the intervals.
    pub draws: u32,
    pub seed: Seed,
}

impl Default for Question<'_> {
    fn default() -> Self {
        Question { anchor: None, draws: 200, seed: Seed::from_number(1) }
    }
}

const AVERAGE: f64 = 1500.0;

/// Each player is credited this many draws against an average player; otherwise an undefeated
/// player would be infinitely strong.
const PRIOR: f64 = 1.0;

/// All players, strongest first. A game with fewer than two players, or with one name in two seats,
/// is ignored.
pub fn strengths(games: &[Placing<'_>], question: &Question<'_>) -> Vec<Strength> {
    let mut names = BTreeMap::new();
    let is_telling = |game: &&Placing<'_>| {
        let mut seen = std::collections::BTreeSet::new();
        game.len() > 1 && game.iter().all(|(name, _)| seen.insert(*name))
    };
    let telling: Vec<&Placing<'_>> = games.iter().filter(is_telling).collect();
    for (name, _) in telling.iter().copied().flatten() {
        names.entry(*name).or_insert(0usize);
    }
    names.values_mut().enumerate().for_each(|(number, index)| *index = number);
    let mut played = vec![0; names.len()];
    let stages: Vec<Vec<Stage>> = telling
        .iter()
        .map(|game| {
            game.iter().for_each(|(name, _)| played[names[name]] += 1);
            stages(&game.iter().map(|(name, place)| (names[name], *place)).collect::<Vec<_>>())
        })
        .collect();
    let anchor = question.anchor.and_then(|(name, elo)| Some((*names.get(name)?, elo)));
    let all: Vec<&[Stage]> = stages.iter().map(Vec::as_slice).collect();
    let best = fit(names.len(), &all, None);
    let found = elos(&best, anchor);
    let mut draws: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for number in 0..question.draws {
        let mut dice = Dice::new(&question.seed, "games drawn again", u64::from(number));
        let drawn: Vec<&[Stage]> = all.iter().map(|_| all[dice.below(all.len())]).collect();
        let drawn = elos(&fit(names.len(), &drawn, Some(&best)), anchor);
        draws.iter_mut().zip(drawn).for_each(|(draws, elo)| draws.push(elo));
    }
    let strength = |((name, index), draws): ((&&str, &usize), &mut Vec<f64>)| {
        draws.sort_by(f64::total_cmp);
        let elo = found[*index];
        let at = |share: f64| match draws.len() {
            0 => elo,
            count => draws[((count - 1) as f64 * share).round() as usize],
        };
        let (low, high, games) = (at(0.025), at(0.975), played[*index]);
        Strength { name: (*name).to_owned(), elo, low, high, games }
    };
    let mut strengths: Vec<Strength> = names.iter().zip(&mut draws).map(strength).collect();
    strengths.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    strengths
}

/// One player finishes ahead of all who are left; players who share a place share it in equal
/// parts.
#[derive(Debug)]
struct Stage {
    ahead: Vec<usize>,
    left: Vec<usize>,
}

fn stages(game: &[(usize, u32)]) -> Vec<Stage> {
    let mut places: Vec<u32> = game.iter().map(|(_, place)| *place).collect();
    places.sort_unstable();
    places.dedup();
    let stage = |place: u32| {
        let of = |wanted: &dyn Fn(u32) -> bool| {
            let players = game.iter().filter(|(_, place)| wanted(*place));
            players.map(|(player, _)| *player).collect::<Vec<_>>()
        };
        Stage { ahead: of(&|at| at == place), left: of(&|at| at >= place) }
    };
    places.into_iter().map(stage).filter(|stage| stage.left.len() > 1).collect()
}

/// Hunter's minorise-maximise steps, from equal strengths or from a good guess, until no strength
/// changes by a ten-thousandth.
fn fit(players: usize, games: &[&[Stage]], guess: Option<&[f64]>) -> Vec<f64> {
    let mut wins = vec![PRIOR / 2.0; players];
    for stage in games.iter().copied().flatten() {
        let share = 1.0 / stage.ahead.len() as f64;
        stage.ahead.iter().for_each(|player| wins[*player] += share);
    }
    let mut strengths = guess.map_or_else(|| vec![1.0; players], <[f64]>::to_vec);
    for _ in 0..1000 {
        // The average player's strength is 1.
        let mut against: Vec<f64> =
            strengths.iter().map(|strength| PRIOR / (strength + 1.0)).collect();
        for stage in games.iter().copied().flatten() {
            let sum: f64 = stage.left.iter().map(|player| strengths[*player]).sum();
            stage.left.iter().for_each(|player| against[*player] += 1.0 / sum);
        }
        let mut change: f64 = 0.0;
        for ((strength, wins), against) in strengths.iter_mut().zip(&wins).zip(&against) {
            let next = wins / against;
            change = change.max((next / *strength).ln().abs());
            *strength = next;
        }
        if change < 1e-4 {
            break;
        }
    }
    strengths
}

fn elos(strengths: &[f64], anchor: Option<(usize, f64)>) -> Vec<f64> {
    let elo = |strength: &f64| 400.0 * strength.log10();
    let mut elos: Vec<f64> = strengths.iter().map(elo).collect();
    let shift = match anchor {
        Some((player, at)) => at - elos[player],
        None => AVERAGE - elos.iter().sum::<f64>() / elos.len().max(1) as f64,
    };
    elos.iter_mut().for_each(|elo| *elo += shift);
    elos
}

#[cfg(test)]
#[path = "strength_tests.rs"]
mod tests;
