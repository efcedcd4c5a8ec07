//! The course's exercises where its own cases leave what they define.

use super::super::exercises::{self, Failure, GameFlags};
use super::super::{Labyrinth, Options};
use serde_json::{Value, json};
use wire::Playable;

fn state(players: Value, goals: Value) -> Value {
    let connectors = vec![vec!["┼"; 5]; 5];
    let gems = ["ruby", "zircon", "rose-quartz", "heliotrope", "citrine"];
    let treasure = |row: usize, column: usize| json!([gems[row], gems[column]]);
    let row = |row| (0..5).map(|column| treasure(row, column)).collect::<Vec<_>>();
    json!({
        "board": {"connectors": connectors, "treasures": (0..5).map(row).collect::<Vec<_>>()},
        "spare": {"tilekey": "┼", "1-image": "diamond", "2-image": "ruby"},
        "plmt": players,
        "last": null,
        "goals": goals,
    })
}

fn at(row: u16, column: u16) -> Value {
    json!({"row#": row, "column#": column})
}

fn two_players() -> Value {
    json!([
        {"color": "red", "current": at(1, 1), "home": at(1, 1), "goto": at(3, 3)},
        {"color": "blue", "current": at(3, 1), "home": at(3, 1), "goto": at(1, 3)},
    ])
}

fn game(state: &Value, winners_only: bool) -> Result<exercises::Answer, Failure> {
    let input = format!(r#"[["ann","Riemann"],["bob","Euclid"]] {state}"#);
    exercises::game(&input, GameFlags { winners_only, remote: false })
}

/// A state without players was ill-formed, where the course has a game without winners.
#[test]
fn a_game_without_players_has_no_winners() {
    let state = state(json!([]), json!([]));
    assert_eq!(game(&state, true).unwrap().output, "[]");
    assert_eq!(game(&state, false).unwrap().output, "[[],[]]");
    // Where a player has to move, it is still not a valid exercise.
    let turn = exercises::turn(&format!(r#"{state} "PASS""#));
    assert!(matches!(turn, Err(Failure::IllFormed(_))), "{turn:?}");
}

/// Further goals off the board were refused, where the course hands them out: no one gets there,
/// and the player who has found the most is nearest to winning.
#[test]
fn later_goals_off_the_board_are_played_with_a_warning() {
    // On a board of five columns this would be the cell of (3, 3), if it were looked up there.
    let state = state(two_players(), json!([at(2, 8), at(40, 40)]));
    let answer = game(&state, false).unwrap();
    let verdict: [Vec<String>; 2] = serde_json::from_str(&answer.output).unwrap();
    assert!(!verdict[0].is_empty() && verdict[1].is_empty(), "{verdict:?}");
    let warning = "the further goal (2, 8) is not on the board";
    assert!(answer.warnings.iter().any(|known| known == warning), "{:?}", answer.warnings);
}

/// At a table they would be a riddle, so its options refuse them.
#[test]
fn a_table_refuses_a_goal_off_the_board() {
    let mut options = Options::default();
    let given = state(two_players(), json!([at(40, 40)]));
    options.config.state = Some(serde_json::from_value(given).unwrap());
    let why = Labyrinth::terms(&options).unwrap_err();
    assert!(why.contains("(40, 40) is not on the board"), "{why}");
}
