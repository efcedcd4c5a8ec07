//! Another game of the same table that one seat cannot tell from this one, by anything it was told.

use std::sync::Arc;

use ::rules::{Dice, Game, Seat, Viewer};

use super::order::{Equipment, random_places};
use super::sub::Sub;
use super::view::Phase;
use super::{SubSim, Tracks};

/// Few submarines have charged more than this when they use it.
const USUAL_CHARGE: u32 = 20;
/// A submarine that nobody watches has laid no more mines than this that are still there.
const USUAL_MINES: u32 = 2;

impl SubSim {
    /// The others' submarines are where they may be, with the damage and the points that the seat
    /// knows of; their charge is any that they have had the time for. Who owes orders is no secret,
    /// so those who owe none have lost their submarines, or have surfaced, as they have. Mines are
    /// those that sonar found, and some where others may have laid them unseen.
    pub fn redealt(&self, seat: Seat, tracks: &Tracks, dice: &mut Dice) -> Option<SubSim> {
        let view = self.view(Viewer::Seat(seat));
        if view.phase == Phase::Over {
            return None;
        }
        let mut game = SubSim { seed: dice.seed(), news: Vec::new(), ..self.clone() };
        if view.phase == Phase::Playing {
            let others: Vec<Seat> = self.seats().filter(|other| *other != seat).collect();
            game.imagine_fleets(&others, tracks, dice);
            game.sink_at_random(&others, tracks.wrecks(), dice);
            game.hit_at_random(&others, view.score, dice);
            game.scores = vec![0; self.scores.len()];
            game.scores[seat.index()] = view.score;
            for _ in 0..tracks.taken() {
                game.scores[dice.pick(&others).index()] += 1;
            }
            game.mines = view.mines.iter().map(|&square| (square, Some(seat))).collect();
            for &square in tracks.mines() {
                game.mines.entry(square).or_insert(Some(*dice.pick(&others)));
            }
            game.mine_at_random(&others, tracks, dice);
        }
        game.news = view.news.iter().map(|report| game.log(Some(seat), report)).collect();
        Some(game)
    }

    fn imagine_fleets(&mut self, others: &[Seat], tracks: &Tracks, dice: &mut Dice) {
        let chart = Arc::clone(&self.chart);
        let (fleet, owing) = (chart.kinds().len(), self.to_act());
        for (id, kind) in chart.kinds().iter().enumerate() {
            // Who of the others it is that was found somewhere cannot be told.
            let mut tracked: Vec<usize> = (0..others.len()).collect();
            dice.shuffle(&mut tracked);
            for (other, track) in others.iter().zip(tracked) {
                let squares = tracks.subs().get(track * fleet + id);
                let square = squares.and_then(|squares| squares.pick(&chart, dice));
                let square = square.unwrap_or_else(|| random_places(&chart, dice)[id]);
                let mut sub = Sub::new(kind, square);
                let most = (2 * self.executed).min(USUAL_CHARGE) as usize;
                for _ in 0..dice.below(most + 1) {
                    let equipment = *dice.pick(&Equipment::ALL);
                    if !sub.is_full(kind, equipment) {
                        sub.charge(kind, equipment);
                    }
                }
                let was = &mut self.subs[other.index() * fleet + id];
                if !owing.contains(*other) {
                    (sub.dead, sub.surface_remain) = (was.dead, was.surface_remain);
                }
                *was = sub;
            }
        }
    }

    /// This many submarines of the others are known to be destroyed. Those of players who owe no
    /// orders any more come first.
    fn sink_at_random(&mut self, others: &[Seat], wrecks: usize, dice: &mut Dice) {
        let dead = others.iter().flat_map(|other| self.ids_of(*other));
        let dead = dead.filter(|sub| self.subs[*sub].dead).count();
        for _ in dead..wrecks {
            let left = self.expendable(others);
            if left.is_empty() {
                return;
            }
            self.subs[*dice.pick(&left)].destroy();
        }
    }

    /// Spreads points of damage over the others. Nobody who owes orders loses the last submarine.
    fn hit_at_random(&mut self, others: &[Seat], points: u32, dice: &mut Dice) {
        self.spread_hits(others, points, dice);
        for sub in self.subs.iter_mut().filter(|sub| sub.dead) {
            sub.destroy();
        }
    }

    fn spread_hits(&mut self, others: &[Seat], points: u32, dice: &mut Dice) {
        for _ in 0..points {
            let all = others.iter().flat_map(|other| self.ids_of(*other));
            let mut left: Vec<usize> = all.filter(|sub| self.subs[*sub].shields > 0).collect();
            if left.is_empty() {
                left = self.expendable(others);
            }
            if left.is_empty() {
                return;
            }
            self.subs[*dice.pick(&left)].hit(1);
        }
    }

    /// A submarine lays at most [`USUAL_MINES`] mines that nobody notices, and no more than it had the
    /// time and the mines for; every number is equally likely. Each mine is on any square where it
    /// may be.
    fn mine_at_random(&mut self, others: &[Seat], tracks: &Tracks, dice: &mut Dice) {
        let Some(mined) = tracks.mined() else { return };
        let chart = Arc::clone(&self.chart);
        for &other in others {
            let owner = self.exits[other.index()].is_none().then_some(other);
            for (sub, kind) in self.ids_of(other).zip(chart.kinds()) {
                let time = self.executed / (kind.max_mine_charge.max(1) + 1);
                let most = time.min(USUAL_MINES).min(kind.mine_count.unwrap_or(u32::MAX));
                for _ in 0..dice.below(most as usize + 1) {
                    let Some(square) = mined.pick(&chart, dice) else { return };
                    // A submarine that comes upon a mine sets it off.
                    if self.subs.iter().any(|sub| !sub.dead && sub.square == square) {
                        continue;
                    }
                    self.mines.entry(square).or_insert(owner);
                    let left = &mut self.subs[sub].mines;
                    *left = left.map(|left| left.saturating_sub(1));
                }
            }
        }
    }

    /// The numbers of a seat's submarines.
    fn ids_of(&self, seat: Seat) -> std::ops::Range<usize> {
        let fleet = self.chart.kinds().len();
        seat.index() * fleet..(seat.index() + 1) * fleet
    }

    /// The submarines that can be destroyed: their owner keeps another one.
    fn expendable(&self, others: &[Seat]) -> Vec<usize> {
        let afloat = |seat: Seat| self.ids_of(seat).filter(|sub| !self.subs[*sub].dead);
        let rich = others.iter().filter(|other| afloat(**other).count() > 1);
        rich.flat_map(|other| afloat(*other)).collect()
    }
}
