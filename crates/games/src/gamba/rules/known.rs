//! What a seat remembers of the cards in the other hand, and deals of the cards it cannot know.

use rules::Seat;

use super::{Card, News, Ranks, View};

/// What one seat knows about the other's hand from all views so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// The number of the last view, counted from 1.
    last: u32,
    /// Every card that was ever in sight, by its bit.
    seen: u64,
    /// What fitted on the pile when the other seat was to move, if that was the last view.
    fits: Option<Ranks>,
    /// A reserve of the other seat failed and is still in its hand: it has one of these ranks.
    failed: Option<Ranks>,
}

impl Known {
    /// Takes the next view in. Showing one twice changes nothing.
    pub fn see(&mut self, view: &View) {
        let number = view.turns_played + 1;
        let Some(own) = view.viewer.seat().filter(|_| number != self.last) else { return };
        let other = own.next(view.seats.len());
        if matches!(view.news.first(), Some(News::ReserveFailed { seat, .. }) if *seat == other) {
            let fits = self.fits.filter(|_| self.last + 1 == number);
            self.failed = fits.map(|fits| Ranks::of(|value| !fits.contains(value)));
        }
        self.fits = view.to_act.filter(|seat| *seat == other).map(|_| view.fits);
        self.last = number;
        self.seen |= in_sight(view);
        if self.unknown(view, other) != 1 {
            self.failed = None;
        }
    }

    /// The cards that the other seat is known to hold: what was in sight and is no longer went
    /// with the pile into its hand.
    pub(super) fn held(&self, view: &View) -> impl Iterator<Item = Card> + use<> {
        let held = self.seen & !in_sight(view);
        Card::all().filter(move |card| held & card.bit() != 0)
    }

    /// What the only unknown card of the other hand may be, where a failed reserve tells.
    pub(super) fn failed(&self) -> Option<Ranks> {
        self.failed
    }

    /// The same memory in a game that was dealt anew: this seat saw `was` and would now see `now`.
    /// What is known of the other hand is public; what was in the own hand is not.
    #[must_use]
    pub fn in_another_deal(&self, was: &View, now: &View) -> Known {
        Known { seen: self.seen & !in_sight(was) | in_sight(now), ..*self }
    }

    fn unknown(&self, view: &View, other: Seat) -> usize {
        view.seats[other.index()].hand_size.saturating_sub(self.held(view).count())
    }
}

/// The own hand, the pile and what was burned, by their bits.
pub(super) fn in_sight(view: &View) -> u64 {
    let own = view.viewer.seat().and_then(|seat| view.seats[seat.index()].hand.as_deref());
    let seen = own.into_iter().flatten().chain(view.pile.iter()).chain(view.burned.iter());
    seen.fold(0_u64, |seen, card| seen | card.bit())
}
