//! Clients of the JSON protocol play whole games, among themselves and with players of the games'
//! own protocols, and see what their seats may see.

use hall::{HOUSE_WIRE, Start};
use trials::sparring::Sparring;
use wire::{Playable, Visitor};

fn same<V: PartialEq + std::fmt::Debug>(seen: &V, truth: &V) {
    assert_eq!(seen, truth);
}

/// Names and colours that every game takes.
const NAMES: [&str; 5] = ["red", "blue", "green", "pink", "white"];

/// As many as the game begins with by itself.
fn players<G: Playable>() -> &'static [&'static str] {
    let policy = G::terms(&G::Options::default()).expect("the defaults are valid").policy;
    match policy.start {
        Start::WhenFull { .. } => &NAMES[..policy.seats],
        Start::WhenGathered { .. } | Start::OnCall { .. } => &NAMES[..2],
    }
}

struct AmongThemselves;

impl Visitor for AmongThemselves {
    fn visit<G: Playable>(&mut self) {
        for seed in 0..3 {
            let mut sparring = Sparring::<G>::new(G::Options::default(), HOUSE_WIRE, seed);
            let bots = G::bots();
            for (number, name) in players::<G>().iter().enumerate() {
                sparring.add(name, bots[number % bots.len()].name, 2, same);
            }
            for endings in sparring.play() {
                assert!(endings.iter().all(|ending| ending.points.is_some()), "{sparring:?}");
            }
        }
    }
}

#[test]
fn every_game_is_played_over_the_house_wire() {
    crate::each(&mut AmongThemselves);
}

struct WithOthers;

impl Visitor for WithOthers {
    fn visit<G: Playable>(&mut self) {
        for dialect in G::dialects() {
            let mut sparring = Sparring::<G>::new(G::Options::default(), dialect.name, 7);
            let strategy = G::bots()[0].name;
            for (number, name) in players::<G>().iter().enumerate() {
                match number % 2 {
                    0 => sparring.add(name, strategy, 1, |_, _| ()),
                    _ => sparring.add_over(HOUSE_WIRE, name, strategy, 1, same),
                }
            }
            for endings in sparring.play() {
                assert!(endings.iter().all(|ending| ending.won.is_some()), "{sparring:?}");
            }
        }
    }
}

#[test]
fn native_seats_and_house_wire_seats_play_at_one_table() {
    crate::each(&mut WithOthers);
}
