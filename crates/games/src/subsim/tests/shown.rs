//! What views say for boards: it follows from what the owner knows, and is legal.

use ::rules::kit::Subject;
use ::rules::{Determinise, Dice, Game, Move, Seat, Seed, Step, Viewer};
use serde_json::{Value, json};

use super::super::rules::{
    Action, Command, Config, Detonation, Direction, Equipment, Order, Phase, Report, Square,
    SubConfig, SubId, SubSim, View,
};

const ANN: Viewer = Viewer::Seat(Seat(0));

/// A game in which all submarines are placed.
fn begun(config: &Config, places: &[&[[u16; 2]]]) -> SubSim {
    let mut game = SubSim::setup(config, places.len(), Seed::from_number(1)).unwrap();
    let place = |squares: &&[[u16; 2]]| {
        Move::Act(Action::Place(squares.iter().copied().map(Square::from).collect()))
    };
    let turn: Vec<_> = Seat::all(places.len()).zip(places.iter().map(place)).collect();
    game.advance(Step::Turn(&turn));
    assert_eq!(game.phase, Phase::Playing);
    game
}

fn order(game: &mut SubSim, commands: &[Command]) {
    let act =
        |command: &Command| Move::Act(Action::Orders(vec![Order { sub: 0, command: *command }]));
    let turn: Vec<_> = Seat::all(commands.len()).zip(commands.iter().map(act)).collect();
    game.advance(Step::Turn(&turn));
}

const SLEEP: Command = Command::Sleep(Equipment::Sonar, Equipment::Sonar);

/// The last turn as seat 0 receives it.
fn told(game: &SubSim) -> Report {
    game.view(ANN).news.last().unwrap().clone()
}

/// Surfaced submarines are in the way of sound and are not seen: where they are must not show in
/// how far a ping went.
#[test]
fn a_ping_does_not_show_what_it_did_not_find() {
    let worlds = [[5, 3], [9, 9]].map(|ben| {
        let mut game = begun(&Config::default(), &[&[[3, 3]], &[ben]]);
        game.subs[0].sonar_charge = 4;
        game.subs[1].surface_remain = 3;
        order(&mut game, &[Command::Ping]);
        told(&game)
    });
    assert_eq!(worlds[0], worlds[1]);
    let ping = &worlds[0].pings[0];
    assert_eq!((ping.sub, ping.from, ping.range), (0, Square::new(3, 3), 5));
    assert!(ping.squares.contains(&Square::new(8, 3)), "straight on");
    assert!(!ping.squares.contains(&Square::new(9, 3)), "out of range");
    assert!(!ping.squares.contains(&Square::new(3, 3)), "the submarine itself");
}

#[test]
fn a_ping_ends_at_what_it_found() {
    let rocks: Vec<[u16; 2]> = (1..=20).flat_map(|x| [[x, 2], [x, 4]]).collect();
    let config = Config { obstacles: rocks, ..Config::default() };
    let mut game = begun(&config, &[&[[3, 3]], &[[5, 3]]]);
    game.subs[0].sonar_charge = 4;
    order(&mut game, &[Command::Ping, SLEEP]);
    let squares = &told(&game).pings[0].squares;
    assert!(squares.contains(&Square::new(5, 3)) && !squares.contains(&Square::new(6, 3)));
    assert!(told(&game).objects.iter().any(|contact| contact.square == Square::new(5, 3)));
}

/// A torpedo goes around what its owner does not know; the way shown goes straight through.
#[test]
fn a_shot_does_not_show_what_was_in_its_way() {
    let worlds = [[6, 3], [15, 15]].map(|mine| {
        let mut game = begun(&Config::default(), &[&[[3, 3]], &[[18, 18]]]);
        game.subs[0].torpedo_charge = 9;
        game.mines.insert(mine.into(), Some(Seat(1)));
        order(&mut game, &[Command::Fire(Square::new(9, 3)), SLEEP]);
        told(&game)
    });
    assert_eq!(worlds[0], worlds[1]);
    let shot = &worlds[0].shots[0];
    assert_eq!((shot.from, shot.target), (Square::new(3, 3), Square::new(9, 3)));
    assert_eq!(shot.path, (3..=9).map(|x| Square::new(x, 3)).collect::<Vec<_>>());
    assert!(shot.went_off);
}

