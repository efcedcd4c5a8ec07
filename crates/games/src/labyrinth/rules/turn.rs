//! How a turn changes the game. [`play_turn`](Labyrinth::play_turn) reads as the order of
//! effects; the exercises' referee calls the same steps one by one.

use rules::{Exit, Move, Seat, SeatSet};

use super::super::board::{Choice, Coordinate, Slide};
use super::config::Passes;
use super::quest::Arrival;
use super::view::{Deed, Ending, News};
use super::{Action, Labyrinth};

impl Labyrinth {
    /// One turn of the seat to move; any other seat in it retires.
    pub(in crate::labyrinth) fn play_turn(&mut self, moves: &[(Seat, Move<Action>)]) {
        let mover = self.mover();
        self.begin_turn();
        for (seat, made) in moves {
            match made {
                Move::Act(action) if *seat == mover => self.act(action),
                Move::Act(_) => debug_assert!(false, "seat {seat} is not to move"),
                Move::Retire(exit) => self.mark(*seat, exit),
            }
        }
        self.end_turn();
    }

    /// Seats go in the middle of a turn. "The player is marked, not read any more, and removed
    /// together with the end of the current turn." The player to move takes its turn with it.
    pub(in crate::labyrinth) fn depart(&mut self, exits: &[(Seat, Exit)]) {
        for (seat, exit) in exits {
            self.mark(*seat, exit);
        }
        if self.leaving.contains(self.mover()) {
            self.begin_turn();
            self.end_turn();
        }
    }

    pub(in crate::labyrinth) fn mover(&self) -> Seat {
        self.order[0]
    }

    pub(in crate::labyrinth) fn position(&self, seat: Seat) -> Coordinate {
        self.avatars[seat.index()].position
    }

    /// Whether the end is told and only to be acknowledged.
    pub(in crate::labyrinth) fn is_closing(&self) -> bool {
        self.ending.is_some() && self.outcome.is_none()
    }

    pub(in crate::labyrinth) fn still_in(&self) -> SeatSet {
        self.order.iter().copied().collect()
    }

    pub(in crate::labyrinth) fn begin_turn(&mut self) {
        self.turns += 1;
        self.news =
            News { mover: Some(self.mover()), deed: Some(Deed::Removed), ..News::default() };
    }

    /// What the seat to move does with its turn.
    pub(in crate::labyrinth) fn act(&mut self, action: &Action) {
        match action {
            Action::Pass => self.pass(),
            Action::Play(choice) => self.play(choice),
            Action::Acknowledge => debug_assert!(false, "nothing to acknowledge yet"),
        }
    }

    /// Notes that a seat drops out at the end of the turn.
    pub(in crate::labyrinth) fn mark(&mut self, seat: Seat, exit: &Exit) {
        if self.order.contains(&seat) && !self.leaving.contains(seat) {
            self.leaving.insert(seat);
            self.exits[seat.index()] = Some(exit.clone());
        }
    }

    pub(in crate::labyrinth) fn end_turn(&mut self) {
        self.rotate_order();
        self.drop_leaving();
        self.judge();
    }

    fn pass(&mut self) {
        self.passed.insert(self.mover());
        self.news.deed = Some(Deed::Passed);
    }

    fn play(&mut self, choice: &Choice) {
        let mover = self.mover();
        self.passed.remove(mover);
        self.news.deed = Some(Deed::Played(*choice));
        self.maze.rotate(choice.degree);
        self.carry_treasures(choice.slide);
        let avatars = self.avatars.iter_mut().map(|avatar| &mut avatar.position);
        self.maze.slide(choice.slide, avatars);
        self.news.way = self.maze.board.way(self.position(mover), choice.to);
        self.avatars[mover.index()].position = choice.to;
        self.arrive(mover);
    }

    /// Every treasure moves with its tile, if it does.
    fn carry_treasures(&mut self, slide: Slide) {
        for quest in &mut self.quests {
            quest.carry(self.treasures, &self.maze.board, slide);
        }
    }

    /// A seat has ended its own move.
    fn arrive(&mut self, mover: Seat) {
        let (position, home) = (self.position(mover), self.avatars[mover.index()].home);
        let quest = &mut self.quests[mover.index()];
        match quest.arrive(position, home, &mut self.goals) {
            Arrival::Elsewhere => {}
            Arrival::Home => self.ending = Some(Ending::Home(mover)),
            Arrival::Found => {
                let sent =
                    quest.place.filter(|goal| !quest.homeward && self.maze.board.contains(*goal));
                if let Some(goal) = sent {
                    quest.treasure = self.maze.board.tile(goal).treasure;
                }
                self.news.next_target = quest.target(home);
            }
        }
    }

    /// "After a turn plmt rotates by one."
    fn rotate_order(&mut self) {
        self.due.remove(self.mover());
        self.order.rotate_left(1);
    }

    /// "The ejected entry is dropped, the next player is first. `last` is unchanged."
    pub(in crate::labyrinth) fn drop_leaving(&mut self) {
        let leaving = std::mem::take(&mut self.leaving);
        self.order.retain(|&seat| !leaving.contains(seat));
        self.due = self.due.without(leaving);
        self.passed = self.passed.without(leaving);
        self.news.dropped = leaving;
    }

    /// "Priority when several apply after one turn: winner, then ALL_EJECTED, then ALL_PASSED."
    pub(in crate::labyrinth) fn judge(&mut self) {
        let round_over = self.due.is_empty();
        if round_over {
            self.rounds += 1;
            self.due = self.still_in();
        }
        let ending = if self.ending.is_some() {
            self.ending
        } else if self.order.is_empty() {
            Some(Ending::AllEjected)
        } else if self.all_passed(round_over) {
            Some(Ending::AllPassed)
        } else if round_over && self.rounds == self.max_rounds {
            Some(Ending::RoundLimit)
        } else {
            None
        };
        if let Some(ending) = ending {
            self.finish(ending);
        }
    }

    /// Everybody still in passed in its latest turn. At the end of a round each latest turn is
    /// one of that round, so the course's rule only asks less often.
    fn all_passed(&self, round_over: bool) -> bool {
        let asked = match self.passes {
            Passes::LatestTurn => true,
            Passes::Round => round_over,
        };
        asked && self.order.iter().all(|&seat| self.passed.contains(seat))
    }
}
