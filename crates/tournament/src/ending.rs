//! What becomes of games and pairings.

use std::collections::BTreeMap;

use rules::{Dice, Outcome};

use crate::decide::Knockout;
use crate::{Decision, Due, EntrantId, Format, How, PairingId, Plan, Played, Tournament};

impl Tournament {
    pub(crate) fn end_game(&mut self, id: PairingId, outcome: Option<&Outcome>) {
        let game = self.open.remove(&id).expect("checked: this game is due");
        self.release(&game.seats);
        self.pairings[id.index()].games.push(Played {
            attempt: game.attempt,
            seats: game.seats,
            outcome: outcome.cloned(),
            unattended: false,
        });
        match self.verdict(id) {
            Some(decision) => self.decide(id, decision),
            None => self.open(id),
        }
    }

    /// The decision, if the games of a pairing suffice for one.
    fn verdict(&self, id: PairingId) -> Option<Decision> {
        let pairing = self.pairing(id);
        let active = |entrant| self.is_active(entrant);
        if self.plan.format != Format::Knockout {
            return pairing.by_points(active);
        }
        pairing.by_knockout(self.terms(id), active)
    }

    /// How a knockout pairing is decided. The lots drawn for a pairing are always the same.
    fn terms(&self, id: PairingId) -> Knockout {
        let Plan { best_of, draw_replays, .. } = self.plan;
        let dice = Dice::new(&self.plan.seed(), "lot", u64::from(id.0));
        Knockout { best_of, draw_replays, dice }
    }

    /// Nobody came to the game that is due, or it cannot be played at all.
    pub(crate) fn forfeit(&mut self, id: PairingId, broken: bool) {
        if let Some(Due { attempt, seats, .. }) = self.open.get(&id).cloned() {
            let game = Played { attempt, seats, outcome: None, unattended: !broken };
            self.pairings[id.index()].games.push(game);
        }
        let pairing = self.pairing(id);
        let active = |entrant| self.is_active(entrant);
        let decision = match (self.plan.format, broken) {
            (Format::Knockout, false) => pairing.by_lead(How::Forfeit, self.terms(id), active),
            (Format::Knockout, true) => pairing.by_lead(pairing.how(), self.terms(id), active),
            (_, false) => pairing.decision_by(How::Forfeit, |_| None),
            (_, true) => pairing.decision_by(How::Void, |_| None),
        };
        self.decide(id, decision);
    }

    pub(crate) fn adjudicate(&mut self, id: PairingId, places: &[u32]) {
        let pairing = self.pairing(id);
        let place: BTreeMap<EntrantId, u32> =
            pairing.entrants.iter().copied().zip(places.iter().copied()).collect();
        let decision = pairing.decision_by(How::Adjudicated, |entrant| {
            place.get(&entrant).copied().filter(|_| self.is_active(entrant))
        });
        self.decide(id, decision);
    }

    pub(crate) fn withdraw(&mut self, entrant: EntrantId) {
        let round = self.round();
        self.entrants[entrant.index()].withdrawn = true;
        self.left_in.insert(entrant, round);
        let lost: Vec<PairingId> = (self.undecided.iter().copied())
            .filter(|&id| self.pairing(id).entrants.contains(&entrant))
            .collect();
        for id in lost {
            let pairing = self.pairing(id);
            let left = pairing.entrants.iter().filter(|&&other| self.is_active(other)).count();
            let decision = match left {
                0 | 1 => Some(
                    pairing.decision_by(How::Withdrawn, |other| self.is_active(other).then_some(1)),
                ),
                // The games so far may suffice among those who are left.
                _ => self.verdict(id),
            };
            if let Some(decision) = decision {
                self.decide(id, decision);
            }
        }
        // Where the others waited for nobody else, they need not wait any more.
        self.open_where_free(self.ahead[entrant.index()].clone());
    }

    fn decide(&mut self, id: PairingId, decision: Decision) {
        if let Some(game) = self.open.remove(&id) {
            self.release(&game.seats);
        }
        self.undecided.remove(&id);
        let pairing = &mut self.pairings[id.index()];
        pairing.decision = Some(decision);
        if self.undecided.is_empty() {
            self.next_round();
        } else if !self.plan.format.is_by_rounds() {
            let entrants = pairing.entrants.clone();
            for entrant in &entrants {
                self.ahead[entrant.index()].remove(&id);
            }
            let freed = entrants.iter().flat_map(|entrant| &self.ahead[entrant.index()]);
            self.open_where_free(freed.copied().collect());
        }
    }
}
