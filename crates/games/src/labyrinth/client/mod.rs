//! Players of both wires: the memo's, who call, and the course's, who are called. What they share
//! is here: a view made of the States the referee sends.

mod course;
mod memo;

use rules::{Seat, SeatSet, Viewer};

use super::board::Coordinate;
use super::rules::{Avatar, Color, News, Phase, Quest, SeatView, State, View};

pub use course::{SIGNS as COURSE_SIGNS, course};
pub use memo::{SIGNS as MEMO_SIGNS, memo};

/// The game as one player sees it. Seats are numbered as the first State lists them.
struct Sight {
    view: View,
    /// The seats that have a turn left in this round.
    due: SeatSet,
}

impl Sight {
    /// The first State, and where this player has to go. None if it is not in it.
    fn new(state: State, color: &Color, goal: Option<Coordinate>) -> Option<Sight> {
        let own = state.players.iter().position(|player| player.color == *color)?;
        let goal = goal.filter(|goal| state.maze.board.contains(*goal));
        let treasure = goal.map_or(state.maze.spare, |at| state.maze.board.tile(at)).treasure;
        let quest = Quest { treasure, place: goal, homeward: false, found: 0 };
        let seats = state.players.len().min(Seat::MAX);
        let seat_view = |(seat, player): (usize, super::rules::PlayerEntry)| SeatView {
            avatar: Avatar { color: player.color, home: player.home, position: player.current },
            quest: (seat == own).then(|| quest.clone()),
        };
        let view = View {
            viewer: Viewer::Seat(Seat(u8::try_from(own).ok()?)),
            phase: Phase::Playing,
            maze: state.maze,
            order: Seat::all(seats).collect(),
            seats: state.players.into_iter().take(seats).enumerate().map(seat_view).collect(),
            leaving: SeatSet::EMPTY,
            round: 1,
            turns: 0,
            news: News::default(),
            ending: None,
            winners: SeatSet::EMPTY,
        };
        Some(Sight { view, due: SeatSet::all(seats) })
    }

    /// A later State. False if this player is no longer in it.
    fn update(&mut self, state: State) -> bool {
        let view = &mut self.view;
        if let Some(mover) = view.order.first() {
            self.due.remove(*mover);
        }
        view.maze = state.maze;
        view.turns += 1;
        view.order.clear();
        for player in state.players {
            let seat = view.seats.iter().position(|seat| seat.avatar.color == player.color);
            let Some(seat) = seat else { continue };
            view.seats[seat].avatar.position = player.current;
            view.order.push(Seat(seat as u8));
        }
        let still_in: SeatSet = view.order.iter().copied().collect();
        self.due = self.due.iter().filter(|seat| still_in.contains(*seat)).collect();
        if self.due.is_empty() {
            self.due = still_in;
            view.round += 1;
        }
        view.viewer.seat().is_some_and(|seat| still_in.contains(seat))
    }

    fn quest_mut(&mut self) -> Option<&mut Quest> {
        let seat = self.view.viewer.seat()?;
        self.view.seats[seat.index()].quest.as_mut()
    }

    fn is_to_move(&self) -> bool {
        self.view.viewer.seat().is_some_and(|seat| self.view.is_to_move(seat))
    }

    fn position(&self) -> Option<Coordinate> {
        Some(self.view.avatar(self.view.viewer.seat()?).position)
    }
}