/// Boards draw what a blast does without knowing the rules.
#[test]
fn a_detonation_says_what_it_does_at_each_distance() {
    let mut game = begun(&Config::default(), &[&[[3, 3]], &[[9, 4]]]);
    game.subs[0].torpedo_charge = 9;
    let before = game.subs[1].shields;
    order(&mut game, &[Command::Fire(Square::new(9, 3)), SLEEP]);
    let shown = serde_json::to_value(told(&game)).unwrap();
    assert_eq!(shown["detonations"][0]["damage"], json!([2, 1]));
    assert_eq!(game.subs[1].shields, before - 1);
    let reactor = Detonation { square: Square::new(5, 5), radius: 2 };
    let shown = serde_json::to_value(reactor).unwrap();
    assert_eq!(shown["damage"], json!([null, 2, 1]));
    assert_eq!(serde_json::from_value::<Detonation>(shown).unwrap(), reactor);
}

#[test]
fn choices_say_how_far_a_ping_would_go() {
    let config = Config { obstacles: vec![[3, 2]], ..Config::default() };
    let mut game = begun(&config, &[&[[3, 3]], &[[18, 18]]]);
    let pinged =
        |game: &SubSim| serde_json::to_value(game.view(ANN)).unwrap()["choices"][0]["ping"].clone();
    game.subs[0].sonar_charge = 0;
    let none = pinged(&game);
    game.subs[0].sonar_charge = 4;
    let before = pinged(&game);
    order(&mut game, &[Command::Ping, SLEEP]);
    assert_eq!(before, serde_json::to_value(&told(&game).pings[0].squares).unwrap());
    assert!(none.as_array().unwrap().len() < before.as_array().unwrap().len());
}

#[test]
fn a_shot_out_of_range_has_no_path() {
    let mut game = begun(&Config::default(), &[&[[3, 3]], &[[18, 18]]]);
    game.subs[0].torpedo_charge = 3;
    order(&mut game, &[Command::Fire(Square::new(9, 3)), SLEEP]);
    let shot = told(&game).shots.remove(0);
    assert!(shot.path.is_empty() && !shot.went_off);
}

/// Whatever else the worlds hold: viewers who receive the same of a turn see the same of its pings
/// and torpedoes.
#[test]
fn who_knows_the_same_is_shown_the_same() {
    let plain = |report: &Report| Report { pings: Vec::new(), shots: Vec::new(), ..report.clone() };
    let (mut alike, mut shown) = (0, 0);
    for (table, (config, seats)) in SubSim::tables().into_iter().enumerate() {
        for number in 0..40 {
            let seed = Seed::from_number(number);
            let mut dice = Dice::new(&seed, "two worlds", table as u64);
            let mut game = SubSim::setup(&config, seats, seed).unwrap();
            while game.outcome().is_none() {
                let other = SubSim::determinise(&game.view(ANN), &mut dice);
                let mut other = other.expect("the game goes on");
                let own = game.to_act().contains(Seat(0)).then(|| game.sample(Seat(0), &mut dice));
                advance(&mut game, own.as_ref(), &mut dice);
                if other.to_act().contains(Seat(0)) != own.is_some() {
                    continue;
                }
                advance(&mut other, own.as_ref(), &mut dice);
                let (one, two) = (game.view(ANN).news, other.view(ANN).news);
                if one.len() == 1 && two.len() == 1 && plain(&one[0]) == plain(&two[0]) {
                    assert_eq!(one, two, "table {table}, seed {number}");
                    alike += 1;
                    shown += one[0].pings.len() + one[0].shots.len();
                }
            }
        }
    }
    assert!(alike > 1000 && shown > 100, "{alike} turns alike, {shown} things shown in them");
}

/// All seats but seat 0 move at random.
fn advance(game: &mut SubSim, own: Option<&Action>, dice: &mut Dice) {
    let mut act = |seat| match (seat, own) {
        (Seat(0), Some(own)) => (seat, Move::Act(own.clone())),
        _ => (seat, Move::Act(game.sample(seat, dice))),
    };
    let turn: Vec<_> = game.to_act().iter().map(&mut act).collect();
    game.advance(Step::Turn(&turn));
}

fn written(view: &View) -> Value {
    serde_json::to_value(view).unwrap()
}

