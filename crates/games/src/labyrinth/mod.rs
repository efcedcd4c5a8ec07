//! Labyrinth: slide a row or column, push the spare tile in, walk to the treasure, then home.
//!
//! The labyrinth itself is in `board`. The `rules` play in it: `deal` is a game's beginning, `turn`
//! what a turn does, `scoring` its end, `view` what is seen.
//! [`json`] reads and writes the definitions that programs exchange; [`exercises`] answers the
//! course's questions about single boards and, with a referee, whole games. Two protocols play at
//! the same tables: `verb` is what clients say, `lines` what the server says, `session` when.

mod board;
mod bots;
mod choices;
mod clauses;
mod client;
pub mod exercises;
pub mod json;
mod lines;
mod rules;
mod session;
#[cfg(test)]
mod tests;
mod verb;

use std::borrow::Cow;

use ::rules::{BotKind, Game, Seed};
use ::wire::house::{Limit, Manual};
use ::wire::{Clause, Dialect, Framing, HouseOptions, Playable, Trial};
use hall::{AfterEnd, AwayInPlay, Chair, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use board::{
    Board, Cells, Choice, Connector, Coordinate, Degree, Direction, Gem, Maze, Prospect, Slide,
    Tile, Treasure,
};
pub use bots::{BOTS, Strategy};
pub use rules::{
    Action, Avatar, Color, Config, Deed, Ending, Labyrinth, News, Passes, Phase, PlayerEntry,
    Quest, Scoring, SeatView, State, Treasures, TurnOrder, View,
};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub config: Config,
    pub players: usize,
    pub gather_ms: u64,
    pub turn_timeout_ms: u64,
    #[serde(flatten)]
    pub house: HouseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            config: Config::default(),
            players: 2,
            gather_ms: 5_000,
            turn_timeout_ms: 10_000,
            house: HouseOptions::default(),
        }
    }
}

/// The fewest players of a game.
const MIN_PLAYERS: usize = 2;

/// "Limit per call: 4 s."
const CALL_MS: u64 = 4000;

/// The longest message on either wire, in bytes.
const MAX_MESSAGE: usize = 64 * 1024;

/// What the memo's players call.
#[cfg(test)]
pub(crate) const CALLS: [&str; 8] = [
    "rotate_spare_tile",
    "shift_and_insert",
    "move_avatar",
    "pass",
    verb::Query::ALL[0].name(),
    verb::Query::ALL[1].name(),
    verb::Query::ALL[2].name(),
    verb::Query::ALL[3].name(),
];

#[cfg(test)]
pub(crate) const COLORS: [&str; 9] = rules::Color::NAMES;

