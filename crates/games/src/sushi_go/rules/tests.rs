use super::*;
use rules::kit::{self, Subject};

impl Subject for SushiGo {
    const TURN_BOUND: u64 = 30;

    fn tables() -> Vec<(Config, usize)> {
        let alternate = Config { pass_direction: PassDirection::Alternate, ..Config::default() };
        (2..=5).map(|seats| (Config::default(), seats)).chain([(alternate, 3)]).collect()
    }
}

#[test]
fn conforms() {
    kit::conform::<SushiGo>(200);
}

#[test]
fn every_strategy_plays_by_the_rules() {
    kit::bots_conform::<SushiGo>(super::super::bots::BOTS, 1);
}

#[test]
fn is_reviewed_by_what_players_knew() {
    let (config, seats) = SushiGo::tables().swap_remove(0);
    review::kit::conform(&config, seats, super::super::bots::BOTS, 3);
}

use Card::*;

/// A game in which the seats hold just these cards, in round 3.
fn last_round(hands: &[&[Card]], tables: &[&[Card]]) -> SushiGo {
    let mut game = SushiGo::setup(&Config::default(), hands.len(), Seed::from_number(1)).unwrap();
    game.round = ROUNDS;
    for (place, (hand, table)) in game.seats.iter_mut().zip(hands.iter().zip(tables)) {
        place.hand = hand.to_vec();
        place.table = table.to_vec();
    }
    game
}

fn turn(game: &mut SushiGo, actions: &[Action]) {
    let moves: Vec<_> =
        Seat::all(actions.len()).zip(actions.iter().map(|a| Move::Act(*a))).collect();
    for (seat, part) in &moves {
        let Move::Act(action) = part else { unreachable!() };
        game.check(*seat, action).unwrap();
    }
    game.advance(Step::Turn(&moves));
}

fn hand(game: &SushiGo, seat: u8) -> Vec<Card> {
    game.view(Viewer::Seat(Seat(seat))).hand.unwrap()
}

#[test]
fn a_hand_has_twelve_cards_less_the_seats_and_a_round_as_many_turns() {
    for seats in 2..=5 {
        let mut game = SushiGo::setup(&Config::default(), seats, Seed::from_number(9)).unwrap();
        let size = 12 - seats;
        for _ in 0..size {
            assert_eq!(game.round, 1);
            turn(&mut game, &vec![Action::Play(0); seats]);
        }
        assert_eq!((game.round, game.turn, hand(&game, 0).len()), (2, 1, size));
        assert_eq!(game.news.as_ref().unwrap().round_end.as_ref().unwrap().scores.len(), seats);
    }
}

#[test]
fn hands_go_to_the_next_seat_in_every_round() {
    let mut game =
        last_round(&[&[Egg, Tempura], &[Egg, Sashimi], &[Egg, Dumpling]], &[&[], &[], &[]]);
    turn(&mut game, &[Action::Play(0); 3]);
    assert_eq!(
        [hand(&game, 0), hand(&game, 1), hand(&game, 2)],
        [[Dumpling], [Tempura], [Sashimi]]
    );
}

#[test]
fn alternating_hands_go_back_in_the_second_round() {
    let mut game =
        last_round(&[&[Egg, Tempura], &[Egg, Sashimi], &[Egg, Dumpling]], &[&[], &[], &[]]);
    game.config.pass_direction = PassDirection::Alternate;
    game.round = 2;
    turn(&mut game, &[Action::Play(0); 3]);
    assert_eq!(
        [hand(&game, 0), hand(&game, 1), hand(&game, 2)],
        [[Sashimi], [Dumpling], [Tempura]]
    );
}

#[test]
fn chopsticks_lay_two_in_order_and_go_into_the_passed_hand() {
    let mut game = last_round(&[&[Squid, Wasabi, Egg], &[Tempura; 3]], &[&[Chopsticks], &[]]);
    turn(&mut game, &[Action::Chopsticks(1, 0), Action::Play(0)]);
    assert_eq!(game.news.as_ref().unwrap().played, [vec![Wasabi, Squid], vec![Tempura]]);
    assert_eq!(game.seats[0].table, [Wasabi, Squid]);
    assert_eq!(hand(&game, 1), [Egg, Chopsticks]);
    assert_eq!(hand(&game, 0).len(), 2);
}

#[test]
fn chopsticks_laid_this_turn_do_not_count_and_neither_do_they_with_one_card() {
    let game = last_round(&[&[Chopsticks, Egg], &[Egg, Egg]], &[&[], &[]]);
    let verdict = Action::Chopsticks(0, 1).check(2, game.seats[0].has_chopsticks());
    assert_eq!(verdict, Err(Misplay::NoChopsticks));
    assert_eq!(Action::Chopsticks(0, 0).check(1, true), Err(Misplay::SameCardTwice));
    assert_eq!(Action::Chopsticks(0, 1).check(1, true), Err(Misplay::NoSuchCard));
    assert_eq!(Action::Play(1).check(1, true), Err(Misplay::NoSuchCard));
}

#[test]
fn the_highest_total_wins_then_the_puddings() {
    // Both score 6 for puddings or maki in the end, so that only the puddings differ.
    let mut game = last_round(&[&[Pudding], &[Egg]], &[&[], &[Squid]]);
    game.seats[1].score = 8;
    turn(&mut game, &[Action::Play(0); 2]);
    let outcome = game.outcome().unwrap();
    let points: Vec<i64> = outcome.standings.iter().map(|s| s.points).collect();
    assert_eq!(points, [6, 6]);
    assert_eq!(outcome.winners(), SeatSet::of(Seat(0)));
}

