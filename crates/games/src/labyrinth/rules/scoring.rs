//! Who wins once the last move is made, and what the final acknowledgements change.

use std::cmp::Reverse;

use rules::{Exit, Move, Outcome, Seat, SeatSet, Standing};

use super::config::Scoring;
use super::view::{Ending, News};
use super::{Action, Labyrinth};

impl Labyrinth {
    /// The last move is made. Everybody still in owes an acknowledgement now.
    pub(in crate::labyrinth) fn finish(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.winners = match self.scoring {
            Scoring::Memo => self.memo_winner(ending),
            Scoring::Course => self.course_winners(ending),
        };
        self.places = self.places_now();
        self.settle_if_answered();
    }

    /// The turn of acknowledgements: everybody still in gave one or failed to.
    pub(in crate::labyrinth) fn close_table(&mut self, moves: &[(Seat, Move<Action>)]) {
        self.news = News::default();
        for (seat, made) in moves {
            if let Move::Retire(exit) = made {
                self.mark(*seat, exit);
            }
        }
        self.drop_leaving();
        self.settle();
    }

    /// Seats go before they acknowledged; the others still owe their answer.
    pub(in crate::labyrinth) fn depart_unacknowledged(&mut self, exits: &[(Seat, Exit)]) {
        let dropped_before = self.news.dropped;
        for (seat, exit) in exits {
            self.mark(*seat, exit);
        }
        self.drop_leaving();
        self.news.dropped = dropped_before.iter().chain(self.news.dropped.iter()).collect();
        self.settle_if_answered();
    }

    fn settle_if_answered(&mut self) {
        if self.order.is_empty() {
            self.settle();
        }
    }

    /// "Ties and distance scoring do not exist in the memo": who came home, or nobody.
    fn memo_winner(&self, ending: Ending) -> SeatSet {
        match ending {
            Ending::Home(seat) => SeatSet::of(seat),
            Ending::AllEjected | Ending::AllPassed | Ending::RoundLimit => SeatSet::EMPTY,
        }
    }

    /// "Most goals first; among those, the player who ended the game wins alone if he is one of
    /// them, else smallest distance to the next target, ties share."
    fn course_winners(&self, ending: Ending) -> SeatSet {
        let most = self.order.iter().map(|&seat| self.found(seat)).max().unwrap_or(0);
        let best = self.order.iter().copied().filter(|&seat| self.found(seat) == most);
        match ending {
            Ending::Home(seat) if self.found(seat) == most => SeatSet::of(seat),
            _ => {
                let nearest = best.clone().map(|seat| self.distance(seat)).min();
                best.filter(|&seat| Some(self.distance(seat)) == nearest).collect()
            }
        }
    }

    fn found(&self, seat: Seat) -> u32 {
        self.quests[seat.index()].found
    }

    /// The square of the distance to the next target; a treasure that is off the board is
    /// farther than anything on it.
    fn distance(&self, seat: Seat) -> u64 {
        let avatar = &self.avatars[seat.index()];
        let target = self.quests[seat.index()].target(avatar.home);
        target.map_or(u64::MAX, |target| avatar.position.distance_squared(target))
    }

    /// Ranks the seats still in: winners, then (for the course) goals and closeness.
    fn places_now(&self) -> Vec<u32> {
        let rank = |seat: Seat| {
            let detail = match self.scoring {
                Scoring::Memo => (0, Reverse(0)),
                Scoring::Course => (self.found(seat), Reverse(self.distance(seat))),
            };
            (self.winners.contains(seat), detail)
        };
        let better = |seat| self.order.iter().filter(|&&other| rank(other) > rank(seat)).count();
        Seat::all(self.avatars.len()).map(|seat| 1 + better(seat) as u32).collect()
    }

    /// "A player that fails in the final `win` call is reported too and cannot be a winner."
    /// Nobody moves up for it, and who was removed is never first.
    fn settle(&mut self) {
        let staying = self.still_in();
        self.winners = self.winners.iter().filter(|&seat| staying.contains(seat)).collect();
        let last = 1 + staying.len().max(1) as u32;
        let standing = |seat: Seat| {
            let exit = self.exits[seat.index()].clone();
            if exit.is_some() {
                return Standing { points: 0, place: last, exit };
            }
            let won = i64::from(self.winners.contains(seat));
            let points = i64::from(self.found(seat)) + won;
            Standing { points, place: self.places[seat.index()], exit }
        };
        let standings = Seat::all(self.avatars.len()).map(standing).collect();
        self.outcome = Some(Outcome { standings });
    }
}
