//! A table's records, told again as those who were there heard it.

use std::borrow::Cow;
use std::sync::Arc;

use rules::{Game, Seat, SeatSet, Viewer};

use crate::company::{Company, Member};
use crate::frames::{Eyes, Frame, OverFrame, TableFrame, UpdateFrame};
use crate::moves::MovesMade;
use crate::record::TableRecord;
use crate::replay::{Rerun, replay};
use crate::table::Table;
use crate::{Name, Time};

const UNFINISHED: &str = "the records end before the game does";

/// The records of one table with the times at which they were written.
#[derive(Debug)]
pub struct Recorded<G: Game> {
    records: Vec<Arc<TableRecord<G>>>,
    times: Vec<Time>,
}

impl<G: Game> Default for Recorded<G> {
    fn default() -> Recorded<G> {
        Recorded { records: Vec::new(), times: Vec::new() }
    }
}

impl<G: Game> Recorded<G> {
    /// Reads records from their texts.
    pub fn read<'a>(lines: impl Iterator<Item = (Time, &'a str)>) -> Result<Recorded<G>, String> {
        let mut recorded = Recorded::default();
        for (number, (at, text)) in lines.enumerate() {
            let record = serde_json::from_str(text).map(Arc::new);
            let record =
                record.map_err(|error| format!("record {} cannot be read: {error}", number + 1))?;
            recorded.records.push(record);
            recorded.times.push(at);
        }
        Ok(recorded)
    }

    /// One more record.
    pub fn push(&mut self, record: Arc<TableRecord<G>>, at: Time) {
        self.records.push(record);
        self.times.push(at);
    }

    /// The turn and the action of a seat's last move.
    pub fn last_move(&self, seat: Seat) -> Option<(u64, &G::Action)> {
        self.records.iter().rev().find_map(|record| match &**record {
            TableRecord::Moved { seq, seat: mover, action } if *mover == seat => {
                Some((*seq, action))
            }
            _ => None,
        })
    }

    /// Records whose own times are not known.
    pub fn written_at(at: Time, records: Vec<TableRecord<G>>) -> Recorded<G> {
        let times = vec![at; records.len()];
        Recorded { records: records.into_iter().map(Arc::new).collect(), times }
    }

    /// Plays the game again. The error is the first difference between what the records say and
    /// what the rules do.
    pub fn verify(&self) -> Result<(), String> {
        match replay(&self.records, |_, _| ())?.closing() {
            Some(_) => Ok(()),
            None => Err(UNFINISHED.to_owned()),
        }
    }

    /// What somebody with these eyes would have been told. The error is that of
    /// [`verify`](Recorded::verify).
    pub fn frames(&self, eyes: Eyes) -> Result<Vec<Frame<'static, G>>, String> {
        let (table, mut telling) = self.tell(eyes)?;
        let Some(closing) = table.closing() else {
            return Err(UNFINISHED.to_owned());
        };
        if telling.updates.is_empty() {
            telling.seats = members(&table);
        }
        let company = Company {
            table: table.opened().id.clone(),
            seats: telling.seats,
            facts: table.facts(),
        };
        let names = names(&table);
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let over = Frame::Over(OverFrame::new(closing, &names));
        let updates = telling.updates.into_iter().map(|update| Frame::Update(Box::new(update)));
        let first = Frame::Table(TableFrame::of(&company));
        Ok(std::iter::once(first).chain(updates).chain([over]).collect())
    }

    /// Forgets all but the last move of every seat: the game is over, and can only be asked for in
    /// the archive.
    pub fn keep_last_moves(&mut self) {
        let mut seen = SeatSet::EMPTY;
        let mut last = Vec::new();
        for record in self.records.drain(..).rev() {
            if let TableRecord::Moved { seat, .. } = *record
                && !seen.contains(seat)
            {
                seen.insert(seat);
                last.push(record);
            }
        }
        last.reverse();
        self.records = last;
        self.times = Vec::new();
    }

    /// Every update so far, whether the game is over or not.
    pub fn updates(&self, eyes: Eyes) -> Result<Vec<UpdateFrame<'static, G>>, String> {
        Ok(self.tell(eyes)?.1.updates)
    }

    fn tell(&self, eyes: Eyes) -> Result<(Table<G>, Telling<G>), String> {
        let mut telling =
            Telling { eyes, made: MovesMade::default(), seats: Vec::new(), updates: Vec::new() };
        let mut rerun = Rerun::begin(&self.records)?;
        let mut times = self.times.iter().skip(1).copied();
        while let Some(record) = rerun.next() {
            let at = times.next().unwrap_or_default();
            telling.made.note(record, at, &rerun.table);
            let before = rerun.table.seq();
            rerun.step()?;
            telling.step(record, at, before, &rerun.table)?;
        }
        Ok((rerun.table, telling))
    }
}

/// What is told while a game is played again.
struct Telling<G: Game> {
    eyes: Eyes,
    made: MovesMade<G>,
    seats: Vec<Option<Member>>,
    updates: Vec<UpdateFrame<'static, G>>,
}

impl<G: Game> Telling<G> {
    fn step(
        &mut self,
        record: &TableRecord<G>,
        at: Time,
        before: u64,
        table: &Table<G>,
    ) -> Result<(), String> {
        let started = matches!(record, TableRecord::Started { .. });
        if started || table.seq() != before {
            self.made.begin(at);
        }
        if started {
            self.seats = members(table);
        }
        if started || table.seq() != before || matches!(record, TableRecord::Retired { .. }) {
            let update = self.update(at, table)?;
            self.updates.push(update);
        }
        Ok(())
    }

    fn update(&mut self, at: Time, table: &Table<G>) -> Result<UpdateFrame<'static, G>, String> {
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
        let mut moves = self.made.take();
        moves.retain(|made| self.eyes.see_moves_of(made.seat));
        Ok(UpdateFrame {
            seq: table.seq(),
            seat: self.eyes.viewer().seat(),
            view: Cow::Owned(game.view(self.eyes.viewer())),
            names: names(table),
            to_move,
            your_move: self.eyes.viewer().seat().is_some_and(|seat| to_move.contains(seat)),
            legal: None,
            time_left_ms: clock_ms
                .filter(|_| !table.owed().is_empty())
                .map(|clock| clock.saturating_sub(gone)),
            clock_ms,
            moves: Cow::Owned(moves),
            seat_views: Cow::Owned(seat_views),
            words: None,
            skipped: 0,
        })
    }
}

fn names<G: Game>(table: &Table<G>) -> Vec<Name> {
    let name = |seat| table.chair(seat).map_or_else(|| "".into(), |chair| chair.name.clone());
    Seat::all(table.seats()).map(name).collect()
}

/// Everybody at a table, as if nobody had ever been away.
fn members<G: Game>(table: &Table<G>) -> Vec<Option<Member>> {
    let member = |seat| {
        let chair = table.chair(seat)?;
        Some(Member { present: true, strikes: 0, ..Member::of(chair) })
    };
    Seat::all(table.seats()).map(member).collect()
}
