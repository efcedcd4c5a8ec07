//! Gamba: two players race to be rid of their cards, first those in the hand, then three
//! face-down reserves. Twos go on anything, sevens force low cards, tens burn the pile.
//!
//! Players meet in rooms `ROOM_n` of port 8080, over lines of fields between bars.

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
use ::rules::picture::counted;
use ::wire::house::{Limit, Manual};
use ::wire::{Clause, Dialect, Framing, HouseOptions, OldName, Playable, Trial};
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use bots::BOTS;
pub use rules::{
    Action, Card, Cards, Config, Deal, Ending, Gamba, Known, News, Play, Position, Ranks, Reason,
    SeatView, Source, TURN_LIMIT, UnknownCard, View,
};

/// What an organiser can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub config: Config,
    pub ping_timeout_s: u64,
    pub reconnect_window_s: u64,
    pub turn_timeout_ms: u64,
    #[serde(flatten)]
    pub house: HouseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            config: Config::default(),
            ping_timeout_s: 60,
            reconnect_window_s: 120,
            turn_timeout_ms: 60_000,
            house: HouseOptions::default(),
        }
    }
}

/// Nobody waits longer than a day for anything.
const DAY_S: u64 = 86_400;

/// Every error that the protocol has.
#[cfg(test)]
pub(crate) fn errors() -> Vec<&'static str> {
    let wrong = lines::Wrong::ALL.iter().map(|wrong| wrong.line());
    wrong.chain(lines::Kick::ALL.iter().map(|kick| kick.line())).collect()
}

impl Playable for Gamba {
    const CLAUSES: &'static [Clause] = clauses::CLAUSES;

    type Options = Options;

    const OPTION_HELP: &'static [(&'static str, &'static str)] = &[
        (
            "deal",
            "\"guide\": 3 cards and 3 reserves each, 40 cards out of play; \"full-deck\": a card \
             begins the pile and 39 are drawn from",
        ),
        (
            "ping_timeout_s",
            "seconds without a PING until a player counts as away; 0 means no limit",
        ),
        ("reconnect_window_s", "seconds that the name and seat of a player who is away are kept"),
        (
            "turn_timeout_ms",
            "time per move in milliseconds; when it runs out, the pile is picked up or, if it is \
             empty, the first legal card is played; 0 means no limit",
        ),
    ];

    const OLD_NAMES: &'static [OldName] =
        &[OldName { old: "turn_timeout_s", new: "turn_timeout_ms", times: 1000 }];

    fn in_tournaments() -> Value {
        json!({"turn_timeout_ms": 10_000, "reconnect_window_s": 30})
    }

    fn terms(options: &Options) -> Result<Terms, String> {
        options.house.check::<Gamba>()?;
        let ping = seconds("ping_timeout_s", options.ping_timeout_s, 0)?;
        let window = seconds("reconnect_window_s", options.reconnect_window_s, 1)?;
        let turn = options.turn_timeout_ms;
        if turn > DAY_S * 1000 {
            return Err(format!("turn_timeout_ms is {turn}; allowed are 0 to {}", DAY_S * 1000));
        }
        let policy = Policy {
            seats: 2,
            names: Names::UniqueInHall,
            start: Start::OnCall { min: 2 },
            hold_waiting_ms: window,
            away_in_play: AwayInPlay::RetireAfter { ms: window },
            after_end: AfterEnd::Lobby,
            way_back: WayBack::Name,
            turn_ms: (turn > 0).then_some(turn),
            away_stops_clock: true,
            heartbeat_ms: (ping > 0).then_some(ping),
            ids: Ids::Numbered("ROOM_".to_owned()),
            ..options.house.policy()
        };
        Ok(Terms::new::<Gamba>(options.config, policy))
    }

    const NAMES: &'static str = "use 1 to 32 of A-Z a-z 0-9 _ -";

    fn is_name(name: &str) -> bool {
        verb::check_name(name).is_ok()
    }

    const TRIAL: Trial =
        Trial { hurried: &["reconnect_window_s=3", "ping_timeout_s=5"], ..Trial::PLAIN };

    fn file(name: &str) -> Option<Cow<'static, [u8]>> {
        crate::boards::file::<Self>(name)
    }

    const MANUAL: Manual = Manual {
        seats: (2, 2),
        action: "{\"play\":[\"6S\",\"6C\"]} plays cards of one rank from your hand, \"reserve\" your \
                 next reserve once the hand is empty, and \"pick-up\" takes the pile",
        examples: &[r#"{"play":["6S","6C"]}"#, r#""reserve""#, r#""pick-up""#],
        options: &[("deal", Limit::Any)],
    };

    fn action_words(view: &View, action: &Action) -> String {
        match action {
            Action::Play(_) => String::new(),
            Action::Reserve => "turn over your next reserve".to_owned(),
            Action::PickUp => {
                format!("take the pile, {}", counted(view.pile.len() as i64, "card"))
            }
        }
    }

    fn bots() -> &'static [BotKind<Gamba>] {
        BOTS
    }

    fn dialects() -> &'static [Dialect<Gamba>] {
        &[Dialect {
            name: "gamba",
            default_port: 8080,
            framing: Framing::Lines { max: 8191 },
            first_message_ms: Some(60_000),
            // The launchers of Sushi Go's kit look for its HTTP calls here.
            yields_to_http: true,
            banned: "103|||error=Your address is banned here|disconnect=true",
            session: session::session,
            client: client::client,
            signs: client::SIGNS,
            try_it: "(printf '0|||name=Alice\\n2|||\\n'; sleep 1) | nc {host} {port}",
        }]
    }
}

/// An option in seconds, as milliseconds.
fn seconds(option: &str, value: u64, least: u64) -> Result<u64, String> {
    match value {
        _ if (least..=DAY_S).contains(&value) => Ok(value * 1000),
        _ => Err(format!("{option} = {value}: Gamba takes {least} to {DAY_S} seconds")),
    }
}
