//! Replays a game from its records, as its members received it.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use rules::{Seat, Viewer};

use crate::frames::{Eyes, Frame, OverFrame, SeatFrame, TableFrame, UpdateFrame};
use crate::moves::MovesMade;
use crate::recorded::{Recorded, UNFINISHED};
use crate::replay::{Rerun, Shown};
use crate::{Name, Time};

impl Recorded {
    /// What these eyes would have received. The error is that of [`verify`](Recorded::verify).
    pub fn frames(&self, eyes: Eyes) -> Result<Vec<Frame<'static>>, String> {
        Retelling::new(self.clone(), eyes)?.filter_map(Result::transpose).collect()
    }

    /// The updates of these turns, whether the game is over or not. It ends early, at the first one
    /// beyond `at_most`.
    pub fn updates(
        &self,
        eyes: Eyes,
        turns: RangeInclusive<u64>,
        at_most: usize,
    ) -> Result<Vec<UpdateFrame<'static>>, String> {
        self.updates_while(&|| true, eyes, turns, at_most)
    }

    /// The same, while a caller waits for it, which is checked before every record.
    pub fn updates_while(
        &self,
        goes_on: &dyn Fn() -> bool,
        eyes: Eyes,
        turns: RangeInclusive<u64>,
        at_most: usize,
    ) -> Result<Vec<UpdateFrame<'static>>, String> {
        let mut walk = Walk::new(self.clone(), eyes, turns)?;
        let mut updates = Vec::new();
        while updates.len() <= at_most {
            if !goes_on() {
                return Err("nobody waits for it any more".to_owned());
            }
            let Some(step) = walk.step() else { break };
            updates.extend(step?);
        }
        Ok(updates)
    }
}

/// A game replayed record by record, so that the reader needn't hold all of it and may stop at any
/// time. Most items hold a message; a record without a message yields nothing.
///
/// The records of a finished game are verified first, so nothing is shown that its records don't
/// support.
pub struct Retelling {
    stage: Stage,
}

impl fmt::Debug for Retelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retelling").finish_non_exhaustive()
    }
}

enum Stage {
    Judging(Box<Judging>),
    Telling(Box<Telling>),
    Over,
}

/// First the table, then what happened there, then its end.
struct Telling {
    first: Option<TableFrame>,
    walk: Walk,
    over: Option<OverFrame>,
}

impl Retelling {
    /// A game that is over.
    pub fn new(recorded: Recorded, eyes: Eyes) -> Result<Retelling, String> {
        let rerun = Rerun::begin(recorded.shared())?;
        let judging = Judging { recorded, rerun, eyes, seats: None };
        Ok(Retelling { stage: Stage::Judging(Box::new(judging)) })
    }

    /// A game that is not over, up to a turn.
    pub fn so_far(
        recorded: Recorded,
        eyes: Eyes,
        first: TableFrame,
        until: u64,
    ) -> Result<Retelling, String> {
        let walk = Walk::new(recorded, eyes, 0..=until)?;
        let telling = Telling { first: Some(first), walk, over: None };
        Ok(Retelling { stage: Stage::Telling(Box::new(telling)) })
    }
}

impl Iterator for Retelling {
    type Item = Result<Option<Frame<'static>>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.stage {
            Stage::Over => None,
            Stage::Judging(judging) => {
                let failed = match judging.step() {
                    Ok(true) => return Some(Ok(None)),
                    Ok(false) => None,
                    Err(why) => Some(why),
                };
                let Stage::Judging(judging) = std::mem::replace(&mut self.stage, Stage::Over)
                else {
                    return None;
                };
                match failed.map_or_else(|| judging.told(), Err) {
                    Ok(stage) => self.stage = stage,
                    Err(why) => return Some(Err(why)),
                }
                Some(Ok(None))
            }
            Stage::Telling(telling) => {
                let told = telling.next();
                if !matches!(told, Some(Ok(_))) {
                    self.stage = Stage::Over;
                }
                told
            }
        }
    }
}

impl Telling {
    fn next(&mut self) -> Option<Result<Option<Frame<'static>>, String>> {
        if let Some(first) = self.first.take() {
            return Some(Ok(Some(Frame::Table(first))));
        }
        match self.walk.step() {
            Some(step) => Some(step.map(|told| Some(Frame::Update(Box::new(told?))))),
            None => self.over.take().map(|over| Ok(Some(Frame::Over(over)))),
        }
    }
}

/// Verifies a finished game before anything of it is shown.
struct Judging {
    recorded: Recorded,
    rerun: Rerun,
    eyes: Eyes,
    /// The players at the start.
    seats: Option<Vec<Option<SeatFrame>>>,
}

