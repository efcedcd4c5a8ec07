//! A game of one turn: all players play the greatest number, and equal numbers are a draw.

use rules::{
    BotKind, Dice, Exit, Game, Grade, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed,
    SetupError, Step, Viewer,
};
use serde::{Deserialize, Serialize};

use crate::*;

#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    broken: bool,
    /// Each seat's number, or how it left.
    played: Vec<Option<Result<u32, Exit>>>,
    outcome: Option<Outcome>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub broken: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nothing;

impl Game for Numbers {
    const NAME: &'static str = "numbers";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = u32;
    type View = Nothing;

    fn setup(config: &Config, seats: usize, _: Seed) -> Result<Numbers, SetupError> {
        Ok(Numbers { broken: config.broken, played: vec![None; seats], outcome: None })
    }

    fn to_act(&self) -> SeatSet {
        let idle = |seat: &Seat| self.outcome.is_none() && self.played[seat.index()].is_none();
        Seat::all(self.played.len()).filter(idle).collect()
    }

    fn legal(&self, _: Seat) -> Option<Vec<u32>> {
        None
    }

    fn legal_at_most(&self, _: Seat) -> Option<usize> {
        None
    }

    fn sample(&self, _: Seat, dice: &mut Dice) -> u32 {
        *dice.pick(&[1, 2, 3])
    }

    fn check(&self, _: Seat, _: &u32) -> Result<(), Illegal> {
        Ok(())
    }

    fn default_action(&self, _: Seat) -> Option<u32> {
        Some(0)
    }

    fn advance(&mut self, step: Step<'_, u32>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    self.played[seat.index()] = Some(match part {
                        Move::Act(number) => Ok(*number),
                        Move::Retire(exit) => Err(exit.clone()),
                    });
                }
            }
            Step::Departure(seats) => {
                for (seat, exit) in seats {
                    self.played[seat.index()] = Some(Err(exit.clone()));
                }
            }
        }
        let here = self.played.iter().filter(|played| !matches!(played, Some(Err(_)))).count();
        if self.to_act().is_empty() || here < 2 {
            let rank = |played: &Option<Result<u32, Exit>>| match played {
                Some(Ok(number)) => (0, 1 + *number, None),
                Some(Err(exit)) => (0, 0, Some(exit.clone())),
                None => (0, 1, None),
            };
            self.outcome = Some(Outcome::ranked(self.played.iter().map(rank).collect()));
        }
    }

    fn view(&self, _: Viewer) -> Nothing {
        assert!(!self.broken, "a view that cannot be made");
        Nothing
    }

    fn picture(_: &Scene<'_, Nothing>) -> String {
        "nothing to see".to_owned()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

pub static BOTS: &[BotKind<Numbers>] = &[BotKind {
    name: "seven",
    about: "plays 7",
    grade: Grade::Beginner,
    make: || Box::new(|_: &Nothing, _: &mut Dice| 7),
}];

pub fn terms(broken: bool) -> Terms {
    let policy = Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 5000,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(10_000),
        strikes: 0,
        strikes_in_all: 0,
        game_ms: None,
        pace_ms: 0,
        broadcast: Default::default(),
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 3_600_000,
        resume_grace_ms: 60_000,
        always_open: false,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Words,
    };
    Terms::new::<Numbers>(Config { broken }, policy)
}
