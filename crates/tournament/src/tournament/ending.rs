//! How games and pairings end.

use std::collections::BTreeMap;

use rules::{Exit, Outcome};

use crate::decide::Knockout;
use crate::{Decision, DueGame, EntrantId, Format, How, PairingId, Played};
use crate::{Tournament, Why, ladder};

impl Tournament {
    pub(super) fn end_game(&mut self, id: PairingId, outcome: Option<&Outcome>) {
        let game = self.agenda.close(id).expect("checked: this game is due");
        if let Some(outcome) = outcome {
            match &mut self.ladder {
                Some(ladder) => ladder.count(&game.seats, outcome),
                None => self.entrants.count_missed(&game.seats, outcome),
            }
        }
        let (DueGame { attempt, seats, .. }, outcome) = (game, outcome.cloned());
        let (unattended, exits) = (false, Vec::new());
        self.pairings.add_game(id, Played { attempt, seats, outcome, unattended, exits });
        match self.verdict(id) {
            Some(decision) => self.decide(id, decision),
            // A ladder plays nothing again: the next pairing is as good.
            None if self.ladder.is_some() => {
                let void = self.pairings.get(id).decision_by(How::Void, |_| None);
                self.decide(id, void);
            }
            None => self.agenda.open_again(id, &self.pairings, &self.entrants),
        }
    }

    /// The decision, if the games of a pairing suffice for one.
    fn verdict(&self, id: PairingId) -> Option<Decision> {
        let pairing = self.pairings.get(id);
        let active = |entrant| self.entrants.is_active(entrant);
        match self.plan.format {
            Format::Knockout => pairing.by_knockout(Knockout::of(&self.plan, id), active),
            _ => pairing.by_points(self.plan.best_of, active),
        }
    }

    /// No entrant came to the game, or it can't be played at all.
    pub(super) fn forfeit(&mut self, id: PairingId, broken: bool, exits: &[Exit]) {
        if let Some(DueGame { attempt, seats, .. }) = self.agenda.game(id).cloned() {
            if !broken {
                for (at, entrant) in seats.iter().enumerate() {
                    let exit = exits.get(at).unwrap_or(&Exit::NeverCame);
                    match &mut self.ladder {
                        Some(ladder) => ladder.miss(*entrant, exit),
                        None => self.entrants.miss(*entrant),
                    }
                }
            }
            let (outcome, unattended, exits) = (None, !broken, exits.to_vec());
            let game = Played { attempt, seats, outcome, unattended, exits };
            self.pairings.add_game(id, game);
        }
        let pairing = self.pairings.get(id);
        let active = |entrant| self.entrants.is_active(entrant);
        let terms = || Knockout::of(&self.plan, id);
        let decision = match (self.plan.format, broken) {
            (Format::Knockout, false) => pairing.by_lead(How::Forfeit, terms(), active),
            (Format::Knockout, true) => pairing.by_lead(pairing.how(), terms(), active),
            (_, false) => pairing.decision_by(How::Forfeit, |_| None),
            (_, true) => pairing.decision_by(How::Void, |_| None),
        };
        self.decide(id, decision);
    }

    pub(super) fn adjudicate(&mut self, id: PairingId, places: &[u32]) {
        let pairing = self.pairings.get(id);
        let place: BTreeMap<EntrantId, u32> =
            pairing.entrants.iter().copied().zip(places.iter().copied()).collect();
        let decision = pairing.decision_by(How::Adjudicated, |entrant| {
            place.get(&entrant).copied().filter(|_| self.entrants.is_active(entrant))
        });
        self.decide(id, decision);
    }

    pub(super) fn bring_back(&mut self, entrant: EntrantId) {
        let given = self.pairings.given_away(entrant, self.plan.format, &self.entrants);
        if self.entrants.is_active(entrant) {
            // It is in quarantine, and nothing else was to be lifted.
            return self.ladder.iter_mut().for_each(|ladder| ladder.release(entrant));
        }
        self.entrants.bring_back(entrant);
        for &id in &given {
            self.pairings.reopen(id);
            if let Some(DueGame { attempt, seats, .. }) = self.agenda.take_cut_short(id) {
                let (outcome, unattended, exits) = (None, false, Vec::new());
                let game = Played { attempt, seats, outcome, unattended, exits };
                self.pairings.add_game(id, game);
            }
            self.agenda.put_ahead(id, &self.pairings.get(id).entrants);
        }
        let given = given.into_iter().collect();
        self.agenda.open_where_free(given, &self.pairings, &self.entrants);
    }

    pub(super) fn withdraw(&mut self, entrant: EntrantId, why: Option<Why>) {
        self.entrants.withdraw(entrant, why, self.pairings.round());
        let lost: Vec<PairingId> = (self.pairings.undecided().iter().copied())
            .filter(|&id| self.pairings.get(id).entrants.contains(&entrant))
            .collect();
        for id in lost {
            let pairing = self.pairings.get(id);
            let rank = |other| self.entrants.is_active(other).then_some(1);
            let decision = match self.entrants.active(&pairing.entrants).count() {
                0 | 1 => Some(pairing.decision_by(How::Withdrawn, rank)),
                // The games so far may be enough among the entrants that are left.
                _ => self.verdict(id),
            };
            if let Some(decision) = decision {
                if decision.how == How::Withdrawn && self.ladder.is_none() {
                    self.agenda.cut_short(id);
                }
                self.decide(id, decision);
            }
        }
        // If the opponents waited only for this entrant, they are free now.
        let freed = self.agenda.ahead_of(&[entrant]);
        self.agenda.open_where_free(freed, &self.pairings, &self.entrants);
    }

    fn decide(&mut self, id: PairingId, decision: Decision) {
        self.agenda.close(id);
        self.pairings.decide(id, decision);
        if let Some(ladder) = &mut self.ladder {
            ladder.count_decided(self.pairings.get(id));
            return self.pairings.forget_old(ladder::REMEMBERED);
        }
        if self.pairings.undecided().is_empty() {
            self.next_round();
        } else if !self.plan.format.is_by_rounds() {
            let entrants = &self.pairings.get(id).entrants;
            self.agenda.remove(id, entrants);
            let freed = self.agenda.ahead_of(entrants);
            self.agenda.open_where_free(freed, &self.pairings, &self.entrants);
        }
    }
}
