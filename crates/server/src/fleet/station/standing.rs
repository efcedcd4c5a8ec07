//! Who is here when a hall gets another owner, and how tables stand.

use std::collections::BTreeMap;

use hall::{Attendance, ConnId, Standing, TableNo, TableStanding};

use super::super::gateways::Newcomer;
use super::super::link::{Frame, FromOwner, Spoken, Unheard};
use super::super::relay::Relay;

/// What is known of who is here: by this node, by those who have come, and by what they have missed.
pub fn standing(relay: &Relay, newcomers: &[Newcomer], unheard: &Unheard) -> Standing {
    let mut attending: BTreeMap<ConnId, Attendance> = relay.attending.clone();
    let mut tables: BTreeMap<TableNo, TableStanding> = relay.tables.clone();
    // Whose connections have counted as gone knows of nobody who is here.
    let believed = newcomers
        .iter()
        .filter(|newcomer| !unheard.has_given_up(newcomer.node, newcomer.attach.heard));
    for newcomer in believed {
        attending.extend(newcomer.attach.attending.iter().cloned());
        for (no, stands) in &newcomer.attach.tables {
            put_latest(&mut tables, *no, stands.clone());
        }
        for text in unheard.missed(newcomer.node, newcomer.attach.heard) {
            let Ok(FromOwner::Frame(Frame { said, .. })) = relay.read(text) else {
                continue;
            };
            for said in said {
                match said {
                    Spoken::Attends(conn, known) => {
                        // Who has gone meanwhile is not listed, and has gone.
                        attending.entry(conn).and_modify(|before| *before = *known);
                    }
                    Spoken::Stands(no, stands) => put_latest(&mut tables, no, *stands),
                    Spoken::Turn(no, turn) => put_latest(&mut tables, no, turn.standing()),
                    _ => {}
                }
            }
        }
    }
    let (attending, gap_ms) = (attending.into_iter().collect(), relay.gap_ms());
    Standing { attending, tables, gap_ms, ..Standing::default() }
}

/// Of two nodes' knowledge of a table the later counts.
fn put_latest(tables: &mut BTreeMap<TableNo, TableStanding>, no: TableNo, stands: TableStanding) {
    let known = tables.get(&no);
    if known.is_none_or(|known| known.told() <= stands.told()) {
        tables.insert(no, stands);
    }
}
