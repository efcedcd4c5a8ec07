//! Where enemies may be: how many of them are to be expected on each square.

use std::ops::ControlFlow;

use super::super::rules::{Chart, OBSTACLE_SIZE, Report, Square, Sub, View, Waters};
use super::hunter::{SMALLEST_SUB, own_size};

/// A map of likelihoods, by the numbers the chart gives to squares.
#[derive(Clone, Debug, Default)]
pub(super) struct Plot {
    likely: Vec<f32>,
    /// The turn until which enemies that were disturbed keep moving.
    alarmed: u32,
}

/// How likely it is that an enemy moves in a turn, and one that knows it was seen.
const MOVES: (f32, f32) = (0.3, 0.8);
/// For so many turns it does.
const ALARM: u32 = 5;
/// What is left of all else once an enemy is seen: there may be others.
const ELSEWHERE: f32 = 0.02;

impl Plot {
    /// Before the first report anybody may be anywhere.
    pub fn begin(&mut self, chart: &Chart) {
        let free = (0..chart.cells().len()).map(|cell| chart.is_free(chart.square(cell)));
        self.likely = free.map(f32::from_bool).collect();
        self.settle();
    }

    pub fn is_begun(&self, chart: &Chart) -> bool {
        self.likely.len() == chart.cells().len()
    }

    /// What a turn tells. `pings` are the places and ranges of own pings in it.
    pub fn hear(&mut self, view: &View, report: &Report, pings: &[(Square, u32)]) {
        let chart = &*view.chart;
        self.likely = self.after(chart, report.turn);
        for &(from, range) in pings {
            reach(chart, from, range, |cell, _| self.likely[cell] = 0.0);
        }
        for sub in report.subs.iter().filter(|sub| !sub.dead) {
            self.likely[chart.cell(sub.square)] *= 0.5;
        }
        self.hear_shots(chart, report);
        for detected in &report.detected {
            if let Some(sub) = report.subs.get(usize::from(detected.sub)) {
                self.ring(chart, sub, detected.distance);
            }
        }
        let seen = report.objects.iter().filter(|contact| contact.size != OBSTACLE_SIZE);
        let strange: Vec<Square> = seen
            .filter(|contact| {
                let own = own_size(view, report, contact.square);
                contact.size.saturating_sub(own) >= SMALLEST_SUB
            })
            .map(|contact| contact.square)
            .filter(|square| chart.contains(*square))
            .collect();
        if !strange.is_empty() {
            self.only(|_| 0.0);
            strange.iter().for_each(|square| self.likely[chart.cell(*square)] = 1.0);
            self.alarmed = report.turn + ALARM;
        }
        self.settle();
    }

    /// Own torpedoes and mines that went off: somebody was hit there, or nobody was.
    fn hear_shots(&mut self, chart: &Chart, report: &Report) {
        let hits: Vec<_> = report.torpedo_hits.iter().chain(&report.mine_hits).collect();
        for blast in report.detonations.iter().filter(|blast| blast.radius == 1) {
            let own = report.shots.iter().any(|shot| shot.target == blast.square);
            if own && hits.iter().all(|hit| hit.square != blast.square) {
                for cell in around(chart, blast.square) {
                    self.likely[cell] = 0.0;
                }
            }
        }
        for hit in hits {
            let middle = f32::from_bool(hit.damage >= 2);
            let near = |square: Square| match square.blast_distance(hit.square) {
                0 => middle,
                1 => 1.0 - middle,
                _ => 0.0,
            };
            // The blast of a hit at the edge goes over it, where nobody is.
            let free = |square: Square| f32::from_bool(chart.is_free(square));
            self.only(|cell| near(chart.square(cell)) * free(chart.square(cell)));
            self.alarmed = report.turn + ALARM;
        }
    }

    /// An enemy has seen this submarine from so far away.
    fn ring(&mut self, chart: &Chart, sub: &Sub, distance: u32) {
        let mut on_ring = vec![false; self.likely.len()];
        reach(chart, sub.square, distance, |cell, steps| on_ring[cell] = steps == distance);
        self.only(|cell| f32::from_bool(on_ring[cell]));
    }

    /// Enemies are where this says; if nothing speaks for that, it is believed all the same.
    fn only(&mut self, holds: impl Fn(usize) -> f32) {
        let all: f32 = self.likely.iter().sum();
        let there: f32 = (0..self.likely.len()).map(|cell| self.likely[cell] * holds(cell)).sum();
        let known = there > all * 1e-4;
        for (cell, likely) in self.likely.iter_mut().enumerate() {
            let there = if known { *likely * holds(cell) } else { holds(cell) };
            *likely = there + *likely * ELSEWHERE;
        }
    }

    /// One enemy in all, wherever it is.
    fn settle(&mut self) {
        let all: f32 = self.likely.iter().sum();
        if all > 0.0 {
            self.likely.iter_mut().for_each(|likely| *likely /= all);
        }
    }

    /// The map once everybody has had the chance to move.
    pub fn after(&self, chart: &Chart, turn: u32) -> Vec<f32> {
        let moves = if turn <= self.alarmed { MOVES.1 } else { MOVES.0 };
        let stride = chart.stride();
        let mut after = vec![0.0; self.likely.len()];
        for (cell, &likely) in self.likely.iter().enumerate().filter(|(_, likely)| **likely > 0.0) {
            let around = [cell - stride, cell + 1, cell + stride, cell - 1];
            let free = |cell: &usize| chart.is_free(chart.square(*cell));
            let ways = around.iter().filter(|cell| free(cell)).count();
            let share = if ways == 0 { 0.0 } else { likely * moves / ways as f32 };
            after[cell] += likely - share * ways as f32;
            around.into_iter().filter(free).for_each(|cell| after[cell] += share);
        }
        after
    }

