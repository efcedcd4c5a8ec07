//! The rules against the second model: the same random games, turn by turn.
//!
//! Both must send every player the same lines in the same order. Where the rule book leaves a choice,
//! the model does as the rules do:
//!
//! - Of the mines a blast sets off, the western ones go off first, of those in a column the
//!   northern ones; the mines around those follow when all of these have gone off.
//! - What sonar found is listed row by row; which submarines were detected by their IDs, then by the
//!   distance. So nothing tells the order of the pings.
//! - Sprints, mines and torpedoes of one step follow each other, and each finds the map as the
//!   one before left it: a torpedo can open the way for the next one.
//! - A surfaced submarine is not seen but still in the way of paths, and one destroyed on the
//!   surface is still not seen.
//! - A destroyed submarine keeps its charges, its ammunition and its turns on the surface, also
//!   those its order of this turn would have used.
//! - Who leaves has no points and comes behind all who stayed.
//! - A turn that all players have left is not executed.

use std::collections::BTreeMap;

use ::rules::{Dice, Exit, Game, Move, Seat, Seed, Step, Viewer};

use super::super::rules::{
    Action, Command, Config, Direction, End, Equipment, Order, Square, SubConfig, SubId, SubSim,
    View,
};
use super::model::{Model, Thing, What, toward};
use super::speech::speak;

const GAMES: u64 = 1500;

/// All that can happen. A mine is never on the square of a reactor that explodes: whatever brings
/// the two together sets off the mine.
const EVENTS: &[&str] = &[
    "a chain of mines",
    "a departure ends the game",
    "a hit on the surface",
    "a mine goes off",
    "a mine is laid",
    "a mine is laid on a boat",
    "a mine is laid on a mine",
    "a mine laid by the dead",
    "a mine of one who left goes off",
    "a mine scores",
    "a mine sinks",
    "a move onto a mine",
    "a ping",
    "a ping does not see the surface",
    "a ping sees a mine",
    "a ping sees a rock",
    "a ping sees an enemy",
    "a ping sees an own boat",
    "a ping sees the dead",
    "a ping without charge",
    "a reactor explodes",
    "a reactor explodes though reached by another",
    "a reactor sets off a mine",
    "a reactor takes another boat with it",
    "a repair",
    "a repair of nothing",
    "a sprint",
    "a sprint breaks the reactor",
    "a sprint heard at both ends",
    "a sprint heard by the dead",
    "a sprint heard on the surface",
    "a sprint heard only at its end",
    "a sprint heard only at its start",
    "a sprint of the dead",
    "a sprint onto a mine",
    "a sprint too far",
    "a square is found twice",
    "a torpedo does not reach its target",
    "a torpedo finds its way blocked",
    "a torpedo goes off",
    "a torpedo is a dud",
    "a torpedo of the dead",
    "a torpedo on a mine",
    "a torpedo on the own square",
    "a torpedo scores",
    "a turn",
    "a turn nobody can act in",
    "all leave",
    "charging beyond the maximum",
    "charging nothing",
    "damage to own boats",
    "no mine left",
    "no torpedo left",
    "nobody survives",
    "one survives",
    "several reactors explode",
    "several sprints heard",
    "some leave in the middle of a turn",
    "some leave with the turn",
    "surfacing for no turn",
    "surfacing for one turn",
    "surfacing for several turns",
    "the dead are hit again",
    "the dead do not act",
    "the doomed are killed before they explode",
    "the last turn ends the game",
    "the same hit twice",
];

#[test]
fn the_rules_agree_with_an_independent_model() {
    let mut events = BTreeMap::new();
    for number in 0..GAMES {
        for (event, count) in play(number) {
            *events.entry(event).or_insert(0) += count;
        }
    }
    let happened: Vec<&str> = events.keys().copied().collect();
    assert_eq!(happened, EVENTS, "left is what happened, right is what should: {events:#?}");
    assert!(events["a turn"] > 10_000, "{events:#?}");
}

