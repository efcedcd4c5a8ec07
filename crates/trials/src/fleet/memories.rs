//! Compares what a player of the JSON protocol remembers with the records, word by word.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wire::Games;

use super::checker::{Told, Verdict};
use super::player::{Life, Note, Print};

type Tables<'a> = BTreeMap<(&'a str, &'a str), &'a Told>;

/// A player's notes, read up to one of them.
struct Reading<'a> {
    games: &'a Games,
    life: &'a Life,
    who: String,
    table: Option<&'a Told>,
    seat: u64,
    /// The last turn the player was shown.
    latest: Option<u64>,
    is_doubtful: bool,
    sent: BTreeMap<u64, &'a Value>,
    /// What each seat of the table should have been shown.
    updates: BTreeMap<u64, BTreeMap<u64, Vec<Print>>>,
    joined: BTreeSet<&'a str>,
}

pub fn check<'a>(games: &'a Games, life: &'a Life, tables: &Tables<'a>, verdict: &mut Verdict) {
    let mut reading = Reading {
        games,
        life,
        who: format!("{} {}", life.game, life.name),
        table: None,
        seat: 0,
        latest: None,
        is_doubtful: false,
        sent: BTreeMap::new(),
        updates: BTreeMap::new(),
        joined: BTreeSet::new(),
    };
    for note in &life.notes {
        reading.read(note, tables, verdict);
    }
}

impl<'a> Reading<'a> {
    fn read(&mut self, note: &'a Note, tables: &Tables<'a>, verdict: &mut Verdict) {
        match note {
            Note::Joined { table: id } => {
                self.table = tables.get(&(self.life.game, &**id)).copied();
                self.updates.clear();
                self.sent.clear();
                self.latest = None;
                self.joined.insert(id);
            }
            Note::Lost => self.latest = None,
            Note::Doubt { begins } => (self.latest, self.is_doubtful) = (None, *begins),
            Note::Sent { seq, action } => _ = self.sent.insert(*seq, action),
            Note::Accepted { seq } => self.accepted(*seq, verdict),
            Note::Update { seq, seat, view } => self.updated(*seq, *seat, *view, verdict),
            Note::Over(over) => self.over(over, verdict),
        }
    }

    fn differs(&self, verdict: &mut Verdict, what: &str) {
        verdict.differs(self.is_doubtful, format!("{}: {what}", self.who));
    }

    fn accepted(&self, seq: u64, verdict: &mut Verdict) {
        let recorded = self.table.and_then(|game| game.moved.get(&(seq, self.seat)));
        match recorded {
            Some(action) if self.sent.get(&seq) == Some(&action) => verdict.acknowledged += 1,
            Some(action) => {
                let what =
                    format!("turn {seq} was accepted, and {action} is recorded in its place");
                self.differs(verdict, &what);
            }
            None => {
                let joined = &self.joined;
                let what =
                    format!("turn {seq} was accepted and is not recorded (tables {joined:?})");
                self.differs(verdict, &what);
            }
        }
    }

    fn updated(&mut self, seq: u64, seat: u64, view: Print, verdict: &mut Verdict) {
        self.seat = seat;
        if self.latest.is_some_and(|latest| seq < latest) {
            self.differs(verdict, &format!("turn {seq} was told after {:?}", self.latest));
        }
        self.latest = Some(seq);
        let Some(game) = self.table else {
            return self
                .differs(verdict, &format!("turn {seq} was told of a game that is not kept"));
        };
        if !self.updates.contains_key(&seat) {
            match game.updates(self.games, seat) {
                Ok(updates) => _ = self.updates.insert(seat, updates),
                // A table that was set back may have begun with fewer seats.
                Err(why) => return self.differs(verdict, &why),
            }
        }
        let known = self.updates[&seat].get(&seq);
        match known.is_some_and(|views| views.contains(&view)) {
            true => verdict.told += 1,
            false => {
                let what = "was told otherwise than it is recorded";
                self.differs(verdict, &format!("{}: turn {seq} {what}", game.name()));
            }
        }
    }

    fn over(&self, over: &Value, verdict: &mut Verdict) {
        let Some(game) = self.table else { return };
        let seat = self.seat as usize;
        let of = |key: &str| over[key][seat].as_i64();
        let told = of("places").map(|place| place as u64).zip(of("points"));
        match told == game.standing(seat) {
            true => verdict.ends += 1,
            false => {
                let what = format!("the end was told as {over}, and is {}", game.closing);
                self.differs(verdict, &format!("{}: {what}", game.name()));
            }
        }
    }
}
