//! What `watch` and `replay` print.

use ::rules::{Exit, Game, Move, Seat, Seed, Step, Viewer};

use super::super::rules::{Action, Command, Config, Contact, Detonation, Order, Square, SubSim};

#[test]
fn a_view_prints_as_a_picture() {
    let config = Config { map_size: [10, 10], obstacles: vec![[2, 1]], ..Config::default() };
    let mut game = SubSim::setup(&config, 2, Seed::from_number(0)).unwrap();
    let place = |x, y| Move::Act(Action::Place(vec![Square::new(x, y)]));
    game.advance(Step::Turn(&[(Seat(0), place(1, 1)), (Seat(1), place(5, 2))]));
    let order = || Move::Act(Action::Orders(vec![Order { sub: 0, command: Command::Ping }]));
    game.advance(Step::Turn(&[(Seat(0), order()), (Seat(1), order())]));
    let square = Square::new(3, 1);
    game.news[0].objects.push((Seat(0), Contact { square, size: 10 }));
    let square = Square::new(4, 1);
    game.news[0].detonations.push(Detonation { square, radius: 1 });
    let seen = game.view(Viewer::Seat(Seat(0))).to_string();
    let lines: Vec<&str> = seen.lines().collect();
    assert_eq!(lines[0], "turn 2");
    assert_eq!(lines[1], "0 # ? * . . . . . .");
    assert_eq!(lines[2], ". . . . . . . . . .");
    let charges = "charge: sonar 0 torpedo 0 mine 0 sprint 0";
    let told = [
        "score 0".to_owned(),
        format!("sub 0: 1|1 shields 3, {charges}, reactor damage 0"),
        "turn 1: detonation at 4|1, radius 1".to_owned(),
        "turn 1: sonar found size 10 at 3|1".to_owned(),
    ];
    assert_eq!(lines[11..], told);

    game.advance(Step::Departure(&[(Seat(1), Exit::Left)]));
    let public = game.view(Viewer::Public).to_string();
    let lines: Vec<&str> = public.lines().collect();
    assert_eq!(lines[0], "over after 1 turns");
    assert_eq!(lines[1], "A # . * . . . . . .");
    assert_eq!(lines[12..], ["seat 0: place 1, 1 points", "seat 1: place 2, 0 points"]);
}
