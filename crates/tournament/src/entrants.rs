//! The entrants: names and lots, who has left, and who keeps missing games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rules::{Dice, Exit, Outcome, Seed};

use crate::{Entrant, EntrantId, Refusal, Why};

/// Number of games in a row, ended by its own clock, crash or absence, after which an entrant is
/// [missing](Entrants::missing).
const MISSED_IN_A_ROW: u32 = 3;

/// All entrants. Every name occurs once, under the number of its entrant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entrants {
    all: Vec<Entrant>,
    names: BTreeMap<String, EntrantId>,
    /// The order drawn at the start: each entrant's position in it.
    lots: Vec<u32>,
    /// The round in which an entrant withdrew.
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

    /// An entrant who joins after lots are drawn has the last one.
    pub fn enter_late(&mut self, name: &str, bot: Option<String>) {
        self.enter(name, bot);
        self.lots.push(self.lots.len() as u32);
    }

    /// Removes an entrant before the start, without a trace.
    pub fn strike(&mut self, name: &str) {
        self.all.retain(|entrant| entrant.name != name);
        let names = self.all.iter().map(|entrant| entrant.name.clone());
        self.names = names.zip((0..).map(EntrantId)).collect();
    }

    /// Draws lots. Returns all entrants in the order drawn.
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

    /// Reinstates a withdrawn entrant and forgets missed games.
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

// Queries.
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

    /// The entrants to withdraw, so that no one waits for them again.
    pub fn missing(&self) -> Vec<EntrantId> {
        let missed = self.missed.iter().filter(|(_, games)| **games >= MISSED_IN_A_ROW);
        missed.map(|(id, _)| *id).filter(|&id| self.is_active(id)).collect()
    }

    /// All entrants in the order drawn at the start.
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

/// How entrants are written down.
pub(crate) struct WrittenEntrants<'a> {
    pub all: Cow<'a, [Entrant]>,
    pub names: Cow<'a, BTreeMap<String, EntrantId>>,
    pub lots: Cow<'a, [u32]>,
    pub left_in: Cow<'a, BTreeMap<EntrantId, u32>>,
    pub missed: Cow<'a, BTreeMap<EntrantId, u32>>,
}

impl Entrants {
    pub fn written(&self) -> WrittenEntrants<'_> {
        WrittenEntrants {
            all: Cow::Borrowed(&self.all),
            names: Cow::Borrowed(&self.names),
            lots: Cow::Borrowed(&self.lots),
            left_in: Cow::Borrowed(&self.left_in),
            missed: Cow::Borrowed(&self.missed),
        }
    }
}

impl From<WrittenEntrants<'_>> for Entrants {
    fn from(written: WrittenEntrants<'_>) -> Entrants {
        Entrants {
            all: written.all.into_owned(),
            names: written.names.into_owned(),
            lots: written.lots.into_owned(),
            left_in: written.left_in.into_owned(),
            missed: written.missed.into_owned(),
        }
    }
}
