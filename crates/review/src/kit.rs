//! What every game promises its reviewers, as a test any game can run.

use rules::{BotKind, Dice, Past, Reviewable, Seat, Seed, Viewer};

use crate::course::Course;
use crate::reviewing::{Budget, Request, review};
use crate::trial::played;
use crate::weighing::weigh;

/// No game of the kit may last longer.
const LONGEST: u64 = 2_000;

/// Lets the house's strategies play at a table, and asserts every promise about the reviews of these
/// games. Failures name the seed.
pub fn conform<G: Reviewable>(config: &G::Config, seats: usize, kinds: &[BotKind<G>], seeds: u64) {
    for number in 0..seeds {
        let name = format!("{} seed {number}", G::NAME);
        let kind = |seat: usize| kinds[(number as usize + seat) % kinds.len()];
        let seated: Vec<BotKind<G>> = (0..seats).map(kind).collect();
        let course = played(config, &seated, number, LONGEST);
        let course = course.unwrap_or_else(|why| panic!("{name}: {why}"));
        let course = course.unwrap_or_else(|| panic!("{name}: not over after {LONGEST} turns"));
        judges_by_what_is_seen(&course, &name);
        is_honest(&course, &name);
    }
}

/// Candidates are legal, each only once and of a known kind; quick moves are legal; and neither
/// what may be chosen nor what it is worth changes with what the seat can't know.
fn judges_by_what_is_seen<G: Reviewable>(course: &Course<G>, name: &str) {
    let mut game = course.setup().expect("it was played");
    let mut memories = vec![G::Memory::default(); course.seats()];
    let mut actions: Vec<G::Action> = Vec::new();
    let mut dice = Dice::new(&course.seed, "review kit views", 0);
    let stride = course.steps.len() / 8 + 1;
    for (index, played) in course.steps.iter().enumerate() {
        for (seat, memory) in Seat::all(course.seats()).zip(&mut memories) {
            G::remember(memory, &game.view(Viewer::Seat(seat)));
        }
        for (seat, action) in played.what.actions() {
            let memory = &memories[seat.index()];
            let past =
                Past { game: &game, config: &course.config, seat, memory, actions: &actions };
            keeps_to_the_rules(&past, action, name, &mut dice);
            if index % stride == 0 {
                sees_no_secrets(&past, course.seats(), action, name, &mut dice);
            }
        }
        let mut other = game.clone();
        other.shuffle_future(&mut dice);
        for viewer in Viewer::all(course.seats()) {
            assert_eq!(other.view(viewer), game.view(viewer), "{name}: {viewer:?} sees the future");
        }
        game.advance(played.what.step());
        actions.extend(played.what.actions().map(|(_, action)| action.clone()));
    }
}

fn keeps_to_the_rules<G: Reviewable>(
    past: &Past<'_, G>,
    action: &G::Action,
    name: &str,
    dice: &mut Dice,
) {
    let (game, seat) = (past.game, past.seat);
    let view = game.view(Viewer::Seat(seat));
    let candidates = G::candidates(&view, past.memory, dice);
    assert!(!candidates.is_empty(), "{name}: seat {seat} has nothing to choose from");
    let quick = game.quick_move(seat, dice);
    assert_eq!(game.check(seat, &quick), Ok(()), "{name}: quick move {quick:?}");
    for (place, candidate) in candidates.iter().enumerate() {
        assert_eq!(game.check(seat, candidate), Ok(()), "{name}: candidate {candidate:?}");
        assert_eq!(&G::canonical(&view, candidate), candidate, "{name}: not canonical");
        assert!(!candidates[..place].contains(candidate), "{name}: {candidate:?} is there twice");
    }
    let made = G::canonical(&view, action);
    assert_eq!(game.check(seat, &made), Ok(()), "{name}: {action:?} became {made:?}");
    let kind = G::kind(&view, action);
    assert!(G::KINDS.contains(&kind), "{name}: {action:?} is of the unknown kind {kind}");
}

fn sees_no_secrets<G: Reviewable>(
    past: &Past<'_, G>,
    seats: usize,
    action: &G::Action,
    name: &str,
    dice: &mut Dice,
) {
    let viewer = Viewer::Seat(past.seat);
    let other = G::redeal(past, dice).unwrap_or_else(|| panic!("{name}: no deal fits"));
    assert_eq!(other.view(viewer), past.game.view(viewer), "{name}: the deal can be told apart");
    let seed = dice.seed();
    let weighed = |past: &Past<'_, G>| {
        let weighed = weigh(past, seats, Some(action), 8, &seed);
        let told = weighed.iter().map(|one| (format!("{:?}", one.action), one.value()));
        told.collect::<Vec<(String, f64)>>()
    };
    let values = weighed(past);
    assert!(values.iter().all(|(_, value)| (0.0..=1.0).contains(value)), "{name}: {values:?}");
    let elsewhere = Past { game: &other, ..*past };
    assert_eq!(weighed(&elsewhere), values, "{name}: values depend on what seat can't know");
}

/// Values are shares, the line adds up and ends at the result, everything that moved it is
/// accounted for, and the same seed gives the same review.
fn is_honest<G: Reviewable>(course: &Course<G>, name: &str) {
    let ask = || {
        let request = Request {
            budget: Budget { deals: *Budget::DEALS.start() },
            seed: Seed::from_number(7),
            seat: None,
            words: |_, _| String::new(),
        };
        review(course.clone(), request).unwrap_or_else(|why| panic!("{name}: {why}"))
    };
    let found = ask();
    assert_eq!(ask(), found, "{name}: not the same review twice");
    let seats = course.seats() as f64;
    for point in &found.line {
        let sum: f64 = point.values.iter().sum();
        assert!((sum - seats / 2.0).abs() < 0.001 * seats, "{name}: {point:?} adds up to {sum}");
        assert!(point.values.iter().all(|value| (0.0..=1.0).contains(value)), "{name}: {point:?}");
    }
    let last = found.line.last().expect("there is a first point at least");
    for (player, value) in found.players.iter().zip(&last.values) {
        assert_eq!(player.result, *value, "{name}: the line ends elsewhere");
        let moved = player.start + player.luck + player.own + player.others;
        assert!((moved - player.result).abs() < 0.001, "{name}: {player:?}");
        assert!(player.decisions == 0 || !player.kinds.is_empty(), "{name}: {player:?}");
    }
    for decision in &found.decisions {
        let values = decision.candidates.iter().map(|choice| choice.value);
        assert!(values.clone().all(|value| (0.0..=1.0).contains(&value)), "{name}: {decision:?}");
        assert!((0.0..=1.0).contains(&decision.regret), "{name}: {decision:?}");
    }
}
