//! The smallest game with everything that matters to a tournament: turns in which all move at
//! once, draws, silence, and players who go.

use rules::{
    Bot, BotKind, Dice, Exit, Game, Grade, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed,
    SetupError, Step, Viewer,
};
use serde::{Deserialize, Serialize};

/// For some turns every seat says a number up to two; the greatest sum wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    config: Config,
    turn: u32,
    sums: Vec<i64>,
    gone: Vec<Option<Exit>>,
    outcome: Option<Outcome>,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Config {
    /// Whether silence is a zero; otherwise who is silent is out.
    pub patient: bool,
    pub turns: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View(Vec<i64>);

pub const BOTS: &[BotKind<Sums>] = &[
    BotKind { name: "low", about: "says nought", grade: Grade::Beginner, make: || always(0) },
    BotKind { name: "high", about: "says two", grade: Grade::Decent, make: || always(2) },
];

fn always(number: u8) -> Box<dyn Bot<Sums>> {
    Box::new(move |_: &View, _: &mut Dice| number)
}

impl Sums {
    fn retire(&mut self, seat: Seat, exit: &Exit) {
        self.gone[seat.index()].get_or_insert(exit.clone());
    }

    fn end_if_over(&mut self) {
        let left = self.gone.iter().filter(|gone| gone.is_none()).count();
        if left > 1 && self.turn < self.config.turns {
            return;
        }
        let seats = self.sums.iter().zip(&self.gone);
        let ranked = seats.map(|(sum, gone)| (*sum, (gone.is_none(), *sum), gone.clone()));
        self.outcome = Some(Outcome::ranked(ranked.collect()));
    }
}

impl Game for Sums {
    const NAME: &'static str = "sums";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = u8;
    type View = View;

    fn setup(config: &Config, seats: usize, _seed: Seed) -> Result<Sums, SetupError> {
        let (sums, gone) = (vec![0; seats], vec![None; seats]);
        Ok(Sums { config: config.clone(), turn: 0, sums, gone, outcome: None })
    }

    fn to_act(&self) -> SeatSet {
        let here = |seat: &Seat| self.outcome.is_none() && self.gone[seat.index()].is_none();
        Seat::all(self.sums.len()).filter(here).collect()
    }

    fn legal(&self, _seat: Seat) -> Option<Vec<u8>> {
        Some(vec![0, 1, 2])
    }

    fn legal_at_most(&self, _seat: Seat) -> Option<usize> {
        Some(3)
    }

    fn sample(&self, _seat: Seat, dice: &mut Dice) -> u8 {
        dice.below(3) as u8
    }

    fn check(&self, _seat: Seat, action: &u8) -> Result<(), Illegal> {
        if *action <= 2 { Ok(()) } else { Err(Illegal::new("0 to 2")) }
    }

    fn default_action(&self, _seat: Seat) -> Option<u8> {
        self.config.patient.then_some(0)
    }

    fn advance(&mut self, step: Step<'_, u8>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    match part {
                        Move::Act(number) => self.sums[seat.index()] += i64::from(*number),
                        Move::Retire(exit) => self.retire(*seat, exit),
                    }
                }
                self.turn += 1;
            }
            Step::Departure(seats) => {
                seats.iter().for_each(|(seat, exit)| self.retire(*seat, exit));
            }
        }
        self.end_if_over();
    }

    fn view(&self, _viewer: Viewer) -> View {
        View(self.sums.clone())
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        format!("{:?}", scene.view.0)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use rules::{Determinise, kit};

    use super::*;

    const TURNS: u32 = 12;

    impl Determinise for Sums {
        fn determinise(view: &View, _dice: &mut Dice) -> Option<Sums> {
            let config = Config { patient: true, turns: TURNS };
            let (sums, gone) = (view.0.clone(), vec![None; view.0.len()]);
            Some(Sums { config, turn: 0, sums, gone, outcome: None })
        }
    }

    impl kit::Subject for Sums {
        const TURN_BOUND: u64 = TURNS as u64;
        const HAS_SECRETS: bool = false;

        fn tables() -> Vec<(Config, usize)> {
            vec![(Config { patient: true, turns: TURNS }, 4)]
        }
    }

    /// The kit took a departure for a turn, and a game that always has as many turns for endless.
    #[test]
    fn whoever_goes_in_the_middle_of_a_turn_makes_the_game_no_longer() {
        kit::conform::<Sums>(200);
    }
}
