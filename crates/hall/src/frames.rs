//! A game that is over, as those who watched it would have heard it: a `table` message, an
//! `update` for every step, and `over`. All of it is folded from the records.

use std::str::FromStr;

use rules::{Exit, Game, Seat, SeatSet, Viewer};
use serde::Serialize;

use crate::Time;
use crate::record::{Closing, Record};
use crate::replay::{Rerun, replay};
use crate::speech::{Member, Name, Status};
use crate::table::Table;

/// With whose eyes a game is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    Public,
    Seat(Seat),
    /// The public's and every seat's.
    All,
}

impl FromStr for Eyes {
    type Err = String;

    fn from_str(text: &str) -> Result<Eyes, String> {
        match text {
            "public" => Ok(Eyes::Public),
            "all" => Ok(Eyes::All),
            number => match number.parse() {
                Ok(seat) if usize::from(seat) < Seat::MAX => Ok(Eyes::Seat(Seat(seat))),
                _ => Err(format!("a viewer is public, all or the number of a seat, not '{text}'")),
            },
        }
    }
}

impl Eyes {
    fn viewer(self) -> Viewer {
        match self {
            Eyes::Seat(seat) => Viewer::Seat(seat),
            Eyes::Public | Eyes::All => Viewer::Public,
        }
    }

    /// Whether the moves of a seat are shown: what is public of them is in the view.
    fn see_moves_of(self, seat: Seat) -> bool {
        match self {
            Eyes::Public => false,
            Eyes::Seat(own) => own == seat,
            Eyes::All => true,
        }
    }
}

/// One message of the house wire.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", bound = "")]
pub enum Frame<G: Game> {
    Table(TableFrame),
    Update(Box<UpdateFrame<G>>),
    Over(OverFrame),
}

/// Who sat at the table when the game began.
#[derive(Debug, Serialize)]
pub struct TableFrame {
    pub table: Name,
    pub status: Status,
    pub clock_ms: Option<u64>,
    pub seats: Vec<Option<Member>>,
}

/// The state of play after a step.
#[derive(Debug, Serialize)]
#[serde(bound = "")]
pub struct UpdateFrame<G: Game> {
    pub seq: u64,
    pub view: G::View,
    pub names: Vec<Name>,
    pub to_move: SeatSet,
    pub your_move: bool,
    /// Nobody is asked for a move any more.
    pub legal: Option<Vec<G::Action>>,
    pub time_left_ms: Option<u64>,
    pub clock_ms: Option<u64>,
    pub moves: Vec<MadeMove<G::Action>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seat_views: Vec<G::View>,
    /// Here every update is told.
    pub skipped: u64,
}

/// What a seat did, and how it came to that.
#[derive(Clone, Debug, Serialize)]
pub struct MadeMove<A> {
    pub seat: Seat,
    /// None: the seat went.
    pub action: Option<A>,
    /// How long after the beginning of the turn.
    pub ms: u64,
    pub how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    Made,
    Clock,
    Bot,
    Left,
}

/// The end, seat by seat; or why there is no result.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum OverFrame {
    Result { places: Vec<u32>, points: Vec<i64>, how: Vec<&'static str>, words: String },
    Void { void: String },
}

const UNFINISHED: &str = "the records end before the game does";

/// The records of one table with the times at which they were written.
#[derive(Debug)]
pub struct Recorded<G: Game> {
    records: Vec<Record<G>>,
    times: Vec<Time>,
}

impl<G: Game> Recorded<G> {
    /// Reads records from their texts.
    pub fn read<'a>(lines: impl Iterator<Item = (Time, &'a str)>) -> Result<Recorded<G>, String> {
        let mut recorded = Recorded { records: Vec::new(), times: Vec::new() };
        for (number, (at, text)) in lines.enumerate() {
            let record = serde_json::from_str(text);
            let record =
                record.map_err(|error| format!("record {} cannot be read: {error}", number + 1))?;
            recorded.records.push(record);
            recorded.times.push(at);
        }
        Ok(recorded)
    }

    /// Plays the game again. The error is the first difference between what the records say and
    /// what the rules do.
    pub fn verify(&self) -> Result<(), String> {
        match replay(&self.records, |_, _| ())?.closing {
            Some(_) => Ok(()),
            None => Err(UNFINISHED.to_owned()),
        }
    }

    /// What somebody with these eyes would have been told. The error is that of
    /// [`verify`](Recorded::verify).
    pub fn frames(&self, eyes: Eyes) -> Result<Vec<Frame<G>>, String> {
        let mut telling = Telling {
            eyes,
            began: Time(0),
            moves: Vec::new(),
            seats: Vec::new(),
            updates: Vec::new(),
        };
        let mut rerun = Rerun::begin(&self.records)?;
        let mut times = self.times.iter().skip(1).copied();
        while let Some(record) = rerun.next() {
            let at = times.next().unwrap_or_default();
            telling.moves(record, at, &rerun.table);
            let before = rerun.table.seq;
            rerun.step()?;
            telling.step(record, at, before, &rerun.table)?;
        }
        let table = rerun.table;
        let Some(closing) = &table.closing else {
            return Err(UNFINISHED.to_owned());
        };
        let status = match closing {
            Closing::Over(_) => Status::Finished,
            Closing::Void(_) => Status::Void,
        };
        if telling.updates.is_empty() {
            telling.seats = members(&table);
        }
        let first = Frame::Table(TableFrame {
            table: table.opened.id.clone(),
            status,
            clock_ms: table.opened.terms.policy.turn_ms,
            seats: telling.seats,
        });
        let over = Frame::Over(OverFrame::new(closing, &names(&table)));
        Ok(std::iter::once(first).chain(telling.updates).chain([over]).collect())
    }
}

