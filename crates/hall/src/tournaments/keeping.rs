//! Which names at the tables a tournament keeps: those of entrants who have no token for them.

use table::TournamentNo;
use tournament::Fact;

use super::{TournamentRecord, TournamentState};
use crate::kept_names::{KeptName, KeptNames};

/// How a record that was just folded in changes the reserved names.
pub(super) fn keep_names(
    names: &mut KeptNames,
    no: TournamentNo,
    state: &TournamentState,
    record: &TournamentRecord,
) {
    match record {
        TournamentRecord::Fact(Fact::Entered { name, .. }) => {
            names.keep(state.table_name(name), kept(state, no, name));
        }
        TournamentRecord::PlaysAs { entrant, .. } => {
            names.release(entrant, no);
            names.keep(state.table_name(entrant), kept(state, no, entrant));
        }
        TournamentRecord::Claimed { entrant, .. } => {
            names.release(&state.table_name(entrant), no);
        }
        TournamentRecord::Fact(Fact::Withdrawn { .. } | Fact::Reinstated { .. })
        | TournamentRecord::Closed => keep_all_names(names, no, state),
        _ => {}
    }
}

pub(crate) fn keep_all_names(names: &mut KeptNames, no: TournamentNo, state: &TournamentState) {
    names.release_all(no);
    for entrant in state.tournament.entrants() {
        let by_name = !entrant.withdrawn && !state.claims.contains_key(&*entrant.name);
        if by_name && !state.closed {
            names.keep(state.table_name(&entrant.name), kept(state, no, &entrant.name));
        }
    }
}

fn kept(state: &TournamentState, tournament: TournamentNo, entrant: &str) -> KeptName {
    let found = state.tournament.find(entrant).map(|id| state.tournament.entrant(id));
    KeptName { tournament, bot: found.is_some_and(|entrant| entrant.bot.is_some()) }
}
