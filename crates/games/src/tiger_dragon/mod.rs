//! Tiger & Dragon: shed your tiles by attacking and by answering attacks, round after round,
//! until somebody has the target score.
//!
//! One [`TigerDragon`] is a whole match. A seat's own tiles alternate: attack, receive, attack,
//! ..., where to receive is to defend or, when everybody else passed, to put a tile face down.
//! The wire is JSON over WebSocket, on port 9002.

mod bots;
mod clauses;
mod client;
mod lines;
mod rules;
mod session;
mod verb;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ::rules::BotKind;
use ::wire::house::{Limit, Manual};
use ::wire::{Clause, Dialect, Framing, HouseOptions, Playable, Trial};
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use bots::BOTS;
pub use rules::{
    Act, Action, Attack, Battlefield, CARDS, Choices, Config, DECK, Discard, Discards, Finish,
    News, PerSeat, Phase, RoundResult, Row, Ruleset, SEATS, Scoring, Situation, TigerDragon, Tile,
    View, Worth, answers,
};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub config: Config,
    pub players: usize,
    pub turn_timeout_ms: u64,
    pub abandon_after_s: u64,
    pub abandoned: Abandoned,
    pub single_match: bool,
    #[serde(flatten)]
    pub house: HouseOptions,
}

/// What becomes of a seat whose player stays away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Abandoned {
    /// A house bot plays it until the player is back.
    Bot,
    /// It is out of the game.
    Out,
}

/// Tables are called by this and their number.
const ROOM: &str = "room";

/// What the first table will be called.
const FIRST_ROOM: &str = "room1";

impl Default for Options {
    fn default() -> Options {
        Options {
            config: Config::default(),
            players: 4,
            turn_timeout_ms: 60_000,
            abandon_after_s: 300,
            abandoned: Abandoned::Bot,
            single_match: false,
            house: HouseOptions::default(),
        }
    }
}

/// Every error that the protocol has.
#[cfg(test)]
pub(crate) fn errors() -> Vec<&'static str> {
    verb::Wrong::ALL.iter().map(|wrong| wrong.message()).collect()
}

impl Playable for TigerDragon {
    const CLAUSES: &'static [Clause] = clauses::CLAUSES;

    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[
        ("players", "seats of a table, 2 to 5"),
        ("target", "points that win the match, 1 to 1000"),
        (
            "battlefield",
            "the card that scores the rounds: \"dojo\", \"bamboo-grove\", \"volcano\", \"beach\", \
             \"grassland\", \"clifftop\", \"storm\", \"swamp\", \"dense-fog\", \"cave\", \
             \"game-market\"; or a table of lines such as \"7,8:4+bonus\" for all ten kinds of tile",
        ),
        (
            "rules",
            "\"official\", or \"original\": T and D cannot be answered, two players get 12 tiles each, \
             and seat 0 starts every round",
        ),
        (
            "turn_timeout_ms",
            "time per move in milliseconds; when it runs out, the first legal choice is played; 0 means no limit",
        ),
        (
            "abandon_after_s",
            "seconds that a player may be away before the seat counts as abandoned",
        ),
        (
            "abandoned",
            "what happens to an abandoned seat: \"bot\" (a house bot plays until the player \
             returns) or \"out\" (the player is out)",
        ),
        (
            "single_match",
            "play a single match only; players who join later get the answer that the room is full",
        ),
    ];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000, "abandon_after_s": 30, "abandoned": "out"})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<TigerDragon>()?;
        let seats = options.players;
        if !SEATS.contains(&seats) {
            return Err(format!("players = {seats}: Tiger & Dragon takes 2 to 5"));
        }
        options.config.validate(seats).map_err(|why| why.to_string())?;
        let ms = options.abandon_after_s.saturating_mul(1000);
        let policy = Policy {
            seats,
            names: Names::Free,
            start: Start::WhenFull { ready_grace_ms: 0 },
            hold_waiting_ms: 0,
            away_in_play: match options.abandoned {
                Abandoned::Bot => AwayInPlay::BotAfter { ms },
                Abandoned::Out => AwayInPlay::RetireAfter { ms },
            },
            after_end: AfterEnd::Stay,
            way_back: WayBack::Name,
            turn_ms: (options.turn_timeout_ms > 0).then_some(options.turn_timeout_ms),
            single_table: options.single_match,
            ids: Ids::Numbered(ROOM.to_owned()),
            ..options.house.policy()
        };
        Ok(Terms::new::<TigerDragon>(options.config.clone(), policy))
    }

    fn is_name(name: &str) -> bool {
        !name.is_empty() && verb::check_id(name).is_ok()
    }

    const NAMES: &'static str =
        "use 1 to 64 characters, none of them invisible, and no control characters";

    const TRIAL: Trial =
        Trial { seats: 4, hurried: &["turn_timeout_ms=500", "abandon_after_s=2"], ..Trial::PLAIN };

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        crate::boards::file::<Self>(name)
    }

    const MANUAL: Manual = Manual {
        seats: (2, 5),
        action: "a tile: \"1\" to \"8\", \"T\" for the Tiger, \"D\" for the Dragon; or \"pass\" to let \
                 an attack go by",
        examples: &[r#""4""#, r#""T""#, r#""pass""#],
        options: &[
            ("rules", Limit::Any),
            ("target", Limit::Between(1, 100)),
            ("battlefield", Limit::Characters(400)),
        ],
    };

    fn action_words(view: &View, action: &Action) -> String {
        let tile = match action {
            Action::Pass => return "let the attack go by".to_owned(),
            Action::Play(tile) => tile,
        };
        match view.phase {
            Phase::Attack | Phase::Finished => format!("attack with {tile}"),
            Phase::Defend => format!("answer with {tile}, and attack next"),
            Phase::BonusReceive => format!("put {tile} face down, and attack again"),
        }
    }

    fn bots() -> &'static [BotKind<TigerDragon>] {
        BOTS
    }

    fn dialects() -> &'static [Dialect<TigerDragon>] {
        &[Dialect {
            name: "tiger-dragon",
            default_port: 9002,
            framing: Framing::WebSocket { max: 65_536 },
            first_message_ms: None,
            yields_to_http: false,
            banned: "",
            session: session::session,
            client: client::client,
            signs: client::SIGNS,
            try_it: "websocat ws://{host}:{port}/",
        }]
    }
}
