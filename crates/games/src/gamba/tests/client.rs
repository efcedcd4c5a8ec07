//! Clients of the protocol see what it tells, and play legally.

use trials::sparring::Sparring;

use crate::gamba::{Config, Deal, Gamba, Options, View};

fn sparring(deal: Deal, seed: u64) -> Sparring<Gamba> {
    Sparring::new(Options { config: Config { deal }, ..Options::default() }, "gamba", seed)
}

/// All but what lies under the top of the pile, what was burned, and the news.
fn compare(seen: &View, truth: &View) {
    let told = |view: &View| {
        let (to_act, low, deck) = (view.to_act, view.must_play_low, view.deck_size);
        let asked = (low, view.fits, view.top());
        (view.viewer, view.turns_played, to_act, asked, deck, view.seats)
    };
    assert_eq!(told(seen), told(truth));
    assert!(seen.pile.len() <= truth.pile.len());
}

#[test]
fn every_strategy_against_every_other() {
    for deal in [Deal::Guide, Deal::FullDeck] {
        for (seed, pair) in (0..).zip([
            ["random", "random"],
            ["random", "thrifty"],
            ["thrifty", "random"],
            ["thrifty", "thrifty"],
        ]) {
            let mut sparring = sparring(deal, seed);
            for (name, strategy) in ["ann", "ben"].iter().zip(pair) {
                sparring.add(name, strategy, 3, compare);
            }
            let [ann, ben] = &sparring.play()[..] else { panic!("two players") };
            for (one, other) in ann.iter().zip(ben) {
                assert_eq!(one.won.map(|won| !won), other.won, "{sparring:?}");
                assert!(one.words.contains("reason=no_cards_remaining"), "{sparring:?}");
            }
        }
    }
}

#[test]
fn whoever_is_cut_off_comes_back_by_name() {
    for seed in 0..10 {
        let mut sparring = sparring(Deal::FullDeck, seed);
        for name in ["ann", "ben"] {
            sparring.add(name, "random", 1, |seen, truth| {
                assert_eq!((seen.viewer, seen.top()), (truth.viewer, truth.top()));
                assert_eq!(seen.seats, truth.seats);
            });
        }
        for turn in [0, 3, 9, 15] {
            sparring.play_until(|stage| {
                stage.hall.tables().any(|(_, table)| table.game().is_some() && table.seq() >= turn)
            });
            sparring.cut(["ann", "ben"][(turn % 2) as usize]);
        }
        let endings = sparring.play();
        assert!(endings.iter().all(|endings| endings[0].won.is_some()), "{sparring:?}");
    }
}

/// A player alone waits for longer than the server bears without a PING.
#[test]
fn a_player_who_waits_is_heard_of() {
    let mut sparring = sparring(Deal::Guide, 1);
    sparring.add("ann", "random", 1, compare);
    let begin = std::cell::Cell::new(None);
    sparring.play_until(|stage| {
        let since = begin.get().unwrap_or(stage.now);
        begin.set(Some(since));
        stage.now >= since + 180_000
    });
    sparring.add("ben", "random", 1, compare);
    assert!(sparring.play().iter().all(|endings| endings[0].won.is_some()));
}
