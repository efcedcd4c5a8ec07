//! Sushi Go, over the line protocol of port 7878 and the dialect of its later Python kit on 7879.

pub mod bots;
mod clauses;
mod client;
mod errors;
mod lines;
pub mod rules;
mod session;
#[cfg(test)]
mod tournament_tests;
mod verb;

use std::borrow::Cow;

use ::rules::BotKind;
use ::wire::house::{Limit, Manual};
use ::wire::{Clause, Dialect, Framing, HouseOptions, OldName, Playable, Trial};
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use lines::game as game_summary;
pub use rules::{Action, SushiGo, View, ViewedSeat};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub config: rules::Config,
    pub players: usize,
    pub turn_timeout_ms: u64,
    #[serde(flatten)]
    pub house: HouseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            config: rules::Config::default(),
            players: 2,
            turn_timeout_ms: 12_000,
            house: HouseOptions::default(),
        }
    }
}

/// The sockets of the later kit give up after 30 seconds without a line.
const KIT_MS: u64 = 25_000;

/// The commands of the protocol.
#[cfg(test)]
pub(crate) const COMMANDS: &str = verb::KNOWN;

impl Playable for SushiGo {
    const CLAUSES: &'static [Clause] = clauses::CLAUSES;

    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[
        ("players", "seats of a table, 2 to 5"),
        (
            "turn_timeout_ms",
            "time per move in milliseconds; when it runs out, the first card is played; 0 means no limit",
        ),
        ("pass_direction", "\"left\", or \"alternate\" to pass the other way in round 2"),
        (
            "two_player_pudding_penalty",
            "whether the fewest puddings cost 6 points with two players, too",
        ),
        (
            "player_order",
            "whether GAME_START is followed by PLAYER_ORDER a,b,c, the players in the order of their \
             seats; the oldest bots cannot read that line",
        ),
    ];

    const OLD_NAMES: &'static [OldName] =
        &[OldName { old: "move_timeout_ms", new: "turn_timeout_ms", times: 1 }];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<SushiGo>()?;
        if !(2..=5).contains(&options.players) {
            return Err(format!("players = {}: Sushi Go takes 2 to 5", options.players));
        }
        let turn_ms = (options.turn_timeout_ms > 0).then_some(options.turn_timeout_ms);
        let policy = Policy {
            seats: options.players,
            names: Names::UniqueAtTable,
            start: Start::WhenFull { ready_grace_ms: 200 },
            hold_waiting_ms: 5_000,
            away_in_play: AwayInPlay::Hold,
            after_end: AfterEnd::Stay,
            way_back: WayBack::Token,
            turn_ms,
            too_slow_for: (turn_ms.unwrap_or(u64::MAX) > KIT_MS).then(|| session::KIT.to_owned()),
            always_open: true,
            ids: Ids::Words,
            ..options.house.policy()
        };
        Ok(Terms::new::<SushiGo>(options.config.clone(), policy))
    }

    const NAMES: &'static str = "use 1 to 32 of A-Z a-z 0-9 _ . -, but not BYE";

    fn is_name(name: &str) -> bool {
        verb::checked_name(name).is_ok()
    }

    const TRIAL: Trial = Trial {
        moves_per_turn: 2,
        named_tables: true,
        hurried: &["turn_timeout_ms=300"],
        ..Trial::PLAIN
    };

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        crate::boards::file::<Self>(name)
    }

    const MANUAL: Manual = Manual {
        seats: (2, 5),
        action: "{\"play\":2} plays a card of your hand by its place, counted from 0. \
                 {\"chopsticks\":[2,0]} plays two, laid in this order, if chopsticks lie before you",
        examples: &[r#"{"play":2}"#, r#"{"chopsticks":[2,0]}"#],
        options: &[("pass_direction", Limit::Any), ("two_player_pudding_penalty", Limit::Any)],
    };

    fn action_words(view: &View, action: &Action) -> String {
        let card = |place: &usize| {
            let card = view.hand.as_ref().and_then(|hand| hand.get(*place));
            card.map_or("no card", |card| card.name())
        };
        match action {
            Action::Play(place) => format!("play {}", card(place)),
            Action::Chopsticks(first, then) => {
                format!("use chopsticks: {}, then {}", card(first), card(then))
            }
        }
    }

    fn bots() -> &'static [BotKind<SushiGo>] {
        bots::BOTS
    }

    fn dialects() -> &'static [Dialect<SushiGo>] {
        &[
            Dialect {
                name: "sushi-go",
                default_port: 7878,
                framing: Framing::Lines { max: 1024 },
                first_message_ms: Some(60_000),
                yields_to_http: true,
                banned: "ERROR E001 Your address is banned here.",
                session: session::document,
                client: client::client,
                signs: client::SIGNS,
                try_it: "(printf 'GAMES\\n'; sleep 1) | nc {host} {port}",
            },
            Dialect {
                name: "sushi-go-sdk",
                default_port: 7879,
                framing: Framing::Lines { max: 1024 },
                first_message_ms: Some(60_000),
                yields_to_http: true,
                banned: "ERROR E001 Your address is banned here.",
                session: session::kit,
                client: client::client,
                signs: client::SIGNS,
                try_it: "(printf 'HELP\\n'; sleep 1) | nc {host} {port}",
            },
        ]
    }
}
