//! The same without types: a game by its name, its settings, views and actions as JSON.

use ::review::{ReplayFile, Review};
use games::gamba::Gamba;
use games::labyrinth::Labyrinth;
use games::subsim::SubSim;
use games::sushi_go::SushiGo;
use games::tiger_dragon::TigerDragon;
use rules::{Game, Outcome, Reviewable, Seat, SeatSet, Seed, Viewer};
use serde::Serialize;

use crate::{Batch, Encode, Error, Reader, Rows, Spec, State, Valued, values};

/// Every game there is, by its name.
pub const NAMES: [&str; 5] =
    [SushiGo::NAME, Gamba::NAME, TigerDragon::NAME, SubSim::NAME, Labyrinth::NAME];

/// The JSON protocol lists at most this number of legal actions, and so does a state.
const LISTED: usize = 4096;

/// A [`State`] of whatever game.
pub trait AnyState: Send {
    fn spec(&self) -> &Spec;
    fn to_play(&self) -> Option<Seat>;
    /// The seats that still have to choose in this turn.
    fn waiting(&self) -> SeatSet;
    fn observe(&self, seat: Seat, out: &mut [f32]);
    fn mask(&self, seat: Seat, out: &mut [u8]);
    /// The codes of that mask.
    fn legal_codes(&self, seat: Seat) -> Vec<usize>;
    fn apply(&mut self, code: usize) -> Result<(), Error>;
    /// An action as the JSON protocol writes it.
    fn act(&mut self, action: &str) -> Result<(), Error>;
    /// The action these codes of the seat to play stand for, in the JSON protocol's notation.
    fn action(&self, codes: &[usize]) -> Result<String, Error>;
    /// The codes of an action of the seat to play.
    fn codes(&self, action: &str) -> Result<Vec<usize>, Error>;
    fn view(&self, viewer: Viewer) -> Result<String, Error>;
    fn views(&self, viewer: Viewer) -> Result<Vec<String>, Error>;
    /// Every legal action of the seat to play; none where there are too many.
    fn legal(&self) -> Result<Option<String>, Error>;
    /// What the candidates of the seat to play are worth, the best first.
    fn values(&self, deals: Option<u32>, seed: u64) -> Result<Vec<Valued>, Error>;
    fn outcome(&self) -> Option<&Outcome>;
    fn returns(&self) -> Vec<f32>;
    fn save(&self) -> Result<String, Error>;
    fn copy(&self) -> Box<dyn AnyState>;
    fn resample(&mut self, seat: Seat, seed: u64) -> Result<(), Error>;
    /// The house strategies, the weakest first.
    fn strategies(&self) -> Vec<&'static str>;
    fn seat_bot(&mut self, seat: Seat, strategy: &str) -> Result<(), Error>;
    fn let_bot_move(&mut self) -> Result<(), Error>;
}

/// A [`Batch`] of whatever game.
pub trait AnyBatch: Send {
    fn spec(&self) -> &Spec;
    fn games(&self) -> usize;
    fn tell(&self, rows: &mut Rows<'_>) -> Result<(), Error>;
    fn step(&mut self, codes: &[i64], rows: &mut Rows<'_>) -> Result<(), Error>;
    fn playout(&mut self, rewards: &mut [f32]) -> Result<u64, Error>;
    /// A random legal code for each game, by these masks.
    fn sample(&self, mask: &[u8], seed: u64) -> Vec<i64>;
    fn save(&self) -> Result<String, Error>;
}

/// A [`Reader`] of whatever game.
pub trait AnyReader: Send {
    fn spec(&self) -> &Spec;
    fn see(&mut self, view: &str) -> Result<(), Error>;
    fn parts(&self) -> Result<usize, Error>;
    fn observe(&self, draft: &[usize], out: &mut [f32]) -> Result<(), Error>;
    fn mask(&self, draft: &[usize], out: &mut [u8]) -> Result<(), Error>;
    fn action(&self, codes: &[usize]) -> Result<String, Error>;
    fn codes(&self, action: &str) -> Result<Vec<usize>, Error>;
}

/// One new game. `config` is the rules' part of the game's settings, as JSON.
pub fn state(
    name: &str,
    config: &str,
    seats: usize,
    seed: Seed,
) -> Result<Box<dyn AnyState>, Error> {
    struct New<'a>(&'a str, usize, Seed);
    impl Task for New<'_> {
        type Done = Box<dyn AnyState>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(State::<G>::new(read(self.0)?, self.1, self.2)?))
        }
    }
    with(name, New(config, seats, seed))
}

