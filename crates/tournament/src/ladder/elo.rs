//! Strengths of a ladder's entrants with their uncertainty: the Plackett-Luce model of
//! [`strength`](crate::strength) by maximum likelihood over the latest games. It is never
//! recomputed from scratch: after each game its players, and a few others in turn, move to where
//! the games put them. (A rating that follows game by game and keeps none, such as Weng and Lin's,
//! has no usable intervals here: if only neighbours meet, its errors stay forever.)

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::EntrantId;

/// The belief about a strength, on Elo's scale: 400 more win ten times as often. New entrants start
/// at 1500.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    pub mean: f64,
    /// The standard deviation of the belief.
    pub deviation: f64,
}

/// The games that count, and what they say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strengths {
    /// The latest games: who took part, and the place of each.
    games: VecDeque<Vec<(EntrantId, u32)>>,
    /// How many games there were before those.
    forgotten: u64,
    /// By entrant.
    players: Vec<Player>,
    /// The next entrant to move, in turn.
    next: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Player {
    elo: Elo,
    /// The numbers of its games.
    games: VecDeque<u64>,
}

const AVERAGE: f64 = 1500.0;

/// A strength that is greater by this much wins e times as often.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Each entrant is credited this many draws against an average one; otherwise an undefeated entrant
/// would be infinitely strong.
const PRIOR: f64 = 2.0;

/// Average number of games that count per entrant; the total has a minimum and a maximum.
const GAMES_EACH: usize = 100;
const LEAST_GAMES: usize = 500;
const MOST_GAMES: usize = 50_000;

/// Number of entrants moved after a game in addition to its players.
const IN_TURN: usize = 12;

impl Default for Elo {
    /// Nothing is known: an average player.
    fn default() -> Elo {
        Elo { mean: AVERAGE, deviation: rounded(SCALE * 2.0 / PRIOR.sqrt()) }
    }
}

impl Elo {
    /// The ends of the 95 % interval.
    pub fn low(self) -> f64 {
        rounded(self.mean - 1.96 * self.deviation)
    }

    pub fn high(self) -> f64 {
        rounded(self.mean + 1.96 * self.deviation)
    }

    /// In units in which one more wins e times as often.
    fn strength(self) -> f64 {
        (self.mean - AVERAGE) / SCALE
    }
}

impl Strengths {
    pub fn of(&self, entrant: EntrantId) -> Elo {
        self.players.get(entrant.index()).map(|player| player.elo).unwrap_or_default()
    }

    /// How many games count.
    pub fn counted(&self) -> usize {
        self.games.len()
    }

    /// A game ended: who took part, and the place of each (1 is best, equals share one).
    pub fn count(&mut self, game: Vec<(EntrantId, u32)>) {
        let number = self.forgotten + self.games.len() as u64;
        for (entrant, _) in &game {
            let known = self.players.len().max(entrant.index() + 1);
            self.players.resize_with(known, Player::default);
            self.players[entrant.index()].games.push_back(number);
        }
        let played: Vec<usize> = game.iter().map(|(entrant, _)| entrant.index()).collect();
        self.games.push_back(game);
        let most = self.players.len() * GAMES_EACH / played.len().max(1);
        while self.games.len() > most.clamp(LEAST_GAMES, MOST_GAMES) {
            self.forget_oldest();
        }
        played.into_iter().for_each(|player| self.adjust(player));
        for _ in 0..IN_TURN.min(self.players.len()) {
            self.next = (self.next + 1) % self.players.len();
            self.adjust(self.next);
        }
    }

    fn forget_oldest(&mut self) {
        for (entrant, _) in self.games.pop_front().into_iter().flatten() {
            self.players[entrant.index()].games.pop_front();
        }
        self.forgotten += 1;
    }

    /// Moves one strength to where its games say that it is, all others as they are: one step of
    /// Newton's. How sure that is follows from how much its games say, and from how sure the strengths
    /// of its opponents are.
    fn adjust(&mut self, player: usize) {
        let own = self.players[player].elo.strength();
        let expected = 1.0 / (1.0 + (-own).exp());
        let mut pull = PRIOR * (0.5 - expected);
        let mut weight = PRIOR * expected * (1.0 - expected);
        let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
        // By entrant at a table: its place, and how strongly it pulls.
        let mut at_table: Vec<(usize, u32, f64)> = Vec::new();
        for number in &self.players[player].games {
            let game = &self.games[(number - self.forgotten) as usize];
            let places = game.iter().map(|(entrant, place)| {
                (entrant.index(), *place, self.players[entrant.index()].elo.strength().exp())
            });
            at_table.clear();
            at_table.extend(places);
            let place = at_table.iter().find(|(at, ..)| *at == player).expect("its own game").1;
            // Each rank up to its own is taken by one of the players that are left.
            for taken in at_table.iter().map(|(_, taken, _)| *taken).filter(|taken| *taken <= place)
            {
                let left = || at_table.iter().filter(|(_, its, _)| *its >= taken);
                let ahead = at_table.iter().filter(|(_, its, _)| *its == taken).count() as f64;
                if left().count() < 2 {
                    continue;
                }
                let sum: f64 = left().map(|(.., force)| force).sum();
                let expected = own.exp() / sum;
                // Players that share a rank share it in equal parts, and each of them passes here.
                let share = if taken == place { 1.0 / ahead } else { 0.0 };
                pull += (share - expected) / ahead;
                weight += expected * (1.0 - expected) / ahead;
                for (other, _, force) in left().filter(|(other, ..)| *other != player) {
                    *shares.entry(*other).or_default() += expected * force / sum / ahead;
                }
            }
        }
        let unsure = |(other, share): (&usize, &f64)| {
            (share / weight * self.players[*other].elo.deviation / SCALE).powi(2)
        };
        let variance = 1.0 / weight + shares.iter().map(unsure).sum::<f64>();
        let step = (pull / weight).clamp(-1.0, 1.0);
        self.players[player].elo = Elo {
            mean: rounded(AVERAGE + SCALE * (own + step)),
            deviation: rounded(SCALE * variance.sqrt()),
        };
    }
}

/// To a thousandth: numbers that a journal's text gives back to the bit.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
