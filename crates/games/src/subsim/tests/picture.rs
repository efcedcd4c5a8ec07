//! What `watch` and `replay` print.

use ::rules::{Exit, Game, Move, Scene, Seat, Seed, Step, Viewer};

use super::super::rules::{
    Action, Command, Config, Contact, Detonation, Direction, Order, Square, SubSim,
};

const NAMES: [&str; 2] = ["Ann", "Bob"];

fn picture(game: &SubSim, viewer: Viewer) -> String {
    SubSim::picture(&Scene::of(&game.view(viewer), &NAMES))
}

fn whole(game: &SubSim) -> String {
    let seat_views = [0, 1].map(|seat| game.view(Viewer::Seat(Seat(seat))));
    let view = &game.view(Viewer::Public);
    SubSim::picture(&Scene { view, seat_views: &seat_views, names: &NAMES })
}

/// Ann has laid a mine, pinged a mine and a submarine, and detected a detonation.
fn game(config: Config) -> SubSim {
    let mut game = SubSim::setup(&config, 2, Seed::from_number(0)).unwrap();
    let place = |x, y| Move::Act(Action::Place(vec![Square::new(x, y)]));
    game.advance(Step::Turn(&[(Seat(0), place(1, 1)), (Seat(1), place(5, 2))]));
    game.subs[0].mine_charge = 3;
    let order = |command| Move::Act(Action::Orders(vec![Order { sub: 0, command }]));
    let mine = Command::Mine(Direction::South);
    game.advance(Step::Turn(&[(Seat(0), order(mine)), (Seat(1), order(Command::Ping))]));
    game.subs[1].sonar_charge = 2;
    for (x, size) in [(3, 10), (2, u32::MAX)] {
        let contact = Contact { square: Square::new(x, 1), size };
        game.news[0].objects.push((Seat(0), contact));
    }
    let square = Square::new(4, 1);
    game.news[0].detonations.push(Detonation { square, radius: 1 });
    game
}

fn small() -> Config {
    Config { map_size: [10, 10], obstacles: vec![[2, 1]], ..Config::default() }
}

#[test]
fn a_seat_sees_its_submarines_its_mines_and_what_it_was_told() {
    let seen = picture(&game(small()), Viewer::Seat(Seat(0)));
    let expected = "
    1       5         10
  1 A # ? * . . . . . .
  2 + . . . . . . . . .
  3 . . . . . . . . . .
  4 . . . . . . . . . .
  5 . . . . . . . . . .
  6 . . . . . . . . . .
  7 . . . . . . . . . .
  8 . . . . . . . . . .
  9 . . . . . . . . . .
 10 . . . . . . . . . .
A Ann, 0 points: at 1|1, 3 shields
detonations at 4|1
Ann's sonar found size 10 at 3|1
";
    assert_eq!(format!("\n{seen}"), expected, "\n{seen}");
}

/// `watch --full` and `replay --all` used to print one chart for each seat, below that of the
/// public; `replay` knew neither.
#[test]
fn a_full_view_is_one_chart_with_every_submarine_and_mine() {
    let shown = whole(&game(small()));
    assert!(shown.contains("\n  1 A # . * . . . . . .\n  2 + . . . B . . . . .\n"), "\n{shown}");
    assert!(shown.contains("\nA Ann, 0 points: at 1|1, 3 shields\n"), "\n{shown}");
    assert!(shown.contains("\nB Bob, 0 points: at 5|2, 3 shields, sonar 2\n"), "\n{shown}");
    assert_eq!(shown.matches("\n  1 ").count(), 1, "one chart: \n{shown}");
}

/// The public used to be shown an empty sea turn by turn.
#[test]
fn an_empty_sea_is_not_drawn() {
    let mut game = game(small());
    game.news[0].detonations.clear();
    assert_eq!(picture(&game, Viewer::Public), "nothing to be seen\n");
}

#[test]
fn a_finished_game_shows_everything_to_everybody() {
    let mut game = game(small());
    game.advance(Step::Departure(&[(Seat(1), Exit::Left)]));
    let public = picture(&game, Viewer::Public);
    let lines: Vec<&str> = public.lines().collect();
    assert_eq!(lines[0], "the game is over after 1 turn");
    assert_eq!(lines[2..4], ["  1 A # . * . . . . . .", "  2 + . . . . . . . . ."]);
    assert_eq!(lines[12..14], ["A Ann, 1 point: at 1|1, 3 shields", "B Bob, 0 points: destroyed"]);
}

#[test]
fn the_largest_map_fits_a_terminal() {
    let config = Config { map_size: [200, 200], subs_per_player: 20, ..Config::default() };
    let mut game = SubSim::setup(&config, 2, Seed::from_number(0)).unwrap();
    let corner = vec![Square::new(200, 200); 20];
    let places = [(Seat(0), Move::Act(Action::Place(corner.clone())))];
    game.advance(Step::Turn(&[places[0].clone(), (Seat(1), Move::Act(Action::Place(corner)))]));
    let shown = picture(&game, Viewer::Seat(Seat(0)));
    let chart: Vec<&str> = shown.lines().take_while(|line| !line.starts_with("each")).collect();
    assert!(chart.len() <= 31, "\n{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "\n{shown}");
    assert!(chart.last().unwrap().ends_with('&'), "all of them are there: \n{shown}");
}
