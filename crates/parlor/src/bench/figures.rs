//! Figures that belong to one game alone, because its players or its rules make them matter.

use std::hint::black_box;
use std::time::{Duration, Instant};

use games::labyrinth::{self, Labyrinth};
use games::subsim::{self, SubConfig, SubId, SubSim};
use hall::Time;
use rules::{Dice, Game, Move, Seat, Seed, Step, Viewer};
use trials::floor::Floor;
use wire::{AnyGame, Client, Ending, Playable, Reaction};

/// One thing that is done again and again, and what it costs.
pub struct Figure {
    pub game: &'static str,
    /// Its key in JSON; the unit is microseconds of processor time.
    pub key: &'static str,
    pub about: &'static str,
    /// It should not cost more.
    pub aim_us: f64,
    pub measure: fn(Duration) -> f64,
}

pub const FIGURES: &[Figure] = &[
    Figure {
        game: SubSim::NAME,
        key: "turn_us",
        about: "a turn of two on 20 x 20 without sonar: sessions, hall and rules, text to text",
        aim_us: 25.0,
        measure: subsim_turn,
    },
    Figure {
        game: SubSim::NAME,
        key: "ping_200x200_us",
        about: "a turn with a ping that reaches all of a 200 x 200 map with obstacles",
        aim_us: 1000.0,
        measure: subsim_ping,
    },
    Figure {
        game: Labyrinth::NAME,
        key: "enumerate_us",
        about: "every legal turn of a 7 x 7 state: slides, rotations, destinations",
        aim_us: 100.0,
        measure: labyrinth_enumerate,
    },
    Figure {
        game: Labyrinth::NAME,
        key: "euclid_game_us",
        about: "a whole game of Euclid against Euclid",
        aim_us: 5000.0,
        measure: labyrinth_euclid,
    },
];

/// Repeats a step for this long. Returns the processor time for each of the things the step says it
/// has done.
fn cost_us(run: Duration, mut step: impl FnMut() -> u64) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    let before = thread_cpu_us();
    while done == 0 || start.elapsed() < run {
        done += step();
    }
    let spent = match before.zip(thread_cpu_us()) {
        Some((before, after)) => after - before,
        None => start.elapsed().as_secs_f64() * 1e6,
    };
    spent / done as f64
}

/// Processor time of this thread, where the system reports it: other programs on the machine then
/// don't count.
fn thread_cpu_us() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1000.0)
}

fn subsim_turn(run: Duration) -> f64 {
    let mut floor = two_cruisers();
    // Both move in a turn.
    2.0 * cost_us(run, || floor.step())
}

fn two_cruisers() -> Floor {
    let mut options = subsim::Options::default();
    options.config.max_players = 2;
    let mut floor = Floor::new::<SubSim>(&options);
    (0..2).for_each(|number| floor.seat(Box::new(Cruiser { number })));
    floor
}

/// A submarine that goes around in squares, charges, fires into the water and never looks.
struct Cruiser {
    number: usize,
}

impl Cruiser {
    /// Far enough apart that no submarine is hit, so a game has its thousand turns.
    fn corner(&self) -> usize {
        4 + 12 * self.number
    }
}

impl Client for Cruiser {
    fn seek(&mut self, _now: Time, _table: Option<&str>, _out: &mut Vec<Reaction>) {}

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        let corner = self.corner();
        out.push(Reaction::Say(format!("J|cruiser{}|{corner}|{corner}", self.number)));
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Vec<Reaction>) {
        let mut fields = text.split('|');
        match (fields.next(), fields.next().and_then(|turn| turn.parse::<u32>().ok())) {
            (Some("B"), Some(turn)) => {
                let corner = self.corner();
                out.push(Reaction::Move(match turn % 8 {
                    1 => format!("M|{turn}|0|E|Torpedo"),
                    2 => format!("M|{turn}|0|S|Torpedo"),
                    3 => format!("M|{turn}|0|W|Torpedo"),
                    4 => format!("M|{turn}|0|N|Torpedo"),
                    5 => format!("F|{turn}|0|{corner}|{}", corner + 3),
                    6 | 7 => format!("S|{turn}|0|Torpedo|Torpedo"),
                    _ => format!("F|{turn}|0|{}|{corner}", corner - 3),
                }));
            }
            (Some("F"), _) => {
                out.extend([Reaction::Over(Ending::unknown(text)), Reaction::Hangup]);
            }
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, _out: &mut Vec<Reaction>) {}
}

