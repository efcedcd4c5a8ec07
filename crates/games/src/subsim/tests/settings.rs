//! What an organiser can set, and the squares a player can choose.

use ::rules::{Game, Move, Seat, Seed, Step, Viewer};

use super::super::rules::{
    Action, Chart, Command, Config, Equipment, Order, Square, SubConfig, SubId, SubSim,
    check_placing,
};

fn from_json(text: &str) -> Config {
    serde_json::from_str(text).expect("settings")
}

#[test]
fn settings_are_read_by_their_names() {
    let config = from_json(r#"{"map_size": [30, 12], "sub": {"0": {"max_shields": 5}}}"#);
    assert_eq!(config.map_size, [30, 12]);
    assert_eq!(config.sub[&SubId(0)].max_shields, Some(5));
    assert_eq!((config.subs_per_player, config.max_turns), (1, 1000));
    let text = serde_json::to_string(&config).unwrap();
    assert_eq!(from_json(&text), config);
    for wrong in [r#"{"fog": 1}"#, r#"{"sub": {"x": {}}}"#, r#"{"sub": {"0": {"fuel": 1}}}"#] {
        assert!(serde_json::from_str::<Config>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn illegal_settings_are_refused_by_name() {
    let cases = [
        (r#"{"map_size": [9, 20]}"#, "map_size is [9, 20]"),
        (r#"{"map_size": [20, 201]}"#, "map_size is [20, 201]"),
        (r#"{"subs_per_player": 0}"#, "subs_per_player is 0"),
        (r#"{"subs_per_player": 21}"#, "subs_per_player is 21"),
        (r#"{"max_turns": 99}"#, "max_turns is 99"),
        (r#"{"obstacles": [[21, 1]]}"#, "obstacles has [21, 1]"),
        (r#"{"obstacles": [[0, 1]]}"#, "obstacles has [0, 1]"),
        (r#"{"obstacles": [[3, 1], [3, 1]]}"#, "obstacles lists [3, 1] twice"),
        (r#"{"sub": {"1": {}}}"#, "sub.1 does not exist"),
        (r#"{"sub": {"0": {"size": 49}}}"#, "sub.0.size is 49"),
        (r#"{"sub": {"0": {"size": 201}}}"#, "sub.0.size is 201"),
        (r#"{"sub": {"0": {"surface_turn_count": 1001}}}"#, "sub.0.surface_turn_count is 1001"),
        (r#"{"sub": {"0": {"start_location": [1, 21]}}}"#, "sub.0.start_location has [1, 21]"),
        (
            r#"{"obstacles": [[2, 2]], "sub": {"0": {"start_location": [2, 2]}}}"#,
            "sub.0.start_location is [2, 2]",
        ),
    ];
    for (text, why) in cases {
        let refusal = Chart::new(&from_json(text)).expect_err(text).0;
        assert!(refusal.starts_with(why), "{text}: {refusal}");
    }
}

#[test]
fn at_most_a_quarter_of_the_map_is_obstacles() {
    let squares = |count: u16| (0..count).map(|n| [n % 10 + 1, n / 10 + 1]).collect();
    let config =
        |count| Config { map_size: [10, 10], obstacles: squares(count), ..Config::default() };
    assert!(Chart::new(&config(25)).is_ok());
    assert!(Chart::new(&config(26)).is_err());
}

#[test]
fn two_to_sixty_four_play() {
    let seats = |count| SubSim::setup(&Config::default(), count, Seed::from_number(0)).is_ok();
    assert_eq!([1, 2, 64, 65].map(seats), [false, true, true, false]);
}

#[test]
fn start_squares_are_checked_in_order() {
    let preset = SubConfig { start_location: Some([5, 5]), ..SubConfig::default() };
    let config = Config {
        subs_per_player: 2,
        obstacles: vec![[2, 2]],
        sub: [(SubId(1), preset)].into(),
        ..Config::default()
    };
    let chart = Chart::new(&config).unwrap();
    let (free, rock, off) = (Square::new(1, 1), Square::new(2, 2), Square::new(0, 7));
    let far = Square::new(21, 1);
    let cases = [
        (vec![free, free], Ok(())),
        (vec![free, rock], Ok(())),
        (vec![free, off], Ok(())),
        (vec![], Err("Missing or invalid coordinates for sub ID 0")),
        (vec![off, free], Err("Missing or invalid coordinates for sub ID 0")),
        (vec![far, free], Err("Missing or invalid coordinates for sub ID 0")),
        (vec![rock, free], Err("Coordinate 2|2 is blocked")),
        (vec![free], Err("Missing or invalid coordinates for sub ID 1")),
        (vec![free, free, free], Err("Incorrect number of submarine coordinate values")),
    ];
    for (squares, expected) in cases {
        let verdict = check_placing(&chart, &squares).map_err(|why| why.0);
        assert_eq!(verdict, expected.map_err(str::to_owned), "{squares:?}");
    }
}

#[test]
fn each_active_submarine_needs_one_order() {
    let config = Config { subs_per_player: 2, ..Config::default() };
    let game = placed(&config, &[&[[1, 1], [2, 2]], &[[5, 5], [6, 6]]]);
    let order = |sub| Order { sub, command: Command::Ping };
    let cases = [
        (vec![0, 1], Ok(())),
        (vec![0], Err("No command for sub ID 1")),
        (vec![], Err("No command for sub ID 0")),
        (vec![0, 0], Err("Multiple commands for sub ID 0")),
        (vec![1, 0], Err("Command for sub ID 1 before sub ID 0")),
        (vec![0, 1, 2], Err("Invalid sub ID: 2")),
    ];
    for (subs, expected) in cases {
        let action = Action::Orders(subs.into_iter().map(order).collect());
        let verdict = game.check(Seat(0), &action).map_err(|why| why.0);
        assert_eq!(verdict, expected.map_err(str::to_owned), "{action:?}");
    }
    let placing = Action::Place(vec![Square::new(1, 1); 2]);
    assert!(game.check(Seat(0), &placing).is_err());
}

#[test]
fn the_turn_limit_ends_the_game_and_the_survivors_share_nothing() {
    let config = Config { max_turns: 100, ..Config::default() };
    let mut game = placed(&config, &[&[[1, 1]], &[[9, 9]]]);
    while game.outcome().is_none() {
        rest(&mut game, Command::Ping);
    }
    assert_eq!(game.executed, 100);
    let points: Vec<i64> = game.outcome().unwrap().standings.iter().map(|s| s.points).collect();
    assert_eq!(points, [0, 0]);
}

#[test]
fn without_a_turn_limit_the_game_goes_on() {
    let config = Config { max_turns: 0, ..Config::default() };
    let mut game = placed(&config, &[&[[1, 1]], &[[9, 9]]]);
    (0..1500).for_each(|_| rest(&mut game, Command::Ping));
    assert_eq!((game.executed, game.outcome()), (1500, None));
}

#[test]
fn the_turn_limit_also_ends_turns_that_run_by_themselves() {
    let long = SubConfig { surface_turn_count: Some(1000), ..SubConfig::default() };
    let config = Config { max_turns: 100, sub: [(SubId(0), long)].into(), ..Config::default() };
    let mut game = placed(&config, &[&[[1, 1]], &[[9, 9]]]);
    rest(&mut game, Command::Surface);
    assert!(game.outcome().is_some());
    let view = game.view(Viewer::Seat(Seat(0)));
    assert_eq!((view.executed, view.news.len()), (100, 100));
    assert_eq!(view.news[99].subs[0].surface_remain, 900);
}

#[test]
fn the_public_sees_detonations_and_in_the_end_everything() {
    let frail =
        SubConfig { max_shields: Some(0), max_torpedo_charge: Some(4), ..SubConfig::default() };
    let config = Config { sub: [(SubId(0), frail)].into(), ..Config::default() };
    let mut game = placed(&config, &[&[[1, 1]], &[[4, 1]]]);
    for _ in 0..2 {
        rest(&mut game, Command::Sleep(Equipment::Torpedo, Equipment::Torpedo));
        let view = game.view(Viewer::Public);
        assert!(view.subs.is_empty() && view.news[0].subs.is_empty() && view.end.is_none());
    }
    let fire = Order { sub: 0, command: Command::Fire(Square::new(4, 1)) };
    let sleep = Order { sub: 0, command: Command::Ping };
    game.advance(Step::Turn(&[
        (Seat(0), Move::Act(Action::Orders(vec![fire]))),
        (Seat(1), Move::Act(Action::Orders(vec![sleep]))),
    ]));
    let view = game.view(Viewer::Public);
    assert_eq!(view.news[0].detonations.len(), 1);
    let end = view.end.expect("over");
    assert_eq!(end.outcome.standings[0].points, 3);
    assert!(end.fleets[1][0].dead && !end.fleets[0][0].dead);
}

fn placed(config: &Config, fleets: &[&[[u16; 2]]]) -> SubSim {
    let mut game = SubSim::setup(config, fleets.len(), Seed::from_number(0)).expect("settings");
    let place = |squares: &&[[u16; 2]]| {
        Move::Act(Action::Place(squares.iter().map(|&square| square.into()).collect()))
    };
    let turn: Vec<_> = Seat::all(fleets.len()).zip(fleets.iter().map(place)).collect();
    game.advance(Step::Turn(&turn));
    game
}

/// A turn in which submarine 0 of every seat does the same.
fn rest(game: &mut SubSim, command: Command) {
    let action = || Action::Orders(vec![Order { sub: 0, command }]);
    let turn: Vec<_> = game.to_act().iter().map(|seat| (seat, Move::Act(action()))).collect();
    game.advance(Step::Turn(&turn));
}
