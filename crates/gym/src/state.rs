//! One game that can be saved, cloned, dealt again and played by house strategies.

use rules::{Bot, Dice, Outcome, Seat, Seed, Viewer};
use serde::{Deserialize, Serialize};

use crate::{Encode, Error, Play, Spec};

/// A game with everything that was done in it.
pub struct State<G: Encode> {
    spec: Spec,
    config: G::Config,
    seed: Seed,
    play: Play<G>,
    log: Vec<Entry<G::Action>>,
    /// House strategies by seat, each with its own chance.
    bots: Vec<Option<SeatedBot<G>>>,
}

struct SeatedBot<G: Encode> {
    bot: Box<dyn Bot<G>>,
    dice: Dice,
}

/// One thing that was done; together with the seed these are the whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry<A> {
    Act(A),
    Resample {
        seat: Seat,
        seed: Seed,
        /// The codes that the seat had chosen of its action.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        draft: Vec<usize>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Saved<G: Encode> {
    game: String,
    rules_version: u32,
    config: G::Config,
    seats: usize,
    seed: Seed,
    log: Vec<Entry<G::Action>>,
    draft: Vec<usize>,
}

impl<A> Entry<A> {
    fn action(&self) -> Option<&A> {
        match self {
            Entry::Act(action) => Some(action),
            Entry::Resample { .. } => None,
        }
    }
}

impl<G: Encode> State<G> {
    pub fn new(config: G::Config, seats: usize, seed: Seed) -> Result<State<G>, Error> {
        let config = G::seated(config, seats);
        let play = Play::new(G::setup(&config, seats, seed)?, seats);
        let bots = (0..seats).map(|_| None).collect();
        Ok(State { spec: G::spec(&config, seats), config, seed, play, log: Vec::new(), bots })
    }

    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The settings it is played by.
    pub(crate) fn config(&self) -> &G::Config {
        &self.config
    }

