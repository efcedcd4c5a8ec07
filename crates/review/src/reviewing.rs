//! A whole review: the line, every decision, and what both say about each player.

use std::sync::Arc;

use rules::{Dice, Past, Reviewable, Seat, Seed, Viewer};

use crate::ENGINE;
use crate::course::{Course, Played, What};
use crate::line::Plotter;
use crate::mark::{CERTAIN, Mark, Marks};
use crate::playing::result;
use crate::report::{Choice, Decision, KindReview, Point, Review, SeatReview};
use crate::tally::{Tally, rounded};
use crate::weighing::{Weighed, weigh};

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Number of deals for each decision, and of games for each point of the line.
    pub deals: u32,
}

impl Budget {
    /// The least and the most that a caller may ask for.
    pub const DEALS: std::ops::RangeInclusive<u32> = 8..=100_000;

    /// The usual one for a game.
    pub fn of<G: Reviewable>() -> Budget {
        Budget { deals: G::DEALS }
    }
}

/// What a caller wants to know.
pub struct Request<G: Reviewable> {
    pub budget: Budget,
    /// All chance of the review.
    pub seed: Seed,
    /// Only this seat's decisions.
    pub seat: Option<Seat>,
    /// An action for people.
    pub words: fn(&G::View, &G::Action) -> String,
}

impl<G: Reviewable> std::fmt::Debug for Request<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// How far a review is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// How many steps are judged, and how many there are.
    Steps(usize, usize),
    Done(Box<Review>),
}

/// A review that is made step by step; a caller that wants no more stops asking. The last
/// item is the review.
pub struct Reviewing<G: Reviewable> {
    walk: Option<Walk<G>>,
    next: usize,
}

impl<G: Reviewable> std::fmt::Debug for Reviewing<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviewing").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<G: Reviewable> Reviewing<G> {
    /// The error says why there is no review.
    pub fn begin(course: Course<G>, request: Request<G>) -> Result<Reviewing<G>, String> {
        if let Some(seat) = request.seat.filter(|seat| seat.index() >= course.seats()) {
            let last = course.seats().saturating_sub(1);
            return Err(format!("there is no seat {seat}; the seats are 0 to {last}"));
        }
        Ok(Reviewing { walk: Some(Walk::begin(Arc::new(course), request)?), next: 0 })
    }
}

impl<G: Reviewable> Iterator for Reviewing<G> {
    type Item = Progress;

    fn next(&mut self) -> Option<Progress> {
        let walk = self.walk.as_mut()?;
        let course = walk.course.clone();
        match course.steps.get(self.next) {
            Some(played) => {
                walk.step(played);
                self.next += 1;
                Some(Progress::Steps(self.next, course.steps.len()))
            }
            None => self.walk.take().map(|walk| Progress::Done(Box::new(walk.finish()))),
        }
    }
}

/// A whole review at once.
pub fn review<G: Reviewable>(course: Course<G>, request: Request<G>) -> Result<Review, String> {
    let last = Reviewing::begin(course, request)?.last();
    match last {
        Some(Progress::Done(review)) => Ok(*review),
        _ => unreachable!("the last item is the review"),
    }
}

/// A course on its way through its steps.
struct Walk<G: Reviewable> {
    course: Arc<Course<G>>,
    request: Request<G>,
    plotter: Plotter<G>,
    game: G,
    start: Vec<f64>,
    values: Vec<f64>,
    line: Vec<Point>,
    memories: Vec<G::Memory>,
    actions: Vec<G::Action>,
    decisions: Vec<Decision>,
    ledger: Vec<Ledger>,
}

/// What moved a seat's value.
#[derive(Clone, Debug, Default)]
struct Ledger {
    luck: f64,
    /// The squared error of the luck.
    doubt: f64,
    own: f64,
}

impl<G: Reviewable> Walk<G> {
    fn begin(course: Arc<Course<G>>, request: Request<G>) -> Result<Walk<G>, String> {
        let game = course.setup()?;
        let (seed, games) = (request.seed, request.budget.deals);
        let plotter = Plotter { course: course.clone(), seed, games };
        let before = plotter.before_the_deal();
        let worth = plotter.value(&game);
        let (start, values) = (before.values(), worth.values());
        let luck: Vec<f64> = values.iter().zip(&start).map(|(is, was)| is - was).collect();
        let doubt = worth.error().powi(2) + before.error().powi(2);
        let ledger = luck.iter().map(|&luck| Ledger { luck, doubt, own: 0.0 }).collect();
        let seq = course.steps.first().map_or(0, |played| played.seq);
        let (error, shown) = (rounded(worth.error()), all_rounded(&values));
        let point = Point { seq, values: shown, error, luck: all_rounded(&luck), own: Vec::new() };
        let mut memories = vec![G::Memory::default(); course.seats()];
        show(&game, &mut memories);
        Ok(Walk {
            course,
            request,
            plotter,
            game,
            start,
            values,
            line: vec![point],
            memories,
            actions: Vec::new(),
            decisions: Vec::new(),
            ledger,
        })
    }

    fn step(&mut self, played: &Played<G::Action>) {
        for (seat, action) in played.what.actions() {
            let is_asked = self.request.seat.is_none_or(|asked| asked == seat);
            if is_asked && !played.silent.contains(seat) {
                self.decisions.extend(self.judge(played.seq, seat, action));
            }
        }
        let before = self.game.clone();
        self.game.advance(played.what.step());
        self.actions.extend(played.what.actions().map(|(_, action)| action.clone()));
        show(&self.game, &mut self.memories);
        self.plot(played, &before);
    }

