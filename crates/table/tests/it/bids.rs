//! The game these tests play: every player holds a secret number and bids openly, some turns long.

use rules::{
    BotKind, Dice, Exit, Game, Grade, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed,
    SetupError, Step, Viewer,
};
use serde::{Deserialize, Serialize};

/// The highest legal bid.
pub const HIGHEST: u8 = 9;

/// The rules panic when this is bid, as the rules of a faulty game would.
pub const FATAL: u8 = 8;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub turns: u64,
    /// A player whose time runs out bids 0 instead of leaving the game.
    pub silence_bids: bool,
    /// Players bid one after the other instead of all at once.
    pub in_order: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { turns: 3, silence_bids: true, in_order: false }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bids {
    config: Config,
    turn: u64,
    secrets: Vec<u8>,
    sums: Vec<i64>,
    exits: Vec<Option<Exit>>,
    outcome: Option<Outcome>,
}

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub turn: u64,
    /// By seat, the secret numbers that the viewer may see.
    pub secrets: Vec<Option<u8>>,
    pub sums: Vec<i64>,
}

impl Bids {
    fn retire(&mut self, seat: Seat, exit: &Exit) {
        self.exits[seat.index()] = Some(exit.clone());
    }

    fn playing(&self) -> SeatSet {
        Seat::all(self.exits.len()).filter(|seat| self.exits[seat.index()].is_none()).collect()
    }

    /// The game is over after the last turn, or when at most one player is left.
    fn end_if_decided(&mut self) {
        if self.turn < self.config.turns && self.playing().len() > 1 {
            return;
        }
        let result =
            |(sum, exit): (&i64, &Option<Exit>)| (*sum, (exit.is_none(), *sum), exit.clone());
        let results = self.sums.iter().zip(&self.exits).map(result).collect();
        self.outcome = Some(Outcome::ranked(results));
    }
}

impl Game for Bids {
    const NAME: &'static str = "bids";
    const VERSION: u32 = 1;

    type Config = Config;
    type Action = u8;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<Bids, SetupError> {
        let mut dice = Dice::new(&seed, "secrets", 0);
        Ok(Bids {
            config: config.clone(),
            turn: 0,
            secrets: (0..seats).map(|_| dice.below(200) as u8).collect(),
            sums: vec![0; seats],
            exits: vec![None; seats],
            outcome: None,
        })
    }

    fn to_act(&self) -> SeatSet {
        match (&self.outcome, self.config.in_order) {
            (Some(_), _) => SeatSet::EMPTY,
            (None, false) => self.playing(),
            (None, true) => {
                let playing: Vec<Seat> = self.playing().iter().collect();
                SeatSet::of(playing[self.turn as usize % playing.len()])
            }
        }
    }

    fn legal(&self, _: Seat) -> Option<Vec<u8>> {
        Some((0..=HIGHEST).collect())
    }

    fn legal_at_most(&self, _: Seat) -> Option<usize> {
        Some(usize::from(HIGHEST) + 1)
    }

    fn sample(&self, _: Seat, dice: &mut Dice) -> u8 {
        dice.below(usize::from(FATAL)) as u8
    }

    fn check(&self, _: Seat, bid: &u8) -> Result<(), Illegal> {
        match *bid <= HIGHEST {
            true => Ok(()),
            false => Err(Illegal::new("bids go up to 9")),
        }
    }

    fn default_action(&self, _: Seat) -> Option<u8> {
        self.config.silence_bids.then_some(0)
    }

    fn advance(&mut self, step: Step<'_, u8>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    match part {
                        Move::Act(bid) => {
                            assert_ne!(*bid, FATAL, "the rules of bids are faulty");
                            self.sums[seat.index()] += i64::from(*bid);
                        }
                        Move::Retire(exit) => self.retire(*seat, exit),
                    }
                }
                self.turn += 1;
            }
            Step::Departure(seats) => {
                seats.iter().for_each(|(seat, exit)| self.retire(*seat, exit));
            }
        }
        self.end_if_decided();
    }

    fn view(&self, viewer: Viewer) -> View {
        let seats = Seat::all(self.secrets.len());
        let secrets = seats.zip(&self.secrets);
        let secrets = secrets.map(|(seat, secret)| viewer.is(seat).then_some(*secret)).collect();
        View { turn: self.turn, secrets, sums: self.sums.clone() }
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        format!("turn {}", scene.view.turn)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

/// One strategy of each grade; the higher the grade, the higher the bid.
pub const BOTS: &[BotKind<Bids>] = &[
    BotKind {
        name: "low",
        about: "",
        grade: Grade::Beginner,
        make: || Box::new(|_: &View, _: &mut Dice| 1),
    },
    BotKind {
        name: "middle",
        about: "",
        grade: Grade::Decent,
        make: || Box::new(|_: &View, _: &mut Dice| 4),
    },
    BotKind {
        name: "high",
        about: "",
        grade: Grade::Strong,
        make: || Box::new(|_: &View, _: &mut Dice| 7),
    },
    BotKind {
        name: "cheat",
        about: "",
        grade: Grade::Strong,
        make: || Box::new(|_: &View, _: &mut Dice| 99),
    },
    BotKind {
        name: "broken",
        about: "",
        grade: Grade::Strong,
        make: || Box::new(|_: &View, _: &mut Dice| -> u8 { panic!("this bot is broken") }),
    },
];
