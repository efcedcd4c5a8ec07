//! Orders and reports in the words of the wire, so that known answers read like a conversation
//! and the words themselves are tried with them.

use super::super::lines;
use super::super::rules::{Order, Phase, View};
use super::super::verb::{self, Verb};

/// An order; its turn must be the open one.
pub(super) fn parse(text: &str, open: u32) -> Order {
    match verb::parse(text) {
        Verb::Order(Ok(order)) => {
            assert_eq!(order.turn, open, "{text}: the turn");
            Order { sub: order.sub as u8, command: order.command }
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// Everything a view tells, line by line in the order of the wire.
pub(super) fn speak(view: &View) -> String {
    let mut spoken = Vec::new();
    for report in &view.news {
        lines::report(view, report, |line| spoken.push(line));
    }
    match (view.phase, view.open_turn()) {
        (Phase::Playing, Some(turn)) => spoken.push(lines::begin_turn(turn)),
        (Phase::Over, _) => spoken.push(format!("F|{}", view.executed)),
        _ => {}
    }
    spoken.into_iter().map(|line| line + "\n").collect()
}
