//! What holds in every match, however it is played.

use proptest::prelude::*;
use rules::{Dice, Game, Move, Seat, Seed, Step, Viewer};

use super::conformance::unused_tiles;
use crate::tiger_dragon::{
    Act, Config, Discard, News, Phase, RoundResult, Ruleset, TigerDragon, Tile,
};

/// Plays a random match and shows every state and every end of a round, the last one included.
fn play(config: &Config, seats: usize, seed: u64, mut seen: impl FnMut(&TigerDragon)) {
    let seed = Seed::from_number(seed);
    let mut dice = Dice::new(&seed, "players", 0);
    let mut game = TigerDragon::setup(config, seats, seed).expect("a fair table");
    seen(&game);
    while let Some(seat) = game.to_act().first() {
        let action = game.sample(seat, &mut dice);
        game.advance(Step::Turn(&[(seat, Move::Act(action))]));
        seen(&game);
    }
}

fn round_result(game: &TigerDragon) -> Option<RoundResult> {
    game.view(Viewer::Public).round_result().cloned()
}

fn alternates(discards: &[Discard], starts: bool) -> bool {
    let attacks = |index: usize| index.is_multiple_of(2) == starts;
    discards.iter().enumerate().all(|(index, d)| (d.act == Act::Attack) == attacks(index))
}

fn table() -> impl Strategy<Value = (Config, usize, u64)> {
    let rules = prop_oneof![Just(Ruleset::Official), Just(Ruleset::Original)];
    (rules, 2..=5usize, any::<u64>())
        .prop_map(|(rules, seats, seed)| (Config { rules, ..Config::default() }, seats, seed))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Own tiles alternate between attack and receive. With the official deal no player can
    /// therefore go out on an attack; with the twelve tiles of the original all do.
    #[test]
    fn parity((config, seats, seed) in table()) {
        let twelve = config.rules == Ruleset::Original && seats == 2;
        play(&config, seats, seed, |game| {
            for (seat, discards) in Seat::all(seats).zip(game.discards.iter()) {
                assert!(alternates(discards, seat == game.start), "{seat}: {discards:?}");
            }
            if let Some(result) = round_result(game) {
                let last = result.discards.last().expect("a winner has played");
                assert_eq!(last.act == Act::Attack, twelve, "{result:?}");
            }
        });
    }

    /// The player who began the round and the attack that was just answered are sent as they
    /// happen.
    #[test]
    fn views_say_who_began_and_what_was_answered((config, seats, seed) in table()) {
        let mut attack = None;
        play(&config, seats, seed, |game| {
            let view = game.view(Viewer::Public);
            for news in &view.news {
                if let News::RoundBegan { start, .. } = news {
                    assert_eq!(view.start, *start);
                }
            }
            let defended = view.news.iter().any(|news| matches!(news, News::Defended { .. }));
            assert_eq!(view.answered, attack.filter(|_| defended));
            attack = view.attack;
        });
    }

    /// No tile appears, vanishes or changes hands within a round.
    #[test]
    fn tiles_are_conserved((config, seats, seed) in table()) {
        let mut dealt: Vec<Vec<Tile>> = Vec::new();
        play(&config, seats, seed, |game| {
            let owned = |seat: usize| {
                let mut tiles = game.hands[seat].to_vec();
                tiles.extend(game.discards[seat].iter().filter_map(|discard| discard.tile));
                tiles.sort();
                tiles
            };
            let all: Vec<Vec<Tile>> = (0..seats).map(owned).collect();
            if game.turn == 0 {
                dealt.clone_from(&all);
                let expected = config.rules.deal(seats) * seats + 1;
                assert_eq!(all.iter().map(Vec::len).sum::<usize>(), expected);
            }
            assert_eq!(all, dealt);
            assert_eq!(unused_tiles(game).len() + all.concat().len(), 38);
        });
    }

    /// The score of the winner alone grows, by the points of the round, and only then.
    #[test]
    fn scores_change_at_the_end_of_a_round((config, seats, seed) in table()) {
        let mut scores = vec![0; seats];
        let mut rounds = 0;
        play(&config, seats, seed, |game| {
            if let Some(result) = round_result(game) {
                rounds += 1;
                assert_eq!(result.round, rounds);
                assert!(result.points > 0);
                scores[result.winner.index()] += result.points;
                assert_eq!(*result.scores, *scores);
                let face_down = result.discards.iter().filter(|d| d.act == Act::FaceDown).count();
                assert_eq!(usize::from(result.face_down), face_down);
                assert_eq!(result.discards.last().and_then(|d| d.tile), Some(result.last_tile));
                let over = result.scores[result.winner.index()] >= config.target;
                assert_eq!(game.outcome().is_some(), over);
            }
            assert_eq!(*game.scores, *scores);
        });
    }

    /// All viewers see the same but for their own hand, choices and face-down tiles.
    #[test]
    fn views_agree((config, seats, seed) in table()) {
        play(&config, seats, seed, |game| {
            let public = game.view(Viewer::Public);
            assert!(public.hand.is_empty() && public.legal.is_empty());
            let hidden = public.discards.iter().flat_map(|discards| discards.iter());
            assert!(hidden.into_iter().all(|d| d.tile.is_none() == (d.act == Act::FaceDown)));
            for seat in Seat::all(seats) {
                let mut view = game.view(Viewer::Seat(seat));
                let moves = seat == view.current && view.phase != Phase::Finished;
                assert_eq!(!view.legal.is_empty(), moves);
                assert_eq!(view.hand.len(), usize::from(view.hand_sizes[seat.index()]));
                for action in view.legal.iter() {
                    assert_eq!(view.check(action), Ok(()));
                }
                for discard in view.discards[seat.index()].iter_mut() {
                    assert!(discard.tile.is_some(), "one's own tiles are known");
                    if discard.act == Act::FaceDown {
                        discard.tile = None;
                    }
                }
                view.viewer = Viewer::Public;
                view.hand = public.hand;
                view.legal = public.legal;
                assert_eq!(view, public);
            }
        });
    }

    /// One act is one piece of news and one turn more; a new round counts from nothing.
    #[test]
    fn turns_count_acts((config, seats, seed) in table()) {
        let mut turn = 0;
        play(&config, seats, seed, |game| {
            match &game.news[..] {
                [] => assert_eq!(game.turn, 0),
                [_act] | [_act, News::RoundEnded(_)] => assert_eq!(game.turn, turn + 1),
                [_act, News::RoundEnded(_), News::RoundBegan { round, start }] => {
                    assert_eq!((game.turn, game.round, game.current), (0, *round, *start));
                    assert!(game.attack.is_none());
                }
                news => panic!("{news:?}"),
            }
            turn = game.turn;
        });
    }
}

#[test]
fn the_start_marker_goes_round_and_every_deal_is_new() {
    let config = Config { target: 100, ..Config::default() };
    let mut starts = Vec::new();
    let mut deals: Vec<Vec<Tile>> = Vec::new();
    play(&config, 3, 5, |game| {
        if game.turn == 0 {
            starts.push(game.start.index());
            deals.push(game.hands.iter().flat_map(|hand| hand.to_vec()).collect());
        }
    });
    let expected: Vec<usize> = (0..starts.len()).map(|round| round % 3).collect();
    assert_eq!(starts, expected);
    for (round, deal) in deals.iter().enumerate() {
        assert!(!deals[..round].contains(deal), "round {} is dealt again", round + 1);
    }
}
