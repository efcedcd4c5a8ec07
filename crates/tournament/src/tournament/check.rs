//! The authority on which facts may be.

use super::{Matchmaking, Tournament, TournamentPhase};
use crate::{Fact, Format, Pairing, PairingId, Refusal};

impl Tournament {
    /// Whether a fact may be applied.
    pub fn check(&self, fact: &Fact) -> Result<(), Refusal> {
        match self.phase() {
            TournamentPhase::Over => return Err(Refusal::Over),
            TournamentPhase::Cancelled => return Err(Refusal::Cancelled),
            TournamentPhase::Entering | TournamentPhase::Running | TournamentPhase::Paused => {}
        }
        match fact {
            Fact::Entered { .. }
                if self.phase != TournamentPhase::Entering && self.ladder.is_none() =>
            {
                Err(Refusal::HasBegun)
            }
            Fact::Entered { name, .. } => self.entrants.check(name, self.plan.max_entrants),
            Fact::Withdrawn { name, .. } => {
                let id = self.find(name).ok_or_else(|| Refusal::NoSuchEntrant(name.clone()))?;
                match self.entrant(id).withdrawn {
                    false => Ok(()),
                    true => Err(Refusal::HasWithdrawn(name.clone())),
                }
            }
            Fact::Reinstated { name } => self.check_return(name),
            Fact::Started => self.check_start(),
            Fact::Paired { entrants } => match Matchmaking::of(self) {
                None => Err(Refusal::NoLadder),
                Some(_) if self.phase() != TournamentPhase::Running => Err(Refusal::NotBegun),
                Some(ladder) if ladder.may_meet(entrants) => Ok(()),
                Some(_) => Err(Refusal::CannotMeet(entrants.clone())),
            },
            Fact::Quarantined { name, .. } => match self.find(name) {
                _ if self.ladder.is_none() => Err(Refusal::NoLadder),
                None => Err(Refusal::NoSuchEntrant(name.clone())),
                Some(_) if self.phase() == TournamentPhase::Entering => Err(Refusal::NotBegun),
                Some(_) => Ok(()),
            },
            Fact::Played { pairing, attempt, outcome } => {
                let seats = self.check_game(*pairing, *attempt)?;
                match outcome.standings.len() {
                    got if got == seats => Ok(()),
                    got => Err(Refusal::WrongSeats { got, seats }),
                }
            }
            Fact::Void { pairing, attempt } => self.check_game(*pairing, *attempt).map(drop),
            Fact::Forfeited { pairing, .. } => self.check_pairing(*pairing),
            Fact::Adjudicated { pairing, places } => self.check_places(*pairing, places),
            Fact::Paused => match self.phase() {
                TournamentPhase::Running => Ok(()),
                TournamentPhase::Paused => Err(Refusal::IsPaused),
                _ => Err(Refusal::NotBegun),
            },
            Fact::Resumed => match self.phase() {
                TournamentPhase::Paused => Ok(()),
                _ => Err(Refusal::NotPaused),
            },
            Fact::Cancelled => Ok(()),
        }
    }

    fn check_return(&self, name: &str) -> Result<(), Refusal> {
        let id = self.find(name).ok_or_else(|| Refusal::NoSuchEntrant(name.to_owned()))?;
        let rung = self.ladder.as_ref().and_then(|ladder| ladder.rung(id));
        let quarantined = rung.is_some_and(|rung| rung.quarantine(0).is_some());
        if self.entrants.is_active(id) && !quarantined {
            return Err(Refusal::HasNotWithdrawn(name.to_owned()));
        }
        let round = self.round();
        let goes_on = |pairing: &Pairing| {
            let decision = pairing.decision.as_ref();
            let lost = decision.is_some_and(|decision| decision.winner != Some(id));
            pairing.round == round && pairing.entrants.contains(&id) && !lost
        };
        let out = self.plan().format == Format::Knockout
            && self.pairings.given_away(id, Format::Knockout, &self.entrants).is_empty()
            && !self.pairings().iter().any(goes_on);
        match out {
            false => Ok(()),
            true => Err(Refusal::OutAlready(name.to_owned())),
        }
    }

    fn check_start(&self) -> Result<(), Refusal> {
        if self.phase() != TournamentPhase::Entering {
            return Err(Refusal::HasBegun);
        }
        let least = match self.plan().format {
            Format::Gauntlet { challengers, .. } => challengers + 1,
            Format::Ladder { .. } => 0,
            _ => 2,
        };
        match self.entrants().len() {
            entrants if entrants < least => Err(Refusal::TooFew { entrants, least }),
            _ => Ok(()),
        }
    }

    fn check_pairing(&self, pairing: PairingId) -> Result<(), Refusal> {
        if self.phase() == TournamentPhase::Entering {
            return Err(Refusal::NotBegun);
        }
        self.pairings.check(pairing)
    }

    /// The seats of a game that may end now.
    fn check_game(&self, pairing: PairingId, attempt: u32) -> Result<usize, Refusal> {
        self.check_pairing(pairing)?;
        match self.open_game(pairing) {
            Some(due) if due.attempt == attempt => Ok(due.seats.len()),
            _ => Err(Refusal::NotDue { pairing, attempt }),
        }
    }

    fn check_places(&self, id: PairingId, places: &[u32]) -> Result<(), Refusal> {
        self.check_pairing(id)?;
        let entrants = &self.pairings.get(id).entrants;
        if places.len() != entrants.len() {
            return Err(Refusal::WrongPlaces { got: places.len(), entrants: entrants.len() });
        }
        let firsts = entrants.iter().zip(places).filter(|(_, place)| **place == 1);
        let active_firsts = firsts.clone().filter(|(id, _)| self.entrants.is_active(**id)).count();
        if places.contains(&0) || active_firsts == 0 {
            return Err(Refusal::BadPlaces(places.to_vec()));
        }
        if self.plan().format == Format::Knockout && (active_firsts, firsts.count()) != (1, 1) {
            return Err(Refusal::NoSingleWinner(places.to_vec()));
        }
        Ok(())
    }
}
