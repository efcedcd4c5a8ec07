//! A knockout round among the survivors.

use rules::Dice;

use crate::history::History;
use crate::{EntrantId, tables};

/// The tables of a round: neighbours in the order of the survivors meet. If one is left over, lots
/// decide among those with the fewest byes who has the bye: a table of one, the last of all.
pub(crate) fn pair(
    mut survivors: Vec<EntrantId>,
    table_seats: usize,
    history: &History,
    dice: &mut Dice,
) -> Vec<Vec<EntrantId>> {
    let sizes = tables::sizes(survivors.len(), table_seats);
    if sizes.last() == Some(&1) {
        let byes = |at: &usize| history.past(survivors[*at]).byes;
        let fewest = (0..survivors.len()).map(|at| byes(&at)).min();
        let candidates: Vec<usize> =
            (0..survivors.len()).filter(|at| Some(byes(at)) == fewest).collect();
        let bye = survivors.remove(*dice.pick(&candidates));
        survivors.push(bye);
    }
    let mut rest = survivors.into_iter();
    sizes.into_iter().map(|size| rest.by_ref().take(size).collect()).collect()
}
