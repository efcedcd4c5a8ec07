//! What holds on every board.

use proptest::prelude::*;

use super::super::{
    Board, Choice, Connector, Coordinate, Degree, Gem, Maze, Slide, State, Strategy, Tile, Treasure,
};

prop_compose! {
    fn tile()(shape in 0..11usize, gems in [0..Gem::COUNT, 0..Gem::COUNT]) -> Tile {
        Tile { connector: Connector::ALL[shape], treasure: Treasure(gems.map(Gem::numbered)) }
    }
}

prop_compose! {
    /// Boards from one tile to more than a machine word of them.
    fn maze()(rows in 1..10u16, columns in 1..10u16)(
        rows in Just(rows),
        columns in Just(columns),
        tiles in prop::collection::vec(tile(), usize::from(rows * columns)),
        spare in tile(),
        last in any::<Option<prop::sample::Index>>(),
    ) -> Maze {
        let board = Board::new(rows, columns, tiles).unwrap();
        let slides: Vec<Slide> = board.slides().collect();
        let last = last.map(|index| *index.get(&slides));
        Maze { board: board.into(), spare, last }
    }
}

fn cell(maze: &Maze, index: prop::sample::Index) -> Coordinate {
    maze.board.coordinate(index.index(maze.board.tiles().len()))
}

fn sorted_tiles(maze: &Maze) -> Vec<(char, usize)> {
    let tiles = maze.board.tiles().iter().chain([&maze.spare]);
    let mut tiles: Vec<_> =
        tiles.map(|tile| (tile.connector.glyph(), tile.treasure.number())).collect();
    tiles.sort();
    tiles
}

fn slide(maze: &mut Maze, slide: Slide) {
    maze.slide(slide, std::iter::empty());
}

proptest! {
    #[test]
    fn slides_conserve_tiles(mut maze in maze(), pick in any::<[prop::sample::Index; 5]>()) {
        let before = sorted_tiles(&maze);
        for index in pick {
            let slides: Vec<Slide> = maze.slides().collect();
            slide(&mut maze, *index.get(&slides));
        }
        prop_assert_eq!(sorted_tiles(&maze), before);
    }

    #[test]
    fn a_slide_and_its_reverse_restore_the_board(
        maze in maze(),
        pick in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let slides: Vec<Slide> = maze.board.slides().collect();
        let there = *pick.get(&slides);
        let mut other = maze.clone();
        slide(&mut other, there);
        prop_assert!(other.check_slide(there.reversed()).is_err());
        slide(&mut other, there.reversed());
        prop_assert_eq!((&other.board, other.spare), (&maze.board, maze.spare));
        let at = cell(&maze, at);
        let back = maze.board.carried(maze.board.carried(at, there), there.reversed());
        prop_assert_eq!(back, at);
    }

    #[test]
    fn four_quarter_turns_are_none(tile in tile()) {
        let once = tile.connector.turned(Degree::D90);
        prop_assert_eq!(once.turned(Degree::D90), tile.connector.turned(Degree::D180));
        prop_assert_eq!(once.turned(Degree::D180), tile.connector.turned(Degree::D270));
        prop_assert_eq!(once.turned(Degree::D270), tile.connector);
        prop_assert_eq!(tile.connector.turned(Degree::D0), tile.connector);
    }

    #[test]
    fn reachability_is_symmetric(maze in maze(), at in any::<prop::sample::Index>()) {
        let from = cell(&maze, at);
        let reachable = maze.board.reachable(from);
        prop_assert!(reachable.contains(maze.board.cell(from)));
        for other in reachable.iter() {
            prop_assert_eq!(maze.board.reachable(maze.board.coordinate(other)), reachable.clone());
        }
    }

    /// Words and walking give the same cells, with and without a slide.
    #[test]
    fn both_ways_of_reaching_agree(maze in maze(), at in any::<prop::sample::Index>()) {
        let from = cell(&maze, at);
        prop_assert_eq!(maze.board.reachable(from), maze.board.walk(from));
        for prospect in maze.prospects(from) {
            let mut slid = maze.clone();
            let mut start = from;
            slid.rotate(prospect.degree);
            slid.slide(prospect.slide, [&mut start].into_iter());
            let mut walked = slid.board.walk(start);
            walked.remove(slid.board.cell(start));
            prop_assert_eq!(start, prospect.start);
            prop_assert_eq!(&walked, &prospect.destinations);
            prop_assert_eq!(walked.len(), walked.iter().count());
        }
    }

    #[test]
    fn listed_choices_are_the_legal_ones(maze in maze(), at in any::<prop::sample::Index>()) {
        let from = cell(&maze, at);
        let listed = maze.choices(from);
        let mut legal = Vec::new();
        for slide in maze.board.slides() {
            for degree in Degree::ALL {
                let to = maze.board.coordinates().map(|to| Choice { slide, degree, to });
                legal.extend(to.filter(|choice| maze.check(from, choice).is_ok()));
            }
        }
        prop_assert_eq!(listed, legal);
    }

    /// The strategies as the course words them: candidate by candidate, way by way.
    #[test]
    fn strategies_choose_as_defined(
        maze in maze(),
        at in any::<prop::sample::Index>(),
        goal in any::<prop::sample::Index>(),
    ) {
        let (from, goal) = (cell(&maze, at), cell(&maze, goal));
        let by_row: Vec<Coordinate> = maze.board.coordinates().collect();
        let mut by_distance = by_row.clone();
        by_distance.sort_by_key(|at| at.distance_squared(goal));
        for (strategy, others) in [(Strategy::Riemann, by_row), (Strategy::Euclid, by_distance)] {
            let ways: Vec<_> = maze.prospects(from).collect();
            let first = std::iter::once(goal).chain(others).find_map(|to| {
                let way = ways.iter().find(|way| way.destinations.contains(maze.board.cell(to)))?;
                Some(Choice { slide: way.slide, degree: way.degree, to })
            });
            prop_assert_eq!(strategy.choose(&maze, from, goal), first);
        }
    }

    #[test]
    fn a_state_reads_back_as_it_was_written(maze in maze(), at in any::<[prop::sample::Index; 4]>()) {
        let [current, home, goto, goal] = at.map(|index| cell(&maze, index));
        let color = super::super::Color::parse("00AAFF").unwrap();
        let player = super::super::PlayerEntry { color, current, home, goto: Some(goto) };
        let state = State { maze, players: vec![player], goals: vec![goal] };
        let text = serde_json::to_string(&state).unwrap();
        prop_assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
    }

    /// Whatever the input, the exercises answer or say why not.
    #[test]
    fn exercises_survive_any_text(text in "[\\[\\]{}\",:0-9a-zA-Z#─┼ -]{0,60}") {
        use super::super::exercises;
        prop_assert!(exercises::reach(&text).is_err());
        prop_assert!(exercises::game(&text, exercises::GameFlags::default()).is_err());
    }
}
