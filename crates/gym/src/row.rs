//! Writing an observation, plane after plane.

/// The rest of a row of numbers. A writer takes its planes from the front, in the order of the
/// specification.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    rest: &'a mut [f32],
}

impl<'a> Row<'a> {
    pub fn new(rest: &'a mut [f32]) -> Row<'a> {
        Row { rest }
    }

    /// The next plane of `size` numbers, to fill in.
    pub fn plane(&mut self, size: usize) -> &'a mut [f32] {
        let (plane, rest) = std::mem::take(&mut self.rest).split_at_mut(size);
        self.rest = rest;
        plane
    }

    pub fn number(&mut self, number: f32) {
        self.plane(1)[0] = number;
    }

    pub fn flag(&mut self, holds: bool) {
        self.number(f32::from(u8::from(holds)));
    }

    /// A plane that is one at `at` and zero elsewhere.
    pub fn one_hot(&mut self, size: usize, at: Option<usize>) {
        let plane = self.plane(size);
        if let Some(at) = at {
            plane[at] = 1.0;
        }
    }

    /// Every plane was written.
    pub fn end(self) {
        debug_assert!(self.rest.is_empty(), "{} numbers were left out", self.rest.len());
    }
}

/// The seats from the viewer's own on, clockwise.
pub(crate) fn from_own(own: usize, seats: usize) -> impl Iterator<Item = usize> + Clone {
    (0..seats).map(move |step| (own + step) % seats)
}
