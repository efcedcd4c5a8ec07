//! Schedules made in advance: round-robin and gauntlet. Entrants are positions here, from zero.

use std::collections::BTreeSet;

/// A table of a schedule: its round, from 1, and who sits there, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    pub round: u32,
    pub seats: Vec<usize>,
}

/// Every entrant meets every other, `cycles` times, in order of rounds.
///
/// With two seats, each pair meets exactly once per cycle, and every entrant sits first as often as
/// second, give or take one. With more seats, all entrants play the same number of games, have
/// every seat equally often, and meet every other at least once per cycle.
pub(crate) fn round_robin(entrants: usize, table_seats: usize, cycles: u32) -> Vec<Meeting> {
    let table_seats = table_seats.min(entrants);
    let cycle = match table_seats {
        2 => circle(entrants),
        _ => in_rounds(entrants, developed(entrants, table_seats)),
    };
    let rounds = cycle.last().map_or(0, |meeting| meeting.round);
    let mut all = Vec::with_capacity(cycle.len() * cycles as usize);
    for repetition in 0..cycles {
        all.extend(cycle.iter().map(|meeting| {
            let mut seats = meeting.seats.clone();
            seats.rotate_left(repetition as usize % table_seats);
            Meeting { round: meeting.round + repetition * rounds, seats }
        }));
    }
    all
}

/// Each of the first `challengers` meets each of the rest exactly once a cycle, at tables of one
/// challenger and as many of the rest as fit. A challenger sits in each seat equally often, give or
/// take one, as long as its tables are of one size.
pub(crate) fn gauntlet(
    challengers: usize,
    rest: &[Vec<usize>],
    table_seats: usize,
) -> Vec<Meeting> {
    let mut all = Vec::new();
    for (cycle, rest) in rest.iter().enumerate() {
        let mut groups = Vec::new();
        let mut left = rest.as_slice();
        for size in crate::tables::sizes(rest.len(), table_seats - 1) {
            let (group, others) = left.split_at(size);
            groups.push(group);
            left = others;
        }
        // In each round every challenger has another group: a Latin square.
        let rounds = groups.len().max(challengers);
        for round in 0..rounds {
            for challenger in 0..challengers {
                let group = (round + challenger) % rounds;
                let Some(&opponents) = groups.get(group) else { continue };
                let mut seats = vec![challenger];
                seats.extend(opponents);
                let turn = (group + challenger + cycle) % seats.len();
                seats.rotate_left(turn);
                all.push(Meeting { round: (cycle * rounds + round + 1) as u32, seats });
            }
        }
    }
    all
}

/// The circle method: one place stays fixed (the empty one, if the number is odd), the others
/// rotate. Within the circle every entrant sits first in every other round.
fn circle(entrants: usize) -> Vec<Meeting> {
    let turning = if entrants.is_multiple_of(2) { entrants - 1 } else { entrants };
    let mut meetings = Vec::with_capacity(entrants * (entrants - 1) / 2);
    for round in 0..turning {
        let number = round as u32 + 1;
        if turning < entrants {
            let fixed = turning;
            let seats = if round % 2 == 0 { vec![fixed, round] } else { vec![round, fixed] };
            meetings.push(Meeting { round: number, seats });
        }
        for apart in 1..=turning / 2 {
            let one = (round + apart) % turning;
            let other = (round + turning - apart) % turning;
            let seats = if apart % 2 == 0 { vec![one, other] } else { vec![other, one] };
            meetings.push(Meeting { round: number, seats });
        }
    }
    meetings
}

/// A cyclic design: starting tables are chosen so that every distance between two entrants on a
/// circle occurs in one of them, and each starting table is then rotated all the way round. So
/// every entrant sits once in every seat of every starting table.
fn developed(entrants: usize, table_seats: usize) -> Vec<Vec<usize>> {
    let distance = |one: usize, other: usize| {
        let apart = one.abs_diff(other);
        apart.min(entrants - apart)
    };
    let mut covered = vec![0_u32; entrants / 2 + 1];
    let mut tables = Vec::new();
    while covered[1..].contains(&0) {
        let mut start = vec![0];
        while start.len() < table_seats {
            let next = (1..entrants).filter(|seat| !start.contains(seat)).min_by_key(|&seat| {
                let distances: Vec<usize> = start.iter().map(|&at| distance(at, seat)).collect();
                let new: BTreeSet<usize> =
                    distances.iter().copied().filter(|&apart| covered[apart] == 0).collect();
                let repeats: u32 = distances.iter().map(|&apart| covered[apart]).sum();
                (table_seats - new.len(), repeats)
            });
            let next = next.expect("there are at least as many entrants as seats");
            for &at in &start {
                covered[distance(at, next)] += 1;
            }
            start.push(next);
        }
        tables.extend(
            (0..entrants).map(|turn| start.iter().map(|at| (at + turn) % entrants).collect()),
        );
    }
    tables
}

/// Gives each table the first round in which all of its entrants are free.
fn in_rounds(entrants: usize, tables: Vec<Vec<usize>>) -> Vec<Meeting> {
    let mut busy: Vec<Vec<bool>> = vec![Vec::new(); entrants];
    let mut meetings: Vec<Meeting> = Vec::with_capacity(tables.len());
    for seats in tables {
        let taken = |round: &usize| {
            seats.iter().any(|&entrant| busy[entrant].get(*round).copied().unwrap_or(false))
        };
        let round = (0..).find(|round| !taken(round)).expect("a later round is always free");
        for &entrant in &seats {
            let rounds = &mut busy[entrant];
            rounds.resize(rounds.len().max(round + 1), false);
            rounds[round] = true;
        }
        meetings.push(Meeting { round: round as u32 + 1, seats });
    }
    meetings.sort_by_key(|meeting| meeting.round);
    meetings
}