/// Plays a random game in both and returns what happened in it.
fn play(number: u64) -> BTreeMap<&'static str, u64> {
    let seed = Seed::from_number(number);
    let mut dice = Dice::new(&seed, "agreement", 0);
    let seats = 2 + dice.below(5);
    let config = random_config(&mut dice);
    let mut game = SubSim::setup(&config, seats, seed).expect("a legal table");

    let mut placing = Vec::new();
    let mut turn = Vec::new();
    for seat in Seat::all(seats) {
        let action = game.sample(seat, &mut dice);
        let Action::Place(squares) = &action else { panic!("{action:?} is no placing") };
        placing.push(squares.clone());
        turn.push((seat, Move::Act(action)));
    }
    game.advance(Step::Turn(&turn));
    let mut model = Model::new(&config, &placing);
    compare(number, -1, &game, &model);

    // What all players like to charge in this game.
    let hobby = dice.below(4);
    // Most happens while many boats are left, so few games are followed to the last turn.
    let turns = if number.is_multiple_of(16) { 120 } else { 30 };
    while !model.over && model.turn < turns {
        let seen = model.turn;
        let all_leave = dice.one_in(2000);
        let mut leavers: Vec<usize> = (0..seats).filter(|&p| !model.left[p]).collect();
        leavers.retain(|_| all_leave || dice.one_in(250));
        model.note_if(all_leave, "all leave");
        if dice.one_in(2) && !leavers.is_empty() {
            let exits: Vec<(Seat, Exit)> =
                leavers.iter().map(|&p| (Seat(p as u8), Exit::Left)).collect();
            model.note("some leave in the middle of a turn");
            game.advance(Step::Departure(&exits));
            model.depart(&leavers);
        } else {
            model.note_if(!leavers.is_empty(), "some leave with the turn");
            let (turn, orders) = random_turn(&game, &model, &leavers, hobby, &mut dice);
            game.advance(Step::Turn(&turn));
            model.play(&orders, &leavers);
        }
        compare(number, seen, &game, &model);
    }
    model.events
}

fn random_config(dice: &mut Dice) -> Config {
    let height = 10 + dice.below(3) as u16;
    let subs_per_player = 1 + dice.below(4) as u8;
    let mut obstacles: Vec<[u16; 2]> =
        (1..=height).flat_map(|y| (1..=10).map(move |x| [x, y])).collect();
    dice.shuffle(&mut obstacles);
    let free = obstacles.split_off(dice.below(26));
    let mut sub = BTreeMap::new();
    for id in 0..subs_per_player {
        if !dice.one_in(6) {
            sub.insert(SubId(id), random_sub(&free, dice));
        }
    }
    let max_turns = *dice.pick(&[0, 100]);
    let map_size = [10, height];
    Config { map_size, obstacles, subs_per_player, max_turns, sub, ..Config::default() }
}

fn random_sub(free: &[[u16; 2]], dice: &mut Dice) -> SubConfig {
    let mut some = |values: &[u32]| Some(*dice.pick(values)).filter(|_| !dice.one_in(5));
    SubConfig {
        size: some(&[50, 100, 101, 200]),
        max_shields: some(&[0, 0, 1, 1, 2, 3, 5]),
        max_reactor_damage: some(&[0, 1, 2, 4, 7, 15, 40, 40]),
        max_sonar_charge: some(&[0, 1, 2, 4, 8]),
        max_torpedo_charge: some(&[0, 2, 4, 6, 8]),
        max_mine_charge: some(&[0, 1, 2]),
        max_sprint_charge: some(&[0, 3, 3, 6, 12]),
        torpedo_count: some(&[0, 2, 4, 9, 99, 99]),
        mine_count: some(&[0, 2, 4, 9, 99, 99]),
        surface_turn_count: Some(dice.below(5) as u16).filter(|_| dice.one_in(2)),
        start_location: Some(*dice.pick(free)).filter(|_| dice.one_in(5)),
    }
}

