//! Whether the method tells good decisions from bad ones: reviews of games whose players are known.

use rules::{BotKind, Dice, Move, Past, Reviewable, Seat, Seed, Step, Viewer};
use serde::Serialize;

use crate::course::{Course, Played, What};
use crate::mark::{CERTAIN, Mark, SLIP};
use crate::reviewing::{Budget, Request, review};
use crate::tally::{Tally, rounded};
use crate::weighing::weigh;

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub mean: f64,
    pub error: f64,
}

/// What reviews found about one strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graded {
    pub strategy: &'static str,
    pub grade: String,
    pub decisions: u64,
    /// The mean regret per decision, over games.
    pub regret: Estimate,
}

/// What was found in a number of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    pub game: &'static str,
    pub seats: usize,
    pub games: u64,
    pub deals: u32,
    /// The weakest first.
    pub strategies: Vec<Graded>,
    /// The luck of the first seat: zero on average.
    pub luck: Estimate,
    /// How many bad decisions that cost more than [`COSTLY`] were planted, and how many of them
    /// have a mark.
    pub planted: u64,
    pub marked: u64,
}

/// A planted decision counts if it truly costs more than this.
pub const COSTLY: f64 = 0.2;
/// What a planted decision truly costs is found with this many times the deals.
const CAREFUL: u32 = 4;

/// A trial under way. Games are numbered; each is the same whenever it is played.
#[derive(Debug)]
pub struct Trials<G: Reviewable> {
    config: G::Config,
    seats: usize,
    kinds: &'static [BotKind<G>],
    budget: Budget,
    games: u64,
    regrets: Vec<(Tally, u64)>,
    luck: Tally,
    planted: u64,
    marked: u64,
}

impl<G: Reviewable> Trials<G> {
    pub fn new(
        config: G::Config,
        seats: usize,
        kinds: &'static [BotKind<G>],
        budget: Budget,
    ) -> Trials<G> {
        let regrets = vec![(Tally::default(), 0); kinds.len()];
        let luck = Tally::default();
        Trials { config, seats, kinds, budget, games: 0, regrets, luck, planted: 0, marked: 0 }
    }

    /// Plays and reviews one more game. Every strategy meets every other in every seat.
    pub fn step(&mut self, number: u64) -> Result<(), String> {
        let seats: Vec<usize> = self.seated(number);
        let kinds: Vec<BotKind<G>> = seats.iter().map(|kind| self.kinds[*kind]).collect();
        let Some(course) = played(&self.config, &kinds, number, MOST_TURNS)? else { return Ok(()) };
        let request = Request {
            budget: self.budget,
            seed: Seed::from_number(number),
            seat: None,
            words: |_, _| String::new(),
        };
        let found = review(course.clone(), request)?;
        for (player, kind) in found.players.iter().zip(seats) {
            if player.decisions > 0 {
                self.regrets[kind].0.add(player.regret);
                self.regrets[kind].1 += u64::from(player.decisions);
            }
        }
        self.luck.add(found.players[0].luck);
        self.plant(&course, number)?;
        self.games += 1;
        Ok(())
    }

    /// What was found so far.
    pub fn found(&self) -> Trial {
        let estimate =
            |tally: &Tally| Estimate { mean: rounded(tally.mean()), error: rounded(tally.error()) };
        let graded = |(kind, (regret, decisions)): (&BotKind<G>, &(Tally, u64))| Graded {
            strategy: kind.name,
            grade: kind.grade.to_string(),
            decisions: *decisions,
            regret: estimate(regret),
        };
        Trial {
            game: G::NAME,
            seats: self.seats,
            games: self.games,
            deals: self.budget.deals,
            strategies: self.kinds.iter().zip(&self.regrets).map(graded).collect(),
            luck: estimate(&self.luck),
            planted: self.planted,
            marked: self.marked,
        }
    }

