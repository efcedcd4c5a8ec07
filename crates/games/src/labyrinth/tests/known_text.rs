//! The little language of the known answers: boards are drawn, players are lines, a question is
//! a line, its answer follows `=>`.

use super::super::json::Defined;
use super::super::{
    Board, Color, Connector, Coordinate, Degree, Direction, Gem, Maze, PlayerEntry, Slide, State,
    Tile, Treasure,
};
use serde_json::Value;

/// One case: the state it draws, the other lines above its first question, and its questions.
pub struct Case {
    pub title: String,
    rows: Vec<String>,
    spare: char,
    last: Option<Slide>,
    players: Vec<PlayerEntry>,
    goals: Vec<Coordinate>,
    pub lines: Vec<KnownLine>,
}

pub enum KnownLine {
    Ask(String),
    Expect(String),
}

/// The cases of a text. What stands before the first title is for the reader.
pub fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix("== ") {
            match cases.last_mut().filter(|case| case.is_blank()) {
                Some(case) => case.title += &format!(" {title}"),
                None => cases.push(Case::new(title)),
            }
        } else if let Some(case) = cases.last_mut() {
            case.read(line);
        }
    }
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn new(title: &str) -> Case {
        Case {
            title: title.to_owned(),
            rows: Vec::new(),
            spare: '┼',
            last: None,
            players: Vec::new(),
            goals: Vec::new(),
            lines: Vec::new(),
        }
    }

    fn is_blank(&self) -> bool {
        self.rows.is_empty() && self.lines.is_empty()
    }

    fn read(&mut self, line: &str) {
        if let Some(expected) = line.strip_prefix("=> ") {
            return self.lines.push(KnownLine::Expect(expected.to_owned()));
        }
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [row] if row.chars().all(|glyph| Connector::from_glyph(glyph).is_some()) => {
                self.rows.push(row.to_owned());
            }
            ["crosses", rows, columns] => {
                let row = "┼".repeat(columns.parse().unwrap());
                self.rows = vec![row; rows.parse().unwrap()];
            }
            ["spare", glyph] => self.spare = glyph.chars().next().unwrap(),
            ["last", index, direction] => self.last = Some(slide(index, direction)),
            ["goals", ..] => self.goals = words[1..].iter().map(|word| place(word)).collect(),
            [color, current, "home", home] => self.add(color, current, home, None),
            [color, current, "home", home, "goal", goto] => {
                self.add(color, current, home, Some(place(goto)));
            }
            _ => self.lines.push(KnownLine::Ask(line.to_owned())),
        }
    }

    fn add(&mut self, color: &str, current: &str, home: &str, goto: Option<Coordinate>) {
        let color = Color::parse(color).unwrap();
        self.players.push(PlayerEntry { color, current: place(current), home: place(home), goto });
    }

    /// The board, with a different treasure on every tile.
    pub fn maze(&self) -> Maze {
        let glyphs = self.rows.iter().flat_map(|row| row.chars()).chain([self.spare]);
        let mut tiles: Vec<Tile> = glyphs
            .enumerate()
            .map(|(number, glyph)| Tile {
                connector: Connector::from_glyph(glyph).unwrap(),
                treasure: Treasure([Gem::numbered(number), Gem::numbered(number)]),
            })
            .collect();
        let spare = tiles.pop().unwrap();
        let columns = self.rows[0].chars().count() as u16;
        let board = Board::new(self.rows.len() as u16, columns, tiles).expect("a rectangle");
        Maze { board: board.into(), spare, last: self.last }
    }

    pub fn state(&self) -> State {
        State { maze: self.maze(), players: self.players.clone(), goals: self.goals.clone() }
    }
}

/// `1,3`
pub fn place(word: &str) -> Coordinate {
    let (row, column) = word.split_once(',').unwrap_or_else(|| panic!("{word:?} is no place"));
    Coordinate { row: row.parse().unwrap(), column: column.parse().unwrap() }
}

pub fn slide(number: &str, direction: &str) -> Slide {
    let number: Value = number.parse().unwrap();
    let index = super::super::json::index(&number).unwrap();
    Slide { index, direction: Direction::named(direction).unwrap() }
}

pub fn degree(word: &str) -> Degree {
    Degree::read(&word.parse().unwrap()).unwrap()
}

pub fn write_place(at: Coordinate) -> String {
    format!("{},{}", at.row, at.column)
}

/// The tiles row by row and the spare.
pub fn draw_maze(maze: &Maze) -> String {
    let rows = maze.board.tiles().chunks(maze.board.columns().into());
    let glyphs = |row: &[Tile]| row.iter().map(|tile| tile.connector.glyph()).collect::<String>();
    let rows: Vec<String> = rows.map(glyphs).collect();
    format!("{} spare {}", rows.join(" "), maze.spare.connector.glyph())
}

pub fn draw_players(players: &[PlayerEntry]) -> String {
    players.iter().map(|p| format!(" {} {}", p.color, write_place(p.current))).collect()
}
