//! A whole game from what one viewer knows of it.

use std::sync::Arc;

use ::rules::{Determinise, Dice, Game, Seat};

use super::news::{Log, Report, Weapon};
use super::order::random_places;
use super::sub::Sub;
use super::view::{Phase, View};
use super::{Mines, SubSim};

impl Determinise for SubSim {
    /// Hidden are the other fleets, which may be anywhere and in any state, what they were told,
    /// and even how many there are.
    fn determinise(view: &View, dice: &mut Dice) -> Option<SubSim> {
        if view.phase == Phase::Over {
            return None;
        }
        let seats = likely_seats(view);
        let mut game = SubSim::setup(view.chart.config(), seats, dice.seed()).ok()?;
        game.chart = Arc::clone(&view.chart);
        if view.phase == Phase::Placing {
            return Some(game);
        }
        let fleet = view.chart.kinds().len();
        for seat in Seat::all(seats) {
            let own = view.viewer.is(seat);
            let subs = &mut game.subs[seat.index() * fleet..][..fleet];
            if own {
                subs.copy_from_slice(view.subs.get(..fleet)?);
            } else {
                for (sub, square) in subs.iter_mut().zip(random_places(&view.chart, dice)) {
                    sub.square = square;
                    sub.sonar_charge = dice.below(9) as u32;
                    sub.torpedo_charge = dice.below(9) as u32;
                }
            }
        }
        game.phase = Phase::Playing;
        game.placed = true;
        game.executed = view.executed;
        let viewer = view.viewer.seat();
        game.mines = view.mines.iter().map(|&square| (square, viewer)).collect::<Mines>();
        if let Some(seat) = viewer {
            game.scores[seat.index()] = view.score;
        }
        game.news = view.news.iter().map(|report| game.log(viewer, report)).collect();
        Some(game)
    }
}

impl SubSim {
    /// A report to `viewer` as part of a log in which nobody else is told anything.
    pub(super) fn log(&self, viewer: Option<Seat>, report: &Report) -> Log {
        let mut log = Log {
            turn: report.turn,
            detonations: report.detonations.clone(),
            subs: self.subs.clone(),
            scores: self.scores.clone(),
            ..Log::default()
        };
        let Some(seat) = viewer else { return log };
        log.detected = report.detected.iter().map(|&detected| (seat, detected)).collect();
        log.heard = report.heard.iter().map(|&heard| (seat, heard)).collect();
        log.objects = report.objects.iter().map(|&contact| (seat, contact)).collect();
        log.pings = report.pings.iter().map(|ping| (seat, ping.clone())).collect();
        log.shots = report.shots.iter().map(|shot| (seat, shot.clone())).collect();
        let torpedoes = report.torpedo_hits.iter().map(|&hit| (seat, Weapon::Torpedo, hit));
        let mines = report.mine_hits.iter().map(|&hit| (seat, Weapon::Mine, hit));
        log.hits = torpedoes.chain(mines).collect();
        let own = seat.index() * report.subs.len();
        log.subs[own..][..report.subs.len()].copy_from_slice(&report.subs);
        log.scores[seat.index()] = report.score;
        log
    }
}

/// As few as may be: the viewer, those the game needs to begin, and two who still play.
fn likely_seats(view: &View) -> usize {
    let least = *view.chart.config().players().start();
    let sunk = !view.subs.is_empty() && view.subs.iter().all(|sub: &Sub| sub.dead);
    let viewer = view.viewer.seat().map_or(0, Seat::index);
    least.max(viewer + 1).max(if sunk { 3 } else { 2 })
}