/// What the boats of a turn have in common.
#[derive(Clone, Copy)]
struct Mood {
    hobby: usize,
    kind: Option<usize>,
}

type Turn = Vec<(Seat, Move<Action>)>;

/// The moves of all seats that are to move and the retirement of the leavers, for both sides.
fn random_turn(
    game: &SubSim,
    model: &Model,
    leavers: &[usize],
    hobby: usize,
    dice: &mut Dice,
) -> (Turn, Vec<(usize, Order)>) {
    let mut turn = Vec::new();
    let mut orders = Vec::new();
    // Often most boats do the same, so that what they do meets: ping, fire, lay mines or sprint.
    let kind = if dice.one_in(2) { [7, 0, 3, 5][hobby] } else { dice.below(10) };
    let mood = Mood { hobby, kind: Some(kind).filter(|_| dice.one_in(3)) };
    for player in 0..model.players() {
        let seat = Seat(player as u8);
        if leavers.contains(&player) {
            turn.push((seat, Move::Retire(Exit::Left)));
            continue;
        }
        let mut active = model.things.clone();
        active.retain(|it| it.owner == Some(player) && it.is_active());
        assert_eq!(game.to_act().contains(seat), !active.is_empty(), "who owes a move");
        if active.is_empty() {
            continue;
        }
        let action = if dice.one_in(8) {
            game.sample(seat, dice)
        } else {
            let wanted = active.iter().map(|boat| biased_order(game, model, boat, mood, dice));
            Action::Orders(wanted.collect())
        };
        game.check(seat, &action).expect("a legal action");
        let Action::Orders(given) = &action else { panic!("{action:?} is no list of orders") };
        assert!(given.iter().all(|order| model.is_legal(player, order)), "{action:?}");
        orders.extend(given.iter().map(|order| (player, *order)));
        turn.push((seat, Move::Act(action)));
    }
    (turn, orders)
}

/// A legal order that makes trouble, given by one who knows where everything is.
fn biased_order(game: &SubSim, model: &Model, boat: &Thing, mood: Mood, dice: &mut Dice) -> Order {
    let player = boat.owner.expect("a boat has an owner");
    for _ in 0..20 {
        let kind = mood.kind.filter(|_| !dice.one_in(3)).unwrap_or_else(|| dice.below(20));
        let order =
            Order { sub: boat.id, command: wild_command(model, boat, kind, mood.hobby, dice) };
        let legal = model.is_legal(player, &order);
        let verdict = game.fleet(Seat(player as u8)).check_order(&order);
        assert_eq!(verdict.is_ok(), legal, "{order:?}: {verdict:?}");
        if legal {
            return order;
        }
    }
    Order { sub: boat.id, command: Command::Ping }
}

/// A command that may be illegal.
fn wild_command(
    model: &Model,
    boat: &Thing,
    kind: usize,
    hobby: usize,
    dice: &mut Dice,
) -> Command {
    let direction = *dice.pick(&Direction::ALL);
    let [sonar, torpedo, sprint] = [0, 1, 3].map(|equipment| boat.range(equipment));
    match kind {
        0..=2 if torpedo > 0 => Command::Fire(random_target(model, boat, dice)),
        3..=4 if boat.charge[2] >= boat.most[2] => Command::Mine(direction),
        5..=6 if sprint > 0 => {
            let distance = 2 + dice.below(sprint as usize - 1) as u32;
            Command::Sprint(toward_a_mine(model, boat).unwrap_or(direction), distance)
        }
        7..=8 if sonar > 0 => Command::Ping,
        9 if dice.one_in(3) => Command::Surface,
        10 if dice.one_in(4) => Command::Fire(random_target(model, boat, dice)),
        11 if dice.one_in(4) => Command::Mine(direction),
        12 if dice.one_in(4) => Command::Sprint(direction, dice.below(6) as u32),
        13..=15 => Command::Sleep(useful(boat, hobby, dice), useful(boat, hobby, dice)),
        _ => Command::Move(direction, useful(boat, hobby, dice)),
    }
}

