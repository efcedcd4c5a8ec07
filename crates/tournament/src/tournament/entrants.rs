//! Who takes part: names and lots, who has left, and who keeps missing games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rules::{Dice, Exit, Outcome, Seed};

use super::written::Written;
use crate::{Entrant, EntrantId, Refusal, Why};

/// After so many games in a row that ended by its own clock, crash or absence an entrant is
/// [missing](Entrants::missing).
const MISSED_IN_A_ROW: u32 = 3;

/// Everybody who has entered. Every name is there once, under the number of its entrant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entrants {
    all: Vec<Entrant>,
    names: BTreeMap<String, EntrantId>,
    /// The order drawn at the start: each entrant's position in it.
    lots: Vec<u32>,
    /// The round in which somebody withdrew.
    left_in: BTreeMap<EntrantId, u32>,
    /// How many games in a row ended by the entrant's own clock, crash or absence.
    missed: BTreeMap<EntrantId, u32>,
}

// Coming and going.
impl Entrants {
    /// Whether one more may enter, by this name.
    pub fn check(&self, name: &str, most: usize) -> Result<(), Refusal> {
        if name.is_empty() || name.len() > 200 {
            return Err(Refusal::BadName(name.to_owned()));
        }
        if self.find(name).is_some() {
            return Err(Refusal::NameTaken(name.to_owned()));
        }
        if self.all.len() >= most {
            return Err(Refusal::Full(most));
        }
        Ok(())
    }

    pub fn enter(&mut self, name: &str, bot: Option<String>) {
        self.names.insert(name.to_owned(), EntrantId(self.all.len() as u32));
        self.all.push(Entrant { name: name.to_owned(), bot, withdrawn: false, why: None });
    }

    /// Who enters once lots are drawn has the last one.
    pub fn enter_late(&mut self, name: &str, bot: Option<String>) {
        self.enter(name, bot);
        self.lots.push(self.lots.len() as u32);
    }

    /// Somebody goes before the start, as if it had never entered.
    pub fn strike(&mut self, name: &str) {
        self.all.retain(|entrant| entrant.name != name);
        let names = self.all.iter().map(|entrant| entrant.name.clone());
        self.names = names.zip((0..).map(EntrantId)).collect();
    }

    /// Draws lots. Everybody in the order drawn.
    pub fn draw_lots(&mut self, seed: &Seed) -> Vec<usize> {
        let mut drawn: Vec<usize> = (0..self.all.len()).collect();
        Dice::new(seed, "lots", 0).shuffle(&mut drawn);
        self.lots = vec![0; self.all.len()];
        for (lot, &entrant) in drawn.iter().enumerate() {
            self.lots[entrant] = lot as u32;
        }
        drawn
    }

    pub fn withdraw(&mut self, id: EntrantId, why: Option<Why>, round: u32) {
        let Entrant { withdrawn, why: reason, .. } = &mut self.all[id.index()];
        (*withdrawn, *reason) = (true, why);
        self.left_in.insert(id, round);
    }

    /// Who had withdrawn is here again, whatever it has missed.
    pub fn bring_back(&mut self, id: EntrantId) {
        let Entrant { withdrawn, why, .. } = &mut self.all[id.index()];
        (*withdrawn, *why) = (false, None);
        self.left_in.remove(&id);
        self.missed.remove(&id);
    }

    /// A game ended by an entrant's own clock, crash or absence.
    pub fn miss(&mut self, id: EntrantId) {
        *self.missed.entry(id).or_default() += 1;
    }

    /// A game ended with a result: who of its seats has missed it.
    pub fn count_missed(&mut self, seats: &[EntrantId], outcome: &Outcome) {
        for (entrant, standing) in seats.iter().zip(&outcome.standings) {
            match &standing.exit {
                Some(Exit::TimedOut | Exit::Lost | Exit::Crashed | Exit::NeverCame) => {
                    self.miss(*entrant);
                }
                None | Some(Exit::Left | Exit::Disqualified(_)) => _ = self.missed.remove(entrant),
            }
        }
    }
}

// What merely tells.
impl Entrants {
    /// By [`EntrantId`].
    pub fn all(&self) -> &[Entrant] {
        &self.all
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, id: EntrantId) -> &Entrant {
        &self.all[id.index()]
    }

    pub fn find(&self, name: &str) -> Option<EntrantId> {
        self.names.get(name).copied()
    }

    /// The number of a name that has entered.
    pub fn known(&self, name: &str) -> EntrantId {
        self.names[name]
    }

    /// Whether an entrant has not withdrawn.
    pub fn is_active(&self, id: EntrantId) -> bool {
        !self.get(id).withdrawn
    }

    /// Those of these who have not withdrawn.
    pub fn active(&self, ids: &[EntrantId]) -> impl Iterator<Item = EntrantId> {
        ids.iter().copied().filter(|&id| self.is_active(id))
    }

    /// Those who are to be withdrawn: nobody should wait for them once more.
    pub fn missing(&self) -> Vec<EntrantId> {
        let missed = self.missed.iter().filter(|(_, games)| **games >= MISSED_IN_A_ROW);
        missed.map(|(id, _)| *id).filter(|&id| self.is_active(id)).collect()
    }

    /// Everybody in the order drawn at the start.
    pub fn drawn(&self) -> Vec<EntrantId> {
        let mut all: Vec<EntrantId> = (0..self.all.len() as u32).map(EntrantId).collect();
        all.sort_by_key(|id| self.lots[id.index()]);
        all
    }

    /// An entrant's position in the order drawn at the start, in that of entering before.
    pub fn lot(&self, id: EntrantId) -> u32 {
        self.lots.get(id.index()).copied().unwrap_or(id.0)
    }

    pub fn are_lots_drawn(&self) -> bool {
        !self.lots.is_empty()
    }

    /// The round in which an entrant withdrew.
    pub fn left_in(&self, id: EntrantId) -> Option<u32> {
        self.left_in.get(&id).copied()
    }
}

// How they are written down.
impl Entrants {
    pub fn write<'a>(&'a self, written: &mut Written<'a>) {
        written.entrants = Cow::Borrowed(&self.all);
        written.names = Cow::Borrowed(&self.names);
        written.lots = Cow::Borrowed(&self.lots);
        written.left_in = Cow::Borrowed(&self.left_in);
        written.missed = Cow::Borrowed(&self.missed);
    }

    pub fn read(written: &mut Written<'_>) -> Entrants {
        Entrants {
            all: std::mem::take(&mut written.entrants).into_owned(),
            names: std::mem::take(&mut written.names).into_owned(),
            lots: std::mem::take(&mut written.lots).into_owned(),
            left_in: std::mem::take(&mut written.left_in).into_owned(),
            missed: std::mem::take(&mut written.missed).into_owned(),
        }
    }
}
