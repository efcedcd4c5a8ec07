//! Pairing up: what the start, a new round and a free entrant bring to the tables.

use std::collections::BTreeSet;

use rules::Dice;

use crate::{
    DueGame, Entrant, EntrantId, Format, How, Pairing, PairingId, Tournament, TournamentPhase,
};
use crate::{knockout, schedule, swiss};

/// Before the start.
impl Tournament {
    pub(crate) fn enter(&mut self, name: &str, bot: Option<String>) {
        self.names.insert(name.to_owned(), EntrantId(self.entrants.len() as u32));
        self.entrants.push(Entrant { name: name.to_owned(), bot, withdrawn: false, why: None });
        if self.phase != TournamentPhase::Entering {
            // Only a ladder is entered once it has begun.
            self.lots.push(self.lots.len() as u32);
            self.busy.push(false);
            self.ahead.push(BTreeSet::new());
            self.ladder.iter_mut().for_each(|ladder| ladder.grow(self.entrants.len()));
        }
    }

    pub(crate) fn strike(&mut self, name: &str) {
        self.entrants.retain(|entrant| entrant.name != name);
        let names = self.entrants.iter().map(|entrant| entrant.name.clone());
        self.names = names.zip((0..).map(EntrantId)).collect();
    }

    pub(crate) fn start(&mut self) {
        self.phase = TournamentPhase::Running;
        let count = self.entrants.len();
        let mut drawn: Vec<usize> = (0..count).collect();
        Dice::new(&self.plan.seed(), "lots", 0).shuffle(&mut drawn);
        self.lots = vec![0; count];
        for (lot, &entrant) in drawn.iter().enumerate() {
            self.lots[entrant] = lot as u32;
        }
        self.busy = vec![false; count];
        self.ahead = vec![BTreeSet::new(); count];
        match self.plan.format {
            Format::Ladder { .. } => self.ladder.iter_mut().for_each(|ladder| ladder.grow(count)),
            Format::Knockout | Format::Swiss { .. } => self.next_round(),
            Format::RoundRobin { cycles } => {
                let meetings = schedule::round_robin(count, self.plan.table_seats, cycles);
                self.schedule(meetings, |position| drawn[position]);
            }
            Format::Gauntlet { challengers, cycles } => {
                let rest: Vec<Vec<usize>> =
                    (0..cycles).map(|cycle| self.rest(&drawn, challengers, cycle)).collect();
                let meetings = schedule::gauntlet(challengers, &rest, self.plan.table_seats);
                self.schedule(meetings, |position| position);
            }
        }
    }

    /// Those who are no challengers, in the order drawn. Larger tables are mixed anew each cycle;
    /// with tables of two that would only unbalance the seats.
    fn rest(&self, drawn: &[usize], challengers: usize, cycle: u32) -> Vec<usize> {
        let mut rest: Vec<usize> =
            drawn.iter().copied().filter(|&entrant| entrant >= challengers).collect();
        if cycle > 0 && self.plan.table_seats > 2 {
            Dice::new(&self.plan.seed(), "rest", u64::from(cycle)).shuffle(&mut rest);
        }
        rest
    }

    fn schedule(&mut self, meetings: Vec<schedule::Meeting>, at: impl Fn(usize) -> usize) {
        for meeting in meetings {
            let seats = meeting.seats.iter().map(|&position| EntrantId(at(position) as u32));
            let id = self.add(meeting.round, seats.collect());
            for entrant in self.pairing(id).entrants.clone() {
                self.ahead[entrant.index()].insert(id);
            }
        }
        self.open_where_free(self.undecided.clone());
    }
}

