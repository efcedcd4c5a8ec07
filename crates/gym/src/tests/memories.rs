//! Memories of earlier views are true.

use games::subsim::{Action, Command, Config, Direction, Equipment, Order, Square, SubSim};
use games::sushi_go::SushiGo;
use rules::{Dice, Game, Seat, Seed, Viewer};

use crate::{Encode, Play};

/// With two players each has seen the other's hand after one turn, and knows it from then on.
#[test]
fn in_sushi_go_a_hand_that_was_passed_on_is_known() {
    for number in 0..20 {
        let seed = Seed::from_number(number);
        let game = SushiGo::setup(&Default::default(), 2, seed).unwrap();
        let spec = SushiGo::spec(&Default::default(), 2);
        let plane = |name: &str| spec.planes.iter().find(|plane| plane.name == name).unwrap().first;
        let mut play = Play::new(game, 2);
        let mut dice = Dice::new(&seed, "test", 0);
        while let Some(seat) = play.to_play() {
            let mut row = vec![0.0; spec.observation];
            play.observe(seat, &mut row);
            let view = play.game().view(Viewer::Seat(seat));
            assert_eq!(row[plane("seen")] == 1.0, view.turn > 1);
            let other = play.game().view(Viewer::Seat(seat.next(2)));
            let mut held = [0.0; 12];
            if view.turn > 1 {
                other.hand.unwrap().iter().for_each(|card| held[*card as usize] += 1.0);
            }
            assert_eq!(row[plane("seen_hands")..][..12], held, "seed {number}");
            let action = play.game().sample(seat, &mut dice);
            play.act(action).unwrap();
        }
    }
}

#[test]
fn in_subsim_a_contact_grows_old() {
    let config = SubSim::seated(Config { map_size: [10, 10], ..Config::default() }, 2);
    let spec = SubSim::spec(&config, 2);
    let plane = |name: &str| spec.planes.iter().find(|plane| plane.name == name).unwrap().first;
    let game = SubSim::setup(&config, 2, Seed::from_number(0)).unwrap();
    let mut play = Play::new(game, 2);
    for x in [4, 5] {
        play.act(Action::Place(vec![Square::new(x, 4)])).unwrap();
    }
    let order = |command| Action::Orders(vec![Order { sub: 0, command }]);
    let charge = || order(Command::Sleep(Equipment::Sonar, Equipment::Torpedo));
    let steer = || order(Command::Move(Direction::South, Equipment::Sonar));
    let turns = [[charge(), charge()], [order(Command::Ping), steer()], [charge(), charge()]];
    let mut ages = Vec::new();
    for turn in turns {
        turn.into_iter().for_each(|action| play.act(action).unwrap());
        let mut row = vec![0.0; spec.observation];
        play.observe(Seat(0), &mut row);
        let ages_now = &row[plane("contact_age")..][..100];
        ages.push(ages_now.iter().copied().fold(0.0, f32::max));
    }
    assert_eq!(ages, [0.0, 1.0, 0.5]);
}
