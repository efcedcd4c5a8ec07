//! Clients of the protocol see what it tells, and play legally.

use wire::sparring::Sparring;

use crate::tiger_dragon::{Config, Options, Ruleset, TigerDragon, View};

fn sparring(players: usize, rules: Ruleset, seed: u64) -> Sparring<TigerDragon> {
    let config = Config { rules, ..Config::default() };
    Sparring::new(Options { players, config, ..Options::default() }, "tiger-dragon", seed)
}

/// All but the news, and the rules, which are on no wire.
fn compare(seen: &View, truth: &View) {
    let ruleset = truth.ruleset;
    assert_eq!(View { news: truth.news.clone(), ruleset, ..seen.clone() }, *truth);
}

#[test]
fn every_table_size_and_both_rules() {
    for rules in [Ruleset::Official, Ruleset::Original] {
        for players in 2..=5 {
            let mut sparring = sparring(players, rules, players as u64);
            for (seat, name) in ["ann", "ben", "cat", "dov", "eli"].iter().take(players).enumerate()
            {
                sparring.add(name, ["counter", "random"][seat % 2], 2, compare);
            }
            let endings = sparring.play();
            for game in 0..2 {
                let won = endings.iter().filter(|endings| endings[game].won == Some(true)).count();
                assert_eq!(won, 1, "{sparring:?}");
            }
        }
    }
}

#[test]
fn whoever_is_cut_off_comes_back_by_its_player_id() {
    for seed in 0..10 {
        let mut sparring = sparring(3, Ruleset::Official, seed);
        for name in ["ann", "ben", "cat"] {
            sparring.add(name, "counter", 1, |seen, truth| {
                assert_eq!((seen.hand, seen.legal), (truth.hand, truth.legal));
                assert_eq!((seen.phase, seen.scores), (truth.phase, truth.scores));
            });
        }
        for turn in [1, 4, 8, 17] {
            sparring.play_until(|stage| {
                stage.hall().tables().any(|(_, table)| table.game.is_some() && table.seq >= turn)
            });
            sparring.cut(["ann", "ben", "cat"][(turn % 3) as usize]);
        }
        let endings = sparring.play();
        assert!(endings.iter().all(|endings| endings[0].won.is_some()), "{sparring:?}");
    }
}