impl Judging {
    /// Whether there is more to judge.
    fn step(&mut self) -> Result<bool, String> {
        if self.rerun.next(self.recorded.shared()).is_none() {
            return Ok(false);
        }
        let shown = self.rerun.step(self.recorded.shared())?;
        if shown == Shown::Turn && self.seats.is_none() {
            check_seat(self.eyes, self.rerun.table.seats())?;
            self.seats = Some(TableFrame::of(&self.rerun.table.company(|_| true)).seats);
        }
        Ok(true)
    }

    /// The stage that shows the verified game.
    fn told(self) -> Result<Stage, String> {
        let Judging { recorded, rerun, eyes, seats } = self;
        let closing = rerun.table.closing().ok_or(UNFINISHED)?;
        let company = rerun.table.company(|_| true);
        let mut first = TableFrame::of(&company);
        first.seats = seats.unwrap_or(first.seats);
        first.seats.iter_mut().flatten().for_each(|seat| seat.strikes = 0);
        let over = OverFrame::new(closing, &company.names());
        let walk = Walk::new(recorded, eyes, 0..=u64::MAX)?;
        Ok(Stage::Telling(Box::new(Telling { first: Some(first), walk, over: Some(over) })))
    }
}

/// A walk through a game, with the messages for some of its turns.
struct Walk {
    recorded: Recorded,
    rerun: Rerun,
    eyes: Eyes,
    turns: RangeInclusive<u64>,
    made: MovesMade,
}

impl Walk {
    fn new(recorded: Recorded, eyes: Eyes, turns: RangeInclusive<u64>) -> Result<Walk, String> {
        let rerun = Rerun::begin(recorded.shared())?;
        Ok(Walk { recorded, rerun, eyes, turns, made: MovesMade::default() })
    }

    /// The next record's message. `None`: nothing more of what was requested.
    fn step(&mut self) -> Option<Result<Option<UpdateFrame<'static>>, String>> {
        if self.rerun.table.seq() > *self.turns.end() {
            return None;
        }
        let record = self.rerun.next(self.recorded.shared())?;
        let at = self.recorded.time(self.rerun.done);
        self.made.note(record, at, &self.rerun.table);
        Some(self.rerun.step(self.recorded.shared()).and_then(|shown| self.told(shown, at)))
    }

    fn told(&mut self, shown: Shown, at: Time) -> Result<Option<UpdateFrame<'static>>, String> {
        if shown == Shown::Turn {
            self.made.begin(at);
        }
        if shown == Shown::Nothing {
            return Ok(None);
        }
        let moves = self.made.take();
        if !self.turns.contains(&self.rerun.table.seq()) {
            return Ok(None);
        }
        let mut update = self.update(at)?;
        let seen = moves.into_iter().filter(|made| self.eyes.see_moves_of(made.seat));
        update.moves = seen.collect();
        Ok(Some(update))
    }

    fn update(&self, at: Time) -> Result<UpdateFrame<'static>, String> {
        let table = &self.rerun.table;
        let game = table.game().ok_or("a step before the start")?;
        let seats = table.seats();
        check_seat(self.eyes, seats)?;
        let (seat_views, to_move) = match self.eyes {
            Eyes::All => {
                let views = Seat::all(seats).map(|seat| game.view(Viewer::Seat(seat)));
                (views.collect(), table.owed())
            }
            Eyes::Public | Eyes::Seat(_) => (Vec::new(), table.owed_as_seen(self.eyes.viewer())),
        };
        let clock_ms = table.opened().terms.policy.turn_ms;
        let gone = at.0.saturating_sub(self.made.began.0);
        let name = |seat| table.chair(seat).map_or_else(|| "".into(), |chair| chair.name.clone());
        let names: Vec<Name> = Seat::all(seats).map(name).collect();
        Ok(UpdateFrame {
            seq: table.seq(),
            seat: self.eyes.viewer().seat(),
            view: Cow::Owned(game.view(self.eyes.viewer())),
            names,
            to_move,
            your_move: self.eyes.viewer().seat().is_some_and(|seat| to_move.contains(seat)),
            legal: None,
            time_left_ms: clock_ms
                .filter(|_| !table.owed().is_empty())
                .map(|clock| clock.saturating_sub(gone)),
            clock_ms,
            moves: Cow::Owned(Vec::new()),
            seat_views: Cow::Owned(seat_views),
            words: None,
            skipped: 0,
        })
    }
}

fn check_seat(eyes: Eyes, seats: usize) -> Result<(), String> {
    match eyes {
        Eyes::Seat(seat) if seat.index() >= seats => {
            let last = seats.saturating_sub(1);
            Err(format!("there is no seat {seat}; the seats are 0 to {last}"))
        }
        _ => Ok(()),
    }
}
