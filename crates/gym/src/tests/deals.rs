//! Where little is hidden, these tests list every deal that fits a seat's knowledge and check that
//! all come up as often as they should. Where much is known, they check that deals fit all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use games::labyrinth::{self, Coordinate, Labyrinth};
use games::subsim::{self, Command, Direction, Equipment, Order, Square, SubSim};
use games::sushi_go::SushiGo;
use games::sushi_go::rules::Card;
use games::tiger_dragon::{TigerDragon, Tile};
use rules::{Dice, Game, Seat, Seed, Viewer};

use crate::{Encode, State};

const DEALS: u64 = 3000;

fn redealt<G: Encode>(state: &State<G>, seat: Seat, deal: u64) -> G {
    let mut other = state.clone();
    other.resample(seat, Seed::from_number(deal)).unwrap();
    other.play().game().clone()
}

/// The ways to take a number of these, each with the number of ways it comes about: equal ones can be
/// exchanged.
fn choices<T: Copy + Ord>(hidden: &[T], size: usize) -> BTreeMap<Vec<T>, f64> {
    let mut ways = BTreeMap::from([(Vec::new(), 1.0)]);
    for &item in hidden {
        for (taken, count) in ways.clone() {
            if taken.len() < size {
                let mut more: Vec<T> = taken;
                more.push(item);
                more.sort_unstable();
                *ways.entry(more).or_default() += count;
            }
        }
    }
    ways.retain(|taken, _| taken.len() == size);
    ways
}

/// Whether the counts are what chance makes of these shares. Rare ones are taken together.
fn assert_fits<T: Ord + Debug>(shares: &BTreeMap<T, f64>, counts: &BTreeMap<T, u32>, what: &str) {
    let strange: Vec<&T> = counts.keys().filter(|key| !shares.contains_key(key)).collect();
    assert!(strange.is_empty(), "{what}: {strange:?} cannot be");
    let total: f64 = shares.values().sum();
    let dealt: u32 = counts.values().sum();
    let (mut chi, mut free, mut rare) = (0.0, -1.0, (0.0, 0.0));
    let mut add = |count: f64, expected: f64| {
        chi += (count - expected).powi(2) / expected;
        free += 1.0;
    };
    for (key, share) in shares {
        let (count, expected) =
            (f64::from(counts.get(key).copied().unwrap_or(0)), f64::from(dealt) * share / total);
        if expected < 8.0 {
            rare = (rare.0 + count, rare.1 + expected);
        } else {
            add(count, expected);
        }
    }
    if rare.1 > 1.0 {
        add(rare.0, rare.1);
    }
    // Six deviations: hardly any seed fails by chance.
    assert!(
        chi < free + 6.0 * (2.0_f64 * free).sqrt() + 12.0,
        "{what}: {chi} of {free}: {counts:?}"
    );
}

/// Tiger & Dragon: the last tiles of a neighbour, of all that are not in sight.
#[test]
fn the_last_tiles_of_a_hand_are_any_that_are_not_in_sight() {
    let mut tried = 0;
    for number in 0..40 {
        let seats = 2 + number as usize % 4;
        let mut state =
            State::<TigerDragon>::new(Default::default(), seats, Seed::from_number(number))
                .unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        while let Some(seat) = state.play().to_play() {
            let view = state.play().game().view(Viewer::Seat(Seat(0)));
            let size = usize::from(view.hand_sizes[1]);
            if (1..=2).contains(&size) && dice.one_in(6) && tried < 24 {
                let mut hidden: Vec<Tile> = Tile::ALL
                    .into_iter()
                    .flat_map(|tile| std::iter::repeat_n(tile, tile.copies().into()))
                    .collect();
                let table = view.discards.iter().flat_map(|discards| discards.iter());
                let seen =
                    table.filter_map(|discard| discard.tile).chain(view.hand.iter().copied());
                for tile in seen {
                    let found = hidden.iter().position(|other| *other == tile).unwrap();
                    hidden.swap_remove(found);
                }
                let shares = choices(&hidden, size);
                let mut counts = BTreeMap::new();
                for deal in 0..DEALS {
                    let other = redealt(&state, Seat(0), deal).view(Viewer::Seat(Seat(1)));
                    let mut hand: Vec<Tile> = other.hand.iter().copied().collect();
                    hand.sort_unstable();
                    *counts.entry(hand).or_insert(0) += 1;
                }
                assert_fits(&shares, &counts, &format!("{seats} seats, {hidden:?}"));
                tried += 1;
            }
            let action = state.play().game().sample(seat, &mut dice);
            state.act(action).unwrap();
        }
    }
    assert!(tried >= 12, "{tried} positions");
}

