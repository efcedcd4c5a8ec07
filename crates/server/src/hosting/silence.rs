//! Whether anybody will receive something because of an output of the hall.

use hall::{Answer, ConnId, Event, Output, TableSaid};

/// Whether an output leads to no message and nobody waits for it. The two functions decide it for one
/// connection.
pub fn holds(
    output: &Output,
    on_answer: impl Fn(ConnId, &Answer) -> bool,
    at_event: impl Fn(ConnId, &Event) -> bool,
) -> bool {
    match output {
        Output::TableRecord(_)
        | Output::TournamentRecord(_)
        | Output::Think(..)
        | Output::Listed(_) => true,
        Output::Reply(..) | Output::Recall(_) => false,
        Output::Answer(conn, answer) => on_answer(*conn, answer),
        Output::Tell(conn, event) => at_event(*conn, event),
        Output::At(_, said) => match said {
            TableSaid::Answer(conn, answer) => on_answer(*conn, &answer.clone().into()),
            TableSaid::Tell(conn, event) => at_event(*conn, &event.clone().into()),
            TableSaid::Show(conns, event) => {
                let event = event.clone().into();
                conns.iter().all(|conn| at_event(*conn, &event))
            }
            TableSaid::Turn(turn) => {
                let mut updates = turn.updates.iter();
                updates.all(|(conn, update)| at_event(*conn, &Event::Update(update.clone())))
            }
        },
    }
}
