//! Every deal that fits is found, no other, and each as often as the others.

use std::collections::BTreeMap;

use rules::{Dice, Game, Move, Seat, Seed, Step, Viewer};

use super::super::{Action, Config, Labyrinth};
use super::{Coordinate, Path, Trail, fitting};
use crate::labyrinth::bots::Strategy;

/// A player who moves towards its goal, or else anywhere.
fn turn(game: &Labyrinth, seat: Seat, dice: &mut Dice) -> Action {
    let view = game.view(Viewer::Seat(seat));
    let goal = view.target().filter(|_| !dice.one_in(4));
    let choice =
        goal.and_then(|goal| Strategy::Euclid.choose(&view.maze, view.avatar(seat).position, goal));
    choice.map_or_else(|| game.sample(seat, dice), Action::Play)
}

/// Every deal of first goals that leads to what the seat saw, found by trying all there are.
fn all_that_fit(trail: &Trail<'_>, seat: Seat, seen: &Path) -> Vec<Vec<Option<Coordinate>>> {
    let places = trail.places();
    let mut deals = vec![Vec::new()];
    for other in Seat::all(trail.game.first.len()) {
        let own = trail.game.first[seat.index()];
        let home = trail.game.avatars[other.index()].home;
        let mut longer = Vec::new();
        for deal in deals {
            let free = |place: &Option<Coordinate>| {
                *place != own && *place != Some(home) && !deal.contains(place)
            };
            let places = places.iter().copied().map(Some).filter(free);
            let places: Vec<_> = if other == seat { vec![own] } else { places.collect() };
            longer.extend(places.into_iter().map(|place| [&deal[..], &[place]].concat()));
        }
        deals = longer;
    }
    deals.retain(|deal| {
        let path = trail.follow(deal, seat);
        path.told == seen.told && path.winner == seen.winner
    });
    deals
}

#[test]
fn the_search_finds_all_deals_that_fit_and_prefers_none() {
    const DEALS: u32 = 1500;
    let at = |index: u16| Coordinate { row: index * 3 % 7, column: index * 5 % 7 };
    let (mut tried, mut narrow) = (0, 0);
    for number in 0..10 {
        let seats = 3 + number as usize % 3;
        let goals = if number % 2 == 0 { (0..20).map(at).collect() } else { Vec::new() };
        let config = Config { goals, max_rounds: 50, ..Config::default() };
        let mut game = Labyrinth::setup(&config, seats, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        let mut actions = Vec::new();
        for count in 1..60 {
            if game.ending.is_some() {
                break;
            }
            let seat = game.mover();
            let action = turn(&game, seat, &mut dice);
            game.advance(Step::Turn(&[(seat, Move::Act(action))]));
            actions.push(action);
            if count % 9 != 0 {
                continue;
            }
            let trail = game.trail(&config, actions.iter());
            let seen = trail.follow(&game.first, Seat(0));
            let fit = all_that_fit(&trail, Seat(0), &seen);
            assert!(fit.contains(&game.first), "the true deal fits");
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for _ in 0..DEALS {
                let deal = fitting::search(&trail, Seat(0), &seen, &mut dice).expect("one fits");
                assert!(fit.contains(&deal), "{deal:?} does not fit");
                *counts.entry(format!("{deal:?}")).or_default() += 1;
            }
            // Where there are many, each comes up too seldom for a test.
            if fit.len() > 1 && fit.len() <= 150 {
                let expected = f64::from(DEALS) / fit.len() as f64;
                let missing = (fit.len() - counts.len()) as f64 * expected;
                let off = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
                let chi: f64 = counts.values().map(off).sum::<f64>() + missing;
                let free = fit.len() as f64 - 1.0;
                let bound = free + 6.0 * (2.0 * free).sqrt() + 12.0;
                assert!(chi < bound, "{chi} of {free}: {counts:?}");
                tried += 1;
            }
            narrow += usize::from(fit.len() < 40);
        }
    }
    assert!(tried >= 6 && narrow >= 15, "{tried} positions, {narrow} of them narrow");
}
