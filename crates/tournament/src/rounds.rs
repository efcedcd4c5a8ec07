//! The schedule: all rounds, or the next one. These are functions of the plan, the entrants and
//! their earlier meetings.

use std::cmp::Reverse;

use rules::Dice;

use crate::{EntrantId, Entrants, Format, History, Pairings, Plan};
use crate::{knockout, schedule, swiss, tables};

/// Number of rounds if no entrant withdraws.
pub(crate) fn count(plan: &Plan, entrants: &Entrants, pairings: &Pairings) -> u32 {
    match plan.format {
        Format::Ladder { .. } => 0,
        Format::Swiss { rounds } if rounds > 0 => rounds,
        Format::Knockout | Format::Swiss { .. } => {
            tables::knockout_rounds(entrants.count(), plan.table_seats)
        }
        Format::RoundRobin { .. } | Format::Gauntlet { .. } => pairings.last_round(),
    }
}

/// Every entrant's past.
pub(crate) fn history(plan: &Plan, entrants: &Entrants, pairings: &Pairings) -> History {
    let entered = entrants.count();
    History::of(pairings.all(), entered, plan.full_table(entered))
}

/// The meetings that are known from the start, each with its round, where lots were drawn in this
/// order.
pub(crate) fn scheduled(plan: &Plan, drawn: &[usize]) -> Vec<(u32, Vec<EntrantId>)> {
    let meetings = match plan.format {
        Format::Ladder { .. } | Format::Knockout | Format::Swiss { .. } => Vec::new(),
        Format::RoundRobin { cycles } => {
            let mut all = schedule::round_robin(drawn.len(), plan.table_seats, cycles);
            let seats = all.iter_mut().flat_map(|meeting| &mut meeting.seats);
            seats.for_each(|position| *position = drawn[*position]);
            all
        }
        Format::Gauntlet { challengers, cycles } => {
            let rest: Vec<Vec<usize>> =
                (0..cycles).map(|cycle| rest(plan, drawn, challengers, cycle)).collect();
            schedule::gauntlet(challengers, &rest, plan.table_seats)
        }
    };
    let ids = |seats: Vec<usize>| seats.into_iter().map(|entrant| EntrantId(entrant as u32));
    meetings.into_iter().map(|meeting| (meeting.round, ids(meeting.seats).collect())).collect()
}

/// The entrants who aren't challengers, in the order drawn. Larger tables are mixed again each
/// cycle; with tables of two that would only unbalance the seats.
fn rest(plan: &Plan, drawn: &[usize], challengers: usize, cycle: u32) -> Vec<usize> {
    let mut rest: Vec<usize> =
        drawn.iter().copied().filter(|&entrant| entrant >= challengers).collect();
    if cycle > 0 && plan.table_seats > 2 {
        Dice::new(&plan.seed(), "rest", u64::from(cycle)).shuffle(&mut rest);
    }
    rest
}

/// The tables of a round, when all before it are decided; a table of one is a bye. None: there is
/// nothing more to play.
pub(crate) fn next(
    round: u32,
    plan: &Plan,
    entrants: &Entrants,
    pairings: &Pairings,
) -> Option<Vec<Vec<EntrantId>>> {
    let (tables, history) = match plan.format {
        Format::Knockout => {
            let survivors = survivors(round, entrants, pairings);
            if survivors.len() < 2 {
                return None;
            }
            let history = history(plan, entrants, pairings);
            let dice = &mut Dice::new(&plan.seed(), "bye", u64::from(round));
            (knockout::pair(survivors, plan.table_seats, &history, dice), history)
        }
        Format::Swiss { .. } => {
            let mut order = entrants.drawn();
            order.retain(|&entrant| entrants.is_active(entrant));
            if round > count(plan, entrants, pairings) || order.len() < 2 {
                return None;
            }
            let history = history(plan, entrants, pairings);
            order.sort_by_key(|&entrant| Reverse(history.past(entrant).points));
            (swiss::pair(order, plan.table_seats, &history), history)
        }
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Ladder { .. } => return None,
    };
    Some(tables.into_iter().map(|table| history.seat(table)).collect())
}

/// The winners of the previous round's pairings, or all entrants in the first round.
fn survivors(round: u32, entrants: &Entrants, pairings: &Pairings) -> Vec<EntrantId> {
    match round {
        1 => entrants.drawn(),
        _ => (pairings.all().iter())
            .filter(|pairing| pairing.round == round - 1)
            .filter_map(|pairing| pairing.decision.as_ref()?.winner)
            .filter(|&winner| entrants.is_active(winner))
            .collect(),
    }
}
