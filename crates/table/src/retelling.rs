//! A game told again from its records, as those who were there heard it.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use rules::{Game, Seat, Viewer};

use crate::frames::{Eyes, Frame, OverFrame, SeatFrame, TableFrame, UpdateFrame};
use crate::moves::MovesMade;
use crate::recorded::{Recorded, UNFINISHED};
use crate::replay::{Rerun, Shown};
use crate::{Name, Time};

impl<G: Game> Recorded<G> {
    /// What somebody with these eyes would have been told. The error is that of
    /// [`verify`](Recorded::verify).
    pub fn frames(&self, eyes: Eyes) -> Result<Vec<Frame<'static, G>>, String> {
        let (rerun, telling) = self.tell(Telling::new(eyes, 0..=u64::MAX, usize::MAX))?;
        let closing = rerun.table.closing().ok_or(UNFINISHED)?;
        let company = rerun.table.company(|_| true);
        let mut first = TableFrame::of(&company);
        first.seats = telling.seats.unwrap_or(first.seats);
        first.seats.iter_mut().flatten().for_each(|seat| seat.strikes = 0);
        let over = Frame::Over(OverFrame::new(closing, &company.names()));
        let updates = telling.updates.into_iter().map(|update| Frame::Update(Box::new(update)));
        Ok(std::iter::once(Frame::Table(first)).chain(updates).chain([over]).collect())
    }

    /// The updates of these turns, whether the game is over or not. It ends early, at the first one
    /// beyond `at_most`.
    pub fn updates(
        &self,
        eyes: Eyes,
        turns: RangeInclusive<u64>,
        at_most: usize,
    ) -> Result<Vec<UpdateFrame<'static, G>>, String> {
        Ok(self.tell(Telling::new(eyes, turns, at_most))?.1.updates)
    }

    fn tell(&self, mut telling: Telling<G>) -> Result<(Rerun<'_, G>, Telling<G>), String> {
        let (mut rerun, mut times) = self.rerun()?;
        while let Some(record) = rerun.next()
            && !telling.has_all(rerun.table.seq())
        {
            let at = times.next().unwrap_or_default();
            telling.made.note(record, at, &rerun.table);
            let shown = rerun.step()?;
            telling.step(shown, at, &rerun)?;
        }
        Ok((rerun, telling))
    }
}

/// What is told while a game is played again.
struct Telling<G: Game> {
    eyes: Eyes,
    turns: RangeInclusive<u64>,
    at_most: usize,
    made: MovesMade<G>,
    /// Who began the game.
    seats: Option<Vec<Option<SeatFrame>>>,
    updates: Vec<UpdateFrame<'static, G>>,
}

impl<G: Game> Telling<G> {
    fn new(eyes: Eyes, turns: RangeInclusive<u64>, at_most: usize) -> Telling<G> {
        let (made, updates) = (MovesMade::default(), Vec::new());
        Telling { eyes, turns, at_most, made, seats: None, updates }
    }

    /// Whether nothing that happens from this turn on is asked for.
    fn has_all(&self, seq: u64) -> bool {
        seq > *self.turns.end() || self.updates.len() > self.at_most
    }

    fn step(&mut self, shown: Shown, at: Time, rerun: &Rerun<'_, G>) -> Result<(), String> {
        if shown == Shown::Turn {
            self.made.begin(at);
            self.seats.get_or_insert_with(|| TableFrame::of(&rerun.table.company(|_| true)).seats);
        }
        if shown != Shown::Nothing {
            let moves = self.made.take();
            if self.turns.contains(&rerun.table.seq()) {
                let mut update = self.update(at, rerun)?;
                let seen = moves.into_iter().filter(|made| self.eyes.see_moves_of(made.seat));
                update.moves = seen.collect();
                self.updates.push(update);
            }
        }
        Ok(())
    }

    fn update(&self, at: Time, rerun: &Rerun<'_, G>) -> Result<UpdateFrame<'static, G>, String> {
        let table = &rerun.table;
        let game = table.game().ok_or("a step before the start")?;
        let seats = table.seats();
        if let Eyes::Seat(seat) = self.eyes
            && seat.index() >= seats
        {
            let last = seats.saturating_sub(1);
            return Err(format!("there is no seat {seat}; the seats are 0 to {last}"));
        }
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
