//! Seats, sets of seats, and who looks at a table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An index at a table, counted from zero. One that is read from outside is below [`Seat::MAX`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(pub u8);

impl Seat {
    /// The most seats a table can have: a [`SeatSet`] is one machine word.
    pub const MAX: usize = 64;

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All seats of a table, in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        debug_assert!(count <= Seat::MAX);
        (0..count as u8).map(Seat)
    }

    /// The neighbour on the left: seat + 1, wrapping.
    pub fn next(self, count: usize) -> Seat {
        Seat(((self.index() + 1) % count) as u8)
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Seat, String> {
        if usize::from(number) < Seat::MAX {
            Ok(Seat(number))
        } else {
            Err(format!("seat {number} is beyond the last, {}", Seat::MAX - 1))
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Seat>", into = "Vec<Seat>")]
pub struct SeatSet(u64);

impl SeatSet {
    pub const EMPTY: SeatSet = SeatSet(0);

    pub fn of(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// The first `count` seats.
    pub fn all(count: usize) -> SeatSet {
        debug_assert!(count <= Seat::MAX);
        match count {
            0 => SeatSet(0),
            n => SeatSet(u64::MAX >> (Seat::MAX - n)),
        }
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    pub fn without(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    pub fn first(self) -> Option<Seat> {
        (self.0 != 0).then(|| Seat(self.0.trailing_zeros() as u8))
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let seat = rest.first()?;
            rest.remove(seat);
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

impl From<Vec<Seat>> for SeatSet {
    fn from(seats: Vec<Seat>) -> SeatSet {
        seats.into_iter().collect()
    }
}

impl From<SeatSet> for Vec<Seat> {
    fn from(set: SeatSet) -> Vec<Seat> {
        set.iter().collect()
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|seat| seat.0)).finish()
    }
}

/// The viewer: a seat, or the public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewer {
    Seat(Seat),
    Public,
}

impl Viewer {
    /// Every viewer of a table: the public first, then each seat.
    pub fn all(seats: usize) -> impl Iterator<Item = Viewer> {
        std::iter::once(Viewer::Public).chain(Seat::all(seats).map(Viewer::Seat))
    }

    pub fn seat(self) -> Option<Seat> {
        match self {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        }
    }

    pub fn is(self, seat: Seat) -> bool {
        self.seat() == Some(seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_sixty_four_seats_in_order() {
        let mut set = SeatSet::all(64);
        assert_eq!(set.len(), 64);
        set.remove(Seat(0));
        set.remove(Seat(63));
        assert_eq!(set.first(), Some(Seat(1)));
        assert_eq!(set.iter().last(), Some(Seat(62)));
        assert_eq!(set.iter().collect::<SeatSet>(), set);
        assert!(SeatSet::all(0).is_empty());
        assert_eq!(SeatSet::all(3).without(SeatSet::of(Seat(1))).iter().count(), 2);
    }

    #[test]
    fn a_seat_beyond_the_last_is_not_read() {
        use serde::de::value::{Error, SeqDeserializer, U8Deserializer};
        let read = |number| Seat::deserialize(U8Deserializer::<Error>::new(number));
        assert_eq!(read(63), Ok(Seat(63)));
        assert_eq!(read(64).unwrap_err().to_string(), "seat 64 is beyond the last, 63");
        let set = |numbers: &[u8]| {
            SeatSet::deserialize(SeqDeserializer::<_, Error>::new(numbers.iter().copied()))
        };
        assert_eq!(set(&[0, 63]).map(SeatSet::len), Ok(2));
        assert!(set(&[0, 255]).is_err());
    }

    #[test]
    fn the_left_neighbour_of_the_last_seat_is_the_first() {
        assert_eq!(Seat(2).next(3), Seat(0));
        assert_eq!(Seat(0).next(3), Seat(1));
    }
}
