//! In every rehearsal, the turns that programs learn from match what was sent.

use hall::{Eyes, Recorded, TableRecord, UpdateFrame};

use crate::stage::Stage;

/// The first difference between the turns of the seats and the updates of all viewers.
pub(super) fn check(stage: &Stage) -> Result<(), String> {
    stage.written.tables.values().try_for_each(|recorded| {
        let is_started = |record: &TableRecord| matches!(record, TableRecord::Started { .. });
        let is_played = recorded.is_over() && recorded.records().any(is_started);
        if is_played { compare(recorded) } else { Ok(()) }
    })
}

fn compare(recorded: &Recorded) -> Result<(), String> {
    let updates = recorded.updates(Eyes::All, 0..=u64::MAX, usize::MAX)?;
    let turns = recorded.seat_turns()?.turns;
    let mut rest = turns.iter();
    for (index, update) in updates.iter().enumerate() {
        let UpdateFrame { seq, .. } = update;
        let last = index + 1 == updates.len();
        for (seat, view) in rules::Seat::all(update.seat_views.len()).zip(&*update.seat_views) {
            let turn = rest.next().ok_or_else(|| format!("turn {seq} is missing"))?;
            let led_to = updates.get(index + 1).map_or(&[][..], |next| &next.moves);
            let made = led_to.iter().find(|made| made.seat == seat);
            let action = made.and_then(|made| made.action.as_ref());
            // The moves of an interrupted turn led to no update.
            let done =
                last || turn.action.as_ref() == action && turn.how == made.map(|made| made.how);
            let agree = (turn.seq, turn.seat, &turn.view) == (*seq, seat, view)
                && turn.your_move == update.to_move.contains(seat)
                && turn.over == last
                && done;
            if !agree {
                return Err(format!("seat {seat} learns this of turn {seq}: {turn:?}"));
            }
        }
    }
    match rest.next() {
        Some(turn) => Err(format!("nobody was told of {turn:?}")),
        None => Ok(()),
    }
}