/// A direction in which a mine lies a few squares ahead.
fn toward_a_mine(model: &Model, boat: &Thing) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| {
        let mut mines = model.things.iter().filter(|it| it.what == What::Mine && !it.gone);
        mines.any(|it| (1..=3).any(|steps| toward(boat.at, direction, steps) == it.at))
    })
}

/// Somewhere near a thing that can be hit, if possible within range, seldom off the map.
fn random_target(model: &Model, boat: &Thing, dice: &mut Dice) -> Square {
    let mut things: Vec<&Thing> = model.things.iter().collect();
    things.retain(|it| !it.gone && (it.what != What::Rock || it.at.0 == 1));
    let (mut x, mut y) = dice.pick(&things).at;
    for _ in 0..10 {
        if (x - boat.at.0).abs() + (y - boat.at.1).abs() > boat.range(1) || boat.at == (x, y) {
            (x, y) = dice.pick(&things).at;
        }
    }
    let mut stray = || if dice.one_in(4) { dice.below(3) as i64 - 1 } else { 0 };
    square((x + stray(), y + stray()))
}

/// Mostly equipment that can still be charged.
fn useful(boat: &Thing, hobby: usize, dice: &mut Dice) -> Equipment {
    let mut wanted = *dice.pick(&[0, 1, 2, 3, hobby, hobby, hobby]);
    for _ in 0..4 {
        if boat.charge[wanted] >= boat.most[wanted] {
            wanted = dice.below(4);
        }
    }
    if dice.one_in(40) { Equipment::None } else { Equipment::ALL[wanted] }
}

/// Everything that is sent about the turns after `seen`, and the result.
fn compare(number: u64, seen: i64, game: &SubSim, model: &Model) {
    for viewer in Viewer::all(model.players()) {
        if viewer.seat().is_some_and(|seat| model.left[seat.index()]) {
            continue;
        }
        let mut view: View = game.view(viewer);
        view.news.retain(|report| i64::from(report.turn) > seen);
        let told: Vec<String> = speak(&view).lines().map(str::to_owned).collect();
        let expected = model.told[viewer.seat().map_or(model.players(), Seat::index)].clone();
        assert_eq!(
            told, expected,
            "game {number}: left is what the rules tell {viewer:?} after turn {seen}, right is \
             what the model does"
        );
    }
    assert_eq!(game.outcome().is_some(), model.over, "game {number}: the end");
    if let Some(end) = game.view(Viewer::Public).end {
        compare_ends(number, &end, model);
    }
}

fn compare_ends(number: u64, end: &End, model: &Model) {
    let mut mines: Vec<_> = end.mines.iter().map(|it| (it.square, it.owner)).collect();
    mines.sort_unstable();
    let mut expected: Vec<_> = model
        .things
        .iter()
        .filter(|it| it.what == What::Mine && !it.gone)
        .map(|it| (square(it.at), it.owner.map(|player| Seat(player as u8))))
        .collect();
    expected.sort_unstable();
    assert_eq!(mines, expected, "game {number}: the mines");

    let stayed: Vec<usize> = (0..model.players()).filter(|&p| !model.left[p]).collect();
    for (player, standing) in end.outcome.standings.iter().enumerate() {
        let left = model.left[player];
        let points = if left { 0 } else { model.scores[player] };
        let better = stayed.iter().filter(|&&p| left || model.scores[p] > points).count();
        assert_eq!(standing.exit, left.then_some(Exit::Left), "game {number}: exits");
        assert_eq!(standing.points, points, "game {number}: points");
        assert_eq!(standing.place as usize, 1 + better, "game {number}: places");
    }
}

fn square((x, y): (i64, i64)) -> Square {
    Square::new(x as u16, y as u16)
}