/// Sushi Go of five in the last round: all but one hand went by, and few cards are left for that one.
#[test]
fn the_hand_that_was_not_seen_is_any_of_the_cards_that_are_left() {
    let mut tried = 0;
    for number in 0..6 {
        let mut state =
            State::<SushiGo>::new(Default::default(), 5, Seed::from_number(number)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(number), "test", 0);
        let mut left: Vec<Card> = Card::DECK
            .iter()
            .flat_map(|(card, copies)| std::iter::repeat_n(*card, *copies))
            .collect();
        let mut last = (0, 0);
        while let Some(seat) = state.play().to_play() {
            let view = state.play().game().view(Viewer::Seat(Seat(0)));
            if let Some(news) = view.news.as_ref().filter(|news| (news.round, news.turn) != last) {
                last = (news.round, news.turn);
                for played in &news.played {
                    for card in played {
                        let found = left.iter().position(|other| other == card).unwrap();
                        left.swap_remove(found);
                    }
                    // For two cards the chopsticks go back into the hand.
                    left.extend((played.len() == 2).then_some(Card::Chopsticks));
                }
            }
            if seat == Seat(0) && (view.round, view.turn) == (3, 4) {
                let hand = |game: &SushiGo, seat: u8| {
                    let mut hand = game.view(Viewer::Seat(Seat(seat))).hand.unwrap();
                    hand.sort_unstable();
                    hand
                };
                let mut hidden = left.clone();
                for card in (0..4).flat_map(|seat| hand(state.play().game(), seat)) {
                    let found = hidden.iter().position(|other| *other == card).unwrap();
                    hidden.swap_remove(found);
                }
                assert!(hidden.len() < 10, "{hidden:?}");
                let shares = choices(&hidden, hand(state.play().game(), 4).len());
                let mut counts = BTreeMap::new();
                for deal in 0..DEALS {
                    let other = redealt(&state, Seat(0), deal);
                    *counts.entry(hand(&other, 4)).or_insert(0) += 1;
                }
                assert_fits(&shares, &counts, &format!("{hidden:?}"));
                tried += 1;
            }
            let action = state.play().game().sample(seat, &mut dice);
            state.act(action).unwrap();
        }
    }
    assert_eq!(tried, 6);
}

/// Labyrinth with many goals: the seat's current goal shows who found how many before. The deals
/// fit that, and they aren't simply the true one.
#[test]
fn goals_are_dealt_where_hardly_any_deal_fits() {
    let at = |(row, column)| Coordinate { row, column };
    let cells = (0..28).map(|index| at((index * 3 % 7, index * 5 % 7)));
    // Late in a game a seat may know all there is to know, so that only one deal fits.
    let (mut asked, mut varied) = (0, 0);
    for seats in 4..=9 {
        let goals = cells.clone().take(12 + 2 * seats).collect();
        let config = labyrinth::Config { goals, max_rounds: 60, ..labyrinth::Config::default() };
        let mut state =
            State::<Labyrinth>::new(config, seats, Seed::from_number(seats as u64)).unwrap();
        // Players who go for their goals find many.
        for seat in Seat::all(seats) {
            state.seat_bot(seat, if seat.0 % 2 == 0 { "euclid" } else { "riemann" }).unwrap();
        }
        for _ in 0..6 {
            for _ in 0..2 * seats {
                if state.play().to_play().is_some() {
                    state.let_bot_move().unwrap();
                }
            }
            let game = state.play().game();
            if game.view(Viewer::Public).phase != labyrinth::Phase::Playing {
                break;
            }
            for seat in Seat::all(seats) {
                let view = game.view(Viewer::Seat(seat));
                let secrets = |game: &Labyrinth| -> Vec<String> {
                    let quest = |seat| format!("{:?}", game.view(Viewer::Seat(seat)).quest());
                    Seat::all(seats).map(quest).collect()
                };
                let mut dealt = BTreeSet::new();
                for deal in 0..4 {
                    let other = redealt(&state, seat, deal);
                    assert_eq!(other.view(Viewer::Seat(seat)), view, "{seats} seats, {seat}");
                    dealt.insert(secrets(&other));
                }
                asked += 1;
                varied += usize::from(dealt.len() > 1 || !dealt.contains(&secrets(game)));
            }
        }
    }
    assert!(asked > 60 && varied * 2 > asked, "{varied} of {asked}");
}

