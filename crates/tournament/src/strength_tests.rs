use super::*;

fn quick() -> Question<'static> {
    Question { draws: 0, ..Question::default() }
}

#[test]
fn who_wins_three_of_four_is_about_190_elo_stronger() {
    let game = |winner, loser| vec![(winner, 1), (loser, 2)];
    let mut games: Vec<Placing<'_>> = Vec::new();
    for _ in 0..300 {
        games.extend([game("ann", "ben"), game("ann", "ben"), game("ann", "ben")]);
        games.push(game("ben", "ann"));
    }
    let found = strengths(&games, &quick());
    assert_eq!(found[0].name, "ann");
    let difference = found[0].elo - found[1].elo;
    assert!((difference - 400.0 * 3f64.log10()).abs() < 1.0, "{difference}");
    assert!((found[0].elo + found[1].elo - 2.0 * AVERAGE).abs() < 1e-6);
}

#[test]
fn the_anchor_stands_where_it_is_put_and_order_does_not_matter() {
    let games: Vec<Placing<'_>> = vec![
        vec![("ann", 1), ("ben", 2), ("cid", 3)],
        vec![("ben", 1), ("ann", 1), ("cid", 3)],
        vec![("cid", 1), ("ann", 2)],
        vec![("ann", 1)],
        vec![("ann", 1), ("ann", 2)],
    ];
    let question = Question { anchor: Some(("cid", 1000.0)), draws: 20, ..Question::default() };
    let found = strengths(&games, &question);
    let cid = found.iter().find(|strength| strength.name == "cid").expect("it has played");
    assert_eq!((cid.elo, cid.games), (1000.0, 3));
    let turned: Vec<Placing<'_>> =
        games.iter().map(|game| game.iter().rev().copied().collect()).collect();
    assert_eq!(strengths(&turned, &quick())[0].name, strengths(&games, &quick())[0].name);
    assert!(strengths(&[], &Question::default()).is_empty());
}

/// Five hundred bots with known strengths: the order is found, and the 95 % intervals hold.
#[test]
fn a_league_of_500_is_ranked_and_its_intervals_hold_the_truth() {
    const BOTS: usize = 500;
    let names: Vec<String> = (0..BOTS).map(|bot| format!("bot{bot:03}")).collect();
    let mut dice = Dice::new(&Seed::from_number(3), "league", 0);
    // Between -400 and 400, evenly.
    let truth: Vec<f64> = (0..BOTS).map(|_| dice.below(800_001) as f64 / 1000.0 - 400.0).collect();
    let mut games: Vec<Placing<'_>> = Vec::new();
    for round in 0..60 {
        let mut order: Vec<usize> = (0..BOTS).collect();
        dice.shuffle(&mut order);
        let seats = if round % 3 == 0 { 4 } else { 2 };
        for table in order.chunks_exact(seats) {
            games.push(played(table, &truth, &names, &mut dice));
        }
    }
    let question = Question { draws: 100, ..Question::default() };
    let found = strengths(&games, &question);
    let mean: f64 = truth.iter().sum::<f64>() / BOTS as f64;
    let index = |name: &str| names.iter().position(|known| known == name).expect("one of them");
    let true_elo = |name: &str| truth[index(name)] - mean + AVERAGE;
    let held = found.iter().filter(|s| s.low <= true_elo(&s.name) && true_elo(&s.name) <= s.high);
    let coverage = held.count() as f64 / BOTS as f64;
    let mut by_truth: Vec<usize> = (0..BOTS).collect();
    by_truth.sort_by(|one, other| truth[*other].total_cmp(&truth[*one]));
    let rank: BTreeMap<usize, usize> =
        by_truth.iter().enumerate().map(|(rank, bot)| (*bot, rank)).collect();
    let off = |(at, s): (usize, &Strength)| (at as f64 - rank[&index(&s.name)] as f64).powi(2);
    let off: f64 = found.iter().enumerate().map(off).sum();
    let correlation = 1.0 - 6.0 * off / (BOTS * (BOTS * BOTS - 1)) as f64;
    assert!((0.92..=0.98).contains(&coverage), "coverage {coverage}, correlation {correlation}");
    assert!(correlation > 0.95, "coverage {coverage}, correlation {correlation}");
}

/// One game by the model itself: the next place goes to each in proportion to its strength.
fn played<'a>(table: &[usize], truth: &[f64], names: &'a [String], dice: &mut Dice) -> Placing<'a> {
    let mut left = table.to_vec();
    let mut game = Vec::new();
    while !left.is_empty() {
        let weights: Vec<f64> = left.iter().map(|bot| 10f64.powf(truth[*bot] / 400.0)).collect();
        let mut thrown =
            dice.below(1 << 30) as f64 / (1u64 << 30) as f64 * weights.iter().sum::<f64>();
        let next = weights.iter().position(|weight| {
            thrown -= weight;
            thrown < 0.0
        });
        let bot = left.remove(next.unwrap_or(left.len() - 1));
        game.push((names[bot].as_str(), game.len() as u32 + 1));
    }
    game
}
