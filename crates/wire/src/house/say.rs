//! The server's messages outside of play: greetings, answers, refusals. Play itself is sent as
//! [`hall::Frame`]s.

use std::sync::Arc;

use hall::{Code, Joined, Page, Reaction, Rematch, RematchSeat, Status, TableInfo, UpdateFrame};
use rules::{Seat, SeatSet};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::refusals::Refused;
use crate::AnyGame;

/// One message, as it is written.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Say<'a> {
    Hello(Hello),
    Joined {
        table: &'a str,
        seat: Option<Seat>,
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<&'a str>,
        resumed: bool,
    },
    Accepted {
        seq: Option<u64>,
    },
    Waiting {
        seq: u64,
        to_move: SeatSet,
    },
    Refused {
        code: Code,
        message: &'a str,
        hint: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// The players who stayed after a game, and those who want to play again.
    Rematch {
        table: &'a str,
        seats: &'a [RematchSeat],
    },
    /// A player shows something, without words.
    Reacted {
        seat: Seat,
        reaction: Reaction,
    },
    Closed {
        reason: &'a str,
        /// Whether `resume` will work.
        resume: bool,
    },
    Tables {
        tables: Vec<TableCard<'a>>,
        /// The value of `after` for the next page, if there may be more.
        next: Option<&'a str>,
    },
    Pong,
}

/// A part of what happened before.
#[derive(Serialize)]
#[serde(tag = "type", rename = "history")]
pub struct History<'a> {
    updates: &'a [UpdateFrame<'static>],
    next: Option<u64>,
}

impl<'a> History<'a> {
    pub fn of(page: &'a Page) -> History<'a> {
        History { updates: &page.updates, next: page.next }
    }
}

/// What a client has to know about the game before it plays.
#[derive(Serialize)]
pub struct Hello {
    game: &'static str,
    rules_version: u32,
    wire: u32,
    seats: SeatRange,
    action: ActionHelp,
    strategies: Vec<Strategy>,
    name_rule: String,
}

#[derive(Serialize)]
struct SeatRange {
    min: usize,
    max: usize,
}

#[derive(Serialize)]
struct ActionHelp {
    words: &'static str,
    examples: Vec<&'static RawValue>,
}

#[derive(Serialize)]
struct Strategy {
    name: &'static str,
    /// 1, 2 or 3: a beginner, decent, strong.
    level: u8,
    words: &'static str,
}

/// The greeting.
pub fn greeting(game: &'static dyn AnyGame) -> Value {
    serde_json::to_value(Hello::of(game)).expect("a greeting is plain data")
}

impl Hello {
    pub fn of(game: &'static dyn AnyGame) -> Hello {
        let (manual, hooks) = (game.manual(), game.hooks());
        let example = |text: &&'static str| {
            serde_json::from_str(text).expect("examples are JSON: the roster's tests read them")
        };
        let strategy = |strategy: &rules::any::Strategy| Strategy {
            name: strategy.name,
            level: strategy.grade.level(),
            words: strategy.about,
        };
        Hello {
            game: game.name(),
            rules_version: game.rules().version(),
            wire: 1,
            seats: SeatRange { min: manual.seats.0, max: manual.seats.1 },
            action: ActionHelp {
                words: manual.action,
                examples: manual.examples.iter().map(example).collect(),
            },
            strategies: hooks.bots.iter().map(strategy).collect(),
            name_rule: super::name_rule(&hooks),
        }
    }
}

/// A table as a list shows it.
#[derive(Serialize)]
pub struct TableCard<'a> {
    table: &'a str,
    status: Status,
    seats: usize,
    players: Vec<&'a str>,
    /// Whether any player may sit down there.
    open: bool,
    seq: u64,
}

impl<'a> TableCard<'a> {
    fn of(info: &'a TableInfo) -> TableCard<'a> {
        let names = info.company.seats.iter().flatten().map(|member| &*member.name);
        TableCard {
            table: &info.id,
            status: info.status,
            seats: info.seats,
            players: names.collect(),
            open: info.status == Status::Waiting && info.players < info.seats,
            seq: info.turn.seq,
        }
    }
}

impl<'a> Say<'a> {
    pub fn joined(joined: &'a Joined) -> Say<'a> {
        Say::Joined {
            table: &joined.company.table,
            seat: joined.seat,
            token: joined.token.as_deref(),
            resumed: joined.resumed,
        }
    }

    pub fn rematch(rematch: &'a Rematch) -> Say<'a> {
        Say::Rematch { table: &rematch.table, seats: &rematch.seats }
    }

    pub fn refused(refused: &'a Refused, seq: Option<u64>) -> Say<'a> {
        let Refused { code, message, hint } = refused;
        Say::Refused { code: *code, message, hint, seq }
    }

    pub fn tables(infos: &'a [Arc<TableInfo>], limit: usize) -> Say<'a> {
        let next = infos.last().filter(|_| infos.len() == limit).map(|info| &*info.id);
        Say::Tables { tables: infos.iter().map(|info| TableCard::of(info)).collect(), next }
    }
}

/// The text of a message; a direct answer repeats what its request was called.
pub fn text(message: &impl Serialize, id: Option<&Value>) -> String {
    let written = match id {
        None => serde_json::to_string(message),
        Some(id) => serde_json::to_string(&Answer { message, id }),
    };
    written.expect("views serialise: the conformance kit has tried")
}

#[derive(Serialize)]
struct Answer<'a, M: Serialize> {
    #[serde(flatten)]
    message: &'a M,
    id: &'a Value,
}

impl dyn AnyGame {
    /// The JSON protocol's greeting: seats, the form of an action, house strategies.
    pub fn greeting(&'static self) -> Value {
        greeting(self)
    }

    /// The options of a private table, in words.
    pub fn choices(&'static self) -> Vec<String> {
        super::choices(self)
    }
}
