//! Setting up a table, its views and its drafts.

use rules::{Dice, Game, Move, Seat, SeatSet, Seed, Step, Viewer};

use super::super::{
    Action, Color, Config, Coordinate, Deed, Degree, Direction, Labyrinth, Slide, State, TurnOrder,
};

/// One turn in which every seat that is to move makes a random move.
pub fn random_turn(game: &mut Labyrinth, dice: &mut Dice) {
    let turn: Vec<(Seat, Move<Action>)> =
        game.to_act().iter().map(|seat| (seat, Move::Act(game.sample(seat, dice)))).collect();
    game.advance(Step::Turn(&turn));
}

fn setup(config: &Config, seats: usize) -> Result<Labyrinth, String> {
    Labyrinth::setup(config, seats, Seed::from_number(1)).map_err(|why| why.to_string())
}

#[test]
fn what_is_dealt_keeps_the_definitions() {
    for number in 0..200 {
        let seats = 2 + number as usize % 8;
        let seed = Seed::from_number(number);
        let game = Labyrinth::setup(&Config::default(), seats, seed).unwrap();
        let view = game.view(Viewer::Public);
        let state = view.state();
        assert_eq!(state.oddities(), Vec::<String>::new());
        assert_eq!(state.maze.last, None);
        assert!(state.players.iter().all(|player| player.current == player.home));
        let goals: Vec<Coordinate> = game.quests.iter().map(|quest| quest.place.unwrap()).collect();
        for (seat, (goal, player)) in goals.iter().zip(&state.players).enumerate() {
            assert!(goal.is_fixed() && *goal != player.home && !goals[..seat].contains(goal));
            assert_eq!(view.maze.board.tile(*goal).treasure, game.quests[seat].treasure);
        }
    }
}

#[test]
fn a_bad_configuration_is_refused_with_its_value() {
    let refused = |config: Config, seats: usize, fragment: &str| {
        let why = setup(&config, seats).expect_err(fragment);
        assert!(why.contains(fragment), "{why}");
    };
    let colors = |colors: &[&str]| Config {
        colors: colors.iter().map(|&color| color.to_owned()).collect(),
        ..Config::default()
    };
    refused(Config::default(), 1, "takes 2 to 9");
    refused(Config::default(), 10, "10 players");
    refused(Config { size: [4, 4], ..Config::default() }, 5, "takes 2 to 4");
    refused(Config { size: [3, 3], ..Config::default() }, 2, "size = [3, 3]");
    refused(Config { size: [0, 9], ..Config::default() }, 2, "size = [0, 9]");
    refused(Config { size: [100, 100], ..Config::default() }, 2, "size = [100, 100]");
    let goals = vec![Coordinate { row: 7, column: 1 }];
    refused(Config { goals, ..Config::default() }, 2, "(7, 1)");
    refused(colors(&["reed"]), 2, "\"reed\"");
    refused(colors(&["red", "red"]), 2, "twice");
    let state = setup(&Config::default(), 2).unwrap().view(Viewer::Public).state();
    refused(Config { state: Some(state), ..Config::default() }, 3, "3 players");
}

#[test]
fn chosen_colours_are_kept_and_the_others_differ() {
    let colors = |config: &Config, seats| -> Vec<String> {
        let view = setup(config, seats).unwrap().view(Viewer::Public);
        view.seats.iter().map(|seat| seat.avatar.color.to_string()).collect()
    };
    let chosen = ["", "purple", "00FF00"].map(str::to_owned).to_vec();
    let config = Config { colors: chosen, ..Config::default() };
    assert_eq!(colors(&config, 4)[1..3], ["purple", "00FF00"]);
    let mut all = colors(&config, 9);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 9);
    assert!(all.iter().all(|color| Color::parse(color).is_some()));
}

/// A given state's first entry belongs to the player who moves first.
#[test]
fn a_given_state_is_seated_in_turn_order() {
    let given = setup(&Config::default(), 3).unwrap().view(Viewer::Public).state();
    let config = Config { state: Some(given.clone()), ..Config::default() };
    let view = setup(&config, 3).unwrap().view(Viewer::Public);
    assert_eq!((view.order[0], view.state()), (Seat(0), given.clone()));
    let config = Config { turn_order: TurnOrder::ReverseJoin, ..config };
    let view = setup(&config, 3).unwrap().view(Viewer::Public);
    assert_eq!((view.order[0], view.state()), (Seat(2), given.clone()));
    assert_eq!(view.avatar(Seat(2)).home, given.players[0].home);
    let first: Vec<Coordinate> =
        view.state_with_first(Seat(0)).players.iter().map(|player| player.home).collect();
    let rotated = [2, 0, 1].map(|index: usize| given.players[index].home);
    assert_eq!(first, rotated);
}

