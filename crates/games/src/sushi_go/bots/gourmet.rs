//! A bot that looks ahead to the end of the round. It remembers every hand that went through its
//! own, deals the others at random, again and again, and finds what leads most at the end of such
//! rounds, against players who take what is worth most in sight.

use rules::{Bot, Dice};

use super::super::rules::{Action, Card, Known, SushiGo, View};
use super::kitchen::{Kitchen, Laid};

/// How many rounds are played out for one move.
const ROUNDS_TRIED: u32 = 800;
/// Of many moves only so many are looked at, those that promise most.
const MOVES_TRIED: usize = 14;
/// How much what was tried little is preferred to what paid most.
const CURIOSITY: f64 = 0.4;

#[derive(Clone, Debug, Default)]
pub struct Gourmet {
    known: Known,
    /// The view of the last move.
    last: Option<View>,
}

impl Bot<SushiGo> for Gourmet {
    fn choose(&mut self, view: &View, dice: &mut Dice) -> Action {
        self.remember(view);
        let laid = self.search(view, dice);
        let action = laid.and_then(|laid| action(view, laid));
        action.unwrap_or_else(|| super::greedy(view, dice))
    }
}

impl Gourmet {
    /// What it remembers.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// What the other seats hold, now that the hands have gone on.
    pub(super) fn remember(&mut self, view: &View) {
        let hands = std::mem::take(&mut self.known.hands);
        let last = self.last.replace(view.clone());
        self.known.hands = vec![None; view.seats.len()];
        let (Some(last), Some(news)) = (last, &view.news) else { return };
        if (news.round, news.turn) != (last.round, last.turn) {
            return;
        }
        if view.round != last.round {
            let tables = last.seats.iter().flat_map(|seat| &seat.table);
            self.known.gone.extend(tables.chain(news.played.iter().flatten()));
            return;
        }
        for (from, played) in news.played.iter().enumerate() {
            let own = last.viewer.seat().is_some_and(|seat| seat.index() == from);
            let hand = if own { last.hand.clone() } else { hands.get(from).cloned().flatten() };
            let left = hand.and_then(|hand| without(hand, played));
            self.known.hands[last.passes_to[from].index()] = left;
        }
        if let Some(seat) = view.viewer.seat() {
            self.known.hands[seat.index()] = None;
        }
    }

    /// Tries the moves in turn, those more often that paid, and says which was tried most.
    fn search(&self, view: &View, dice: &mut Dice) -> Option<Laid> {
        let seat = view.viewer.seat()?.index();
        let imagine =
            |dice: &mut Dice| Some(Kitchen::of(&SushiGo::imagine(view, &self.known, dice)?));
        let kitchen = imagine(dice)?;
        let mut choices = kitchen.choices(seat);
        choices.sort_by_key(|laid| -kitchen.promise(seat, *laid));
        choices.truncate(MOVES_TRIED);
        if choices.len() == 1 {
            return choices.pop();
        }
        let mut tried: Vec<(f64, f64)> = vec![(0.0, 0.0); choices.len()];
        for iteration in 1..=ROUNDS_TRIED {
            let promise = |(sum, times): &(f64, f64)| match *times {
                0.0 => f64::INFINITY,
                times => sum / times + CURIOSITY * (f64::from(iteration).ln() / times).sqrt(),
            };
            let next = most(&tried, promise)?;
            let lead = play_out(imagine(dice)?, seat, choices[next], dice);
            tried[next].0 += 1.0 / (1.0 + (-lead / LEAD).exp());
            tried[next].1 += 1.0;
        }
        Some(choices[most(&tried, |(_, times)| *times)?])
    }
}

/// With a lead of so many points three of four games are won.
const LEAD: f64 = 6.0;

/// Plays the round to its end, and says how far the seat leads.
fn play_out(mut kitchen: Kitchen, seat: usize, first: Laid, dice: &mut Dice) -> f64 {
    let seats = kitchen.seats();
    let mut own = Some(first);
    while kitchen.left > 0 {
        let mut turn = [first; 5];
        for (other, laid) in turn.iter_mut().enumerate().take(seats) {
            let chosen = if other == seat { own.take() } else { None };
            *laid = chosen.unwrap_or_else(|| kitchen.quick_choice(other, dice));
        }
        kitchen.turn(&turn[..seats]);
    }
    kitchen.lead(seat)
}

/// The first of those that have the most.
fn most<T>(items: &[T], key: impl Fn(&T) -> f64) -> Option<usize> {
    let better = |best: Option<(usize, f64)>, (index, item): (usize, &T)| {
        let value = key(item);
        if best.is_none_or(|(_, most)| value > most) { Some((index, value)) } else { best }
    };
    items.iter().enumerate().fold(None, better).map(|(index, _)| index)
}

/// A hand after a turn; chopsticks that were used are in it again. None if it was another hand.
fn without(mut hand: Vec<Card>, played: &[Card]) -> Option<Vec<Card>> {
    for card in played {
        hand.remove(hand.iter().position(|held| held == card)?);
    }
    if played.len() == 2 {
        hand.push(Card::Chopsticks);
    }
    Some(hand)
}

/// Cards by their places in the hand.
fn action(view: &View, Laid(first, second): Laid) -> Option<Action> {
    let hand = view.hand.as_deref()?;
    let one = hand.iter().position(|card| *card == first)?;
    let Some(second) = second else { return Some(Action::Play(one)) };
    let two = (0..hand.len()).find(|&index| index != one && hand[index] == second)?;
    Some(Action::Chopsticks(one, two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Game, Move, Seat, Seed, Step, Viewer};

    /// A hand that went through one's own is known from then on, whatever is taken from it.
    #[test]
    fn hands_that_went_by_are_remembered() {
        for (seats, number) in [(2, 1), (3, 2), (5, 3)] {
            let seed = Seed::from_number(number);
            let mut dice = Dice::new(&seed, "players", 0);
            let mut game = SushiGo::setup(&Default::default(), seats, seed).unwrap();
            let mut gourmet = Gourmet::default();
            let mut remembered = 0;
            while game.outcome().is_none() {
                let view = game.view(Viewer::Seat(Seat(0)));
                gourmet.remember(&view);
                assert_eq!(gourmet.known.gone.is_empty(), view.round == 1);
                for seat in Seat::all(seats).skip(1) {
                    let Some(mut known) = gourmet.known.hands[seat.index()].clone() else {
                        continue;
                    };
                    let mut held = game.view(Viewer::Seat(seat)).hand.unwrap();
                    known.sort_unstable();
                    held.sort_unstable();
                    assert_eq!(known, held, "{seats} seats, seat {seat}");
                    remembered += 1;
                }
                let act = |seat| (seat, Move::Act(game.sample(seat, &mut dice)));
                let turn: Vec<_> = game.to_act().iter().map(act).collect();
                game.advance(Step::Turn(&turn));
            }
            assert!(remembered > 20, "{remembered} hands of {seats} seats");
        }
    }
}
