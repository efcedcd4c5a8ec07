//! Tic-tac-toe over lines: the sixth game, for those who add one.
//!
//! It has everything a game has and nothing more, and is no part of the server that people run:
//! tests put it on the roster. `docs/guides/add-a-game.md` walks through it.

mod board;
mod bots;
mod client;
mod rules;
mod session;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ::rules::BotKind;
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::house::Manual;
use wire::{Clause, Dialect, Framing, HouseOptions, Playable};

pub use board::{Board, Square};
pub use rules::{Config, TicTacToe, View};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    pub turn_timeout_ms: u64,
    #[serde(flatten)]
    pub house: HouseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options { turn_timeout_ms: 30_000, house: HouseOptions::default() }
    }
}

impl Playable for TicTacToe {
    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[(
        "turn_timeout_ms",
        "time per move in milliseconds; when it runs out, the first free square is marked; 0 means \
         no limit",
    )];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<TicTacToe>()?;
        let policy = Policy {
            seats: 2,
            names: Names::UniqueAtTable,
            start: Start::WhenFull { ready_grace_ms: 0 },
            hold_waiting_ms: 5_000,
            away_in_play: AwayInPlay::Hold,
            after_end: AfterEnd::Lobby,
            way_back: WayBack::Token,
            turn_ms: (options.turn_timeout_ms > 0).then_some(options.turn_timeout_ms),
            ids: Ids::Numbered("board-".to_owned()),
            ..options.house.policy()
        };
        Ok(Terms::new::<TicTacToe>(Config {}, policy))
    }

    const NAMES: &'static str = "use 1 to 20 characters without spaces";

    fn is_name(name: &str) -> bool {
        session::is_name(name)
    }

    const CLAUSES: &'static [Clause] = &[Clause {
        says: "is not free",
        anchor: "error-is-not-free",
        page: "Only a square that is free can be marked.",
        hint: "Mark one of the squares that `BOARD` shows as a dot.",
    }];

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        let file: &'static [u8] = match name {
            "rules.md" => include_bytes!("rules.md"),
            "about.js" => include_bytes!("about.js"),
            "board.js" => include_bytes!("board.js"),
            "board.css" => include_bytes!("board.css"),
            "emblem.svg" => include_bytes!("emblem.svg"),
            _ => return None,
        };
        Some(file.into())
    }

    const MANUAL: Manual = Manual {
        seats: (2, 2),
        action: "a number from 1 to 9: the square to mark, row after row",
        examples: &["5"],
        options: &[],
    };

    fn bots() -> &'static [BotKind<TicTacToe>] {
        bots::BOTS
    }

    fn dialects() -> &'static [Dialect<TicTacToe>] {
        &[Dialect {
            name: "tic-tac-toe",
            default_port: 7999,
            framing: Framing::Lines { max: 200 },
            first_message_ms: Some(60_000),
            yields_to_http: false,
            banned: "ERROR you are banned here",
            session: session::session,
            client: client::client,
            signs: client::SIGNS,
            try_it: "(printf 'JOIN ann\\n'; sleep 1) | nc {host} {port}",
        }]
    }
}
