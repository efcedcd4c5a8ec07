//! How a match prints.

use rules::{Game, Move, Scene, Seat, Seed, Step, Viewer};

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

fn picture(viewer: Viewer) -> String {
    TigerDragon::picture(&Scene::of(&view(viewer), &["Ann", "Bob"]))
}

const PUBLIC: &str = "\
Ann attacked with 5
round 1, turn 4, dojo: Bob answers the 5 of Ann
  Ann   0/10 points  1 tile    7A B 5A
> Bob   9/10 points  3 tiles
";

const ATTACKER: &str = "\
Ann attacked with 5
round 1, turn 4, dojo: Bob answers the 5 of Ann
  Ann   0/10 points  1 tile    7A TB 5A
    hand  2
> Bob   9/10 points  3 tiles
";

const DEFENDER: &str = "\
Ann attacked with 5
round 1, turn 4, dojo: Bob answers the 5 of Ann
  Ann   0/10 points  1 tile    7A B 5A
> Bob   9/10 points  3 tiles
    hand  5 D 7
legal: 5,D,pass
";

const WHOLE: &str = "\
Ann attacked with 5
round 1, turn 4, dojo: Bob answers the 5 of Ann
  Ann   0/10 points  1 tile    7A TB 5A
    hand  2
> Bob   9/10 points  3 tiles
    hand  5 D 7
";

#[test]
fn a_view_prints_what_its_viewer_knows() {
    assert_eq!(picture(Viewer::Public), PUBLIC);
    assert_eq!(picture(Viewer::Seat(Seat(0))), ATTACKER);
    assert_eq!(picture(Viewer::Seat(Seat(1))), DEFENDER);
}

#[test]
fn a_full_view_shows_every_hand() {
    let seat_views = [0, 1].map(|seat| view(Viewer::Seat(Seat(seat))));
    let public = view(Viewer::Public);
    let scene = Scene { view: &public, seat_views: &seat_views, names: &["Ann", "Bob"] };
    assert_eq!(TigerDragon::picture(&scene), WHOLE);
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
