//! A game replayed for learning programs: what every seat knew in every turn, what it could have
//! done, what it did, and what that was worth in the end.

use rules::any::{AnyAction, AnyActions, AnyConfig, AnyView};
use rules::{Seat, Seed, Viewer};
use serde::Serialize;

use crate::recorded::UNFINISHED;
use crate::replay::Shown;
use crate::update::MOST_LISTED;
use crate::{Closing, How, MovesMade, Name, Recorded, Table, TableRecord};

/// Every turn of a game, as each seat had it.
#[derive(Debug)]
pub struct SeatTurns {
    pub table: Name,
    /// Its configuration.
    pub config: AnyConfig,
    /// Its seed.
    pub seed: Seed,
    /// Turn after turn, the seats in their order.
    pub turns: Vec<SeatTurn>,
}

/// One turn of one seat.
#[derive(Debug, PartialEq, Serialize)]
pub struct SeatTurn {
    pub seq: u64,
    pub seat: Seat,
    pub your_move: bool,
    /// What the seat knew, and nothing else.
    pub view: AnyView,
    /// None: it was not its move, or there were too many to list.
    pub legal: Option<AnyActions>,
    /// `None`: it wasn't its move, or the seat left, or the turn was sent again because another
    /// left.
    pub action: Option<AnyAction>,
    /// How that came about.
    pub how: Option<How>,
    /// The value of the step that led here: zero before the end, and `None` at an end without a
    /// result.
    pub reward: Option<f32>,
    /// The game is over here.
    pub over: bool,
}

impl Recorded {
    /// What every seat could have learned from the game. The error is that of
    /// [`verify`](Recorded::verify).
    pub fn seat_turns(&self) -> Result<SeatTurns, String> {
        let (mut rerun, mut times) = self.rerun()?;
        let opened = rerun.table.opened().clone();
        let (mut config, mut seed) = (opened.terms.config.clone(), opened.seed);
        let (mut turns, mut made) = (Vec::new(), MovesMade::default());
        // The index of the first turn of the last update.
        let mut latest = 0;
        while let Some(record) = rerun.next(self.shared()) {
            if let TableRecord::Started { settled, seed: dealt, .. } = record {
                config = settled.as_deref().unwrap_or(&config).clone();
                seed = dealt.unwrap_or(seed);
            }
            made.note(record, times.next().unwrap_or_default(), &rerun.table);
            let shown = rerun.step(self.shared())?;
            let last: &mut [SeatTurn] = &mut turns[latest..];
            for own in made.take() {
                // A player who leaves after moving has still moved.
                let turn = last.iter_mut().find(|turn| turn.seat == own.seat);
                if let Some(turn) = turn.filter(|turn| turn.how.is_none()) {
                    (turn.action, turn.how) = (own.action, Some(own.how));
                }
            }
            if shown != Shown::Nothing {
                latest = turns.len();
                turns.extend(told(&rerun.table)?);
            }
        }
        let closing = rerun.table.closing().ok_or(UNFINISHED)?;
        for turn in &mut turns[latest..] {
            turn.over = true;
            turn.reward = match closing {
                Closing::Over(outcome) => outcome.worths().nth(turn.seat.index()),
                Closing::Void(_) => None,
            };
        }
        Ok(SeatTurns { table: opened.id.clone(), config, seed, turns })
    }
}

/// A turn that begins, as every seat has it.
fn told(table: &Table) -> Result<impl Iterator<Item = SeatTurn>, String> {
    let game = table.game().ok_or("a step before the start")?;
    let owed = table.owed();
    Ok(Seat::all(table.seats()).map(move |seat| {
        let your_move = owed.contains(seat);
        let few = || game.legal_at_most(seat).is_some_and(|count| count <= MOST_LISTED);
        SeatTurn {
            seq: table.seq(),
            seat,
            your_move,
            view: game.view(Viewer::Seat(seat)),
            legal: (your_move && few()).then(|| game.legal(seat)).flatten(),
            action: None,
            how: None,
            reward: Some(0.0),
            over: false,
        }
    }))
}