#[test]
fn equal_in_points_and_puddings_both_win() {
    let mut game = last_round(&[&[Egg], &[Egg]], &[&[], &[]]);
    turn(&mut game, &[Action::Play(0); 2]);
    assert_eq!(game.outcome().unwrap().winners().len(), 2);
}

#[test]
fn the_other_wins_at_once_when_one_of_two_leaves() {
    let mut game = last_round(&[&[Egg, Egg], &[Egg, Egg]], &[&[], &[]]);
    game.seats[0].score = 30;
    game.advance(Step::Departure(&[(Seat(0), Exit::Left)]));
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.winners(), SeatSet::of(Seat(1)));
    assert_eq!(outcome.standings[0].points, 30);
    assert_eq!(outcome.standings[0].exit, Some(Exit::Left));
}

#[test]
fn a_turn_in_which_one_of_two_leaves_has_no_news() {
    let mut game = last_round(&[&[Egg; 3], &[Egg; 3]], &[&[], &[]]);
    turn(&mut game, &[Action::Play(0); 2]);
    assert!(game.news.is_some());
    let leave = Move::Retire(Exit::Left);
    game.advance(Step::Turn(&[(Seat(0), Move::Act(Action::Play(0))), (Seat(1), leave)]));
    assert_eq!(game.outcome().unwrap().winners(), SeatSet::of(Seat(0)));
    assert_eq!(game.news, None, "the turn before was told already");
}

#[test]
fn one_of_three_who_leaves_is_played_on_and_cannot_win() {
    let mut game = last_round(&[&[Squid], &[Egg], &[Egg]], &[&[], &[], &[]]);
    game.seats[0].score = 50;
    game.advance(Step::Departure(&[(Seat(0), Exit::Left)]));
    assert_eq!(game.to_act(), SeatSet::from_iter([Seat(1), Seat(2)]));
    game.advance(Step::Turn(&[
        (Seat(1), Move::Act(Action::Play(0))),
        (Seat(2), Move::Act(Action::Play(0))),
    ]));
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.standings[0].points, 53);
    assert_eq!(outcome.winners(), SeatSet::from_iter([Seat(1), Seat(2)]));
}

#[test]
fn cards_are_conserved() {
    let mut game = SushiGo::setup(&Config::default(), 4, Seed::from_number(5)).unwrap();
    let mut dice = Dice::new(&Seed::from_number(5), "moves", 0);
    for _ in 0..8 {
        let held: usize = game.seats.iter().map(|p| p.hand.len() + p.table.len()).sum();
        assert_eq!(game.deck.len() + held, 108);
        let actions: Vec<_> = Seat::all(4).map(|seat| game.sample(seat, &mut dice)).collect();
        turn(&mut game, &actions);
    }
}

#[test]
fn the_last_picture_says_what_puddings_brought() {
    let mut game = last_round(&[&[Pudding], &[Egg]], &[&[], &[]]);
    turn(&mut game, &[Action::Play(0), Action::Play(0)]);
    let shown = SushiGo::picture(&Scene::of(&game.view(Viewer::Public), &["Ann", "Bob"]));
    assert!(shown.contains("puddings brought Ann +6, Bob -6"), "\n{shown}");
}

#[test]
fn a_full_view_shows_every_hand() {
    let mut game = SushiGo::setup(&Config::default(), 2, Seed::from_number(1)).unwrap();
    let play = |seat| (Seat(seat), Move::Act(Action::Play(0)));
    game.advance(Step::Turn(&[play(0), play(1)]));
    let names = ["Ann", "Bob"];
    let public = game.view(Viewer::Public);
    let seen = SushiGo::picture(&Scene::of(&public, &names));
    assert!(seen.starts_with("round 1 of 3, turn 2\nAnn  0 points, "), "\n{seen}");
    assert!(seen.contains("; played "), "\n{seen}");
    assert_eq!(seen.matches("    hand   ").count(), 0, "\n{seen}");
    let seat_views = [0, 1].map(|seat| game.view(Viewer::Seat(Seat(seat))));
    let whole = Scene { view: &public, seat_views: &seat_views, names: &names };
    let shown = SushiGo::picture(&whole);
    assert_eq!(shown.matches("    hand   ").count(), 2, "\n{shown}");
    let own = SushiGo::picture(&Scene::of(&seat_views[1], &names));
    assert_eq!(own.matches("    hand   ").count(), 1, "\n{own}");
}

#[test]
fn one_pudding_is_singular() {
    let mut game = last_round(&[&[Pudding], &[Egg]], &[&[], &[]]);
    let play = |seat| (Seat(seat), Move::Act(Action::Play(0)));
    game.advance(Step::Turn(&[play(0), play(1)]));
    let seen = SushiGo::picture(&Scene::of(&game.view(Viewer::Public), &["Ann", "Bob"]));
    assert!(seen.contains("Ann  6 points, 1 pudding; played Pudding\n"), "\n{seen}");
}

#[test]
fn hands_go_where_the_view_says() {
    for pass_direction in [PassDirection::Left, PassDirection::Alternate] {
        let config = Config { pass_direction, ..Config::default() };
        let mut game = SushiGo::setup(&config, 4, Seed::from_number(7)).unwrap();
        while game.outcome.is_none() {
            let before: Vec<Vec<Card>> = (0..4).map(|seat| hand(&game, seat)).collect();
            let view = game.view(Viewer::Public);
            assert_eq!((view.hand, view.turns), (None, 8));
            assert_eq!(view.hand_sizes, before.iter().map(Vec::len).collect::<Vec<_>>());
            turn(&mut game, &[Action::Play(0); 4]);
            if game.turn == 1 || game.outcome.is_some() {
                continue;
            }
            for (held, to) in before.iter().zip(&view.passes_to) {
                assert_eq!(hand(&game, to.0), held[1..]);
            }
        }
    }
}