    /// How many enemies are to be expected up to each path distance from a square.
    pub fn within(&self, chart: &Chart, from: Square, range: u32) -> Vec<f32> {
        let mut within = vec![0.0; range as usize + 1];
        reach(chart, from, range, |cell, steps| within[steps as usize] += self.likely[cell]);
        let mut sum = 0.0;
        within.iter_mut().for_each(|mass| {
            sum += *mass;
            *mass = sum;
        });
        within
    }
}

/// What a torpedo is expected to do to enemies on a map.
pub(super) fn damage(chart: &Chart, likely: &[f32], square: Square) -> f32 {
    let middle = likely[chart.cell(square)];
    middle + around(chart, square).map(|cell| likely[cell]).sum::<f32>()
}

/// Visits every square within `range`, and the square itself.
pub(super) fn reach(chart: &Chart, from: Square, range: u32, mut visit: impl FnMut(usize, u32)) {
    visit(chart.cell(from), 0);
    Waters::new(chart).search(from, range, |reached| {
        visit(reached.cell, reached.distance);
        ControlFlow::Continue(())
    });
}

/// A square and the eight around it, as far as they are on the map.
fn around(chart: &Chart, square: Square) -> impl Iterator<Item = usize> {
    let Square { x, y } = square;
    let squares = (y.saturating_sub(1)..=y + 1)
        .flat_map(move |y| (x.saturating_sub(1)..=x + 1).map(move |x| Square::new(x, y)));
    squares.filter(|square| chart.contains(*square)).map(|square| chart.cell(square))
}

trait FromBool {
    fn from_bool(holds: bool) -> Self;
}

impl FromBool for f32 {
    fn from_bool(holds: bool) -> f32 {
        if holds { 1.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::rules::{Config, Contact, Detected, Hit, SubSim};
    use super::*;
    use ::rules::{Game, Move, Seat, Seed, Step, Viewer};

    /// A map of ten by ten on which the own submarine is at 5|5, and the report of a turn in which
    /// nothing happened.
    fn begun() -> (View, Report, Plot) {
        let config = Config { map_size: [10, 10], ..Config::default() };
        let mut game = SubSim::setup(&config, 2, Seed::from_number(1)).unwrap();
        let place = |seat, x, y| {
            let place = super::super::super::rules::Action::Place(vec![Square::new(x, y)]);
            (Seat(seat), Move::Act(place))
        };
        game.advance(Step::Turn(&[place(0, 5, 5), place(1, 9, 9)]));
        let view = game.view(Viewer::Seat(Seat(0)));
        let report = Report { turn: 1, ..view.news[0].clone() };
        let mut plot = Plot::default();
        plot.begin(&view.chart);
        (view, report, plot)
    }

    fn likely(plot: &Plot, view: &View, x: u16, y: u16) -> f32 {
        plot.likely[view.chart.cell(Square::new(x, y))]
    }

    #[test]
    fn where_a_ping_found_nobody_nobody_is() {
        let (view, report, mut plot) = begun();
        plot.hear(&view, &report, &[(Square::new(5, 5), 3)]);
        assert_eq!(likely(&plot, &view, 6, 7), 0.0);
        assert!(likely(&plot, &view, 7, 7) > 0.01);
        assert!((plot.within(&view.chart, Square::new(5, 5), 20)[20] - 1.0).abs() < 1e-3);
    }

    #[test]
    fn who_was_seen_is_where_it_was_seen() {
        let (view, mut report, mut plot) = begun();
        report.objects = vec![Contact { square: Square::new(7, 5), size: 100 }];
        plot.hear(&view, &report, &[(Square::new(5, 5), 3)]);
        assert!(likely(&plot, &view, 7, 5) > 0.9);
        let after = plot.after(&view.chart, 2);
        assert!(damage(&view.chart, &after, Square::new(7, 5)) > 1.0);
    }

    #[test]
    fn who_has_seen_one_is_as_far_away_as_it_says() {
        let (view, mut report, mut plot) = begun();
        report.detected = vec![Detected { sub: 0, distance: 4 }];
        plot.hear(&view, &report, &[]);
        assert!(likely(&plot, &view, 7, 7) > 10.0 * likely(&plot, &view, 7, 8));
    }

    #[test]
    fn a_hit_tells_how_near_it_was() {
        let (view, mut report, mut plot) = begun();
        report.torpedo_hits = vec![Hit { square: Square::new(2, 2), damage: 1 }];
        plot.hear(&view, &report, &[]);
        assert!(likely(&plot, &view, 1, 2) > 10.0 * likely(&plot, &view, 2, 2));
    }

    /// Where nobody was expected: what is known of the hit is believed, but nobody is off the map.
    #[test]
    fn a_hit_at_the_edge_puts_nobody_off_the_map() {
        let (view, mut report, mut plot) = begun();
        plot.hear(&view, &report, &[(Square::new(1, 1), 20)]);
        report.torpedo_hits = vec![Hit { square: Square::new(1, 1), damage: 1 }];
        plot.hear(&view, &report, &[]);
        let after = plot.after(&view.chart, 2);
        let on_map = |cell: usize| view.chart.contains(view.chart.square(cell));
        assert!((0..after.len()).all(|cell| after[cell] == 0.0 || on_map(cell)));
        assert!(likely(&plot, &view, 1, 2) > 0.2);
    }
}