/// A turn made step by step on a view is legal exactly when the whole turn is, and shows the
/// board the turn leads to.
#[test]
fn a_draft_agrees_with_the_rules() {
    let mut game = setup(&Config::default(), 3).unwrap();
    let mut dice = Dice::new(&Seed::from_number(9), "drafts", 0);
    let mut played = 0;
    for _ in 0..60 {
        let Some(seat) = game.to_act().first() else { break };
        let mut draft = game.view(Viewer::Seat(seat));
        let choice = super::super::Choice {
            slide: Slide { index: dice.below(8) as u16, direction: *dice.pick(&Direction::ALL) },
            degree: *dice.pick(&Degree::ALL),
            to: Coordinate { row: dice.below(8) as u16, column: dice.below(8) as u16 },
        };
        draft.draft_rotate(choice.degree);
        let verdict =
            draft.draft_slide(choice.slide).and_then(|()| draft.check_destination(choice.to));
        assert_eq!(game.check(seat, &Action::Play(choice)), verdict, "{choice:?}");
        if verdict.is_ok() {
            game.advance(Step::Turn(&[(seat, Move::Act(Action::Play(choice)))]));
            let after = game.view(Viewer::Seat(seat));
            assert_eq!(after.maze, draft.maze);
            assert_eq!(after.news.deed, Some(Deed::Played(choice)));
            played += 1;
        } else {
            random_turn(&mut game, &mut dice);
        }
    }
    assert!(played > 0);
}

/// Only the mover learns where it goes next, and only with the turn that found the treasure.
#[test]
fn reaching_a_goal_is_news_for_its_seat_alone() {
    let config = Config { state: Some(all_reachable()), ..Config::default() };
    let mut game = setup(&config, 2).unwrap();
    let choice = game.legal(Seat(0)).unwrap().into_iter().find(
        |action| matches!(action, Action::Play(choice) if Some(choice.to) == game.quests[0].place),
    );
    game.advance(Step::Turn(&[(Seat(0), Move::Act(choice.unwrap()))]));
    let home = game.avatars[0].home;
    let told = |game: &Labyrinth, viewer| game.view(viewer).news.next_target;
    assert_eq!(told(&game, Viewer::Seat(Seat(0))), Some(home));
    assert_eq!(told(&game, Viewer::Seat(Seat(1))), None);
    assert_eq!(told(&game, Viewer::Public), None);
    assert_eq!(game.view(Viewer::Seat(Seat(0))).target(), Some(home));
    game.advance(Step::Turn(&[(Seat(1), Move::Act(Action::Pass))]));
    assert_eq!(told(&game, Viewer::Seat(Seat(0))), None);
}

#[test]
fn the_news_tells_who_was_dropped_when() {
    let mut game = setup(&Config::default(), 3).unwrap();
    let left = rules::Exit::Left;
    game.advance(Step::Departure(&[(Seat(2), left.clone())]));
    let view = game.view(Viewer::Public);
    assert_eq!((view.news.dropped, view.leaving), (SeatSet::EMPTY, SeatSet::of(Seat(2))));
    game.advance(Step::Turn(&[(Seat(0), Move::Retire(left))]));
    let view = game.view(Viewer::Public);
    assert_eq!(view.news.mover, Some(Seat(0)));
    assert_eq!(view.news.deed, Some(Deed::Removed));
    assert_eq!(view.news.dropped, SeatSet::from_iter([Seat(0), Seat(2)]));
    assert_eq!((view.order, view.leaving), (vec![Seat(1)], SeatSet::EMPTY));
}

fn all_reachable() -> State {
    let drawing =
        "== crosses\ncrosses 5 5\nred 1,1 home 1,1 goal 3,3\nblue 1,3 home 1,3 goal 3,1\n";
    super::known_text::cases(drawing)[0].state()
}

/// The way in the news leads over connected cells from where the slide has carried the mover to
/// where it stopped, and the board shown is the one the draft made.
#[test]
fn the_news_tell_the_way_that_was_walked() {
    let config = Config { max_rounds: 6, ..Config::default() };
    for number in 0..50 {
        let seed = Seed::from_number(number);
        let mut game = Labyrinth::setup(&config, 3, seed).unwrap();
        let mut dice = Dice::new(&seed, "players", 0);
        while game.outcome().is_none() {
            let mut draft = game.view(Viewer::Public);
            let legal = game.to_act().first().and_then(|seat| game.legal(seat)).unwrap();
            let most = game.to_act().first().and_then(|seat| game.legal_at_most(seat));
            assert_eq!(Some(legal.len()), most);
            random_turn(&mut game, &mut dice);
            let view = game.view(Viewer::Public);
            let Some(Deed::Played(choice)) = view.news.deed else {
                assert!(view.news.way.is_empty());
                continue;
            };
            let mover = view.news.mover.unwrap();
            draft.draft_rotate(choice.degree);
            draft.draft_slide(choice.slide).unwrap();
            assert_eq!(draft.maze, view.maze);
            let way = &view.news.way;
            assert_eq!(way.first(), Some(&draft.avatar(mover).position));
            assert_eq!(way.last(), Some(&choice.to));
            for pair in way.windows(2) {
                let apart =
                    pair[0].row.abs_diff(pair[1].row) + pair[0].column.abs_diff(pair[1].column);
                assert_eq!(apart, 1, "{way:?}");
                let joined = view.maze.board.reachable(pair[0]);
                assert!(joined.contains(view.maze.board.cell(pair[1])), "{way:?}");
            }
        }
    }
}
