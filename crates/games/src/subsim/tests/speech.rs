//! Orders and reports written as on the wire, so that known answers read like a conversation.

use std::fmt::Write;

use ::rules::Viewer;

use super::super::rules::{
    Command, Direction, Equipment, Order, Phase, Square, Sub, SubKind, View,
};

/// An order; its turn must be the open one.
pub(super) fn parse(text: &str, open: u32) -> Order {
    let fields: Vec<&str> = text.split('|').collect();
    let number = |index: usize| fields[index].parse::<u32>().expect("a number");
    let direction = |index: usize| match fields[index] {
        "N" => Direction::North,
        "E" => Direction::East,
        "S" => Direction::South,
        "W" => Direction::West,
        other => panic!("no direction: {other}"),
    };
    let equipment = |index: usize| match fields[index] {
        "Sonar" => Equipment::Sonar,
        "Torpedo" => Equipment::Torpedo,
        "Mine" => Equipment::Mine,
        "Sprint" => Equipment::Sprint,
        "None" => Equipment::None,
        other => panic!("no equipment: {other}"),
    };
    assert_eq!(number(1), open, "{text}: the turn");
    let command = match fields[0] {
        "M" => Command::Move(direction(3), equipment(4)),
        "S" => Command::Sleep(equipment(3), equipment(4)),
        "P" => Command::Ping,
        "F" => Command::Fire(Square::new(number(3) as u16, number(4) as u16)),
        "D" => Command::Mine(direction(3)),
        "R" => Command::Sprint(direction(3), number(4)),
        "U" => Command::Surface,
        other => panic!("no command: {other}"),
    };
    Order { sub: number(2) as u8, command }
}

/// Everything a view tells, line by line in the order of the wire.
pub(super) fn speak(view: &View) -> String {
    let mut text = String::new();
    let mut say = |line: String| writeln!(text, "{line}").expect("text");
    for report in &view.news {
        let t = report.turn;
        for it in &report.detonations {
            say(format!("D|{t}|{}|{}", it.square, it.radius));
        }
        for it in &report.detected {
            say(format!("S|{t}|{}|{}", it.sub, it.distance));
        }
        for it in &report.heard {
            say(format!("R|{t}|{}|{}", it.sub, it.count));
        }
        for it in &report.objects {
            say(format!("O|{t}|{}|{}", it.square, it.size));
        }
        for it in &report.torpedo_hits {
            say(format!("T|{t}|{}|{}", it.square, it.damage));
        }
        for it in &report.mine_hits {
            say(format!("M|{t}|{}|{}", it.square, it.damage));
        }
        for (id, (sub, kind)) in report.subs.iter().zip(view.chart.kinds()).enumerate() {
            say(format!(
                "I|{t}|{id}|{}|{}{}",
                sub.square,
                u8::from(sub.is_active()),
                info(sub, kind)
            ));
        }
        if view.viewer != Viewer::Public && t > 0 {
            say(format!("H|{t}|{}", report.score));
        }
    }
    match (view.phase, view.open_turn()) {
        (Phase::Playing, Some(turn)) => say(format!("B|{turn}")),
        (Phase::Over, _) => say(format!("F|{}", view.executed)),
        _ => {}
    }
    text
}

/// The variables of an `I` line.
fn info(sub: &Sub, kind: &SubKind) -> String {
    let full = |equipment| Some(u32::from(sub.is_full(kind, equipment)));
    let shown = |value: u32| Some(value).filter(|value| *value > 0);
    let variables = [
        ("shields", Some(sub.shields)),
        ("size", Some(kind.size).filter(|size| *size != 100)),
        ("torpedos", sub.torpedoes),
        ("mines", sub.mines),
        ("sonar_range", shown(sub.sonar_range())),
        ("max_sonar", full(Equipment::Sonar).and_then(shown)),
        ("sprint_range", shown(sub.sprint_range())),
        ("max_sprint", full(Equipment::Sprint).and_then(shown)),
        ("torpedo_range", shown(sub.torpedo_range())),
        ("max_torpedo", full(Equipment::Torpedo).and_then(shown)),
        ("mine_ready", full(Equipment::Mine).and_then(shown)),
        ("surface_remain", shown(u32::from(sub.surface_remain))),
        ("reactor_damage", shown(sub.reactor_damage)),
        ("dead", shown(u32::from(sub.dead))),
    ];
    let mut text = String::new();
    for (name, value) in variables {
        if let Some(value) = value {
            write!(text, "|{name}={value}").expect("text");
        }
    }
    text
}
