//! What becomes of games and pairings.

use std::collections::{BTreeMap, BTreeSet};

use rules::{Dice, Exit, Outcome};

use crate::decide::Knockout;
use crate::{Decision, DueGame, Entrant, EntrantId, Format, How, Pairing, PairingId, Plan, Played};
use crate::{Tournament, Why, ladder};

impl Tournament {
    pub(crate) fn end_game(&mut self, id: PairingId, outcome: Option<&Outcome>) {
        let game = self.open.remove(&id).expect("checked: this game is due");
        self.release(&game.seats);
        if let Some(outcome) = outcome {
            match &mut self.ladder {
                Some(ladder) => ladder.count(&game.seats, outcome),
                None => self.count_missed(&game.seats, outcome),
            }
        }
        self.pairing_mut(id).games.push(Played {
            attempt: game.attempt,
            seats: game.seats,
            outcome: outcome.cloned(),
            unattended: false,
            exits: Vec::new(),
        });
        match self.verdict(id) {
            Some(decision) => self.decide(id, decision),
            // A ladder plays nothing again: the next pairing is as good.
            None if self.ladder.is_some() => {
                let void = self.pairing(id).decision_by(How::Void, |_| None);
                self.decide(id, void);
            }
            None => self.open_again(id),
        }
    }

    /// The next game of a pairing, at once. Only who was brought back meanwhile may be busy
    /// elsewhere: then the pairing waits, and the others need not.
    fn open_again(&mut self, id: PairingId) {
        let entrants = self.pairing(id).entrants.clone();
        for entrant in &entrants {
            self.ahead[entrant.index()].insert(id);
        }
        self.open_where_free(BTreeSet::from([id]));
        if !self.open.contains_key(&id) {
            let freed = entrants.iter().flat_map(|entrant| &self.ahead[entrant.index()]);
            self.open_where_free(freed.copied().collect());
        }
    }

    /// The decision, if the games of a pairing suffice for one.
    fn verdict(&self, id: PairingId) -> Option<Decision> {
        let pairing = self.pairing(id);
        let active = |entrant| self.is_active(entrant);
        if self.plan.format != Format::Knockout {
            return pairing.by_points(self.plan.best_of, active);
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
    pub(crate) fn forfeit(&mut self, id: PairingId, broken: bool, exits: &[Exit]) {
        if let Some(DueGame { attempt, seats, .. }) = self.open.get(&id).cloned() {
            if !broken {
                for (at, entrant) in seats.iter().enumerate() {
                    let exit = exits.get(at).unwrap_or(&Exit::NeverCame);
                    match &mut self.ladder {
                        Some(ladder) => ladder.miss(*entrant, exit),
                        None => *self.missed.entry(*entrant).or_default() += 1,
                    }
                }
            }
            let (outcome, unattended, exits) = (None, !broken, exits.to_vec());
            let game = Played { attempt, seats, outcome, unattended, exits };
            self.pairing_mut(id).games.push(game);
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

    fn count_missed(&mut self, seats: &[EntrantId], outcome: &Outcome) {
        for (entrant, standing) in seats.iter().zip(&outcome.standings) {
            match &standing.exit {
                Some(Exit::TimedOut | Exit::Lost | Exit::Crashed | Exit::NeverCame) => {
                    *self.missed.entry(*entrant).or_default() += 1;
                }
                None | Some(Exit::Left | Exit::Disqualified(_)) => _ = self.missed.remove(entrant),
            }
        }
    }

    /// The pairings that somebody's withdrawal has given to others and that can still be played:
    /// where rounds are played one after the other, those of this round. Somebody to play against
    /// must be left.
    pub(crate) fn given_away(&self, entrant: EntrantId) -> Vec<PairingId> {
        if self.ladder.is_some() {
            return Vec::new();
        }
        let round = self.round();
        let by_rounds = self.plan.format.is_by_rounds();
        let given = |pairing: &&Pairing| {
            let how = pairing.decision.as_ref().map(|decision| decision.how);
            how == Some(How::Withdrawn)
                && pairing.entrants.contains(&entrant)
                && pairing.opponents(entrant).any(|other| self.is_active(other))
                && (!by_rounds || pairing.round == round)
        };
        self.pairings.iter().filter(given).map(|pairing| pairing.id).collect()
    }

    pub(crate) fn bring_back(&mut self, entrant: EntrantId) {
        let given = self.given_away(entrant);
        if self.is_active(entrant) {
            // It is in quarantine, and nothing else was to be lifted.
            return self.ladder.iter_mut().for_each(|ladder| ladder.release(entrant));
        }
        let Entrant { withdrawn, why, .. } = &mut self.entrants[entrant.index()];
        (*withdrawn, *why) = (false, None);
        self.left_in.remove(&entrant);
        self.missed.remove(&entrant);
        for &id in &given {
            let cut_short = self.cut_short.remove(&id);
            let pairing = self.pairing_mut(id);
            pairing.decision = None;
            if let Some(DueGame { attempt, seats, .. }) = cut_short {
                pairing.games.push(Played {
                    attempt,
                    seats,
                    outcome: None,
                    unattended: false,
                    exits: Vec::new(),
                });
            }
            let entrants = pairing.entrants.clone();
            self.undecided.insert(id);
            for other in &entrants {
                self.ahead[other.index()].insert(id);
            }
        }
        self.open_where_free(given.into_iter().collect());
    }

    pub(crate) fn withdraw(&mut self, entrant: EntrantId, why: Option<Why>) {
        let round = self.round();
        let Entrant { withdrawn, why: reason, .. } = &mut self.entrants[entrant.index()];
        (*withdrawn, *reason) = (true, why);
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
                let given = decision.how == How::Withdrawn && self.ladder.is_none();
                let cut_short = self.open.get(&id).filter(|_| given);
                self.cut_short.extend(cut_short.map(|game| (id, game.clone())));
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
        let pairing = self.pairing_mut(id);
        pairing.decision = Some(decision);
        if let Some(ladder) = &mut self.ladder {
            let decided = self.pairings.iter().rfind(|pairing| pairing.id == id);
            decided.into_iter().for_each(|pairing| ladder.count_decided(pairing));
            return ladder::forget_old(&mut self.pairings, &self.undecided);
        }
        if self.undecided.is_empty() {
            self.next_round();
        } else if !self.plan.format.is_by_rounds() {
            let entrants = self.pairing(id).entrants.clone();
            for entrant in &entrants {
                self.ahead[entrant.index()].remove(&id);
            }
            let freed = entrants.iter().flat_map(|entrant| &self.ahead[entrant.index()]);
            self.open_where_free(freed.copied().collect());
        }
    }
}
