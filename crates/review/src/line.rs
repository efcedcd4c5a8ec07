//! The value of a game with all cards known, step by step, and what moved it: chance, a seat's own
//! choices, or those of the others.

use std::sync::Arc;

use rules::{Dice, Move, Reviewable, Seat, Seed, Viewer};

use crate::course::{Course, Played, What};
use crate::playing::{play_out, play_out_with};
use crate::tally::Tally;

/// The value of a position for each seat.
#[derive(Clone, Debug)]
pub struct Worth(Vec<Tally>);

impl Worth {
    pub fn values(&self) -> Vec<f64> {
        self.0.iter().map(Tally::mean).collect()
    }

    pub fn error(&self) -> f64 {
        self.0.iter().map(Tally::doubt).fold(0.0, f64::max)
    }
}

/// What one step did to the value of each seat.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its deals and draws; none if it had none.
    pub luck: Option<Vec<f64>>,
    /// Each seat's own choice.
    pub own: Vec<f64>,
}

/// Draws games from positions of a course.
pub struct Plotter<G: Reviewable> {
    pub course: Arc<Course<G>>,
    pub seed: Seed,
    /// Number of games played out from each position.
    pub games: u32,
}

/// In how many other draws a step is tried to see whether chance had a part in it.
const DRAWS: u64 = 4;

impl<G: Reviewable> Plotter<G> {
    /// The value before the deal: that of any game at such a table.
    pub fn before_the_deal(&self) -> Worth {
        self.worth(|dice| {
            let game = G::setup(&self.course.config, self.course.seats(), dice.seed()).ok()?;
            Some(play_out(game, self.course.seats(), dice))
        })
    }

    /// The value of a position. What no player knows yet is drawn again each time.
    pub fn value(&self, game: &G) -> Worth {
        self.worth(|dice| {
            let mut game = game.clone();
            game.shuffle_future(dice);
            Some(play_out(game, self.course.seats(), dice))
        })
    }

    /// What a step did, that led from one position to another. `values` are theirs.
    pub fn effect(
        &self,
        played: &Played<G::Action>,
        (before, after): (&G, &G),
        (was, is): (&[f64], &[f64]),
    ) -> Effect {
        let luck = self.has_chance(&played.what, before, after).then(|| {
            let expected = self.after(&played.what, before).values();
            is.iter().zip(expected).map(|(is, expected)| is - expected).collect::<Vec<f64>>()
        });
        let chance = |seat: usize| luck.as_ref().map_or(0.0, |luck| luck[seat]);
        let mut own = vec![0.0; was.len()];
        match &played.what {
            // One seat alone explains everything that chance doesn't.
            What::Turn(moves) if moves.len() == 1 => {
                let seat = moves[0].0.index();
                own[seat] = is[seat] - was[seat] - chance(seat);
            }
            What::Turn(moves) => {
                for (seat, made) in moves {
                    own[seat.index()] = self.with_own(before, *seat, made) - was[seat.index()];
                }
            }
            What::Departure(exits) => {
                for (seat, _) in exits {
                    let seat = seat.index();
                    own[seat] = is[seat] - was[seat] - chance(seat);
                }
            }
        }
        Effect { luck, own }
    }

    /// Whether some viewer would have seen something else after another draw.
    fn has_chance(&self, what: &What<G::Action>, before: &G, after: &G) -> bool {
        let seats = self.course.seats();
        let views = |game: &G| Viewer::all(seats).map(|who| game.view(who)).collect::<Vec<_>>();
        let seen = views(after);
        (0..DRAWS).any(|draw| {
            let mut other = before.clone();
            other.shuffle_future(&mut Dice::new(&self.seed, "draws", draw));
            other.advance(what.step());
            views(&other) != seen
        })
    }

    /// The value after a step, before chance decides.
    fn after(&self, what: &What<G::Action>, before: &G) -> Worth {
        self.worth(|dice| {
            let mut game = before.clone();
            game.shuffle_future(dice);
            game.advance(what.step());
            Some(play_out(game, self.course.seats(), dice))
        })
    }

    /// The value for a seat that makes its move while the others make quick ones.
    fn with_own(&self, before: &G, seat: Seat, made: &Move<G::Action>) -> f64 {
        let worth = self.worth(|dice| {
            let mut game = before.clone();
            game.shuffle_future(dice);
            Some(play_out_with(game, self.course.seats(), (seat, made), dice))
        });
        worth.0[seat.index()].mean()
    }

    fn worth(&self, mut game: impl FnMut(&mut Dice) -> Option<Vec<f64>>) -> Worth {
        let mut tallies = vec![Tally::default(); self.course.seats()];
        for number in 0..self.games {
            let mut dice = Dice::new(&self.seed, "line", number.into());
            let Some(shares) = game(&mut dice) else { continue };
            tallies.iter_mut().zip(shares).for_each(|(tally, share)| tally.add(share));
        }
        Worth(tallies)
    }
}
