//! SubSim: submarines hunt each other on a map nobody sees.
//!
//! Every turn each player gives one order to each of its submarines that is under water; all
//! orders are resolved together. A submarine charges its equipment by moving or sleeping, looks
//! around with sonar, and fights with torpedoes and mines. Points are damage to enemies.

mod bots;
mod clauses;
mod client;
mod lines;
mod rules;
mod session;
#[cfg(test)]
mod tests;
mod verb;

use std::borrow::Cow;

use ::rules::BotKind;
use ::wire::house::{Limit, Manual};
use ::wire::{Clause, Dialect, Framing, HouseOptions, Playable, Trial};
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use bots::BOTS;
pub use rules::{
    Action, Chart, Command, Config, Contact, Detected, Detonation, Direction, End, Equipment,
    Fleet, Heard, Hit, MINE_SIZE, Mine, OBSTACLE_SIZE, Order, Phase, Ping, Report, STANDARD_SIZE,
    Shot, Square, Sub, SubConfig, SubId, SubKind, SubSim, Tracks, View, Weapon, check_placing,
};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub config: Config,
    pub turn_timeout_ms: u64,
    pub gather_ms: u64,
    #[serde(flatten)]
    pub house: HouseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            config: Config::default(),
            turn_timeout_ms: 10_000,
            gather_ms: 3000,
            house: HouseOptions::default(),
        }
    }
}

impl Playable for SubSim {
    const CLAUSES: &'static [Clause] = clauses::CLAUSES;

    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[
        ("title", "what the game is called: 1 to 20 printable characters, none of them |"),
        ("min_players", "the fewest players of a game, 2 to 64"),
        (
            "max_players",
            "players with whom a game begins at once, at most 64; 0 means it waits gather_ms",
        ),
        ("gather_ms", "milliseconds without a newcomer until a game with enough players begins"),
        ("max_turns", "turns until a game ends, at least 100; 0 means no limit"),
        (
            "turn_timeout_ms",
            "time per turn in milliseconds, at least 500; when it runs out, the player is removed; 0 means no limit",
        ),
        ("map_size", "columns and rows of the map, 10 to 200 each: [20, 20]"),
        (
            "obstacles",
            "squares nothing can enter, [[column, row], ...], a quarter of the map at most",
        ),
        ("subs_per_player", "submarines of each player, 1 to 20"),
        (
            "sub",
            "settings of single submarines by ID, such as sub.0.max_shields = 3: size, \
             start_location, surface_turn_count, max_shields, max_reactor_damage, \
             max_sonar_charge, max_torpedo_charge, max_mine_charge, max_sprint_charge, \
             torpedo_count, mine_count",
        ),
    ];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<SubSim>()?;
        Chart::new(&options.config).map_err(|why| why.0)?;
        let turn_ms = match options.turn_timeout_ms {
            0 => None,
            ms @ 500.. => Some(ms),
            ms => {
                return Err(format!(
                    "turn_timeout_ms is {ms}; allowed are 500 and more, or 0 for no limit"
                ));
            }
        };
        let (min, seats) = options.config.players().into_inner();
        let policy = Policy {
            seats,
            names: Names::UniqueAtTableInAnyCase,
            start: Start::WhenGathered { min, quiet_ms: options.gather_ms },
            hold_waiting_ms: 0,
            away_in_play: AwayInPlay::Retire,
            after_end: AfterEnd::Stay,
            way_back: WayBack::None,
            turn_ms,
            // Who owes nothing has no submarine under water, which is for nobody else to know.
            hides_owed: true,
            ids: Ids::Numbered("subsim-".to_owned()),
            ..options.house.policy()
        };
        Ok(Terms::new::<SubSim>(options.config.clone(), policy))
    }

    const NAMES: &'static str = "use 2 to 12 ASCII characters, a letter first, none of <>[]{}()|; \
         server, player, new_game, all, you, new and me are reserved";

    fn is_name(name: &str) -> bool {
        verb::check_name(name).is_ok()
    }

    const TRIAL: Trial = Trial {
        moves_per_turn: 2,
        quick: &["max_players=2", "max_turns=100"],
        hurried: &["gather_ms=300", "max_players=3", "max_turns=100"],
        ..Trial::PLAIN
    };

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        crate::boards::file::<Self>(name)
    }

    const MANUAL: Manual = Manual {
        seats: (2, 64),
        action: "first {\"place\":[[5,5]]}, a square for each submarine. Then {\"orders\":[...]} with one \
                 {\"sub\":0,\"command\":...} for each active submarine, in order. Commands: \
                 {\"move\":[\"N\",\"sonar\"]}, {\"sleep\":[\"sonar\",\"torpedo\"]}, \"ping\", \
                 {\"fire\":[13,7]}, {\"mine\":\"S\"}, {\"sprint\":[\"E\",3]}, \"surface\". Equipment: \
                 sonar, torpedo, mine, sprint, none",
        examples: &[
            r#"{"place":[[5,5]]}"#,
            r#"{"orders":[{"sub":0,"command":{"move":["N","sonar"]}}]}"#,
            r#"{"orders":[{"sub":0,"command":{"fire":[13,7]}}]}"#,
            r#"{"orders":[{"sub":0,"command":"ping"}]}"#,
        ],
        options: &[
            ("map_size", Limit::Between(10, 40)),
            ("obstacles", Limit::Between(1, 40)),
            ("subs_per_player", Limit::Between(1, 5)),
            ("max_turns", Limit::Between(100, 1000)),
        ],
    };

    fn choice_words(view: &View) -> String {
        view.choice_words()
    }

    fn examples(view: &View) -> Vec<Action> {
        view.example().into_iter().collect()
    }

    fn bots() -> &'static [BotKind<SubSim>] {
        BOTS
    }

    fn dialects() -> &'static [Dialect<SubSim>] {
        &[Dialect {
            name: "subsim",
            default_port: 9555,
            // "The maximum length (including the new-line) of a single message is 4095 bytes."
            framing: Framing::Lines { max: 4094 },
            first_message_ms: Some(60_000),
            // The server speaks first, so nobody can wait and see what the client begins with.
            yields_to_http: false,
            banned: "address banned: nobody may join from it here",
            session: session::session,
            client: client::client,
            signs: client::SIGNS,
            try_it: "(printf 'J|me too|5|5\\n'; sleep 9) | nc {host} {port}",
        }]
    }
}