fn orders(state: &mut State<SubSim>, command: impl Fn(Seat) -> Command) {
    for seat in state.play().waiting().iter() {
        let view = state.play().game().view(Viewer::Seat(seat));
        let order = |sub| Order { sub, command: command(seat) };
        state.act(subsim::Action::Orders(view.fleet().active().map(order).collect())).unwrap();
    }
}

/// A submarine that exploded in full view doesn't return, and a player without submarines gives no
/// orders.
#[test]
fn sunk_submarines_stay_sunk() {
    for subs_per_player in [1, 2] {
        let config =
            subsim::Config { map_size: [20, 20], subs_per_player, ..subsim::Config::default() };
        let mut state = State::<SubSim>::new(config, 3, Seed::from_number(0)).unwrap();
        for (x, y) in [(2, 2), (18, 2), (2, 18)] {
            let squares = (0..u16::from(subs_per_player)).map(|id| Square::new(x, y + 2 * id));
            state.act(subsim::Action::Place(squares.collect())).unwrap();
        }
        // Two points of damage to the reactor in each turn: at nine it is gone.
        for _ in 0..5 {
            orders(&mut state, |seat| match seat {
                Seat(2) => Command::Sleep(Equipment::None, Equipment::None),
                _ => Command::Sleep(Equipment::Sonar, Equipment::Torpedo),
            });
        }
        let game = state.play().game();
        assert_eq!(game.to_act().len(), 2);
        let lost = |game: &SubSim| -> usize {
            let lost =
                |seat| game.view(Viewer::Seat(seat)).subs.iter().filter(|sub| sub.dead).count();
            Seat::all(3).map(lost).sum()
        };
        for deal in 0..50 {
            let other = redealt(&state, Seat(0), deal);
            assert_eq!(other.to_act(), game.to_act());
            assert_eq!(lost(&other), lost(game), "deal {deal}");
        }
    }
}

/// Other players may have laid mines unnoticed: some deals have such mines, and none lies where the
/// seat would know of it.
#[test]
fn mines_that_nobody_found_are_dealt() {
    let config = subsim::Config { map_size: [10, 10], ..subsim::Config::default() };
    let mut state = State::<SubSim>::new(config, 2, Seed::from_number(0)).unwrap();
    for (x, y) in [(5, 5), (9, 9)] {
        state.act(subsim::Action::Place(vec![Square::new(x, y)])).unwrap();
    }
    for turn in 0..12 {
        let way = if turn % 2 == 0 { Direction::East } else { Direction::West };
        let charge = if turn < 6 { Equipment::Sonar } else { Equipment::Torpedo };
        orders(&mut state, |seat| match seat {
            Seat(0) if turn == 11 => Command::Ping,
            Seat(0) => Command::Move(way, charge),
            _ => Command::Sleep(Equipment::Sonar, Equipment::Torpedo),
        });
    }
    let view = state.play().game().view(Viewer::Seat(Seat(0)));
    let swept: Vec<Square> = view
        .news
        .iter()
        .flat_map(|report| &report.pings)
        .flat_map(|ping| ping.squares.clone())
        .collect();
    assert!(swept.len() > 20);
    let mut mines = 0;
    for deal in 0..200 {
        let other = redealt(&state, Seat(0), deal);
        assert_eq!(other.view(Viewer::Seat(Seat(0))), view);
        for mine in other.view(Viewer::Seat(Seat(1))).mines {
            assert!(!swept.contains(&mine) && mine != view.subs[0].square, "{mine}");
            mines += 1;
        }
    }
    assert!(mines > 50, "{mines} mines in 200 deals");
}
