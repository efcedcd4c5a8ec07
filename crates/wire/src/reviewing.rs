//! Reviews of finished games of any type.

use review::trial::{Trial, Trials};
use review::{Budget, Course, Progress, Request};
use rules::{Seat, Seed};

use crate::Playable;

/// What is wanted of a review.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewWish {
    /// Number of deals for each decision; none: as many as is usual for the game.
    pub deals: Option<u32>,
    /// Only this seat's decisions.
    pub seat: Option<Seat>,
}

/// A review on its way; the last item is the review.
pub type Reviewing = Box<dyn Iterator<Item = Progress> + Send>;

/// All reviews have the same chance: the same game gets the same review everywhere.
const REVIEW_SEED: Seed = Seed([0; 32]);

pub(crate) fn review<G: Playable>(
    records: &[(u64, &str)],
    wish: ReviewWish,
) -> Result<Reviewing, String> {
    let course = Course::<G>::read(records.iter().map(|(_, text)| *text))?;
    let (budget, seat) = (budget::<G>(wish.deals)?, wish.seat);
    let request = Request { budget, seed: REVIEW_SEED, seat, words: words_of::<G> };
    Ok(Box::new(review::Reviewing::begin(course, request)?))
}

pub(crate) fn trial<G: Playable>(
    seats: usize,
    games: u64,
    deals: Option<u32>,
    goes_on: &mut dyn FnMut(&Trial) -> bool,
) -> Result<Trial, String> {
    let config = G::terms(&G::Options::default())?.config.of_or_default::<G>();
    let mut trials = Trials::<G>::new(config, seats, G::bots(), budget::<G>(deals)?);
    for number in 0..games {
        trials.step(number)?;
        if !goes_on(&trials.found()) {
            break;
        }
    }
    Ok(trials.found())
}

fn budget<G: Playable>(deals: Option<u32>) -> Result<Budget, String> {
    let (least, most) = Budget::DEALS.into_inner();
    match deals {
        None => Ok(Budget::of::<G>()),
        Some(deals) if Budget::DEALS.contains(&deals) => Ok(Budget { deals }),
        Some(deals) => Err(format!("{deals} deals: choose {least} to {most}")),
    }
}

/// An action for people: in words where it has some.
fn words_of<G: Playable>(view: &G::View, action: &G::Action) -> String {
    let words = G::action_words(view, action);
    let json = || serde_json::to_string(action).expect("actions are plain data");
    if words.is_empty() { json().trim_matches('"').to_owned() } else { words }
}