/// A game that was saved.
pub fn load(name: &str, text: &str) -> Result<Box<dyn AnyState>, Error> {
    struct Load<'a>(&'a str);
    impl Task for Load<'_> {
        type Done = Box<dyn AnyState>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(State::<G>::load(self.0)?))
        }
    }
    with(name, Load(text))
}

/// A game from the text of a replay file, as it was before a turn.
pub fn from_replay(text: &str, turn: u64) -> Result<Box<dyn AnyState>, Error> {
    struct Load(ReplayFile, u64);
    impl Task for Load {
        type Done = Box<dyn AnyState>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(State::<G>::from_replay(&self.0, self.1)?))
        }
    }
    let file = ReplayFile::read(text).map_err(Error::Unreadable)?;
    with(&file.game.clone(), Load(file, turn))
}

/// The review of a replay file.
pub fn review(text: &str, seat: Option<Seat>, deals: Option<u32>) -> Result<Review, Error> {
    struct Judge(ReplayFile, Option<Seat>, Option<u32>);
    impl Task for Judge {
        type Done = Review;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            values::review::<G>(&self.0, self.1, self.2)
        }
    }
    let file = ReplayFile::read(text).map_err(Error::Unreadable)?;
    with(&file.game.clone(), Judge(file, seat, deals))
}

/// Many games at once.
pub fn batch(
    name: &str,
    config: &str,
    seats: usize,
    games: usize,
    seed: u64,
) -> Result<Box<dyn AnyBatch>, Error> {
    struct New<'a>(&'a str, usize, usize, u64);
    impl Task for New<'_> {
        type Done = Box<dyn AnyBatch>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(Batch::<G>::new(read(self.0)?, self.1, self.2, self.3)?))
        }
    }
    with(name, New(config, seats, games, seed))
}

/// Many games that were saved.
pub fn load_batch(name: &str, text: &str) -> Result<Box<dyn AnyBatch>, Error> {
    struct Load<'a>(&'a str);
    impl Task for Load<'_> {
        type Done = Box<dyn AnyBatch>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(Batch::<G>::load(self.0)?))
        }
    }
    with(name, Load(text))
}

/// The eyes of one seat.
pub fn reader(name: &str, config: &str, seats: usize) -> Result<Box<dyn AnyReader>, Error> {
    struct New<'a>(&'a str, usize);
    impl Task for New<'_> {
        type Done = Box<dyn AnyReader>;
        fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error> {
            Ok(Box::new(Reader::<G>::new(read(self.0)?, self.1)))
        }
    }
    // A game that can't be played can't be observed either.
    spec(name, config, seats)?;
    with(name, New(config, seats))
}

/// What a game's numbers mean.
pub fn spec(name: &str, config: &str, seats: usize) -> Result<Spec, Error> {
    struct Describe<'a>(&'a str, usize);
    impl Task for Describe<'_> {
        type Done = Spec;
        fn run<G: Encode + Reviewable>(self) -> Result<Spec, Error> {
            let config = G::seated(read::<G::Config>(self.0)?, self.1);
            // Only what can be played has a meaning.
            G::setup(&config, self.1, Seed::from_number(0))?;
            Ok(G::spec(&config, self.1))
        }
    }
    with(name, Describe(config, seats))
}

/// Something to do with a game that is known by name only.
trait Task {
    type Done;
    fn run<G: Encode + Reviewable>(self) -> Result<Self::Done, Error>;
}

fn with<T: Task>(name: &str, task: T) -> Result<T::Done, Error> {
    match name {
        SushiGo::NAME => task.run::<SushiGo>(),
        Gamba::NAME => task.run::<Gamba>(),
        TigerDragon::NAME => task.run::<TigerDragon>(),
        SubSim::NAME => task.run::<SubSim>(),
        Labyrinth::NAME => task.run::<Labyrinth>(),
        _ => Err(Error::NoSuchGame(name.to_owned())),
    }
}

fn read<T: serde::de::DeserializeOwned>(config: &str) -> Result<T, Error> {
    serde_json::from_str(config).map_err(|why| Error::Config(why.to_string()))
}

fn write(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|why| Error::Unreadable(why.to_string()))
}

impl<G: Encode + Reviewable> AnyState for State<G> {
    fn spec(&self) -> &Spec {
        self.spec()
    }

    fn to_play(&self) -> Option<Seat> {
        self.play().to_play()
    }

