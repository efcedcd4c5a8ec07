//! Estimates what the candidate actions of a seat are worth, by what the seat knows.

use rules::{Dice, Move, Past, Reviewable, Seed, Viewer};

use crate::playing::play_out_with;
use crate::tally::Tally;

/// A candidate action, and its worth deal by deal. Every candidate sees the same deals, from the
/// first one on; the more promising, the more of them.
#[derive(Clone, Debug)]
pub struct Weighed<A> {
    pub action: A,
    worths: Vec<f64>,
}

impl<A> Weighed<A> {
    pub fn value(&self) -> f64 {
        self.tally().mean()
    }

    pub fn error(&self) -> f64 {
        self.tally().doubt()
    }

    /// How much more this one is worth than another, over the deals that both have seen, and the
    /// standard error of that.
    pub fn ahead_of(&self, other: &Weighed<A>) -> (f64, f64) {
        let pairs = self.worths.iter().zip(&other.worths);
        let tally: Tally = pairs.map(|(own, other)| own - other).collect();
        (tally.mean(), tally.doubt())
    }

    fn tally(&self) -> Tally {
        self.worths.iter().copied().collect()
    }
}

/// How many candidates, besides the chosen action, stay after a quarter of the deals.
const FINALISTS: usize = 4;

/// What the seat's candidates are worth, the best first, and which of them was chosen.
///
/// A quarter of the deals goes to all candidates, another one to the best few, and the last half to
/// the chosen action and its strongest rival alone. The rival is found before that half is dealt,
/// so that it isn't merely the luckiest of many. Without a chosen action the two best get it.
///
/// Nothing can be estimated, and the list is empty, if no deal fits what the seat has seen.
pub fn weigh<G: Reviewable>(
    past: &Past<'_, G>,
    seats: usize,
    chosen: Option<&G::Action>,
    deals: u32,
    seed: &Seed,
) -> Vec<Weighed<G::Action>> {
    let view = past.game.view(Viewer::Seat(past.seat));
    let mut dice = Dice::new(seed, "candidates", 0);
    let mut actions = G::candidates(&view, past.memory, &mut dice);
    let chosen = chosen.map(|action| G::canonical(&view, action));
    if let Some(action) = chosen.iter().find(|action| !actions.contains(action)) {
        actions.push(action.clone());
    }
    let mut scales = Scales { past, seats, seed, tried: 0, deals: Vec::new(), weighed: Vec::new() };
    let unweighed = |action| Weighed { action, worths: Vec::new() };
    scales.weighed = actions.into_iter().map(unweighed).collect();
    if scales.weighed.len() < 2 {
        return scales.weighed;
    }
    let deals = deals.max(8) as usize;
    let is_chosen = |one: &Weighed<G::Action>| Some(&one.action) == chosen.as_ref();
    scales.deal(deals / 4);
    scales.try_all(|_, _| true);
    scales.rank();
    scales.deal(deals / 2);
    scales.try_all(|place, one| place < FINALISTS || is_chosen(one));
    scales.rank();
    let pair =
        if chosen.is_some() && !scales.weighed.first().is_some_and(is_chosen) { 1 } else { 2 };
    scales.deal(deals);
    scales.try_all(|place, one| place < pair || is_chosen(one));
    scales.rank();
    if scales.deals.is_empty() { Vec::new() } else { scales.weighed }
}

struct Scales<'a, 'b, G: Reviewable> {
    past: &'a Past<'b, G>,
    seats: usize,
    seed: &'a Seed,
    /// How often something was to be dealt.
    tried: usize,
    deals: Vec<G>,
    weighed: Vec<Weighed<G::Action>>,
}

impl<G: Reviewable> Scales<'_, '_, G> {
    /// Deals what the seat can't know, until there are this many deals.
    fn deal(&mut self, count: usize) {
        for number in self.tried..count {
            let mut dice = Dice::new(self.seed, "deal", number as u64);
            self.deals.extend(G::redeal(self.past, &mut dice));
        }
        self.tried = count;
    }

    /// Tries some candidates in all deals that they haven't seen.
    fn try_all(&mut self, is_tried: impl Fn(usize, &Weighed<G::Action>) -> bool) {
        let seat = self.past.seat;
        for (place, one) in self.weighed.iter_mut().enumerate() {
            if !is_tried(place, one) {
                continue;
            }
            let made = Move::Act(one.action.clone());
            for number in one.worths.len()..self.deals.len() {
                // The same chance for every candidate.
                let mut dice = Dice::new(self.seed, "playing", number as u64);
                let game = self.deals[number].clone();
                let shares = play_out_with(game, self.seats, (seat, &made), &mut dice);
                one.worths.push(shares[seat.index()]);
            }
        }
    }

    /// Puts the best first. Those that were dropped early come last: a lucky start doesn't count.
    fn rank(&mut self) {
        self.weighed.sort_by(|one, two| {
            let more = two.worths.len().cmp(&one.worths.len());
            more.then(two.value().total_cmp(&one.value()))
        });
    }
}