    fn plot(&mut self, played: &Played<G::Action>, before: &G) {
        let seats = self.course.seats();
        let (values, error) = if self.game.outcome().is_some() {
            (result(&self.game, seats), 0.0)
        } else {
            let worth = self.plotter.value(&self.game);
            (worth.values(), worth.error())
        };
        let effect = self.plotter.effect(played, (before, &self.game), (&self.values, &values));
        for (seat, ledger) in self.ledger.iter_mut().enumerate() {
            ledger.own += effect.own[seat];
            if let Some(luck) = &effect.luck {
                ledger.luck += luck[seat];
                // What was expected is known about as well as what came of it.
                ledger.doubt += 2.0 * error.max(0.5 / f64::from(self.plotter.games)).powi(2);
            }
        }
        let is_turn = matches!(played.what, What::Turn(_));
        self.line.push(Point {
            seq: played.seq + u64::from(is_turn),
            values: all_rounded(&values),
            error: rounded(error),
            luck: effect.luck.as_deref().map(all_rounded).unwrap_or_default(),
            own: all_rounded(&effect.own),
        });
        self.values = values;
    }

    /// None if there was nothing to choose.
    fn judge(&self, seq: u64, seat: Seat, action: &G::Action) -> Option<Decision> {
        let request = &self.request;
        let past = Past {
            game: &self.game,
            config: &self.course.config,
            seat,
            memory: &self.memories[seat.index()],
            actions: &self.actions,
        };
        let view = self.game.view(Viewer::Seat(seat));
        let number = seq * Seat::MAX as u64 + u64::from(seat.0);
        let seed = Dice::new(&request.seed, "decision", number).seed();
        let deals = request.budget.deals;
        let weighed = weigh(&past, self.course.seats(), Some(action), deals, &seed);
        if weighed.len() < 2 {
            return None;
        }
        let made = G::canonical(&view, action);
        let chosen = weighed.iter().find(|one| one.action == made)?;
        let rival = weighed.iter().find(|one| one.action != made)?;
        let (ahead, error) = rival.ahead_of(chosen);
        let regret = if ahead > CERTAIN * error { ahead } else { 0.0 };
        let choice = |one: &Weighed<G::Action>| Choice {
            action: serde_json::to_value(&one.action).unwrap_or_default(),
            words: (request.words)(&view, &one.action),
            value: rounded(one.value()),
            error: rounded(one.error()),
        };
        Some(Decision {
            seq,
            seat,
            kind: G::kind(&view, action).to_owned(),
            mark: Mark::of(regret),
            regret: rounded(regret),
            regret_error: rounded(error),
            chosen: choice(chosen),
            better: (ahead > 0.0).then(|| choice(rival)),
            candidates: weighed.iter().map(choice).collect(),
        })
    }

    fn finish(self) -> Review {
        let players = Seat::all(self.course.seats()).map(|seat| self.player(seat)).collect();
        Review {
            game: G::NAME.to_owned(),
            id: self.course.id.clone(),
            rules_version: G::VERSION,
            engine: ENGINE,
            deals: self.request.budget.deals,
            players,
            line: self.line,
            decisions: self.decisions,
        }
    }

    fn player(&self, seat: Seat) -> SeatReview {
        let own: Vec<&Decision> = self.decisions.iter().filter(|one| one.seat == seat).collect();
        let regrets: Tally = own.iter().map(|one| one.regret).collect();
        let mut marks = Marks::default();
        own.iter().for_each(|one| marks.count(one.mark));
        let Ledger { luck, doubt, own: choices } = self.ledger[seat.index()];
        let (start, result) = (self.start[seat.index()], self.values[seat.index()]);
        SeatReview {
            seat,
            name: self.course.names[seat.index()].clone(),
            result: rounded(result),
            decisions: own.len() as u32,
            regret: rounded(regrets.mean()),
            regret_error: if own.is_empty() { 0.0 } else { rounded(regrets.error()) },
            marks,
            luck: rounded(luck),
            luck_error: rounded(doubt.sqrt()),
            own: rounded(choices),
            others: rounded(result - start - luck - choices),
            start: rounded(start),
            kinds: kinds::<G>(&own),
        }
    }
}

/// Every seat sees the position.
fn show<G: Reviewable>(game: &G, memories: &mut [G::Memory]) {
    for (seat, memory) in Seat::all(memories.len()).zip(memories) {
        G::remember(memory, &game.view(Viewer::Seat(seat)));
    }
}

fn kinds<G: Reviewable>(decisions: &[&Decision]) -> Vec<KindReview> {
    let review = |kind: &&str| {
        let of_kind = decisions.iter().filter(|one| one.kind == *kind);
        let count = of_kind.clone().count() as u32;
        let regrets: Tally = of_kind.map(|one| one.regret).collect();
        (count > 0).then(|| KindReview {
            kind: (*kind).to_owned(),
            decisions: count,
            regret: rounded(regrets.mean()),
        })
    };
    let mut kinds: Vec<KindReview> = G::KINDS.iter().filter_map(review).collect();
    kinds.sort_by(|one, two| two.regret.total_cmp(&one.regret));
    kinds
}

fn all_rounded(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().map(|number| rounded(*number)).collect()
}
