//! Under which names an entrant may be shown.

use table::{GameHooks, Name, Refusal};

use super::NewEntrant;
use crate::premises::Premises;

/// Who adds an entrant to a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnteredBy {
    /// A player who has shown the key of the entrant's name.
    Itself,
    Organiser,
}

/// Whether an entrant may have all the names under which people would see them: none of them is, or
/// looks like, a name claimed by another player. An entrant who enters alone uses their own name at
/// the tables, unless names there can't be owned, such as colours.
pub(super) fn check_names(
    premises: &Premises,
    hooks: &GameHooks,
    entrant: &NewEntrant,
    by: EnteredBy,
) -> Result<(), Refusal> {
    let NewEntrant { name, display, plays_as, bot, .. } = entrant;
    // A claimed name never belongs to a house bot.
    let own = premises.claimed(name).filter(|_| bot.is_none()).map(|own| &own.name);
    let owner = |shown: &Name| premises.taken_for(shown).map(|owner| &owner.name);
    for shown in [Some(name), plays_as.as_ref(), display.as_ref()].into_iter().flatten() {
        if let Some(owner) = owner(shown).filter(|owner| own != Some(*owner)) {
            let why = match owner == shown {
                true => format!("the name '{owner}' is claimed, and only its owner can use it"),
                false => format!(
                    "'{shown}' looks like '{owner}', which is claimed, and only its owner can use it"
                ),
            };
            return Err(Refusal::BadTable(format!("{why}: choose another name")));
        }
    }
    match plays_as {
        Some(plays_as)
            if by == EnteredBy::Itself
                && plays_as != name
                && owner(plays_as).is_none()
                && !(hooks.is_nobodys)(plays_as) =>
        {
            Err(Refusal::BadTable(format!(
                "'{plays_as}' is not your name: leave out plays_as, and play as '{name}'"
            )))
        }
        _ => Ok(()),
    }
}