/// Pairings and tables.
impl Tournament {
    /// Everything is decided: pairs the next round, or ends the tournament.
    pub(crate) fn next_round(&mut self) {
        let round = self.round() + 1;
        let tables = match self.plan.format {
            Format::Knockout => self.knockout_round(round),
            Format::Swiss { .. } => self.swiss_round(round),
            Format::RoundRobin { .. } | Format::Gauntlet { .. } => None,
            Format::Ladder { .. } => return,
        };
        let Some(tables) = tables else {
            self.phase = TournamentPhase::Over;
            return;
        };
        for table in tables {
            let bye = table.len() == 1;
            let id = self.add(round, table);
            if bye {
                let pairing = self.pairing_mut(id);
                pairing.decision = Some(pairing.decision_by(How::Bye, |_| Some(1)));
                self.undecided.remove(&id);
            }
        }
        self.open_where_free(self.undecided.clone());
    }

    fn knockout_round(&self, round: u32) -> Option<Vec<Vec<EntrantId>>> {
        let survivors: Vec<EntrantId> = match round {
            1 => self.drawn(),
            _ => (self.pairings.iter())
                .filter(|pairing| pairing.round == round - 1)
                .filter_map(|pairing| pairing.decision.as_ref()?.winner)
                .filter(|&winner| self.is_active(winner))
                .collect(),
        };
        (survivors.len() > 1).then(|| {
            let history = self.history();
            let dice = &mut Dice::new(&self.plan.seed(), "bye", u64::from(round));
            let tables = knockout::pair(survivors, self.plan.table_seats, &history, dice);
            tables.into_iter().map(|table| history.seat(table)).collect()
        })
    }

    fn swiss_round(&self, round: u32) -> Option<Vec<Vec<EntrantId>>> {
        let mut order = self.drawn();
        order.retain(|&entrant| self.is_active(entrant));
        (round <= self.rounds() && order.len() > 1).then(|| {
            let history = self.history();
            order.sort_by_key(|&entrant| std::cmp::Reverse(history.past(entrant).points));
            let tables = swiss::pair(order, self.plan.table_seats, &history);
            tables.into_iter().map(|table| history.seat(table)).collect()
        })
    }

    /// Everybody in the order drawn at the start.
    fn drawn(&self) -> Vec<EntrantId> {
        let mut all: Vec<EntrantId> = (0..self.entrants.len() as u32).map(EntrantId).collect();
        all.sort_by_key(|entrant| self.lots[entrant.index()]);
        all
    }

    pub(crate) fn add(&mut self, round: u32, entrants: Vec<EntrantId>) -> PairingId {
        let id = PairingId(self.paired);
        self.paired += 1;
        self.pairings.push(Pairing { id, round, entrants, games: Vec::new(), decision: None });
        self.undecided.insert(id);
        id
    }

    /// Opens a game for each of these undecided pairings, in order, whose entrants are all free.
    pub(crate) fn open_where_free(&mut self, pairings: BTreeSet<PairingId>) {
        for id in pairings {
            let free = self.present(id).all(|entrant| !self.busy[entrant.index()]);
            // A pairing that somebody's withdrawal is about to decide has nobody to play against.
            if free && self.present(id).nth(1).is_some() {
                self.open(id);
            }
        }
    }

    /// Opens the next game of a pairing. The seats turn with every game that counted.
    pub(crate) fn open(&mut self, id: PairingId) {
        let mut seats: Vec<EntrantId> = self.present(id).collect();
        let games = &self.pairing(id).games;
        let counted = games.iter().filter(|game| game.outcome.is_some()).count();
        let attempt = games.len() as u32 + 1;
        let turn = counted % seats.len();
        seats.rotate_left(turn);
        for entrant in &seats {
            self.busy[entrant.index()] = true;
        }
        for entrant in self.pairing(id).entrants.clone() {
            self.ahead[entrant.index()].remove(&id);
        }
        self.open.insert(id, DueGame { pairing: id, attempt, seats });
    }

    /// Those of a pairing who have not withdrawn.
    fn present(&self, id: PairingId) -> impl Iterator<Item = EntrantId> {
        self.pairing(id).entrants.iter().copied().filter(|&entrant| self.is_active(entrant))
    }

    pub(crate) fn release(&mut self, seats: &[EntrantId]) {
        for entrant in seats {
            self.busy[entrant.index()] = false;
        }
    }
}
