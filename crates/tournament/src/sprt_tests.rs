use rules::{Dice, Seed};

use super::*;

/// Pairs of games by their points, as fastchess counts them.
fn pairs(counts: [u64; 6]) -> Blocks {
    let [ll, ld, wl, dd, wd, ww] = counts;
    Blocks { counts: vec![ll, ld, wl + dd, wd, ww], games: 2 }
}

#[test]
fn agrees_with_fastchess() {
    let normalised = |elo0, elo1| Sprt::new(elo0, elo1);
    let logistic = |elo0, elo1| Sprt { model: EloModel::Logistic, ..Sprt::new(elo0, elo1) };
    let cases = [
        (normalised(0.0, 2.0), [365, 16_618, 36_029, 200, 16_974, 390], 2.25),
        (normalised(-1.75, 0.25), [127, 4_883, 10_311, 401, 5_150, 104], 3.01),
        (normalised(0.0, 5.0), [0, 0, 0, 0, 0, 5_550], 111.8),
        (logistic(0.5, 2.5), [223, 9_863, 20_279, 1_000, 10_037, 246], -3.07),
        (logistic(0.0, 2.0), [871, 26_175, 55_003, 980, 26_678, 821], -4.98),
    ];
    for (sprt, counts, expected) in cases {
        let llr = sprt.llr(&pairs(counts));
        let off = (llr - expected).abs();
        assert!(off < 0.006 || off < 0.0006 * expected, "{counts:?}: {llr}, not {expected}");
    }
}

#[test]
fn identical_bots_end_as_h0() {
    let sprt = Sprt::new(0.0, 10.0);
    let mut blocks = Blocks::new(4, 2);
    for _ in 0..LEAST_BLOCKS {
        assert_eq!(sprt.verdict(&blocks), Verdict::Undecided);
        blocks.add(2);
    }
    assert_eq!(sprt.verdict(&blocks), Verdict::Identical);
    assert_eq!((blocks.normalised_elo(), blocks.likelihood_of_superiority()), (None, 0.5));
}

#[test]
fn order_of_completion_does_not_matter() {
    let sprt = Sprt::new(0.0, 20.0);
    let scores = [0, 4, 2, 2, 1, 3, 3, 2, 4, 1, 0, 3];
    let fold = |scores: &[usize]| {
        let mut blocks = Blocks::new(4, 2);
        scores.iter().for_each(|score| blocks.add(*score));
        blocks
    };
    let mut turned = scores;
    turned.reverse();
    let llr = sprt.llr(&fold(&scores));
    assert_eq!(llr.to_bits(), sprt.llr(&fold(&turned)).to_bits());
}

/// Ten thousand matches of blocks whose true normalised Elo is known, decided as a match would be:
/// `alpha` and `beta` are kept, with three deviations of such an experiment to spare.
#[test]
fn error_rates_hold_in_10_000_simulated_matches() {
    const MATCHES: u32 = 10_000;
    let sprt = Sprt { alpha: 0.05, beta: 0.05, ..Sprt::new(0.0, 60.0) };
    for (elo, wrong, name) in [(sprt.elo0, Verdict::H1, "alpha"), (sprt.elo1, Verdict::H0, "beta")]
    {
        let odds = five_scores(elo);
        let mut errors = 0;
        for number in 0..MATCHES {
            let mut dice = Dice::new(&Seed::from_number(7), name, u64::from(number));
            let mut blocks = Blocks::new(4, 2);
            let verdict = loop {
                // Looking at every fourth block only saves time; it cannot add errors.
                for _ in 0..4 {
                    let thrown = dice.below(1_000_000) as f64 / 1_000_000.0;
                    blocks.add(odds.iter().position(|up_to| thrown < *up_to).unwrap_or(4));
                }
                let verdict = sprt.verdict(&blocks);
                if verdict != Verdict::Undecided {
                    break verdict;
                }
            };
            errors += u32::from(verdict == wrong);
        }
        let rate = f64::from(errors) / f64::from(MATCHES);
        assert!(rate < 0.05 + 3.0 * (0.05 * 0.95 / f64::from(MATCHES)).sqrt(), "{name}: {rate}");
    }
}

/// Cumulative odds of the five scores of a pair of games, with this normalised Elo.
fn five_scores(elo: f64) -> [f64; 5] {
    let even = [0.06, 0.24, 0.4, 0.24, 0.06];
    let seen: Vec<(f64, f64)> =
        even.iter().enumerate().map(|(step, odds)| (step as f64 / 4.0, *odds)).collect();
    let odds = with_t_value(&seen, elo / NORMALISED_ELO * 2f64.sqrt());
    let mut sum = 0.0;
    std::array::from_fn(|step| {
        sum += odds[step];
        sum
    })
}

#[test]
fn estimates_have_their_usual_shape() {
    let blocks = pairs([10, 60, 100, 20, 90, 20]);
    let (mean, low, high) = blocks.score();
    assert!(low < mean && mean < high && mean > 0.5);
    let (elo, error) = blocks.normalised_elo().expect("there is variance");
    assert!(elo > 0.0 && error > 0.0);
    assert!(blocks.likelihood_of_superiority() > 0.9);
    assert!((logistic_elo(logistic_score(37.0)).expect("in between") - 37.0).abs() < 1e-9);
    assert!((normal_share(1.959_964) - 0.975).abs() < 1e-6);
}
