//! A finished game as its rules had it, read from its records: how it began, and every step.
//!
//! The records are read as text. This checks less than `parlor replay --verify` does, but every
//! action must be legal, and the rules must come to the recorded result.

use rules::{Exit, Game, Move, Outcome, Seat, SeatSet, Seed, Step};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Course<G: Game> {
    pub id: String,
    /// The players by seat.
    pub names: Vec<String>,
    pub config: G::Config,
    pub seed: Seed,
    pub steps: Vec<Played<G::Action>>,
}

/// A step that was played.
#[derive(Clone, Debug)]
pub struct Played<A> {
    /// The number of the turn.
    pub seq: u64,
    pub what: What<A>,
    /// The seats for which the clock chose.
    pub silent: SeatSet,
}

/// A step that owns its moves.
#[derive(Clone, Debug)]
pub enum What<A> {
    Turn(Vec<(Seat, Move<A>)>),
    Departure(Vec<(Seat, Exit)>),
}

impl<A> What<A> {
    pub fn step(&self) -> Step<'_, A> {
        match self {
            What::Turn(moves) => Step::Turn(moves),
            What::Departure(exits) => Step::Departure(exits),
        }
    }

    /// The actions of a step, with their seats.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, &A)> {
        let moves: &[(Seat, Move<A>)] = match self {
            What::Turn(moves) => moves,
            What::Departure(_) => &[],
        };
        moves.iter().filter_map(|(seat, made)| match made {
            Move::Act(action) => Some((*seat, action)),
            Move::Retire(_) => None,
        })
    }
}

impl<G: Game> Course<G> {
    /// Reads the records of a finished game. The error says, for people, why there is nothing to
    /// review.
    pub fn read<'a>(records: impl Iterator<Item = &'a str>) -> Result<Course<G>, String> {
        let mut reading = None;
        for (index, text) in records.enumerate() {
            let wrong = |why: String| format!("record {}: {why}", index + 1);
            let (kind, told) = kind(text).map_err(wrong)?;
            match &mut reading {
                None => reading = Some(Reading::<G>::begin(&kind, &told).map_err(wrong)?),
                Some(reading) => reading.hear(&kind, &told).map_err(wrong)?,
            }
        }
        reading.ok_or("there are no records")?.finish()
    }

    pub fn seats(&self) -> usize {
        self.names.len()
    }

    /// The game before its first step.
    pub fn setup(&self) -> Result<G, String> {
        G::setup(&self.config, self.seats(), self.seed).map_err(|why| why.to_string())
    }
}

/// A record's kind and what it says.
fn kind(text: &str) -> Result<(String, Value), String> {
    let record: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
    match record {
        Value::Object(map) if map.len() == 1 => map.into_iter().next().ok_or_else(String::new),
        _ => Err("it is no record of a game".to_owned()),
    }
}

/// One field of a record.
fn field<T: DeserializeOwned>(told: &Value, name: &str) -> Result<T, String> {
    T::deserialize(&told[name]).map_err(|why| format!("{name}: {why}"))
}

/// Records on their way to a course.
struct Reading<G: Game> {
    course: Course<G>,
    /// Who sits where, before the start.
    chairs: Vec<Option<String>>,
    game: Option<G>,
    seq: u64,
    /// Moves that wait for the rest of their turn.
    pending: Vec<(Seat, Move<G::Action>)>,
    silent: SeatSet,
    is_over: bool,
}

impl<G: Game> Reading<G> {
    fn begin(kind: &str, opened: &Value) -> Result<Reading<G>, String> {
        if kind != "opened" {
            return Err("it does not open a table".to_owned());
        }
        let version: u32 = field(opened, "version")?;
        if version != G::VERSION {
            let known = G::VERSION;
            return Err(format!(
                "played under version {version} of the rules; this build has version {known}"
            ));
        }
        let course = Course {
            id: field(opened, "id")?,
            names: Vec::new(),
            config: field(&opened["terms"], "config")?,
            seed: field(opened, "seed")?,
            steps: Vec::new(),
        };
        let seats: usize = field(&opened["terms"]["policy"], "seats")?;
        let chairs = vec![None; seats.min(Seat::MAX)];
        Ok(Reading {
            course,
            chairs,
            game: None,
            seq: 0,
            pending: Vec::new(),
            silent: SeatSet::EMPTY,
            is_over: false,
        })
    }

    fn hear(&mut self, kind: &str, told: &Value) -> Result<(), String> {
        match kind {
            "seated" => self.sit(field(told, "seat")?, Some(field(told, "name")?)),
            "left" if self.game.is_none() => self.sit(field(told, "seat")?, None),
            "started" => self.start(told),
            "moved" => self.moved(told),
            "expired" => self.expire(field(told, "seq")?),
            "retired" => self.retire(&field::<Vec<(Seat, Exit)>>(told, "seats")?),
            "closed" => self.close(told),
            // Who is ready or away doesn't change the game.
            _ => Ok(()),
        }
    }