#[test]
fn settings_are_filled_in() {
    let scarce = SubConfig { torpedo_count: Some(2), ..SubConfig::default() };
    let config = Config { sub: [(SubId(0), scarce)].into(), ..Config::default() };
    let game = begun(&config, &[&[[3, 3]], &[[18, 18]]]);
    let kind = &written(&game.view(Viewer::Public))["kinds"][0];
    assert_eq!((&kind["max_shields"], &kind["torpedo_count"]), (&json!(3), &json!(2)));
    assert_eq!(kind["mine_count"], Value::Null);
}

#[test]
fn a_view_lists_what_each_submarine_may_do() {
    let config = Config { obstacles: vec![[1, 2]], ..Config::default() };
    let mut game = begun(&config, &[&[[1, 1]], &[[18, 18]]]);
    let sub = &mut game.subs[0];
    (sub.sonar_charge, sub.torpedo_charge, sub.sprint_charge, sub.mine_charge) = (2, 3, 9, 3);
    let view = written(&game.view(ANN));
    let own = &view["subs"][0];
    assert_eq!((&own["sonar_range"], &own["torpedo_range"]), (&json!(3), &json!(2)));
    assert_eq!((&own["sprint_range"], &own["mine_ready"]), (&json!(4), &json!(true)));
    let choices = json!([{
        "sub": 0,
        "move": ["E"],
        "mine": ["E"],
        "sprint": [["E", 4]],
        "fire": [[1, 1], [2, 1], [3, 1], [2, 2]],
        "ping": [[2, 1], [1, 2], [3, 1], [2, 2], [4, 1], [3, 2], [2, 3]],
    }]);
    assert_eq!(view["choices"], choices);
    assert_eq!(written(&game.view(Viewer::Public))["choices"], json!([]));
    assert_eq!(written(&game.view(Viewer::Public))["subs"], json!([]));
}

#[test]
fn what_is_listed_is_legal_and_other_steps_are_not() {
    let (config, seats) = SubSim::tables().remove(2);
    for number in 0..20 {
        let seed = Seed::from_number(number);
        let mut dice = Dice::new(&seed, "choices", 0);
        let mut game = SubSim::setup(&config, seats, seed).unwrap();
        while game.outcome().is_none() {
            for seat in game.to_act().iter() {
                check_choices(&game, seat);
            }
            advance(&mut game, None, &mut dice);
        }
    }
}

fn check_choices(game: &SubSim, seat: Seat) {
    let view = written(&game.view(Viewer::Seat(seat)));
    let fleet = game.fleet(seat);
    let listed = view["choices"].as_array().unwrap();
    let active = if game.phase == Phase::Playing { fleet.active().count() } else { 0 };
    assert_eq!(listed.len(), active);
    for choices in listed {
        let sub = choices["sub"].as_u64().unwrap() as u8;
        let legal = |command| fleet.check_order(&Order { sub, command }).is_ok();
        let read = |key: &str| choices[key].as_array().unwrap().clone();
        for direction in Direction::ALL {
            let named = serde_json::to_value(direction).unwrap();
            let moves = legal(Command::Move(direction, Equipment::None));
            assert_eq!(read("move").contains(&named), moves);
            assert_eq!(read("mine").contains(&named), legal(Command::Mine(direction)));
        }
        for sprint in read("sprint") {
            let (direction, far) = serde_json::from_value(sprint).unwrap();
            assert!(legal(Command::Sprint(direction, far)));
        }
        for square in read("fire") {
            assert!(legal(Command::Fire(serde_json::from_value(square).unwrap())));
        }
    }
}

/// What is shown as an example may be ordered, in every phase.
#[test]
fn the_example_is_legal_in_every_phase() {
    let start = SubConfig { start_location: Some([3, 4]), ..SubConfig::default() };
    let configs = [
        Config::default(),
        Config { subs_per_player: 3, obstacles: vec![[10, 10]], ..Config::default() },
        Config { sub: [(SubId(0), start)].into(), ..Config::default() },
    ];
    for config in configs {
        let mut game = SubSim::setup(&config, 2, Seed::from_number(1)).unwrap();
        for _ in 0..5 {
            let moves: Vec<_> = game
                .to_act()
                .iter()
                .map(|seat| {
                    let example = game.view(Viewer::Seat(seat)).example().expect("a game goes on");
                    game.check(seat, &example).unwrap();
                    (seat, Move::Act(example))
                })
                .collect();
            game.advance(Step::Turn(&moves));
        }
        assert_eq!(game.view(Viewer::Public).phase, Phase::Playing);
    }
}