/// What is told while a game is played again.
struct Telling<G: Game> {
    eyes: Eyes,
    /// When the running turn began.
    began: Time,
    /// What was done since the last update.
    moves: Vec<MadeMove<G::Action>>,
    seats: Vec<Option<Member>>,
    updates: Vec<Frame<G>>,
}

impl<G: Game> Telling<G> {
    /// The moves that a record makes at a table as it was before.
    fn moves(&mut self, record: &Record<G>, at: Time, table: &Table<G>) {
        let ms = at.0.saturating_sub(self.began.0);
        let mut push = |seat, action, how| self.moves.push(MadeMove { seat, action, ms, how });
        match record {
            Record::Moved { seat, action, .. } => {
                let bot = table.chair(*seat).is_some_and(|chair| chair.bot.is_some());
                let how = if bot { How::Bot } else { How::Made };
                push(*seat, Some(action.clone()), how);
            }
            Record::Expired { .. } => {
                let game = table.game.as_ref();
                for seat in table.owed().iter() {
                    push(seat, game.and_then(|game| game.default_action(seat)), How::Clock);
                }
            }
            Record::Retired { seats } => {
                for (seat, exit) in seats {
                    let how = if *exit == Exit::TimedOut { How::Clock } else { How::Left };
                    push(*seat, None, how);
                }
            }
            _ => {}
        }
    }

    fn step(
        &mut self,
        record: &Record<G>,
        at: Time,
        before: u64,
        table: &Table<G>,
    ) -> Result<(), String> {
        let started = matches!(record, Record::Started { .. });
        if started || table.seq != before {
            self.began = at;
        }
        if started {
            self.seats = members(table);
        }
        if started || table.seq != before || matches!(record, Record::Retired { .. }) {
            let update = self.update(at, table)?;
            self.updates.push(Frame::Update(Box::new(update)));
        }
        Ok(())
    }

    fn update(&mut self, at: Time, table: &Table<G>) -> Result<UpdateFrame<G>, String> {
        let game = table.game.as_ref().ok_or("a step before the start")?;
        let seats = table.chairs.len();
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
        let clock_ms = table.opened.terms.policy.turn_ms;
        let gone = at.0.saturating_sub(self.began.0);
        let mut moves = std::mem::take(&mut self.moves);
        moves.retain(|made| self.eyes.see_moves_of(made.seat));
        Ok(UpdateFrame {
            seq: table.seq,
            view: game.view(self.eyes.viewer()),
            names: names(table),
            to_move,
            your_move: self.eyes.viewer().seat().is_some_and(|seat| to_move.contains(seat)),
            legal: None,
            time_left_ms: clock_ms
                .filter(|_| !table.owed().is_empty())
                .map(|clock| clock.saturating_sub(gone)),
            clock_ms,
            moves,
            seat_views,
            skipped: 0,
        })
    }
}

impl OverFrame {
    fn new(closing: &Closing, names: &[Name]) -> OverFrame {
        let outcome = match closing {
            Closing::Void(why) => return OverFrame::Void { void: why.clone() },
            Closing::Over(outcome) => outcome,
        };
        let standings = &outcome.standings;
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        OverFrame::Result {
            places: standings.iter().map(|standing| standing.place).collect(),
            points: standings.iter().map(|standing| standing.points).collect(),
            how: standings.iter().map(rules::Standing::cause).collect(),
            words: closing.in_words(&names),
        }
    }
}

fn names<G: Game>(table: &Table<G>) -> Vec<Name> {
    let name = |seat| table.chair(seat).map_or_else(|| "".into(), |chair| chair.name.clone());
    Seat::all(table.chairs.len()).map(name).collect()
}

/// Everybody at a table, as if nobody had ever been away.
fn members<G: Game>(table: &Table<G>) -> Vec<Option<Member>> {
    let member = |seat| {
        let chair = table.chair(seat)?;
        let (name, bot) = (chair.name.clone(), chair.bot.clone());
        Some(Member { name, present: true, bot, strikes: 0 })
    };
    Seat::all(table.chairs.len()).map(member).collect()
}
