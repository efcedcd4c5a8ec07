//! The conformance kit: every promise of a game, at several kinds of table.

use rules::kit::{Subject, bots_conform, conform};
use rules::{Dice, Game, Seat, Seed, Viewer};

use super::super::{BOTS, Config, Coordinate, Labyrinth, Phase, State};

#[test]
fn keeps_every_promise() {
    conform::<Labyrinth>(200);
}

#[test]
fn every_strategy_plays_by_the_rules() {
    bots_conform::<Labyrinth>(BOTS, 2);
}

impl Subject for Labyrinth {
    /// Three seats, eight rounds, and the acknowledgements; other tables have fewer turns.
    const TURN_BOUND: u64 = 3 * 8 + 1;

    fn tables() -> Vec<(Config, usize)> {
        let limited = |max_rounds| Config { max_rounds, ..Config::default() };
        let goals = [(1, 1), (3, 3)].map(|(row, column)| Coordinate { row, column }).to_vec();
        vec![
            (limited(4), 2),
            (Config { goals, ..limited(3).for_course() }, 3),
            (Config { size: [4, 5], ..limited(4) }, 4),
            (Config { size: [5, 14], ..limited(1).for_course() }, 3),
            (limited(1), 9),
            (Config { state: Some(crowded()), ..limited(8) }, 3),
        ]
    }
}

/// A small board whose treasures are easy to reach and slide about, so that random play comes
/// upon every ending.
fn crowded() -> State {
    let drawing = "== crowded\n┼┼┼\n┼┼┼\n┼┼┼\nred 0,0 home 0,1 goal 0,2\n\
                   blue 1,1 home 1,1 goal 1,2\ngreen 2,2 home 2,1 goal 2,2\n";
    super::known_text::cases(drawing)[0].state()
}

#[test]
fn treasures_are_shown_to_their_owner_and_at_the_end_to_all() {
    let config = Config { max_rounds: 1, ..Config::default() };
    let mut game = Labyrinth::setup(&config, 3, Seed::from_number(5)).unwrap();
    let shown = |game: &Labyrinth, viewer| -> Vec<bool> {
        game.view(viewer).seats.iter().map(|seat| seat.quest.is_some()).collect()
    };
    let mut dice = Dice::new(&Seed::from_number(5), "players", 0);
    while game.view(Viewer::Public).phase != Phase::Over {
        assert_eq!(shown(&game, Viewer::Public), [false; 3]);
        assert_eq!(shown(&game, Viewer::Seat(Seat(1))), [false, true, false]);
        super::table::random_turn(&mut game, &mut dice);
    }
    assert_eq!(shown(&game, Viewer::Public), [true; 3]);
}

#[test]
fn is_reviewed_by_what_players_knew() {
    let (config, seats) = Labyrinth::tables().swap_remove(0);
    review::kit::conform(&config, seats, BOTS, 3);
}
