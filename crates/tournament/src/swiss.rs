//! A Swiss round: equals meet equals, and no two entrants meet twice while that can be avoided.

use crate::history::History;
use crate::{EntrantId, matching, tables};

/// The tables of a round. `order` holds all paired entrants, best first. With tables of two and an
/// odd number, the lowest of those with the fewest byes has the bye: a table of one, last of all.
pub(crate) fn pair(
    mut order: Vec<EntrantId>,
    table_seats: usize,
    history: &History,
) -> Vec<Vec<EntrantId>> {
    if table_seats > 2 {
        return seat_many(order, table_seats, history);
    }
    let byes = |entrant: EntrantId| history.past(entrant).byes;
    let bye = (order.len() % 2 == 1).then(|| {
        let fewest = order.iter().map(|&entrant| byes(entrant)).min();
        let lowest = order.iter().rposition(|&entrant| Some(byes(entrant)) == fewest);
        order.remove(lowest.expect("an odd number is not zero"))
    });
    let mut pairs = pair_two(order, 0, history);
    pairs.extend(bye.map(|entrant| vec![entrant]));
    pairs
}

/// Pairs with at most `meetings` earlier meetings as many as possible, and the others with more.
fn pair_two(order: Vec<EntrantId>, meetings: usize, history: &History) -> Vec<Vec<EntrantId>> {
    if order.is_empty() {
        return Vec::new();
    }
    let may = |one: usize, other: usize| history.meetings(order[one], order[other]) <= meetings;
    let mut mates = neighbours(order.len(), may);
    matching::extend(&mut mates, may);
    let mut pairs = Vec::with_capacity(order.len() / 2);
    let mut left = Vec::new();
    for (at, &entrant) in order.iter().enumerate() {
        match mates[at] {
            None => left.push(entrant),
            Some(mate) if at < mate => pairs.push(vec![entrant, order[mate]]),
            Some(_) => {}
        }
    }
    pairs.extend(pair_two(left, meetings + 1, history));
    pairs
}

/// From the top, pairs every entrant with the next one below that they may meet. So pairs are
/// within a group of equal points or between neighbouring groups, unless the end doesn't work out.
fn neighbours(count: usize, may: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut mates = vec![None; count];
    let mut unpaired: Vec<usize> = (0..count).rev().collect();
    // The unpaired who were passed over are met again at once: they go back on the stack.
    let mut passed = Vec::new();
    while let Some(one) = unpaired.pop() {
        while let Some(other) = unpaired.pop() {
            if may(one, other) {
                mates[one] = Some(other);
                mates[other] = Some(one);
                break;
            }
            passed.push(other);
        }
        unpaired.extend(passed.drain(..).rev());
    }
    mates
}

/// How far down the order, in entrants, and how far around, in tables, a better table mate is
/// looked for.
const NEAR: usize = 32;

/// Tables of more than two: from the top, each table takes the next below who has met fewest of
/// it. Then entrants of tables near by change places as long as that saves a repeated meeting.
fn seat_many(
    mut order: Vec<EntrantId>,
    table_seats: usize,
    history: &History,
) -> Vec<Vec<EntrantId>> {
    let repeats = |entrant: EntrantId, table: &[EntrantId]| -> usize {
        table.iter().map(|&other| history.meetings(entrant, other)).sum()
    };
    order.reverse();
    let mut tables: Vec<Vec<EntrantId>> = Vec::new();
    for size in tables::sizes(order.len(), table_seats) {
        let mut table: Vec<EntrantId> = Vec::with_capacity(size);
        while table.len() < size {
            let near = order.len().saturating_sub(NEAR)..order.len();
            let next = near.rev().min_by_key(|&at| repeats(order[at], &table));
            table.push(order.remove(next.expect("the sizes add up to everybody")));
        }
        tables.push(table);
    }
    let mut improved = true;
    while improved {
        improved = false;
        for one in 0..tables.len() {
            for other in one + 1..tables.len().min(one + 1 + NEAR) {
                improved |= exchange(&mut tables, one, other, repeats);
            }
        }
    }
    tables
}

/// Exchanges two entrants of two tables if that saves repeated meetings.
fn exchange(
    tables: &mut [Vec<EntrantId>],
    one: usize,
    other: usize,
    repeats: impl Fn(EntrantId, &[EntrantId]) -> usize,
) -> bool {
    let all = |table: &[EntrantId]| -> usize { table.iter().map(|&id| repeats(id, table)).sum() };
    let before = all(&tables[one]) + all(&tables[other]);
    if before == 0 {
        return false;
    }
    for at in 0..tables[one].len() {
        for with in 0..tables[other].len() {
            let swap = |tables: &mut [Vec<EntrantId>]| {
                let (left, right) = tables.split_at_mut(other);
                std::mem::swap(&mut left[one][at], &mut right[0][with]);
            };
            swap(tables);
            if all(&tables[one]) + all(&tables[other]) < before {
                return true;
            }
            swap(tables);
        }
    }
    false
}
