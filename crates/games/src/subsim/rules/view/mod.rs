//! What one viewer may know: its own submarines, its own score and the news. The public sees
//! fog: the turn and the detonations. When the game is over everybody sees everything.

mod shown;

use std::sync::Arc;

use ::rules::{Illegal, Outcome, Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::SubSim;
use super::chart::{Chart, Square};
use super::news::Report;
use super::order::{Action, Fleet, check_placing};
use super::sub::Sub;

pub(super) use shown::ShownDetonation;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The players choose where to start.
    Placing,
    /// The turn after the executed ones is open.
    Playing,
    Over,
}

/// Written down it says more, which follows from this: see [`shown`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct View {
    pub viewer: Viewer,
    /// The map and the settings.
    pub chart: Arc<Chart>,
    pub phase: Phase,
    /// How many turns have been executed.
    pub executed: u32,
    /// The viewer's own submarines; none before they are placed.
    pub subs: Vec<Sub>,
    /// Where the viewer's own mines lie.
    pub mines: Vec<Square>,
    /// The viewer's own score; 0 for the public.
    pub score: u32,
    /// The turns since the last time anybody could act.
    pub news: Vec<Report>,
    /// The result, once the game is over.
    pub end: Option<End>,
}

/// A finished game has no secrets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    pub outcome: Outcome,
    /// All submarines, seat by seat; none if they were never placed.
    pub fleets: Vec<Vec<Sub>>,
    pub mines: Vec<Mine>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
            mines: match viewer {
                Viewer::Seat(seat) => game.mines_of(seat).collect(),
                Viewer::Public => Vec::new(),
            },
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