    /// Everything that was done so far.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &G::Action> {
        self.log.iter().filter_map(Entry::action)
    }

    pub fn play(&self) -> &Play<G> {
        &self.play
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        self.play.game().outcome()
    }

    /// What the game is worth to each seat: zeros until it is over.
    pub fn returns(&self) -> Vec<f32> {
        self.outcome().map_or(vec![0.0; self.spec.seats], |outcome| outcome.worths().collect())
    }

    /// The seat to play chooses a code.
    pub fn apply(&mut self, code: usize) -> Result<(), Error> {
        let Some((seat, view)) = self.play.current() else { return Err(Error::Over) };
        let parts = G::parts(view);
        let illegal = |seat: Seat, spec: &Spec| Error::Illegal {
            code: code as i64,
            name: spec.action_name(code).unwrap_or_else(|| "no code of this game".to_owned()),
            seat,
            game: None,
        };
        if parts > 1 {
            let mut mask = vec![0; self.spec.actions];
            self.play.mask(*seat, &mut mask);
            if mask.get(code) != Some(&1) {
                return Err(illegal(*seat, &self.spec));
            }
            if self.play.draft().len() + 1 < parts {
                return self.play.apply(code).map_err(|why| Error::NotAnAction(why.0));
            }
        }
        let codes = [self.play.draft(), &[code]].concat();
        let action = G::decode(view, &codes).ok_or_else(|| illegal(*seat, &self.spec))?;
        let seat = *seat;
        self.act(action).map_err(|_| illegal(seat, &self.spec))
    }

    /// The seat to play does this.
    pub fn act(&mut self, action: G::Action) -> Result<(), Error> {
        self.play.act(action.clone()).map_err(|why| Error::NotAnAction(why.0))?;
        self.log.push(Entry::Act(action));
        Ok(())
    }

    /// Deals again everything that `seat` can't know from what it has seen. The turn begins again,
    /// before any choice. But a seat that has chosen the first codes of its action continues with
    /// them, and is asked before the others.
    pub fn resample(&mut self, seat: Seat, seed: Seed) -> Result<(), Error> {
        let mut dice = Dice::new(&seed, "resample", 0);
        let actions = self.actions();
        let play = self.play.resampled(seat, &self.config, actions, &mut dice);
        let over = self.play.to_play().is_none();
        self.play = play.ok_or(if over { Error::NothingHidden } else { Error::NoDeal(seat) })?;
        let draft = self.play.draft().to_vec();
        self.log.push(Entry::Resample { seat, seed, draft });
        Ok(())
    }

    /// Lets a house strategy play a seat whenever it is asked to.
    pub fn seat_bot(&mut self, seat: Seat, name: &str) -> Result<(), Error> {
        let wanted = if name == UNIFORM { RANDOM } else { name };
        let Some(kind) = G::bots().iter().find(|kind| kind.name == wanted) else {
            let known = G::bots().iter().map(|kind| kind.name);
            let known = known.collect::<Vec<&str>>().join(", ");
            return Err(Error::NoStrategy { name: name.to_owned(), known });
        };
        let dice = Dice::new(&self.seed, "house bot", seat.0.into());
        self.bots[seat.index()] = Some(SeatedBot { bot: (kind.make)(), dice });
        Ok(())
    }

    /// The strategy that sits at the seat to play makes its move.
    pub fn let_bot_move(&mut self) -> Result<(), Error> {
        let Some((seat, view)) = self.play.current() else { return Err(Error::Over) };
        let Some(SeatedBot { bot, dice }) = &mut self.bots[seat.index()] else {
            return Err(Error::NoBot(*seat));
        };
        let action = bot.choose(view, dice);
        self.act(action)
    }

    /// Everything a seat was ever shown, from the beginning, once for each turn. A deal for the seat
    /// itself, or for the public, shows nothing new. What another seat saw before it was in another
    /// game: there its views begin again.
    pub fn views(&self, viewer: Viewer) -> Result<Vec<G::View>, Error> {
        let mut again = State::<G>::new(self.config.clone(), self.spec.seats, self.seed)?;
        let mut views = vec![again.play.game().view(viewer)];
        for entry in &self.log {
            again.repeat(entry.clone())?;
            match entry {
                Entry::Act(_) if !again.play.is_fresh() => continue,
                Entry::Act(_) => {}
                Entry::Resample { seat, .. } => {
                    if viewer == Viewer::Public || viewer.is(*seat) {
                        continue;
                    }
                    views.clear();
                }
            }
            views.push(again.play.game().view(viewer));
        }
        Ok(views)
    }

    pub fn save(&self) -> Result<String, Error> {
        let saved = Saved::<G> {
            game: G::NAME.to_owned(),
            rules_version: G::VERSION,
            config: self.config.clone(),
            seats: self.spec.seats,
            seed: self.seed,
            log: self.log.clone(),
            draft: self.play.draft().to_vec(),
        };
        serde_json::to_string(&saved).map_err(|why| Error::Unreadable(why.to_string()))
    }

    pub fn load(text: &str) -> Result<State<G>, Error> {
        let unreadable = |why: serde_json::Error| Error::Unreadable(why.to_string());
        let saved: Saved<G> = serde_json::from_str(text).map_err(unreadable)?;
        if (saved.game.as_str(), saved.rules_version) != (G::NAME, G::VERSION) {
            let Saved { game, rules_version, .. } = saved;
            return Err(Error::Unreadable(format!(
                "it is of {game} with rules {rules_version}, these are {} {}",
                G::NAME,
                G::VERSION
            )));
        }
        let mut state = State::new(saved.config, saved.seats, saved.seed)?;
        saved.log.into_iter().try_for_each(|entry| state.repeat(entry))?;
        state.choose_on(saved.draft)?;
        Ok(state)
    }

    fn repeat(&mut self, entry: Entry<G::Action>) -> Result<(), Error> {
        match entry {
            Entry::Act(action) => self.act(action),
            Entry::Resample { seat, seed, draft } => {
                self.choose_on(draft)?;
                self.resample(seat, seed)
            }
        }
    }

    /// The seat to play chooses all codes of a draft that it has not chosen yet.
    fn choose_on(&mut self, draft: Vec<usize>) -> Result<(), Error> {
        let chosen = self.play.draft().len();
        draft.into_iter().skip(chosen).try_for_each(|code| self.apply(code))
    }
}

/// Another name of the strategy [`RANDOM`].
pub const UNIFORM: &str = "uniform";

/// The strategy that chooses every legal code equally often, as
/// [`Batch::sample`](crate::Batch::sample) does. Every game has it.
pub const RANDOM: &str = "random";

/// A copy has no strategies in its seats; the caller plays it.
impl<G: Encode> Clone for State<G> {
    fn clone(&self) -> State<G> {
        State {
            spec: self.spec.clone(),
            config: self.config.clone(),
            seed: self.seed,
            play: self.play.clone(),
            log: self.log.clone(),
            bots: self.bots.iter().map(|_| None).collect(),
        }
    }
}

impl<G: Encode> std::fmt::Debug for State<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("seed", &self.seed).field("play", &self.play).finish()
    }
}