    fn waiting(&self) -> SeatSet {
        self.play().waiting()
    }

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        self.play().observe(seat, out);
    }

    fn mask(&self, seat: Seat, out: &mut [u8]) {
        self.play().mask(seat, out);
    }

    fn legal_codes(&self, seat: Seat) -> Vec<usize> {
        self.play().legal_codes(seat, self.spec().actions)
    }

    fn apply(&mut self, code: usize) -> Result<(), Error> {
        self.apply(code)
    }

    fn act(&mut self, action: &str) -> Result<(), Error> {
        self.act(parse_action::<G>(action)?)
    }

    fn action(&self, codes: &[usize]) -> Result<String, Error> {
        let (_, view) = self.play().current().ok_or(Error::Over)?;
        let action = G::decode(view, codes)
            .ok_or_else(|| Error::NotAnAction(format!("the codes {codes:?} mean nothing here")))?;
        write(&action)
    }

    fn codes(&self, action: &str) -> Result<Vec<usize>, Error> {
        let (seat, view) = self.play().current().ok_or(Error::Over)?;
        let action = parse_action::<G>(action)?;
        let checked = self.play().game().check(*seat, &action);
        checked.map_err(|why| Error::NotAnAction(why.0))?;
        G::encode(view, &action).ok_or_else(|| Error::NotAnAction("it has no code".to_owned()))
    }

    fn view(&self, viewer: Viewer) -> Result<String, Error> {
        write(&self.play().game().view(viewer))
    }

    fn views(&self, viewer: Viewer) -> Result<Vec<String>, Error> {
        self.views(viewer)?.iter().map(write).collect()
    }

    fn legal(&self) -> Result<Option<String>, Error> {
        let seat = self.play().to_play().ok_or(Error::Over)?;
        let game = self.play().game();
        match game.legal_at_most(seat) {
            Some(count) if count <= LISTED => game.legal(seat).as_ref().map(write).transpose(),
            _ => Ok(None),
        }
    }

    fn values(&self, deals: Option<u32>, seed: u64) -> Result<Vec<Valued>, Error> {
        self.values(deals, seed)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome()
    }

    fn returns(&self) -> Vec<f32> {
        self.returns()
    }

    fn save(&self) -> Result<String, Error> {
        self.save()
    }

    fn copy(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn resample(&mut self, seat: Seat, seed: u64) -> Result<(), Error> {
        self.resample(seat, Seed::from_number(seed))
    }

    fn strategies(&self) -> Vec<&'static str> {
        G::bots().iter().map(|kind| kind.name).collect()
    }

    fn seat_bot(&mut self, seat: Seat, strategy: &str) -> Result<(), Error> {
        self.seat_bot(seat, strategy)
    }

    fn let_bot_move(&mut self) -> Result<(), Error> {
        self.let_bot_move()
    }
}

fn parse_action<G: Encode>(text: &str) -> Result<G::Action, Error> {
    serde_json::from_str(text).map_err(|why| Error::NotAnAction(why.to_string()))
}

impl<G: Encode> AnyBatch for Batch<G> {
    fn spec(&self) -> &Spec {
        self.spec()
    }

    fn games(&self) -> usize {
        self.games()
    }

    fn tell(&self, rows: &mut Rows<'_>) -> Result<(), Error> {
        self.tell(rows)
    }

    fn step(&mut self, codes: &[i64], rows: &mut Rows<'_>) -> Result<(), Error> {
        self.step(codes, rows)
    }

    fn playout(&mut self, rewards: &mut [f32]) -> Result<u64, Error> {
        self.playout(rewards)
    }

    fn sample(&self, mask: &[u8], seed: u64) -> Vec<i64> {
        self.sample(mask, seed)
    }

    fn save(&self) -> Result<String, Error> {
        self.save()
    }
}

impl<G: Encode> AnyReader for Reader<G> {
    fn spec(&self) -> &Spec {
        self.spec()
    }

    fn see(&mut self, view: &str) -> Result<(), Error> {
        self.see(view)
    }

    fn parts(&self) -> Result<usize, Error> {
        self.parts()
    }

    fn observe(&self, draft: &[usize], out: &mut [f32]) -> Result<(), Error> {
        self.observe(draft, out)
    }

    fn mask(&self, draft: &[usize], out: &mut [u8]) -> Result<(), Error> {
        self.mask(draft, out)
    }

    fn action(&self, codes: &[usize]) -> Result<String, Error> {
        self.action(codes)
    }

    fn codes(&self, action: &str) -> Result<Vec<usize>, Error> {
        self.codes(action)
    }
}
