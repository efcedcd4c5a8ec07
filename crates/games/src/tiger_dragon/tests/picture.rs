//! How a match prints.

use rules::{Game, Move, Seat, Seed, Step, Viewer};

use crate::tiger_dragon::{Action, Config, Row, TigerDragon, Tile, View};

fn view(viewer: Viewer) -> View {
    let mut game = TigerDragon::setup(&Config::default(), 2, Seed::from_number(1)).unwrap();
    game.hands[0] = Row::from_iter([Tile::Seven, Tile::Tiger, Tile::Five, Tile::Two]);
    game.hands[1] = Row::from_iter([Tile::Five, Tile::Dragon, Tile::Seven]);
    game.scores = Row::from_iter([0, 9]);
    for (seat, choice) in [(0, "7"), (1, "pass"), (0, "T"), (0, "5")] {
        let action: Action = choice.parse().unwrap();
        game.advance(Step::Turn(&[(Seat(seat), Move::Act(action))]));
    }
    game.view(viewer)
}

const PUBLIC: &str = "\
round 1, turn 4, dojo: seat 1 answers the 5 of seat 0
  seat 0   0/10 points   1 tiles 7A B 5A
> seat 1   9/10 points   3 tiles
- seat 0 attacked with 5
";

const ATTACKER: &str = "\
round 1, turn 4, dojo: seat 1 answers the 5 of seat 0
  seat 0   0/10 points   1 tiles 7A TB 5A
> seat 1   9/10 points   3 tiles
hand of seat 0: 2
- seat 0 attacked with 5
";

const DEFENDER: &str = "\
round 1, turn 4, dojo: seat 1 answers the 5 of seat 0
  seat 0   0/10 points   1 tiles 7A B 5A
> seat 1   9/10 points   3 tiles
hand of seat 1: 5 D 7
legal: 5,D,pass
- seat 0 attacked with 5
";

#[test]
fn a_view_prints_what_its_viewer_knows() {
    assert_eq!(view(Viewer::Public).to_string(), PUBLIC);
    assert_eq!(view(Viewer::Seat(Seat(0))).to_string(), ATTACKER);
    assert_eq!(view(Viewer::Seat(Seat(1))).to_string(), DEFENDER);
}

#[test]
fn a_view_serialises_by_name() {
    let json = serde_json::to_value(view(Viewer::Public)).unwrap();
    assert_eq!(json["battlefield"], "dojo");
    assert_eq!(json["phase"], "Defend");
    assert_eq!(json["attack"], serde_json::json!({"seat": 0, "tile": "5"}));
    assert_eq!(json["discards"][0][1], serde_json::json!({"tile": null, "act": "face-down"}));
    assert_eq!(json["news"][0], serde_json::json!({"attacked": {"seat": 0, "tile": "5"}}));
    assert_eq!(json["legal"], serde_json::json!([]));
}

#[test]
fn the_viewer_to_move_may_check_its_choice_against_the_view() {
    let refusal = |seat, choice: &str| {
        let verdict = view(Viewer::Seat(Seat(seat))).check(choice.parse().unwrap());
        verdict.map_err(|why| why.to_string())
    };
    assert_eq!(refusal(1, "5"), Ok(()));
    assert_eq!(refusal(1, "pass"), Ok(()));
    assert_eq!(refusal(1, "7"), Err("7 does not answer 5".to_owned()));
    assert_eq!(refusal(0, "2"), Err("it is the turn of seat 1".to_owned()));
}
