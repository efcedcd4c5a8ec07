//! What the actions of a position are worth, positions of games that were played, and reviews.

use review::{Budget, Course, ReplayFile, Request, Review, What, weigh};
use rules::{Move, Past, Reviewable, Seat, Seed, Viewer};

use crate::{Encode, Error, State};

/// A candidate action, and the share of opponents that the seat finishes ahead of with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// In the JSON protocol's notation.
    pub action: String,
    pub value: f64,
    /// The standard error of the value.
    pub error: f64,
}

impl<G: Encode + Reviewable> State<G> {
    /// What the candidates of the seat to play are worth by what it knows, the best first.
    pub fn values(&self, deals: Option<u32>, seed: u64) -> Result<Vec<Valued>, Error> {
        let (seat, _) = self.play().current().ok_or(Error::Over)?;
        let mut memory = <G as Reviewable>::Memory::default();
        for view in self.views(Viewer::Seat(*seat))? {
            <G as Reviewable>::remember(&mut memory, &view);
        }
        let actions: Vec<G::Action> = self.actions().cloned().collect();
        let past = Past {
            game: self.play().game(),
            config: self.config(),
            seat: *seat,
            memory: &memory,
            actions: &actions,
        };
        let deals = budget::<G>(deals)?.deals;
        let weighed = weigh(&past, self.spec().seats, None, deals, &Seed::from_number(seed));
        let told = |one: &review::Weighed<G::Action>| Valued {
            action: serde_json::to_string(&one.action).expect("actions are plain data"),
            value: one.value(),
            error: one.error(),
        };
        if weighed.is_empty() {
            Err(Error::NoDeal(*seat))
        } else {
            Ok(weighed.iter().map(told).collect())
        }
    }

    /// A game from a replay file, as it was before this turn.
    pub fn from_replay(file: &ReplayFile, turn: u64) -> Result<State<G>, Error> {
        let course = Course::<G>::read(file.records()).map_err(Error::Unreadable)?;
        let mut state = State::new(course.config.clone(), course.seats(), course.seed)?;
        let last = course.steps.last().map_or(0, |played| played.seq);
        if turn > last {
            return Err(Error::Unreadable(format!("the last turn of the game is {last}")));
        }
        for played in course.steps.iter().take_while(|played| played.seq < turn) {
            let What::Turn(moves) = &played.what else { return Err(left(played.seq)) };
            for (_, made) in moves {
                let Move::Act(action) = made else { return Err(left(played.seq)) };
                state.act(action.clone())?;
            }
        }
        Ok(state)
    }
}

fn left(seq: u64) -> Error {
    Error::Unreadable(format!("a player left in turn {seq}, which a state cannot have"))
}

/// The review of a replay file.
pub fn review<G: Reviewable>(
    file: &ReplayFile,
    seat: Option<Seat>,
    deals: Option<u32>,
) -> Result<Review, Error> {
    let course = Course::<G>::read(file.records()).map_err(Error::Unreadable)?;
    let request = Request {
        budget: budget::<G>(deals)?,
        seed: Seed([0; 32]),
        seat,
        words: |_, action| serde_json::to_string(action).expect("actions are plain data"),
    };
    review::review(course, request).map_err(Error::Unreadable)
}

fn budget<G: Reviewable>(deals: Option<u32>) -> Result<Budget, Error> {
    let deals = deals.unwrap_or(G::DEALS);
    let (least, most) = Budget::DEALS.into_inner();
    if (least..=most).contains(&deals) {
        return Ok(Budget { deals });
    }
    Err(Error::Size(format!("{deals} deals: choose {least} to {most}")))
}
