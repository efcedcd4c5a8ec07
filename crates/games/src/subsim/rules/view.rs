//! What one viewer may know: its own submarines, its own score and the news. The public sees
//! fog: the turn and the detonations. When the game is over everybody sees everything.

use std::fmt;
use std::sync::Arc;

use ::rules::{Illegal, Outcome, Seat, Viewer};
use serde::Serialize;

use super::SubSim;
use super::chart::{Chart, Square};
use super::news::{Contact, Detected, Detonation, Heard, Hit, Report};
use super::order::{Action, Fleet, check_placing};
use super::sub::Sub;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The players choose where to start.
    Placing,
    /// The turn after the executed ones is open.
    Playing,
    Over,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    pub viewer: Viewer,
    /// The map and the settings.
    pub chart: Arc<Chart>,
    pub phase: Phase,
    /// How many turns have been executed.
    pub executed: u32,
    /// The viewer's own submarines; none before they are placed.
    pub subs: Vec<Sub>,
    /// The viewer's own score; 0 for the public.
    pub score: u32,
    /// The turns since the last time anybody could act.
    pub news: Vec<Report>,
    /// The result, once the game is over.
    pub end: Option<End>,
}

/// A finished game has no secrets.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct End {
    pub outcome: Outcome,
    /// All submarines, seat by seat; none if they were never placed.
    pub fleets: Vec<Vec<Sub>>,
    pub mines: Vec<Mine>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Mine {
    pub square: Square,
    /// None: the owner has left the game.
    pub owner: Option<Seat>,
}

impl View {
    pub(super) fn of(game: &SubSim, viewer: Viewer) -> View {
        let subs = match viewer {
            Viewer::Seat(seat) if game.placed => game.fleet(seat).subs.to_vec(),
            _ => Vec::new(),
        };
        View {
            viewer,
            chart: Arc::clone(&game.chart),
            phase: game.phase,
            executed: game.executed,
            subs,
            score: viewer.seat().map_or(0, |seat| game.scores[seat.index()]),
            news: game.news.iter().map(|log| log.report(viewer)).collect(),
            end: game.outcome.as_ref().map(|outcome| End::of(game, outcome)),
        }
    }

    /// The number of the turn the players are to give orders for.
    pub fn open_turn(&self) -> Option<u32> {
        (self.phase == Phase::Playing).then_some(self.executed + 1)
    }

    /// What it takes to judge the viewer's orders.
    pub fn fleet(&self) -> Fleet<'_> {
        Fleet { chart: &self.chart, subs: &self.subs }
    }

    /// Whether an action of the viewer is legal: the same answer as the game's.
    pub fn check(&self, action: &Action) -> Result<(), Illegal> {
        check(self.phase, self.fleet(), action)
    }
}

pub(super) fn check(phase: Phase, fleet: Fleet<'_>, action: &Action) -> Result<(), Illegal> {
    match (phase, action) {
        (Phase::Placing, Action::Place(squares)) => check_placing(fleet.chart, squares),
        (Phase::Placing, Action::Orders(_)) => Err(Illegal::new("Game has not started")),
        (Phase::Playing, Action::Orders(orders)) => fleet.check_orders(orders),
        (Phase::Playing, Action::Place(_)) => Err(Illegal::new("Game has already started")),
        (Phase::Over, _) => Err(Illegal::new("Game is over")),
    }
}

impl End {
    fn of(game: &SubSim, outcome: &Outcome) -> End {
        let fleets = game.subs.chunks(game.chart.kinds().len()).filter(|_| game.placed);
        End {
            outcome: outcome.clone(),
            fleets: fleets.map(<[Sub]>::to_vec).collect(),
            mines: game.mines.iter().map(|(&square, &owner)| Mine { square, owner }).collect(),
        }
    }
}

/// A picture: what the viewer knows of the map, then its submarines and the last turn.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.phase {
            Phase::Placing => writeln!(f, "placing")?,
            Phase::Playing => writeln!(f, "turn {}", self.executed + 1)?,
            Phase::Over => writeln!(f, "over after {} turns", self.executed)?,
        }
        for y in 1..=self.chart.height() {
            for x in 1..=self.chart.width() {
                let gap = if x == 1 { "" } else { " " };
                write!(f, "{gap}{}", self.sign(Square::new(x, y)))?;
            }
            writeln!(f)?;
        }
        if self.viewer != Viewer::Public {
            writeln!(f, "score {}", self.score)?;
        }
        for (id, sub) in self.subs.iter().enumerate() {
            writeln!(f, "sub {id}: {sub}")?;
        }
        self.news.iter().try_for_each(|report| report.fmt(f))?;
        let Some(end) = &self.end else { return Ok(()) };
        for (seat, standing) in end.outcome.standings.iter().enumerate() {
            writeln!(f, "seat {seat}: place {}, {} points", standing.place, standing.points)?;
        }
        Ok(())
    }
}

impl View {
    /// `#` obstacle, `0`-`9` own submarine, `A`-`Z` a seat's submarine once the game is over, `*`
    /// detonation, `o` mine, `?` found by sonar, `.` nothing known.
    fn sign(&self, square: Square) -> char {
        let numbered = |first: char, number: usize| {
            char::from_u32(first as u32 + number as u32).unwrap_or('@')
        };
        let here = |sub: &Sub| !sub.dead && sub.square == square;
        if !self.chart.is_free(square) {
            return '#';
        }
        if let Some(id) = self.subs.iter().position(here) {
            return numbered('0', id % 10);
        }
        if let Some(end) = &self.end {
            if let Some(seat) = end.fleets.iter().position(|fleet| fleet.iter().any(here)) {
                return numbered('A', seat % 26);
            }
            if end.mines.iter().any(|mine| mine.square == square) {
                return 'o';
            }
        }
        let Some(report) = self.news.last() else { return '.' };
        if report.objects.iter().any(|contact| contact.square == square) {
            return '?';
        }
        if report.detonations.iter().any(|detonation| detonation.square == square) {
            return '*';
        }
        '.'
    }
}

impl fmt::Display for Sub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dead {
            return write!(f, "{} destroyed", self.square);
        }
        write!(f, "{} shields {}", self.square, self.shields)?;
        write!(f, ", charge: sonar {}", self.sonar_charge)?;
        write!(f, " torpedo {}", self.torpedo_charge)?;
        write!(f, " mine {} sprint {}", self.mine_charge, self.sprint_charge)?;
        write!(f, ", reactor damage {}", self.reactor_damage)?;
        match self.surface_remain {
            0 => Ok(()),
            turns => write!(f, ", surfaced for {turns}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = self.turn;
        for Detonation { square, radius } in &self.detonations {
            writeln!(f, "turn {turn}: detonation at {square}, radius {radius}")?;
        }
        for Detected { sub, distance } in &self.detected {
            writeln!(f, "turn {turn}: sub {sub} was detected from {distance} away")?;
        }
        for Heard { sub, count } in &self.heard {
            writeln!(f, "turn {turn}: sub {sub} heard {count} sprints")?;
        }
        for Contact { square, size } in &self.objects {
            writeln!(f, "turn {turn}: sonar found size {size} at {square}")?;
        }
        for Hit { square, damage } in self.torpedo_hits.iter().chain(&self.mine_hits) {
            writeln!(f, "turn {turn}: {damage} points of damage to enemies at {square}")?;
        }
        Ok(())
    }
}
