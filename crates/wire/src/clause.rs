//! Which sentence of a game's page a refusal goes back to, for the author of a bot that was refused.

use crate::Playable;

/// A sentence of the game's page, and what refusals it stands behind.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Words of the refusing message, or of the cause behind it.
    pub says: &'static str,
    /// The sentence, as docs/games/GAME.md has it.
    pub page: &'static str,
}

/// The first clause that a refusal in these words goes back to, as people read it.
pub fn clause_behind<G: Playable>(words: &str) -> Option<String> {
    let clause = G::CLAUSES.iter().find(|clause| words.contains(clause.says))?;
    // What marks code on a page, and bars in its tables, are no part of the sentence.
    Some(clause.page.replace('`', "").replace("\\|", "|"))
}
