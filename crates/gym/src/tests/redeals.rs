//! A game dealt again for a seat is one that the seat can't tell from its own by anything it has
//! seen, and all such games are equally likely.

use std::collections::BTreeMap;

use games::gamba::{self, Gamba};
use games::labyrinth::{self, Labyrinth};
use games::subsim::{self, Command, Direction, Equipment, Order, Square, SubSim};
use games::sushi_go::SushiGo;
use games::sushi_go::rules as sushi_go;
use rules::{Dice, Game, Seat, Seed, Viewer};
use serde_json::Value;

use crate::{AnyState, NAMES, State, state};

fn random_code(state: &mut dyn AnyState, dice: &mut Dice) {
    let Some(seat) = state.to_play() else { return };
    let codes = state.legal_codes(seat);
    state.apply(*dice.pick(&codes)).unwrap();
}

fn row(state: &dyn AnyState, seat: Seat) -> Vec<f32> {
    let mut row = vec![0.0; state.spec().observation];
    state.observe(seat, &mut row);
    row
}

#[test]
fn a_seat_has_the_same_views_numbers_and_codes() {
    let tables = NAMES.map(|name| (name, "{}", 2)).into_iter().chain([
        ("sushi-go", r#"{"pass_direction":"alternate"}"#, 4),
        ("gamba", r#"{"deal":"full-deck"}"#, 2),
        ("tiger-dragon", "{}", 4),
        ("subsim", r#"{"subs_per_player":2,"map_size":[10,10]}"#, 3),
        (
            "labyrinth",
            r#"{"max_rounds":6,"goals":[{"row#":1,"column#":1},{"row#":3,"column#":3}]}"#,
            3,
        ),
    ]);
    for (name, config, seats) in tables {
        for number in 0..4 {
            let mut original = state(name, config, seats, Seed::from_number(number)).unwrap();
            let mut dice = Dice::new(&Seed::from_number(number), "test", 1);
            // To the end of the game; the longest are looked at less often.
            for step in 1..200 {
                for _ in 0..3 * (1 + step / 8) {
                    random_code(&mut *original, &mut dice);
                }
                if original.to_play().is_none() {
                    break;
                }
                for seat in Seat::all(seats) {
                    let mut other = original.copy();
                    other.resample(seat, dice.below(1000) as u64).unwrap();
                    for viewer in [Viewer::Seat(seat), Viewer::Public] {
                        let (was, is) = (original.views(viewer), other.views(viewer));
                        assert_eq!(is, was, "{name} of {seats}: seat {seat}");
                        // The deal itself wasn't part of the earlier views.
                        let (was, is) = (original.view(viewer), other.view(viewer));
                        assert_eq!(is, was, "{name} of {seats}: seat {seat}");
                    }
                    let (was, is) = (original.waiting(), other.waiting());
                    assert!(was.without(is).is_empty(), "{name}: {was:?} owe a move, not {is:?}");
                    assert_eq!(row(&*other, seat), row(&*original, seat), "{name} of {seats}");
                    if original.to_play() == Some(seat) {
                        let (was, is) = (original.legal_codes(seat), other.legal_codes(seat));
                        assert_eq!(is, was, "{name} of {seats}");
                    }
                    // The new game can be played like any other.
                    for _ in 0..8 {
                        random_code(&mut *other, &mut dice);
                    }
                }
            }
        }
    }
}

/// What the numbers say about other hands holds in every deal.
#[test]
fn hands_that_were_seen_are_dealt_as_they_were() {
    for seats in [2, 3, 5] {
        for number in 0..6 {
            let mut state =
                State::<SushiGo>::new(Default::default(), seats, Seed::from_number(number))
                    .unwrap();
            let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
            let mut known = 0;
            while let Some(seat) = state.play().to_play() {
                let mut other = state.clone();
                other.resample(Seat(0), Seed::from_number(dice.below(9999) as u64)).unwrap();
                let hands = |state: &State<SushiGo>| -> Vec<Vec<sushi_go::Card>> {
                    let hand = |seat| state.play().game().view(Viewer::Seat(seat)).hand.unwrap();
                    let sorted = |seat| {
                        let mut hand = hand(seat);
                        hand.sort_unstable();
                        hand
                    };
                    Seat::all(seats).map(sorted).collect()
                };
                // A hand returns after as many turns as there are seats, so the hands passed on
                // since are known.
                let view = state.play().game().view(Viewer::Seat(Seat(0)));
                let (was, is) = (hands(&state), hands(&other));
                for turns in 0..usize::from(view.turn).min(seats) {
                    assert_eq!(is[turns], was[turns], "{seats} seats, turn {}", view.turn);
                    known += usize::from(turns > 0);
                }
                let action = state.play().game().sample(seat, &mut dice);
                state.act(action).unwrap();
            }
            assert!(known > 20, "{known} hands");
        }
    }
}

/// Cards that the other seat picked up openly are in its hand in every deal, until it plays them.
#[test]
fn cards_that_were_picked_up_are_in_the_hand() {
    let mut checked = 0;
    for number in 0..40 {
        let mut state =
            State::<Gamba>::new(Default::default(), 2, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        let mut held: Vec<gamba::Card> = Vec::new();
        while let Some(seat) = state.play().to_play() {
            let before = state.play().game().view(Viewer::Public);
            let codes = state.play().legal_codes(seat, 54);
            state.apply(*dice.pick(&codes)).unwrap();
            let after = state.play().game().view(Viewer::Public);
            if seat == Seat(1) && after.pile.is_empty() && after.burned == before.burned {
                held.extend(before.pile.iter());
            }
            held.retain(|card| !after.pile.contains(card) && !after.burned.contains(card));
            if state.play().to_play().is_none() {
                break;
            }
            let mut other = state.clone();
            other.resample(Seat(0), Seed::from_number(dice.below(9999) as u64)).unwrap();
            let hand = other.play().game().view(Viewer::Seat(Seat(1))).seats[1].hand.unwrap();
            assert!(held.iter().all(|card| hand.contains(card)), "{held:?} in {hand:?}");
            checked += held.len();
        }
    }
    assert!(checked > 200, "{checked} cards");
}

/// Gamba with few hidden cards: the test lists every hand the other seat may have, from public
/// information only, and checks that all are dealt equally often.
#[test]
fn deals_are_uniform_over_all_that_fit() {
    let config = gamba::Config { deal: gamba::Deal::FullDeck };
    let (mut tried, mut known, mut failures) = (0, 0, 0);
    for number in 0..600 {
        let mut state = State::<Gamba>::new(config, 2, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        let mut held: Vec<gamba::Card> = Vec::new();
        // The ranks that fitted on the pile when a reserve of the other seat failed.
        let mut failed: Option<gamba::Ranks> = None;
        while let Some(seat) = state.play().to_play() {
            let before = state.play().game().view(Viewer::Public);
            let action = state.play().game().sample(seat, &mut dice);
            state.act(action).unwrap();
            let view = state.play().game().view(Viewer::Seat(Seat(0)));
            if seat == Seat(1) && view.pile.is_empty() && view.burned == before.burned {
                held.extend(before.pile.iter());
                if action == gamba::Action::Reserve {
                    failed = Some(before.fits);
                }
            }
            held.retain(|card| !view.pile.contains(card) && !view.burned.contains(card));
            let unknown = view.seats[1].hand_size - held.len().min(view.seats[1].hand_size);
            failed = failed.filter(|_| unknown == 1);
            if view.to_act.is_none() || view.deck_size > 0 || !(1..=2).contains(&unknown) {
                continue;
            }
            let possible = possible_hands(&hidden_cards(&view, &held), unknown, failed);
            // Few kinds of deals, or the test takes long; and not one position after the other.
            if possible.len() < 2 || possible.len() > 30 || dice.below(4) > 0 {
                continue;
            }
            assert_uniform(&deal_often(&state, &held, &possible));
            (tried, known) = (tried + 1, known + usize::from(!held.is_empty()));
            failures += usize::from(failed.is_some());
        }
        if tried >= 20 && failures >= 2 {
            break;
        }
    }
    assert!(tried >= 10 && known >= 5 && failures >= 1, "{tried}, {known}, {failures}");
}

/// The cards that the first seat has not seen; `held`: it knows that the other has these.
fn hidden_cards(view: &gamba::View, held: &[gamba::Card]) -> Vec<gamba::Card> {
    let own = view.seats[0].hand.as_ref().unwrap();
    let seen = [held, &own[..], &view.pile[..], &view.burned[..]];
    gamba::Card::all().filter(|card| !seen.iter().any(|heap| heap.contains(card))).collect()
}

/// The hands of one or two unknown cards. A single card that would have fitted when a reserve failed
/// would have been played.
fn possible_hands(
    hidden: &[gamba::Card],
    unknown: usize,
    failed: Option<gamba::Ranks>,
) -> Vec<Vec<gamba::Card>> {
    let mut possible = Vec::new();
    for (index, &one) in hidden.iter().enumerate() {
        if unknown == 1 && failed.is_none_or(|fits| !fits.contains(one.value())) {
            possible.push(vec![one]);
        } else if unknown == 2 {
            possible.extend(hidden[index + 1..].iter().map(|&two| vec![one, two]));
        }
    }
    possible
}

/// How often each possible hand is dealt.
fn deal_often(
    state: &State<Gamba>,
    held: &[gamba::Card],
    possible: &[Vec<gamba::Card>],
) -> Vec<u32> {
    let mut counts = vec![0_u32; possible.len()];
    for deal in 0..3000 {
        let mut again = state.clone();
        again.resample(Seat(0), Seed::from_number(deal)).unwrap();
        let hand = again.play().game().view(Viewer::Seat(Seat(1))).seats[1].hand.unwrap();
        let mut rest: Vec<gamba::Card> =
            hand.iter().copied().filter(|card| !held.contains(card)).collect();
        rest.sort_unstable();
        let place = possible.iter().position(|hand| *hand == rest);
        counts[place.unwrap_or_else(|| panic!("{rest:?} is not among {possible:?}"))] += 1;
    }
    counts
}

/// A chi-squared test with six deviations of room: hardly any seed fails by chance.
fn assert_uniform(counts: &[u32]) {
    let share = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let off = |count: &u32| (f64::from(*count) - share).powi(2) / share;
    let chi: f64 = counts.iter().map(off).sum();
    let free = counts.len() as f64 - 1.0;
    assert!(chi < free + 6.0 * (2.0 * free).sqrt() + 12.0, "{chi} of {free}: {counts:?}");
}

/// Every first goal that the other seat's moves leave possible is dealt, and no other: a game that
/// it would have won before is none. What the seat knows does not depend on the true goal.
#[test]
fn goals_of_others_fit_their_moves_and_are_uniform() {
    let config = labyrinth::Config { max_rounds: 40, ..labyrinth::Config::default() };
    for number in 0..4 {
        let mut state =
            State::<Labyrinth>::new(config.clone(), 2, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        for _ in 0..30 {
            let Some(seat) = state.play().to_play() else { break };
            let action = state.play().game().sample(seat, &mut dice);
            state.act(action).unwrap();
        }
        if state.play().game().view(Viewer::Public).phase != labyrinth::Phase::Playing {
            continue;
        }
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for deal in 0..2000 {
            let mut other = state.clone();
            other.resample(Seat(0), Seed::from_number(deal)).unwrap();
            let view = other.play().game().view(Viewer::Seat(Seat(1)));
            let quest = view.quest().unwrap();
            *counts.entry(format!("{:?} {}", quest.place, quest.homeward)).or_default() += 1;
        }
        // Nine fixed tiles without both own goals' place and its own home.
        assert!((4..=8).contains(&counts.len()), "{counts:?}");
        let expected = 2000.0 / counts.len() as f64;
        let off = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        let chi: f64 = counts.values().map(off).sum();
        assert!(chi < 45.0, "{chi}: {counts:?}");
    }
}

/// The table's own settings hold: what is played on is the same game.
#[test]
fn the_rounds_of_a_table_are_kept() {
    let config = r#"{"max_rounds":4}"#;
    for number in 0..6 {
        let mut state = state("labyrinth", config, 2, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        random_code(&mut *state, &mut dice);
        state.resample(Seat(0), 5).unwrap();
        let mut moves = 1;
        while state.to_play().is_some() {
            random_code(&mut *state, &mut dice);
            moves += 1;
        }
        assert!(moves <= 8 + 2, "{moves} moves in four rounds of two");
    }
    // Hands go the other way in the second round, whatever the first looks like.
    let mut state =
        crate::state("sushi-go", r#"{"pass_direction":"alternate"}"#, 3, Seed::from_number(1))
            .unwrap();
    state.resample(Seat(0), 5).unwrap();
    let mut dice = Dice::new(&Seed::from_number(1), "test", 0);
    loop {
        let view: Value = serde_json::from_str(&state.view(Viewer::Public).unwrap()).unwrap();
        if view["round"] == 2 {
            assert_eq!(view["passes_to"], serde_json::json!([2, 0, 1]));
            break;
        }
        random_code(&mut *state, &mut dice);
    }
}

fn subsim() -> State<SubSim> {
    let config = subsim::Config { map_size: [10, 10], ..subsim::Config::default() };
    let mut state = State::<SubSim>::new(config, 2, Seed::from_number(0)).unwrap();
    for (x, y) in [(4, 4), (6, 4)] {
        state.act(subsim::Action::Place(vec![Square::new(x, y)])).unwrap();
    }
    state
}

fn turn(state: &mut State<SubSim>, commands: [Command; 2]) {
    for command in commands {
        state.act(subsim::Action::Orders(vec![Order { sub: 0, command }])).unwrap();
    }
}

/// The square, shields and points of the other submarine in many deals.
fn others(state: &State<SubSim>) -> Vec<(Square, u32, u32)> {
    let deal = |seed| {
        let mut other = state.clone();
        other.resample(Seat(0), Seed::from_number(seed)).unwrap();
        let view = other.play().game().view(Viewer::Seat(Seat(1)));
        (view.subs[0].square, view.subs[0].shields, view.score)
    };
    (0..300).map(deal).collect()
}

#[test]
fn a_submarine_is_where_it_was_found_and_goes_on_from_there() {
    let mut state = subsim();
    let charge = Command::Sleep(Equipment::Sonar, Equipment::Torpedo);
    let steer = |way| Command::Move(way, Equipment::Sonar);
    turn(&mut state, [charge, charge]);
    turn(&mut state, [charge, charge]);
    turn(&mut state, [Command::Ping, charge]);
    assert!(others(&state).iter().all(|(square, ..)| *square == Square::new(6, 4)));
    turn(&mut state, [charge, steer(Direction::East)]);
    turn(&mut state, [charge, steer(Direction::East)]);
    let squares: Vec<Square> = others(&state).into_iter().map(|(square, ..)| square).collect();
    assert!(squares.iter().all(|square| square.steps_to(Square::new(6, 4)) <= 2));
    assert!(squares.iter().any(|square| *square != squares[0]));
    // A ping that finds nothing leaves only squares it didn't reach.
    turn(&mut state, [Command::Ping, steer(Direction::South)]);
    let swept = state.play().game().view(Viewer::Seat(Seat(0))).news[0].pings[0].squares.clone();
    let found = !state.play().game().view(Viewer::Seat(Seat(0))).news[0].objects.is_empty();
    for (square, ..) in others(&state) {
        assert!(found || !swept.contains(&square), "{square} was swept");
    }
}

#[test]
fn damage_and_points_are_kept() {
    let mut state = subsim();
    let charge = Command::Sleep(Equipment::Torpedo, Equipment::Torpedo);
    turn(&mut state, [charge, charge]);
    turn(&mut state, [charge, charge]);
    // Each hits the other on its square: two points and two shields.
    turn(&mut state, [Command::Fire(Square::new(6, 4)), Command::Fire(Square::new(4, 4))]);
    let view = state.play().game().view(Viewer::Seat(Seat(1)));
    assert_eq!((view.score, view.subs[0].shields), (2, 1));
    for other in others(&state) {
        assert_eq!(other, (Square::new(6, 4), 1, 2));
    }
}
