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

/// Ten thousand matches of blocks with a known normalised Elo, decided as a match would be: `alpha`
/// and `beta` hold, with three deviations of such an experiment to spare.
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
    let odds = with_t_value(&seen, elo / NORMALISED_ELO * 2f64.sqrt()).expect("near enough");
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

/// Bounds far from what was seen: the likelihood ratio is a number all the same.
#[test]
fn large_differences_have_a_likelihood() {
    let four_seats = Blocks { counts: vec![1, 2, 5, 9, 20, 40, 90, 120, 213], games: 6 };
    for (elo0, elo1) in [(0.0, 145.0), (0.0, 200.0), (-200.0, 0.0), (0.0, 250.0), (180.0, 400.0)] {
        for blocks in
            [pairs([60, 0, 300, 80, 0, 60]), pairs([0, 0, 0, 0, 0, 500]), four_seats.clone()]
        {
            let llr = Sprt::new(elo0, elo1).llr(&blocks);
            assert!(llr.is_finite(), "{elo0} {elo1} {blocks:?}: {llr}");
        }
    }
    // Far above both bounds the larger one is the likelier, far below the smaller one.
    assert!(Sprt::new(0.0, 200.0).llr(&four_seats) > 3.0);
    assert!(Sprt::new(0.0, 250.0).llr(&pairs([60, 0, 300, 80, 0, 60])) < -3.0);
}

/// Steps lead to the same answer as a direct way does.
#[test]
fn steps_find_what_is_found_directly() {
    let (seen, _) = pairs([30, 40, 200, 80, 90, 60]).smoothed();
    let even = vec![0.2; 5];
    for t in [-0.3, 0.1, 0.4] {
        let direct = bent_to(&seen, even.clone(), t).expect("near enough");
        let start: Vec<f64> = seen.iter().map(|(_, weight)| *weight).collect();
        let stepped = bent_to(&seen, start, t).expect("near enough");
        let off = direct.iter().zip(&stepped).map(|(one, other)| (one - other).abs());
        assert!(off.fold(0.0, f64::max) < 1e-7, "{t}: {direct:?} {stepped:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::with_cases(2000)
    })]

    /// Whatever was counted and whatever is asked, the answer is a number, and intervals hold what
    /// they are about and have a width.
    #[test]
    fn no_counts_and_bounds_give_nonsense(
        counts in proptest::collection::vec(
            proptest::prop_oneof![proptest::prelude::Just(0u64), 0..5u64, 0..100_000u64],
            2..40,
        ),
        games in 1..30u32,
        elo0 in -5000.0..5000.0f64,
        wider in 0.0..5000.0f64,
        logistic in proptest::bool::ANY,
    ) {
        let model = if logistic { EloModel::Logistic } else { EloModel::Normalised };
        let sprt = Sprt { model, ..Sprt::new(elo0, elo0 + wider) };
        let blocks = Blocks { counts, games };
        proptest::prop_assert!(sprt.llr(&blocks).is_finite(), "{:?} {:?}", sprt, blocks);
        let (mean, low, high) = blocks.score();
        proptest::prop_assert!(low <= mean && mean <= high && low < high);
        if let Some((elo, error)) = blocks.normalised_elo() {
            proptest::prop_assert!(elo.is_finite() && error.is_finite() && error > 0.0);
        }
    }
}

/// A thousand matches each of a known distribution: how many of the intervals hold the truth.
#[test]
fn intervals_hold_what_they_promise() {
    let weights = [0.04, 0.10, 0.26, 0.25, 0.35];
    let truth: f64 =
        weights.iter().enumerate().map(|(step, weight)| step as f64 / 4.0 * weight).sum();
    let variance: f64 = weights
        .iter()
        .enumerate()
        .map(|(step, weight)| weight * (step as f64 / 4.0 - truth).powi(2))
        .sum();
    let elo = (truth - 0.5) / (2.0 * variance).sqrt() * NORMALISED_ELO;
    let mut dice = Dice::new(&Seed::from_number(5), "coverage", 0);
    for size in [5, 30, 500] {
        let (mut scores, mut elos) = (0, 0);
        for _ in 0..1000 {
            let mut blocks = Blocks::new(4, 2);
            for _ in 0..size {
                let mut at = dice.below(100) as f64 / 100.0;
                let step = weights.iter().position(|weight| {
                    at -= weight;
                    at < -1e-9
                });
                blocks.add(step.unwrap_or(4));
            }
            let (_, low, high) = blocks.score();
            scores += u32::from(low <= truth && truth <= high);
            elos += u32::from(
                blocks.normalised_elo().is_some_and(|(at, error)| (at - elo).abs() <= error),
            );
        }
        // 95 %, and three deviations of such an experiment.
        assert!(scores >= 930, "{size} blocks: {scores} of 1000");
        assert!(size < 30 || elos >= 925, "{size} blocks: {elos} of 1000");
    }
}

/// A match stops when one side is ahead, so its interval is too narrow: docs/guides/compare-bots.md says by how
/// much.
#[test]
fn after_a_stop_intervals_hold_less_than_they_promise() {
    let sprt = Sprt::new(0.0, 60.0);
    let mut dice = Dice::new(&Seed::from_number(8), "stopped", 0);
    let mut held = 0;
    for _ in 0..500 {
        let mut blocks = Blocks::new(4, 2);
        while sprt.verdict(&blocks) == Verdict::Undecided {
            blocks.add(dice.below(3) + dice.below(3));
        }
        let (_, low, high) = blocks.score();
        held += u32::from(low <= 0.5 && 0.5 <= high);
    }
    assert!((430..=480).contains(&held), "{held} of 500");
}
