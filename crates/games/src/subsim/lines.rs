//! What the server says: each line as it looks on the wire.

use hall::Terms;
use rules::{Game, Viewer};

use super::rules::{
    Equipment, Report, STANDARD_SIZE, Sub, SubConfig, SubId, SubKind, SubSim, View,
};

/// The original server says this of itself, and its bots have seen nothing else.
const VERSION: &str = "1.0.x";

/// The game's configuration, then every setting the players must know.
pub fn greeting(terms: &Terms) -> Vec<String> {
    let mut lines = settings(terms);
    let config = terms.config.of_or_default::<SubSim>();
    let [width, height] = config.map_size;
    let (title, count) = (&config.title, lines.len());
    lines.insert(0, format!("C|{VERSION}|{title}|{width}|{height}|{count}"));
    lines
}

/// Settings of the table are announced unless they are what everybody expects; those of single
/// submarines whenever they are given.
fn settings(terms: &Terms) -> Vec<String> {
    let config = terms.config.of_or_default::<SubSim>();
    let expected = <SubSim as Game>::Config::default();
    let mut lines = Vec::new();
    if config.min_players != expected.min_players {
        lines.push(format!("V|MinPlayers|{}", config.min_players));
    }
    if config.max_players > 0 {
        lines.push(format!("V|MaxPlayers|{}", config.max_players));
    }
    if config.max_turns > 0 {
        lines.push(format!("V|MaxTurns|{}", config.max_turns));
    }
    if let Some(ms) = terms.policy.turn_ms {
        lines.push(format!("V|TurnTimeout|{ms}"));
    }
    if config.map_size != expected.map_size {
        let [width, height] = config.map_size;
        lines.push(format!("V|MapSize|{width}|{height}"));
    }
    for [x, y] in &config.obstacles {
        lines.push(format!("V|Obstacle|{x}|{y}"));
    }
    if config.subs_per_player != expected.subs_per_player {
        lines.push(format!("V|SubsPerPlayer|{}", config.subs_per_player));
    }
    let mut each_sub = |line: fn(&SubId, &SubConfig) -> Option<String>| {
        lines.extend(config.sub.iter().filter_map(|(id, sub)| line(id, sub)));
    };
    each_sub(|id, sub| Some(format!("V|SubSize|{id}|{}", sub.size?)));
    each_sub(|id, sub| {
        let [x, y] = sub.start_location?;
        Some(format!("V|SubStartLocation|{id}|{x}|{y}"))
    });
    each_sub(|id, sub| Some(format!("V|SubSurfaceTurnCount|{id}|{}", sub.surface_turn_count?)));
    each_sub(|id, sub| Some(format!("V|SubMaxShields|{id}|{}", sub.max_shields?)));
    each_sub(|id, sub| Some(format!("V|SubMaxReactorDamage|{id}|{}", sub.max_reactor_damage?)));
    each_sub(|id, sub| Some(format!("V|SubMaxSonarCharge|{id}|{}", sub.max_sonar_charge?)));
    each_sub(|id, sub| Some(format!("V|SubMaxTorpedoCharge|{id}|{}", sub.max_torpedo_charge?)));
    each_sub(|id, sub| Some(format!("V|SubMaxMineCharge|{id}|{}", sub.max_mine_charge?)));
    each_sub(|id, sub| Some(format!("V|SubMaxSprintCharge|{id}|{}", sub.max_sprint_charge?)));
    each_sub(|id, sub| Some(format!("V|SubTorpedoCount|{id}|{}", sub.torpedo_count?)));
    each_sub(|id, sub| Some(format!("V|SubMineCount|{id}|{}", sub.mine_count?)));
    lines
}

pub fn joined(name: &str) -> String {
    format!("J|{name}")
}

pub fn begin_turn(turn: u32) -> String {
    format!("B|{turn}")
}

/// What a viewer is told of one turn. The order is the original's: detonations as they happened,
/// then what was detected, heard, found and hit, then the submarines, then the score.
pub fn report(view: &View, report: &Report, mut say: impl FnMut(String)) {
    let t = report.turn;
    for it in &report.detonations {
        say(format!("D|{t}|{}|{}|{}", it.square.x, it.square.y, it.radius));
    }
    for it in &report.detected {
        say(format!("S|{t}|{}|{}", it.sub, it.distance));
    }
    for it in &report.heard {
        say(format!("R|{t}|{}|{}", it.sub, it.count));
    }
    for it in &report.objects {
        say(format!("O|{t}|{}|{}|{}", it.square.x, it.square.y, it.size));
    }
    for it in &report.torpedo_hits {
        say(format!("T|{t}|{}|{}|{}", it.square.x, it.square.y, it.damage));
    }
    for it in &report.mine_hits {
        say(format!("M|{t}|{}|{}|{}", it.square.x, it.square.y, it.damage));
    }
    for (id, (sub, kind)) in report.subs.iter().zip(view.chart.kinds()).enumerate() {
        say(info(t, id, sub, kind));
    }
    // "No H at turn 0."
    if t > 0 && view.viewer != Viewer::Public {
        say(format!("H|{t}|{}", report.score));
    }
}

/// One submarine. "A value of 0 is expressed by leaving the variable out"; the first four are
/// left out for other reasons, and shields never.
fn info(turn: u32, id: usize, sub: &Sub, kind: &SubKind) -> String {
    use std::fmt::Write;
    let (x, y, active) = (sub.square.x, sub.square.y, u8::from(sub.is_active()));
    let mut line = format!("I|{turn}|{id}|{x}|{y}|{active}|shields={}", sub.shields);
    let full = |equipment| u32::from(sub.is_full(kind, equipment));
    let unless_0 = |value: u32| (value > 0).then_some(value);
    let variables = [
        ("size", Some(kind.size).filter(|size| *size != STANDARD_SIZE)),
        ("torpedos", sub.torpedoes),
        ("mines", sub.mines),
        ("sonar_range", unless_0(sub.sonar_range())),
        ("max_sonar", unless_0(full(Equipment::Sonar))),
        ("sprint_range", unless_0(sub.sprint_range())),
        ("max_sprint", unless_0(full(Equipment::Sprint))),
        ("torpedo_range", unless_0(sub.torpedo_range())),
        ("max_torpedo", unless_0(full(Equipment::Torpedo))),
        ("mine_ready", unless_0(full(Equipment::Mine))),
        ("surface_remain", unless_0(u32::from(sub.surface_remain))),
        ("reactor_damage", unless_0(sub.reactor_damage)),
        ("dead", unless_0(u32::from(sub.dead))),
    ];
    for (name, value) in variables {
        if let Some(value) = value {
            write!(line, "|{name}={value}").expect("a string takes any text");
        }
    }
    line
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Finished,
    Aborted,
}

/// The end of a game, and the result of each player that stayed, in order of joining.
pub fn game_finished(status: Status, turns: u32, results: &[(&str, i64)]) -> Vec<String> {
    let status = match status {
        Status::Finished => "finished",
        Status::Aborted => "aborted",
    };
    let mut lines = vec![format!("F|{}|{turns}|{status}", results.len())];
    lines.extend(results.iter().map(|(name, score)| format!("P|{name}|{score}")));
    lines
}