    fn sit(&mut self, seat: Seat, name: Option<String>) -> Result<(), String> {
        let chairs = if self.game.is_some() { &mut self.course.names } else { &mut Vec::new() };
        match (chairs.get_mut(seat.index()), self.chairs.get_mut(seat.index()), name) {
            // Another player's name during the game changes nothing: the seat keeps the first.
            (Some(_), _, _) => Ok(()),
            (None, Some(chair), name) => {
                *chair = name;
                Ok(())
            }
            (None, None, _) => Err(format!("there is no seat {seat}")),
        }
    }

    fn start(&mut self, told: &Value) -> Result<(), String> {
        let order: Vec<Seat> = field(told, "order")?;
        let name = |seat: &Seat| self.chairs.get(seat.index()).cloned().flatten();
        let names = order.iter().map(name).collect::<Option<Vec<String>>>();
        self.course.names = names.ok_or("it starts with an empty seat")?;
        if !told["settled"].is_null() {
            self.course.config = field(told, "settled")?;
        }
        if !told["seed"].is_null() {
            self.course.seed = field(told, "seed")?;
        }
        self.game = Some(self.course.setup()?);
        Ok(())
    }

    fn owed(&self) -> SeatSet {
        let moved = self.pending.iter().map(|(seat, _)| *seat).collect();
        self.game.as_ref().map_or(SeatSet::EMPTY, |game| game.to_act().without(moved))
    }

    fn moved(&mut self, told: &Value) -> Result<(), String> {
        let (seat, action): (Seat, G::Action) = (field(told, "seat")?, field(told, "action")?);
        self.seq = field(told, "seq")?;
        if !self.owed().contains(seat) {
            return Err(format!("seat {seat} moves and does not owe a move"));
        }
        let game = self.game.as_ref().ok_or("a move before the start")?;
        game.check(seat, &action).map_err(|why| format!("seat {seat} plays {action:?}: {why}"))?;
        self.put(seat, Move::Act(action));
        self.resolve();
        Ok(())
    }

    fn expire(&mut self, seq: u64) -> Result<(), String> {
        self.seq = seq;
        for seat in self.owed().iter() {
            let game = self.game.as_ref().ok_or("a clock before the start")?;
            match game.default_action(seat) {
                Some(action) => self.put(seat, Move::Act(action)),
                None => self.put(seat, Move::Retire(Exit::TimedOut)),
            }
            self.silent.insert(seat);
        }
        self.resolve();
        Ok(())
    }

    fn retire(&mut self, seats: &[(Seat, Exit)]) -> Result<(), String> {
        let leaving: SeatSet = seats.iter().map(|(seat, _)| *seat).collect();
        if leaving.iter().any(|seat| seat.index() >= self.course.seats()) {
            return Err("a seat leaves that does not exist".to_owned());
        }
        if self.owed().without(leaving).is_empty() {
            for (seat, exit) in seats {
                self.put(*seat, Move::Retire(exit.clone()));
            }
        } else {
            self.play(What::Departure(seats.to_vec()), SeatSet::EMPTY);
        }
        self.resolve();
        Ok(())
    }

    fn close(&mut self, told: &Value) -> Result<(), String> {
        if let Some(why) = told["void"].as_str() {
            return Err(format!("the game has no result to review: {why}"));
        }
        let outcome: Outcome = field(told, "over")?;
        if self.game.as_ref().and_then(Game::outcome) != Some(&outcome) {
            return Err("the result is not what the rules say".to_owned());
        }
        self.is_over = true;
        Ok(())
    }

    fn put(&mut self, seat: Seat, part: Move<G::Action>) {
        self.pending.retain(|(other, _)| *other != seat);
        let place = self.pending.partition_point(|(other, _)| *other < seat);
        self.pending.insert(place, (seat, part));
    }

    fn resolve(&mut self) {
        let Some(game) = &self.game else { return };
        if game.to_act().is_empty() || !self.owed().is_empty() {
            return;
        }
        let moves = std::mem::take(&mut self.pending);
        let silent = std::mem::take(&mut self.silent);
        self.play(What::Turn(moves), silent);
        self.seq += 1;
    }

    fn play(&mut self, what: What<G::Action>, silent: SeatSet) {
        if let Some(game) = &mut self.game {
            game.advance(what.step());
            self.course.steps.push(Played { seq: self.seq, what, silent });
        }
    }

    fn finish(self) -> Result<Course<G>, String> {
        if self.is_over { Ok(self.course) } else { Err("the game is not over".to_owned()) }
    }
}
