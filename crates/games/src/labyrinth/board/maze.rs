//! What every player sees of the labyrinth itself, and the legality of a turn in it. The rules
//! and the players' drafts ask the same functions.

use std::sync::Arc;

use rules::Illegal;

use super::reach::{Cells, Ends};
use super::{Board, Coordinate, Degree, Slide, Tile};

/// The board, the spare tile and the most recent slide.
#[derive(Clone, Debug, PartialEq)]
pub struct Maze {
    pub board: Arc<Board>,
    pub spare: Tile,
    pub last: Option<Slide>,
}

/// A turn that is not a pass: slide, insert the spare turned by `degree`, move to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    pub slide: Slide,
    pub degree: Degree,
    pub to: Coordinate,
}

/// One legal slide and turn of the spare, and where it lets somebody go.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    pub slide: Slide,
    pub degree: Degree,
    /// Where the avatar stands after the slide, before its move.
    pub start: Coordinate,
    /// The cells it may move to; never the one it stands on.
    pub destinations: Cells,
}

impl Maze {
    /// The legal slides: rows ascending LEFT, RIGHT, then columns ascending UP, DOWN.
    pub fn slides(&self) -> impl Iterator<Item = Slide> + use<> {
        let undo = self.last.map(Slide::reversed);
        self.board.slides().filter(move |&slide| Some(slide) != undo)
    }

    /// "A slide may not reverse the most recent slide performed by anybody."
    pub fn check_slide(&self, slide: Slide) -> Result<(), Illegal> {
        self.board.check_slide(slide)?;
        match self.last {
            Some(last) if last.reversed() == slide => {
                Err(Illegal(format!("{slide} would undo the last slide, {last}")))
            }
            _ => Ok(()),
        }
    }

    /// Turns the spare where it lies.
    pub fn rotate(&mut self, degree: Degree) {
        self.spare.connector = self.spare.connector.turned(degree);
    }

    /// Slides and inserts the spare as it lies; the tile that drops out is the new spare. The
    /// avatars on the sliding tiles travel with them.
    pub fn slide<'a>(&mut self, slide: Slide, avatars: impl Iterator<Item = &'a mut Coordinate>) {
        for at in avatars {
            *at = self.board.carried(*at, slide);
        }
        self.spare = Arc::make_mut(&mut self.board).slide(slide, self.spare);
        self.last = Some(slide);
    }

    /// Where somebody at `from` may move without any further slide: never nowhere.
    pub fn destinations(&self, from: Coordinate) -> Cells {
        let mut cells = self.board.reachable(from);
        cells.remove(self.board.cell(from));
        cells
    }

    /// What a slide, legal or an undo, would offer somebody standing at `from`.
    pub fn prospect(&self, from: Coordinate, slide: Slide, degree: Degree) -> Prospect {
        let slid = Ends::of(&self.board).map(|ends| ends.slid(slide));
        self.look(slid.as_ref(), from, slide, degree)
    }

    /// Every legal slide and degree, in the order of [`slides`](Maze::slides), degrees ascending.
    pub fn prospects(&self, from: Coordinate) -> impl Iterator<Item = Prospect> {
        let ends = Ends::of(&self.board);
        self.slides().flat_map(move |slide| {
            // The board slides once for all four degrees.
            let slid = ends.as_ref().map(|ends| ends.slid(slide));
            Degree::ALL.map(|degree| self.look(slid.as_ref(), from, slide, degree))
        })
    }

    /// Every turn of somebody at `from` but the pass.
    pub fn choices(&self, from: Coordinate) -> Vec<Choice> {
        let mut choices = Vec::new();
        for Prospect { slide, degree, destinations, .. } in self.prospects(from) {
            let to = |cell| Choice { slide, degree, to: self.board.coordinate(cell) };
            choices.extend(destinations.iter().map(to));
        }
        choices
    }

    /// How many turns of somebody at `from` there are but the pass. On a board too large for the
    /// fast search only how many there could be at most.
    pub fn choices_at_most(&self, from: Coordinate) -> usize {
        match Ends::of(&self.board) {
            Some(_) => self.prospects(from).map(|prospect| prospect.destinations.len()).sum(),
            None => self.slides().count() * Degree::ALL.len() * (self.board.tiles().len() - 1),
        }
    }

    /// The authority on a whole turn of somebody who stands at `from`.
    pub fn check(&self, from: Coordinate, choice: &Choice) -> Result<(), Illegal> {
        self.check_slide(choice.slide)?;
        let prospect = self.prospect(from, choice.slide, choice.degree);
        self.check_destination(&prospect.destinations, prospect.start, choice.to)
    }

    /// Whether somebody at `start` may move to `to`, given its `destinations`.
    pub fn check_destination(
        &self,
        destinations: &Cells,
        start: Coordinate,
        to: Coordinate,
    ) -> Result<(), Illegal> {
        if !self.board.contains(to) {
            let (rows, columns) = (self.board.rows(), self.board.columns());
            return Err(Illegal(format!("{to} is not on this board of {rows} x {columns}")));
        }
        if to == start {
            return Err(Illegal(format!("{to} is where the avatar stands, it has to move")));
        }
        if !destinations.contains(self.board.cell(to)) {
            return Err(Illegal(format!("{to} cannot be reached from {start}")));
        }
        Ok(())
    }

    /// `slid` is the board after the slide, as far as it is small, with the hole still open.
    fn look(
        &self,
        slid: Option<&Ends>,
        from: Coordinate,
        slide: Slide,
        degree: Degree,
    ) -> Prospect {
        let start = self.board.carried(from, slide);
        let cell = self.board.cell(start);
        let mut destinations = match slid {
            Some(slid) => {
                let (_, hole) = self.board.ends_of(slide);
                let connector = self.spare.connector.turned(degree);
                slid.with(connector, self.board.cell(hole)).reachable(cell)
            }
            None => {
                let mut maze = self.clone();
                maze.rotate(degree);
                maze.slide(slide, std::iter::empty());
                maze.board.walk(start)
            }
        };
        destinations.remove(cell);
        Prospect { slide, degree, start, destinations }
    }
}