impl Playable for Labyrinth {
    const CLAUSES: &'static [Clause] = clauses::CLAUSES;

    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[
        ("players", "seats of a table, 2 to 9"),
        ("gather_ms", "milliseconds that a table with two or more players waits for another"),
        (
            "turn_timeout_ms",
            "time per turn in milliseconds; when it runs out, the player is removed; 0 means no limit",
        ),
        ("size", "rows and columns of a dealt board; 7 x 7 has room for nine players"),
        ("max_rounds", "rounds until the game ends without a winner; 0 means no limit"),
        (
            "turn_order",
            "who moves first: the first to join (\"join\") or the last (\"reverse-join\", which always \
             applies if all players use the course's protocol)",
        ),
        (
            "passes",
            "the game ends when all players passed in their latest turn (\"latest-turn\"), or within \
             one round (\"round\", which always applies if all players use the course's protocol)",
        ),
        (
            "scoring",
            "who wins if no player returns home: no one (\"memo\"), or the player who is ahead \
             (\"course\", which always applies if all players use the course's protocol)",
        ),
        (
            "treasures",
            "whether a treasure on a sliding tile is bound to the \"tile\" or to the \"place\" (which \
             always applies if all players use the course's protocol); a dealt board has no such treasure",
        ),
        ("goals", "further goals, given in this order to players who reach their goal"),
        ("colors", "the avatars' colours by seat, for players who do not choose one"),
        (
            "state",
            "the State or RefereeState to start from instead of a dealt board; state_file names a \
             file with its JSON",
        ),
    ];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<Labyrinth>()?;
        let players = options.players;
        if !(MIN_PLAYERS..=Color::NAMES.len()).contains(&players) {
            return Err(format!("players = {players}: Labyrinth takes 2 to 9"));
        }
        // The course's exercises tolerate this; people at a table would look for it in vain.
        if let Some(goal) = options.config.state.as_ref().and_then(State::goal_off_board) {
            return Err(format!("state: the further goal {goal} is not on the board"));
        }
        for seats in [MIN_PLAYERS, players] {
            Labyrinth::setup(&options.config, seats, Seed::from_number(0))
                .map_err(|why| format!("a table of {seats}: {why}"))?;
        }
        let policy = Policy {
            seats: players,
            names: Names::UniqueByJoining,
            start: Start::WhenGathered { min: MIN_PLAYERS, quiet_ms: options.gather_ms },
            hold_waiting_ms: 0,
            away_in_play: AwayInPlay::RetireAfterMove,
            after_end: AfterEnd::Stay,
            way_back: WayBack::None,
            turn_ms: (options.turn_timeout_ms > 0).then_some(options.turn_timeout_ms),
            ids: Ids::Numbered("labyrinth-".to_owned()),
            ..options.house.policy()
        };
        Ok(Terms::new::<Labyrinth>(options.config.clone(), policy))
    }

    const TRIAL: Trial = Trial {
        quick: &["max_rounds=30"],
        hurried: &["gather_ms=300", "players=3", "max_rounds=20"],
        ..Trial::PLAIN
    };

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        crate::boards::file::<Self>(name)
    }

    const MANUAL: Manual = Manual {
        seats: (2, 9),
        action: "[2,\"RIGHT\",90,{\"column#\":5,\"row#\":3}]: the row or column to slide, the direction, \
                 by how many degrees the spare tile is turned first, and where to go then; or \
                 \"PASS\"",
        examples: &[r##"[2,"RIGHT",90,{"column#":5,"row#":3}]"##, r#""PASS""#],
        options: &[
            ("size", Limit::Between(3, 15)),
            ("max_rounds", Limit::Between(1, 1000)),
            ("turn_order", Limit::Any),
            ("passes", Limit::Any),
            ("scoring", Limit::Any),
            ("treasures", Limit::Any),
        ],
    };

    /// Colors are for whoever joins with one, in whatever case somebody would claim them.
    fn is_nobodys(name: &str) -> bool {
        [name.to_ascii_lowercase(), name.to_ascii_uppercase()]
            .iter()
            .any(|name| Color::parse(name).is_some())
    }

    /// The answer that every seat owes once the last move is made.
    fn formality(view: &View) -> Option<Action> {
        (view.phase == Phase::Closing).then_some(Action::Acknowledge)
    }

    fn action_words(_view: &View, action: &Action) -> String {
        let Action::Play(Choice { slide, degree, to }) = action else { return String::new() };
        let line = if slide.is_row() { "row" } else { "column" };
        let (index, way) = (slide.index, slide.direction.name().to_lowercase());
        let (degrees, Coordinate { row, column }) = (degree.number(), to);
        format!(
            "slide {line} {index} {way}, spare turned {degrees} degrees, walk to row {row}, column {column}"
        )
    }

    fn choice_words(view: &View) -> String {
        choices::words(view)
    }

    fn examples(view: &View) -> Vec<Action> {
        choices::examples(view)
    }

    fn bots() -> &'static [BotKind<Labyrinth>] {
        BOTS
    }

    fn dialects() -> &'static [Dialect<Labyrinth>] {
        &[
            Dialect {
                name: "labyrinth",
                default_port: 7676,
                framing: Framing::JsonValues { max: MAX_MESSAGE },
                first_message_ms: Some(5_000),
                yields_to_http: false,
                banned: "",
                session: session::memo,
                client: client::memo,
                signs: client::MEMO_SIGNS,
                try_it: "(printf '{\"color\":\"orange\"}'; sleep 1) | nc {host} {port}",
            },
            Dialect {
                name: "labyrinth-course",
                default_port: 7677,
                framing: Framing::JsonValues { max: MAX_MESSAGE },
                first_message_ms: Some(2_000),
                yields_to_http: false,
                banned: "",
                session: session::course,
                client: client::course,
                signs: client::COURSE_SIGNS,
                try_it: "(printf '\"alice\"'; sleep 60) | nc {host} {port}",
            },
        ]
    }

    /// The end is told and only to be acknowledged. That is a call like any other, and the answer to
    /// a setup may still be owed before it.
    fn turn_limit_ms(game: &Labyrinth) -> Option<u64> {
        game.is_closing().then_some(2 * CALL_MS)
    }

    fn settle(config: &Config, chairs: &[Chair]) -> Config {
        session::settle(config, chairs)
    }
}
