//! What a viewer may know: everything but the others' treasures, and those too at the end.

use rules::{Illegal, Seat, SeatSet, Viewer};
use serde::{Deserialize, Serialize};

use super::super::board::{Cells, Choice, Coordinate, Degree, Maze, Slide};
use super::state::{PlayerEntry, State};
use super::{Avatar, Labyrinth, Quest};

/// Why the last move was the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// This seat came home with everything found.
    Home(Seat),
    AllEjected,
    AllPassed,
    /// `max_rounds` were played; the memo's wire calls it ALL_PASSED.
    RoundLimit,
}

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Playing,
    /// The last move is made and every seat still in owes its acknowledgement.
    Closing,
    Over,
}

/// What the seat to move did with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    Passed,
    Played(Choice),
    /// It was removed instead; a half-made turn left no trace.
    Removed,
}

/// The last turn, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct News {
    /// Whose turn it was; none at the start and after the acknowledgements.
    pub mover: Option<Seat>,
    pub deed: Option<Deed>,
    /// The cells walked, from where the mover stood after the slide to where it stopped; empty
    /// unless it played. One of the shortest ways.
    pub way: Vec<Coordinate>,
    /// The seats that dropped out with this turn: what it told them is the last they hear. In
    /// the closing phase, also those that went since.
    pub dropped: SeatSet,
    /// For the mover's eyes only: it reached its goal and goes here next.
    pub next_target: Option<Coordinate>,
}

/// A seat's avatar, and its quest where the viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatView {
    #[serde(flatten)]
    pub avatar: Avatar,
    pub quest: Option<Quest>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub viewer: Viewer,
    pub phase: Phase,
    pub maze: Maze,
    /// The seats still in, the one to move first: the order of `plmt`.
    pub order: Vec<Seat>,
    pub seats: Vec<SeatView>,
    /// Still in `order`, but gone when this turn ends.
    pub leaving: SeatSet,
    /// The round being played, counted from 1.
    pub round: u32,
    /// How many turns have been taken.
    pub turns: u32,
    pub news: News,
    pub ending: Option<Ending>,
    /// Known once there is an ending. Who fails to acknowledge it is no longer among them.
    pub winners: SeatSet,
}

impl View {
    pub(in crate::labyrinth) fn of(game: &Labyrinth, viewer: Viewer) -> View {
        let phase = match (game.ending, &game.outcome) {
            (_, Some(_)) => Phase::Over,
            (Some(_), None) => Phase::Closing,
            (None, None) => Phase::Playing,
        };
        let seat_view = |((seat, avatar), quest): ((Seat, &Avatar), &Quest)| SeatView {
            avatar: avatar.clone(),
            quest: (viewer.is(seat) || phase == Phase::Over).then(|| quest.clone()),
        };
        let mut news = game.news.clone();
        if !news.mover.is_some_and(|mover| viewer.is(mover)) {
            news.next_target = None;
        }
        View {
            viewer,
            phase,
            maze: game.maze.clone(),
            order: game.order.clone(),
            seats: Seat::all(game.avatars.len())
                .zip(&game.avatars)
                .zip(&game.quests)
                .map(seat_view)
                .collect(),
            leaving: game.leaving,
            round: game.rounds + 1,
            turns: game.turns,
            news,
            ending: game.ending,
            winners: game.winners,
        }
    }

    pub fn avatar(&self, seat: Seat) -> &Avatar {
        &self.seats[seat.index()].avatar
    }

    /// The viewer's own quest; none for the public.
    pub fn quest(&self) -> Option<&Quest> {
        self.viewer.seat().and_then(|seat| self.seats[seat.index()].quest.as_ref())
    }

    /// Where the viewer has to go now; none for the public, and while its treasure is the spare.
    pub fn target(&self) -> Option<Coordinate> {
        self.quest()?.target(self.avatar(self.viewer.seat()?).home)
    }

    pub fn is_to_move(&self, seat: Seat) -> bool {
        self.phase == Phase::Playing && self.order.first() == Some(&seat)
    }

    /// The `State` both wires speak of, the seat to move first.
    pub fn state(&self) -> State {
        self.state_from(0)
    }

    /// The same with `seat` first, as the course's first `setup` call has it.
    pub fn state_with_first(&self, seat: Seat) -> State {
        self.state_from(self.order.iter().position(|&other| other == seat).unwrap_or(0))
    }

    fn state_from(&self, first: usize) -> State {
        let (before, after) = self.order.split_at(first);
        let player = |&seat: &Seat| {
            let Avatar { color, home, position } = self.avatar(seat).clone();
            PlayerEntry { color, current: position, home, goto: None }
        };
        let players = after.iter().chain(before).map(player).collect();
        State { maze: self.maze.clone(), players, goals: Vec::new() }
    }

    /// A draft's first step: this view with the spare turned.
    pub fn draft_rotate(&mut self, degree: Degree) {
        self.maze.rotate(degree);
    }

    /// A draft's second step: this view with the spare pushed in, or why that is illegal.
    pub fn draft_slide(&mut self, slide: Slide) -> Result<(), Illegal> {
        self.maze.check_slide(slide)?;
        let avatars = self.seats.iter_mut().map(|seat| &mut seat.avatar.position);
        self.maze.slide(slide, avatars);
        Ok(())
    }

    /// Where the seat to move may go on the board as this view, or this draft, shows it.
    pub fn destinations(&self) -> Cells {
        let mover = self.order.first();
        mover.map_or(Cells::default(), |&seat| self.maze.destinations(self.avatar(seat).position))
    }

    /// A draft's last step: whether the seat to move may go there.
    pub fn check_destination(&self, to: Coordinate) -> Result<(), Illegal> {
        let Some(&mover) = self.order.first() else {
            return Err(Illegal::new("nobody is left to move"));
        };
        self.maze.check_destination(&self.destinations(), self.avatar(mover).position, to)
    }
}
