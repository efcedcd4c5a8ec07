//! Chance is the same everywhere: each legal code is equally likely, in every class and for every caller.

use std::collections::BTreeMap;

use rules::{Dice, Seat, Seed};

use super::{Look, Turn, in_random_games};
use crate::{Buffers, Encode, NAMES, RANDOM, UNIFORM, batch, state};

/// How often each code comes first, for the strategy `random` and for a playout.
struct EveryCodeEquallyOften;

impl Look for EveryCodeEquallyOften {
    fn look<G: Encode>(&self, turn: &Turn<'_, G>) {
        let legal = turn.legal_codes(&[]);
        // Few codes, or it takes long to see all of them often; and not every position.
        if legal.len() < 2 || legal.len() > 400 || !turn.dice.borrow_mut().one_in(9) {
            return;
        }
        let kind = G::bots().iter().find(|kind| kind.name == RANDOM).expect("every game has it");
        let mut bot = (kind.make)();
        let by_strategy = |dice: &mut Dice| bot.choose(turn.view, dice);
        let by_playout = |dice: &mut Dice| turn.game.random(turn.seat, dice);
        count(turn, &legal, "the strategy", by_strategy);
        count(turn, &legal, "the playout", by_playout);
    }
}

fn count<G: Encode>(
    turn: &Turn<'_, G>,
    legal: &[usize],
    who: &str,
    mut choose: impl FnMut(&mut Dice) -> G::Action,
) {
    let throws = 30 * legal.len();
    let mut counts: BTreeMap<usize, f64> = legal.iter().map(|code| (*code, 0.0)).collect();
    for _ in 0..throws {
        let action = choose(&mut turn.dice.borrow_mut());
        let code = G::encode(turn.view, &action).expect("a legal action has a code")[0];
        *counts.get_mut(&code).expect("what it chooses is legal") += 1.0;
    }
    let expected = throws as f64 / legal.len() as f64;
    let chi: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    let free = legal.len() as f64 - 1.0;
    // Seven deviations: hardly any seed fails by chance.
    assert!(chi < free + 7.0 * (2.0 * free).sqrt() + 12.0, "{}: {who}, {counts:?}", turn.name);
}

#[test]
fn random_chooses_every_code_equally_often() {
    in_random_games(EveryCodeEquallyOften);
}

/// Small tables, on which many games are over soon.
fn settings(name: &str) -> &'static str {
    match name {
        "subsim" => r#"{"map_size":[10,10],"max_turns":100}"#,
        "labyrinth" => r#"{"max_rounds":12}"#,
        _ => "{}",
    }
}

/// The mean and its deviation.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

fn assert_alike(name: &str, one: &[f64], two: &[f64]) {
    let ((one, off_one), (two, off_two)) = (mean(one), mean(two));
    // If nothing varies, both are the same.
    let bound = 4.5 * off_one.hypot(off_two) + 1e-9;
    assert!((one - two).abs() <= bound, "{name}: {one} and {two}, at most {bound} apart");
}

/// A uniformly random player scores a half against `random`, on average over both seats.
#[test]
fn a_uniform_player_scores_a_half_against_random() {
    for name in NAMES {
        for opponent in [RANDOM, UNIFORM] {
            let mut scores = Vec::new();
            for number in 0..400 {
                let mut state =
                    state(name, settings(name), 2, Seed::from_number(number / 2)).unwrap();
                let mut dice = Dice::new(&Seed::from_number(number), "uniform", 0);
                let own = Seat((number % 2) as u8);
                state.seat_bot(Seat(1 - own.0), opponent).unwrap();
                while let Some(seat) = state.to_play() {
                    if seat == own {
                        state.apply(*dice.pick(&state.legal_codes(seat))).unwrap();
                    } else {
                        state.let_bot_move().unwrap();
                    }
                }
                scores.push(f64::from(state.returns()[own.index()]));
            }
            assert_alike(&format!("{name}, {opponent}"), &scores, &[0.0, 0.0]);
        }
    }
}

/// A playout and games of sampled codes are the same games: as long, and won as often by the seat
/// that begins.
#[test]
fn playouts_play_as_samples_do() {
    const GAMES: usize = 500;
    for name in NAMES {
        let make = |seed| batch(name, settings(name), 2, GAMES, seed).unwrap();
        let (mut played, mut lengths, mut rewards) = (Vec::new(), Vec::new(), vec![0.0; 2]);
        for seed in 0..GAMES as u64 {
            let mut one = batch(name, settings(name), 2, 1, seed).unwrap();
            lengths.push(one.playout(&mut rewards).unwrap() as f64);
            played.push(f64::from(rewards[0]));
        }
        let mut sampled = make(1);
        let mut buffers = Buffers::new(sampled.spec(), GAMES);
        sampled.tell(&mut buffers.rows()).unwrap();
        let (mut first, mut steps): (Vec<_>, Vec<_>) = (vec![None; GAMES], vec![0.0; GAMES]);
        for step in 0.. {
            if first.iter().all(Option::is_some) {
                break;
            }
            let mut codes = sampled.sample(&buffers.mask, step);
            // Only the first game of each counts.
            codes.iter_mut().zip(&first).for_each(|(code, over)| {
                if over.is_some() {
                    *code = crate::WAIT;
                }
            });
            sampled.step(&codes, &mut buffers.rows()).unwrap();
            for game in 0..GAMES {
                steps[game] += f64::from(u8::from(codes[game] != crate::WAIT));
                if buffers.done[game] == 1 {
                    first[game] = Some(f64::from(buffers.rewards[2 * game]));
                }
            }
        }
        let won: Vec<f64> = first.into_iter().flatten().collect();
        assert_alike(&format!("{name}: who wins"), &played, &won);
        assert_alike(&format!("{name}: how long it takes"), &lengths, &steps);
    }
}
