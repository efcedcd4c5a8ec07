//! Labyrinth: a code is a slide, a turn of the spare tile and the square to walk to.

use games::labyrinth::{
    Action, BOTS, Choice, Config, Degree, Direction, Labyrinth, Maze, Phase, Prospect, View,
};
use rules::{BotKind, Dice, Game, Seat};

use crate::row::{Row, from_own};
use crate::spec::axis;
use crate::{Encode, Past, Spec};

/// The sides of a tile, in the order of the planes.
const SIDES: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

impl Encode for Labyrinth {
    type Memory = ();

    fn bots() -> &'static [BotKind<Labyrinth>] {
        BOTS
    }

    fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        Labyrinth::random(self, seat, dice)
    }

    fn spec(config: &Config, seats: usize) -> Spec {
        let [rows, columns] = match &config.state {
            Some(state) => [state.maze.board.rows(), state.maze.board.columns()],
            None => config.size,
        };
        let cell = |row: u16| move |column: u16| format!("({row}, {column})");
        let cells = (0..rows).flat_map(|row| (0..columns).map(cell(row)));
        let slides = slide_names(rows, columns);
        let (slide_count, area) = (slides.len(), [usize::from(rows), usize::from(columns)]);
        let with = |count: usize| [count, area[0], area[1]];
        Spec::new(Labyrinth::NAME, seats)
            .codes("slide", vec![slides, axis(Degree::ALL.map(Degree::number)), axis(cells)])
            .codes("pass", vec![])
            .codes("acknowledge", vec![])
            .plane("open", &with(4), "1 where a tile is open: up, right, down, left")
            .plane("avatars", &with(seats), "1 where the avatar of a seat stands, the own first")
            .plane("homes", &with(seats), "1 at the home of a seat, the own first")
            .plane("target", &area, "1 where the viewer has to go")
            .plane("spare", &[4], "1 where the spare tile is open: up, right, down, left")
            .plane("last_slide", &[slide_count], "1 at the last slide")
            .plane("homeward", &[1], "1 once only the way home counts")
            .plane("on_spare", &[1], "1 while the own treasure is on the spare tile")
            .plane("found", &[1], "goals the viewer has reached")
            .plane("in_turns", &[seats], "1 / turns until a seat moves, 0 if it is out")
            .plane("round", &[1], "the round / 100")
            .plane("closing", &[1], "1 once only acknowledgements are expected")
    }

    fn redeal(past: Past<'_, Labyrinth>, dice: &mut Dice) -> Option<Labyrinth> {
        past.game.redealt(past.seat, past.config, past.actions.into_iter(), dice)
    }

    fn observe(view: &View, (): &(), _: &[usize], out: &mut [f32]) {
        let (board, seats) = (&view.maze.board, view.seats.len());
        let area = board.tiles().len();
        let own = view.viewer.seat().map_or(0, |seat| seat.index());
        let mut row = Row::new(out);
        for side in SIDES {
            for (number, tile) in row.plane(area).iter_mut().zip(board.tiles()) {
                *number = f32::from(u8::from(tile.connector.opens(side)));
            }
        }
        for seat in from_own(own, seats) {
            row.one_hot(area, Some(board.cell(view.seats[seat].avatar.position)));
        }
        for seat in from_own(own, seats) {
            row.one_hot(area, Some(board.cell(view.seats[seat].avatar.home)));
        }
        // A further goal need not be on the board.
        let target = view.target().filter(|&at| board.contains(at));
        row.one_hot(area, target.map(|at| board.cell(at)));
        for side in SIDES {
            row.flag(view.maze.spare.connector.opens(side));
        }
        let last = view.maze.last.and_then(|last| board.slides().position(|slide| slide == last));
        row.one_hot(board.slides().count(), last);
        let quest = view.quest();
        row.flag(quest.is_some_and(|quest| quest.homeward));
        row.flag(quest.is_some_and(|quest| !quest.homeward && quest.place.is_none()));
        row.number(quest.map_or(0.0, |quest| quest.found as f32));
        for seat in from_own(own, seats) {
            let place = view.order.iter().position(|other| other.index() == seat);
            row.number(place.map_or(0.0, |place| 1.0 / (1.0 + place as f32)));
        }
        row.number(view.round as f32 / 100.0);
        row.flag(view.phase == Phase::Closing);
        row.end();
    }

    fn mask(view: &View, _: &[usize], out: &mut [u8]) {
        each_legal(view, |code| out[code] = 1);
    }

    fn legal_codes(view: &View, _: &[usize], _: usize, out: &mut Vec<usize>) {
        each_legal(view, |code| out.push(code));
    }

    fn decode(view: &View, codes: &[usize]) -> Option<Action> {
        let &[code] = codes else { return None };
        let (pass, acknowledge) = others(&view.maze);
        if code >= pass {
            let actions = [(pass, Action::Pass), (acknowledge, Action::Acknowledge)];
            return actions.into_iter().find(|(own, _)| *own == code).map(|(_, action)| action);
        }
        let board = &view.maze.board;
        let (way, cell) = (code / board.tiles().len(), code % board.tiles().len());
        let slide = board.slides().nth(way / 4)?;
        let (degree, to) = (Degree::ALL[way % 4], board.coordinate(cell));
        Some(Action::Play(Choice { slide, degree, to }))
    }

    fn encode(view: &View, action: &Action) -> Option<Vec<usize>> {
        let (pass, acknowledge) = others(&view.maze);
        Some(vec![match action {
            Action::Pass => pass,
            Action::Acknowledge => acknowledge,
            Action::Play(Choice { slide, degree, to }) => {
                let board = &view.maze.board;
                let slide = board.slides().position(|other| other == *slide)?;
                let way = slide * 4 + *degree as usize;
                way * board.tiles().len() + board.cell(*to)
            }
        }])
    }
}

/// Every code that may be chosen, in their order.
fn each_legal(view: &View, mut legal: impl FnMut(usize)) {
    let (pass, acknowledge) = others(&view.maze);
    if view.phase == Phase::Closing {
        return legal(acknowledge);
    }
    let Some(&mover) = view.order.first() else { return };
    let board = &view.maze.board;
    let area = board.tiles().len();
    let banned = view.maze.last.map(|last| last.reversed());
    let slides = board.slides().enumerate().filter(|(_, slide)| Some(*slide) != banned);
    let firsts = slides.flat_map(|(slide, _)| (0..4).map(move |turn| (slide * 4 + turn) * area));
    let prospects = view.maze.prospects(view.avatar(mover).position);
    for (first, Prospect { destinations, .. }) in firsts.zip(prospects) {
        for cell in destinations.iter() {
            legal(first + cell);
        }
    }
    legal(pass);
}

/// The codes of the pass and of the acknowledgement.
fn others(maze: &Maze) -> (usize, usize) {
    let board = &maze.board;
    let pass = board.slides().count() * 4 * board.tiles().len();
    (pass, pass + 1)
}

/// As [`Board::slides`](games::labyrinth::Board::slides) lists them.
fn slide_names(rows: u16, columns: u16) -> Vec<String> {
    let both =
        |line: &str, index: u16, ways: [&str; 2]| ways.map(|w| format!("{line} {index} {w}"));
    let rows = (0..rows).step_by(2).flat_map(|row| both("row", row, ["LEFT", "RIGHT"]));
    let columns = (0..columns).step_by(2).flat_map(|column| both("column", column, ["UP", "DOWN"]));
    rows.chain(columns).collect()
}
