//! Clients of both protocols understand what they receive, and play legally.

use trials::sparring::Sparring;

use crate::labyrinth::{Color, Config, Coordinate, Labyrinth, Options, View};

fn sparring(
    players: usize,
    dialect: &'static str,
    config: Config,
    seed: u64,
) -> Sparring<Labyrinth> {
    Sparring::new(Options { players, config, ..Options::default() }, dialect, seed)
}

/// All but the news.
fn compare(seen: &View, truth: &View) {
    assert_eq!(View { news: truth.news.clone(), ..seen.clone() }, *truth);
}

#[test]
fn the_memos_wire_tells_all_a_seat_may_know() {
    for players in [2, 3, 5, 9] {
        let config = Config { max_rounds: 40, ..Config::default() };
        let mut sparring = sparring(players, "labyrinth", config, players as u64);
        for (seat, name) in Color::NAMES.iter().take(players).enumerate() {
            sparring.add(name, ["euclid", "riemann", "random"][seat % 3], 2, compare);
        }
        for endings in sparring.play() {
            assert!(endings.iter().all(|ending| ending.won.is_some()), "{sparring:?}");
        }
    }
}

/// Further goals are noticed by asking again where the treasure is.
#[test]
fn further_goals_are_found_too() {
    let goals = [(1, 3), (5, 5), (3, 1), (5, 1)];
    let goals = goals.map(|(row, column)| Coordinate { row, column }).to_vec();
    for seed in 0..5 {
        let config = Config { max_rounds: 200, goals: goals.clone(), ..Config::default() };
        let mut sparring = sparring(2, "labyrinth", config, seed);
        for name in ["red", "blue"] {
            sparring.add(name, "euclid", 1, |seen, truth| {
                // A further goal on the very tile that was just reached looks like the way home.
                let same_again = truth.target() == seen.quest().unwrap().place;
                assert!(seen.target() == truth.target() || same_again, "{seen:?}\n{truth:?}");
            });
        }
        sparring.play();
    }
}

#[test]
fn the_courses_wire_is_played_too() {
    for players in [2, 4] {
        let config = Config { max_rounds: 40, ..Config::default() };
        let mut sparring = sparring(players, "labyrinth-course", config, players as u64);
        for (seat, name) in ["ann", "ben", "cat", "dov"].iter().take(players).enumerate() {
            let strategy = ["euclid", "riemann", "random"][seat % 3];
            sparring.add(name, strategy, 2, |seen, truth| {
                assert_eq!((seen.target(), &seen.maze), (truth.target(), &truth.maze));
                let place = |view: &View| view.avatar(view.viewer.seat().unwrap()).clone();
                assert_eq!(place(seen), place(truth));
            });
        }
        for endings in sparring.play() {
            assert!(endings.iter().all(|ending| ending.won.is_some()), "{sparring:?}");
        }
    }
}
