//! What the seat to move may do, for those who read: the squares within reach, slide by slide, and
//! the moves that reach its goal.

use super::board::{Cells, Choice, Coordinate, Prospect};
use super::rules::{Action, Phase, View};

/// So many moves to the goal are named.
const NAMED: usize = 8;

/// One line for each slide: where it lets the avatar go however the spare tile is turned, and where
/// else for each turn.
pub(super) fn words(view: &View) -> String {
    let Some(from) = from(view) else { return String::new() };
    let prospects: Vec<Prospect> = view.maze.prospects(from).collect();
    let mut lines = match view.target() {
        Some(Coordinate { row, column }) => {
            let reached = goal_moves(view, &prospects).len();
            vec![format!(
                "Your goal is row {row}, column {column}; {reached} of your moves reach it."
            )]
        }
        None => vec!["Your goal is the spare tile; no move reaches it now.".to_owned()],
    };
    lines.push("Squares (row,column) you can walk to after each slide:".to_owned());
    for slide in prospects.chunk_by(|one, other| one.slide == other.slide) {
        let all = |cell: &usize| slide.iter().all(|turn| has(&turn.destinations, *cell));
        let always: Vec<usize> = slide[0].destinations.iter().filter(all).collect();
        let mut parts = Vec::new();
        if !always.is_empty() {
            parts.push(squares(view, &always));
        }
        for turn in slide {
            let more: Vec<usize> =
                turn.destinations.iter().filter(|cell| !always.contains(cell)).collect();
            if !more.is_empty() {
                let degrees = turn.degree.number();
                parts.push(format!("spare turned {degrees}: {}", squares(view, &more)));
            }
        }
        if parts.is_empty() {
            parts.push("nowhere".to_owned());
        }
        let (index, way) = (slide[0].slide.index, slide[0].slide.direction.name());
        lines.push(format!("  {index} {way}: {}", parts.join("; ")));
    }
    lines.join("\n")
}

/// Moves to the goal, or else none.
pub(super) fn examples(view: &View) -> Vec<Action> {
    let Some(from) = from(view) else { return Vec::new() };
    let prospects: Vec<Prospect> = view.maze.prospects(from).collect();
    goal_moves(view, &prospects).into_iter().take(NAMED).map(Action::Play).collect()
}

/// Where the viewer stands, if it is to move.
fn from(view: &View) -> Option<Coordinate> {
    let seat = view.viewer.seat().filter(|seat| view.is_to_move(*seat))?;
    (view.phase == Phase::Playing).then(|| view.avatar(seat).position)
}

fn goal_moves(view: &View, prospects: &[Prospect]) -> Vec<Choice> {
    let Some(to) = view.target().filter(|to| view.maze.board.contains(*to)) else {
        return Vec::new();
    };
    let reaches = |turn: &&Prospect| {
        turn.destinations.iter().any(|cell| view.maze.board.coordinate(cell) == to)
    };
    let choice = |turn: &Prospect| Choice { slide: turn.slide, degree: turn.degree, to };
    prospects.iter().filter(reaches).map(choice).collect()
}

fn has(cells: &Cells, wanted: usize) -> bool {
    cells.iter().any(|cell| cell == wanted)
}

fn squares(view: &View, cells: &[usize]) -> String {
    let square = |&cell: &usize| {
        let Coordinate { row, column } = view.maze.board.coordinate(cell);
        format!("({row},{column})")
    };
    cells.iter().map(square).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rules::{Dice, Game, Move, Seed, Step, Viewer};

    use super::super::Labyrinth;
    use super::*;

    /// In random games: what is named as a way to the goal is legal and leads there, every slide has
    /// its line, and the whole is short.
    #[test]
    fn choices_are_few_and_true() {
        let mut reached = 0;
        for number in 0..10 {
            let seed = Seed::from_number(number);
            let mut dice = Dice::new(&seed, "players", 0);
            let mut game = Labyrinth::setup(&Default::default(), 2, seed).unwrap();
            for _ in 0..20 {
                let Some(seat) = game.to_act().first().filter(|_| game.ending.is_none()) else {
                    break;
                };
                let view = game.view(Viewer::Seat(seat));
                let text = words(&view);
                assert_eq!(text.lines().count(), 2 + view.maze.slides().count(), "{text}");
                assert!(text.len() < 6000, "{} characters", text.len());
                for action in examples(&view) {
                    game.check(seat, &action).unwrap();
                    let Action::Play(choice) = action else { panic!("{action:?} goes nowhere") };
                    assert_eq!(Some(choice.to), view.target());
                    reached += 1;
                }
                let action = game.sample(seat, &mut dice);
                game.advance(Step::Turn(&[(seat, Move::Act(action))]));
            }
        }
        assert!(reached > 20, "{reached} moves reached a goal");
    }
}