    /// The strategies of a game, by seat: all pairs in turn, repeated for the seats after them.
    fn seated(&self, number: u64) -> Vec<usize> {
        let count = self.kinds.len();
        let first = number as usize % count;
        let step = number as usize / count % count;
        (0..self.seats).map(|seat| (first + seat * step) % count).collect()
    }

    /// Makes a player choose the worst action at a random turn, and sees whether it gets a mark.
    fn plant(&mut self, course: &Course<G>, number: u64) -> Result<(), String> {
        let mut dice = Dice::new(&Seed::from_number(number), "planting", 0);
        let at = dice.below(course.steps.len().max(1));
        let mut game = course.setup()?;
        let mut memories = vec![G::Memory::default(); self.seats];
        let mut actions = Vec::new();
        for played in &course.steps[..at] {
            see(&game, &mut memories);
            game.advance(played.what.step());
            actions.extend(played.what.actions().map(|(_, action)| action.clone()));
        }
        see(&game, &mut memories);
        let owing: Vec<Seat> = game.to_act().iter().collect();
        if owing.is_empty() {
            return Ok(());
        }
        let seat = *dice.pick(&owing);
        let memory = &memories[seat.index()];
        let past = Past { game: &game, config: &self.config, seat, memory, actions: &actions };
        let mut judge = |chosen: Option<&G::Action>, deals: u32| {
            weigh(&past, self.seats, chosen, deals, &dice.seed())
        };
        let deals = self.budget.deals;
        let weighed = judge(None, deals);
        let worst = weighed.iter().min_by(|one, two| one.value().total_cmp(&two.value()));
        let Some(worst) = worst.filter(|_| weighed.len() > 1).map(|one| one.action.clone()) else {
            return Ok(());
        };
        let mut cost = |deals: u32| {
            let weighed = judge(Some(&worst), deals);
            let chosen = weighed.iter().find(|one| one.action == worst)?;
            let rival = weighed.iter().find(|one| one.action != worst)?;
            Some(rival.ahead_of(chosen))
        };
        let Some((truly, _)) = cost(CAREFUL * deals) else { return Ok(()) };
        if truly > COSTLY {
            self.planted += 1;
            let (found, error) = cost(deals).unwrap_or((0.0, 1.0));
            let is_marked = found > CERTAIN * error && Mark::of(found) >= Mark::of(SLIP);
            self.marked += u64::from(is_marked);
        }
        Ok(())
    }
}

/// Longer games are left out: bad players can play without an end, and their turns say little.
const MOST_TURNS: u64 = 150;

/// A game that strategies have played; none if it lasts too long.
pub fn played<G: Reviewable>(
    config: &G::Config,
    kinds: &[BotKind<G>],
    number: u64,
    most_turns: u64,
) -> Result<Option<Course<G>>, String> {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "review trial", 0);
    let mut bots: Vec<_> = kinds.iter().map(|kind| (kind.make)()).collect();
    let mut course = Course {
        id: format!("game-{number}"),
        names: kinds.iter().map(|kind| kind.name.to_owned()).collect(),
        config: config.clone(),
        seed,
        steps: Vec::new(),
    };
    let mut game: G = course.setup()?;
    for seq in 0..=most_turns {
        if game.outcome().is_some() {
            return Ok(Some(course));
        }
        let act = |seat: Seat| {
            let view = game.view(Viewer::Seat(seat));
            (seat, Move::Act(bots[seat.index()].choose(&view, &mut dice)))
        };
        let moves: Vec<_> = game.to_act().iter().map(act).collect();
        game.advance(Step::Turn(&moves));
        let silent = rules::SeatSet::EMPTY;
        course.steps.push(Played { seq, what: What::Turn(moves), silent });
    }
    Ok(None)
}

fn see<G: Reviewable>(game: &G, memories: &mut [G::Memory]) {
    for (seat, memory) in Seat::all(memories.len()).zip(memories) {
        G::remember(memory, &game.view(Viewer::Seat(seat)));
    }
}