fn subsim_ping(run: Duration) -> f64 {
    const SIDE: u16 = 200;
    // One square in seven is in the way, none of them on the submarines' row.
    let obstacles = (1..=SIDE).flat_map(|row| (1..=SIDE).map(move |column| [column, row]));
    let obstacles =
        obstacles.filter(|[column, row]| row % 2 == 0 && (3 * column + row) % 7 < 2).collect();
    let reach = u32::from(SIDE) * 4;
    let kind = SubConfig {
        max_sonar_charge: Some(reach),
        max_torpedo_charge: Some(reach),
        ..SubConfig::default()
    };
    let config = subsim::Config {
        map_size: [SIDE, SIDE],
        obstacles,
        sub: [(SubId(0), kind)].into(),
        ..subsim::Config::default()
    };
    use subsim::{Action, Command, Equipment, Order, Square};
    let both = |commands: [Command; 2]| {
        let order = |command| Move::Act(Action::Orders(vec![Order { sub: 0, command }]));
        [(Seat(0), order(commands[0])), (Seat(1), order(commands[1]))]
    };
    let start = |column| Square::new(column, SIDE / 2 + 1);
    let place = |column| Move::Act(Action::Place(vec![start(column)]));
    let mut game = SubSim::setup(&config, 2, Seed::from_number(1)).expect("good settings");
    game.advance(Step::Turn(&[(Seat(0), place(1)), (Seat(1), place(SIDE))]));
    let charge = Command::Sleep(Equipment::Sonar, Equipment::Sonar);
    let wait = Command::Sleep(Equipment::Torpedo, Equipment::Torpedo);
    for _ in 0..reach / 2 - 1 {
        game.advance(Step::Turn(&both([charge, wait])));
    }
    let turn = both([Command::Ping, wait]);
    let ping = || {
        let mut game = game.clone();
        game.advance(Step::Turn(black_box(&turn)));
        game.view(Viewer::Seat(Seat(0)))
    };
    let seen = ping().news.remove(0).objects;
    assert!(seen.iter().any(|contact| contact.square == start(SIDE)), "it reaches the other");
    cost_us(run, || {
        black_box(ping());
        1
    })
}

fn labyrinth_enumerate(run: Duration) -> f64 {
    let terms = Labyrinth::terms(&labyrinth::Options::default()).expect("the defaults are valid");
    let mut states = Vec::new();
    for number in 0..20 {
        let seed = Seed::from_number(number);
        let mut dice = Dice::new(&seed, "bench", 0);
        let mut game = Labyrinth::setup(&terms.config.of_or_default::<Labyrinth>(), 4, seed)
            .expect("four can play");
        for _ in 0..10 {
            let Some(seat) = game.to_act().first() else { break };
            let view = game.view(Viewer::Seat(seat));
            let from = view.avatar(seat).position;
            states.push((view.maze, from));
            let action = game.sample(seat, &mut dice);
            game.advance(Step::Turn(&[(seat, Move::Act(action))]));
        }
    }
    cost_us(run, || {
        for (maze, from) in &states {
            black_box(maze.choices(*from));
        }
        states.len() as u64
    })
}

fn labyrinth_euclid(run: Duration) -> f64 {
    let game = <dyn AnyGame>::of::<Labyrinth>();
    let mut number = 0;
    cost_us(run, || {
        number += 1;
        let seed = Seed::from_number(number);
        let played = game.let_play(&["euclid"; 2], seed, &mut |_, think| think());
        black_box(played).expect("legal play");
        1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cruisers_play_whole_games_one_after_another() {
        let mut floor = two_cruisers();
        // A game has a thousand turns; no one is removed or sunk before that.
        let moves: u64 = (0..2500).map(|_| floor.step()).sum();
        assert!(moves > 4000, "{moves} moves in 2500 steps");
    }

    #[test]
    fn every_figure_can_be_measured() {
        for figure in FIGURES {
            let cost = (figure.measure)(Duration::ZERO);
            assert!(cost.is_finite(), "{} {}", figure.game, figure.key);
        }
    }
}
