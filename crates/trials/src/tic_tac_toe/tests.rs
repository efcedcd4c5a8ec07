//! The exams that every game passes.

use std::path::{Path, PathBuf};

use ::rules::{Determinise, Dice, Past, Seat, Seed, kit};
use serde_json::json;
use wire::Player;

use super::*;
use crate::exam;
use crate::sparring::Sparring;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tic_tac_toe")
}

impl kit::Subject for TicTacToe {
    const TURN_BOUND: u64 = 9;
    const HAS_SECRETS: bool = false;

    fn tables() -> Vec<(Config, usize)> {
        vec![(Config {}, 2)]
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    kit::conform::<TicTacToe>(200);
}

#[test]
fn its_strategies_play_by_the_rules() {
    kit::bots_conform::<TicTacToe>(bots::BOTS, 3);
}

#[test]
fn is_reviewed_by_what_players_knew() {
    review::kit::conform::<TicTacToe>(&Config {}, 2, bots::BOTS, 3);
}

/// What a review finds a square to be worth is what the solved game says, on every board that can
/// come about and in which four squares are marked or more.
#[test]
fn its_values_are_those_of_the_solved_game() {
    let mut boards = vec![Board::default()];
    let mut looked_at = 0;
    while let Some(board) = boards.pop() {
        let free: Vec<Square> = board.free().collect();
        if board.row().is_some() || free.len() < 2 {
            continue;
        }
        boards.extend(free.iter().map(|square| board.with(*square)));
        if free.len() > 5 {
            continue;
        }
        let view = View { board, to_move: Some(board.to_move()) };
        let mut dice = Dice::new(&Seed::from_number(1), "board", 0);
        let game = TicTacToe::determinise(&view, &mut dice).unwrap();
        let seat = board.to_move();
        let past = Past { game: &game, config: &Config {}, seat, memory: &(), actions: &[] };
        for weighed in review::weigh(&past, 2, None, 8, &Seed::from_number(1)) {
            let solved = f64::from(1 - bots::worth(board.with(weighed.action))) / 2.0;
            assert_eq!(weighed.value(), solved, "{board}: {}", weighed.action);
        }
        looked_at += 1;
    }
    assert!(looked_at > 1000, "{looked_at}");
}

#[test]
fn is_rehearsed() {
    exam::rehearsed::<TicTacToe>(&folder().join("rehearsals"));
}

#[test]
fn its_page_is_true() {
    exam::documented::<TicTacToe>(&folder().join("page.md"));
}

#[test]
fn explains_itself() {
    exam::has_bots_of_every_grade::<TicTacToe>();
    exam::has_rules_in_words::<TicTacToe>();
    exam::explains_its_options::<TicTacToe>();
    exam::introduces_itself::<TicTacToe>();
}

#[test]
fn its_clients_finish_games() {
    exam::has_clients::<TicTacToe>();
}

#[test]
fn its_hall_keeps_the_laws() {
    exam::keeps_its_laws::<TicTacToe>();
    exam::finishes_tournaments::<TicTacToe>();
}

#[test]
fn clients_see_the_board_and_come_back() {
    for seed in 0..20 {
        let mut sparring = Sparring::<TicTacToe>::new(Options::default(), "tic-tac-toe", seed);
        for name in ["ann", "ben"] {
            sparring.add(name, "careful", 3, |seen, truth| assert_eq!(seen, truth));
        }
        sparring.play_until(|stage| stage.hall.tables().any(|(_, table)| table.seq() >= 3));
        sparring.cut(["ann", "ben"][(seed % 2) as usize]);
        let endings = sparring.play();
        assert!(endings.iter().flatten().all(|ending| ending.won.is_some()), "{sparring:?}");
    }
}

#[test]
fn a_row_wins_and_a_full_board_is_a_draw() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    for row in ["XXXOO....", "X..XO.X.O", "X..OX.O.X", "OOX.XXX.O"] {
        assert_eq!(board(row).row(), Some(Seat(0)), "{row}");
    }
    assert_eq!(board("XOXXOOOXX").row(), None);
    assert_eq!(board("XX.OO....").completes(Seat(0)), Some(Square::ALL[2]));
    assert!("XX.OO...".parse::<Board>().is_err());
    let read = |value| serde_json::from_value::<Square>(value);
    assert!(read(json!(9)).is_ok() && read(json!(0)).is_err() && read(json!(10)).is_err());
}

#[test]
fn the_careful_one_takes_and_blocks_rows() {
    let choose = |text: &str| {
        let board: Board = text.parse().unwrap();
        let view = View { board, to_move: Some(board.to_move()) };
        let mut player = Player::new("ann", bots::BOTS[1], Seed::from_number(1));
        player.choose(&view).to_string()
    };
    assert_eq!(choose("XX.OO...."), "3");
    assert_eq!(choose("XX..O...."), "3");
    assert_eq!(choose("X........"), "5");
}

#[test]
fn the_perfect_one_never_loses() {
    for number in 0..40 {
        let perfect = Seat((number % 2) as u8);
        let seed = Seed::from_number(number);
        let mut players = Seat::all(2).map(|seat| {
            let kind = bots::BOTS[if seat == perfect { 2 } else { 1 }];
            Player::<TicTacToe>::new("player", kind, seed)
        });
        let mut players = [players.next().unwrap(), players.next().unwrap()];
        let mut board = Board::default();
        while board.row().is_none() && board.free().next().is_some() {
            let seat = board.to_move();
            let view = View { board, to_move: Some(seat) };
            board.mark(players[seat.index()].choose(&view), seat);
        }
        assert_ne!(board.row(), Some(Seat(1 - perfect.0)), "{board}");
    }
}
