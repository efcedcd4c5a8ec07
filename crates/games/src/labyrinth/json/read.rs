//! From JSON to the game's own values.

use serde::de::{self, Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::super::board::{
    Board, Choice, Connector, Coordinate, Degree, Direction, Gem, Maze, Slide, Tile, Treasure,
};
use super::super::rules::{Action, Color, PlayerEntry, State};
use super::strict::Strict;
use super::{ACKNOWLEDGE, Defined, Malformed, PASS, expected, index, members};

fn list<T: Defined>(value: &Value, what: &str) -> Result<Vec<T>, Malformed> {
    let items = value.as_array().ok_or_else(|| expected(what, value))?;
    items.iter().map(T::read).collect()
}

fn inconsistent(why: &str) -> Malformed {
    Malformed::Inconsistent(why.to_owned())
}

impl Defined for Connector {
    fn read(value: &Value) -> Result<Connector, Malformed> {
        let mut glyphs = value.as_str().unwrap_or_default().chars();
        match (glyphs.next().and_then(Connector::from_glyph), glyphs.next()) {
            (Some(connector), None) => Ok(connector),
            _ => Err(expected("a Connector", value)),
        }
    }
}

impl Defined for Gem {
    fn read(value: &Value) -> Result<Gem, Malformed> {
        value.as_str().and_then(Gem::named).ok_or_else(|| expected("a Gem", value))
    }
}

impl Defined for Treasure {
    fn read(value: &Value) -> Result<Treasure, Malformed> {
        match list(value, "a Treasure")?[..] {
            [one, two] => Ok(Treasure([one, two])),
            _ => Err(expected("a Treasure of two gems", value)),
        }
    }
}

impl Defined for Coordinate {
    fn read(value: &Value) -> Result<Coordinate, Malformed> {
        let object = members(value, "a Coordinate", &["row#", "column#"], &[])?;
        Ok(Coordinate { row: index(&object["row#"])?, column: index(&object["column#"])? })
    }
}

impl Defined for Direction {
    fn read(value: &Value) -> Result<Direction, Malformed> {
        value.as_str().and_then(Direction::named).ok_or_else(|| expected("a Direction", value))
    }
}

impl Defined for Degree {
    fn read(value: &Value) -> Result<Degree, Malformed> {
        value.as_u64().and_then(Degree::numbered).ok_or_else(|| expected("a Degree", value))
    }
}

impl Defined for Tile {
    fn read(value: &Value) -> Result<Tile, Malformed> {
        let object = members(value, "a Tile", &["tilekey", "1-image", "2-image"], &[])?;
        Ok(Tile {
            connector: Connector::read(&object["tilekey"])?,
            treasure: Treasure([Gem::read(&object["1-image"])?, Gem::read(&object["2-image"])?]),
        })
    }
}

impl Defined for Slide {
    fn read(value: &Value) -> Result<Slide, Malformed> {
        match value.as_array().map(Vec::as_slice) {
            Some([number, direction]) => {
                Ok(Slide { index: index(number)?, direction: Direction::read(direction)? })
            }
            _ => Err(expected("an Index with a Direction", value)),
        }
    }
}

/// A row of a matrix.
struct Row<T>(Vec<T>);

impl<T: Defined> Defined for Row<T> {
    fn read(value: &Value) -> Result<Row<T>, Malformed> {
        list(value, "a row of a Matrix").map(Row)
    }
}

impl Defined for Board {
    fn read(value: &Value) -> Result<Board, Malformed> {
        let object = members(value, "a Board", &["connectors", "treasures"], &[])?;
        let connectors: Vec<Row<Connector>> = list(&object["connectors"], "a Matrix")?;
        let treasures: Vec<Row<Treasure>> = list(&object["treasures"], "a Matrix")?;
        let columns = connectors.first().map_or(0, |row| row.0.len());
        let sizes = connectors.iter().map(|row| row.0.len());
        if !sizes.clone().eq(treasures.iter().map(|row| row.0.len())) {
            return Err(inconsistent("connectors and treasures of a Board differ in size"));
        }
        if !sizes.clone().all(|size| size == columns) {
            return Err(inconsistent("the rows of a Board differ in length"));
        }
        let shape = u16::try_from(connectors.len()).ok().zip(u16::try_from(columns).ok());
        let tiles = connectors.into_iter().zip(treasures).flat_map(|(connectors, treasures)| {
            let pairs = connectors.0.into_iter().zip(treasures.0);
            pairs.map(|(connector, treasure)| Tile { connector, treasure })
        });
        shape
            .and_then(|(rows, columns)| Board::new(rows, columns, tiles.collect()))
            .ok_or_else(|| inconsistent("a Board has at least one tile and at most 65535 a side"))
    }
}

impl Defined for Color {
    /// Any text: whether it is a colour is asked separately, because a state from elsewhere can
    /// be played with odd ones.
    fn read(value: &Value) -> Result<Color, Malformed> {
        value.as_str().map(Color::unchecked).ok_or_else(|| expected("a Color", value))
    }
}

impl Defined for PlayerEntry {
    fn read(value: &Value) -> Result<PlayerEntry, Malformed> {
        let object = members(value, "a PlayerEntry", &["color", "current", "home"], &["goto"])?;
        Ok(PlayerEntry {
            color: Color::read(&object["color"])?,
            current: Coordinate::read(&object["current"])?,
            home: Coordinate::read(&object["home"])?,
            goto: object.get("goto").map(Coordinate::read).transpose()?,
        })
    }
}

impl Defined for Maze {
    fn read(value: &Value) -> Result<Maze, Malformed> {
        maze(members(value, "a Maze", &["board", "spare", "last"], &[])?)
    }
}

fn maze(object: &Map<String, Value>) -> Result<Maze, Malformed> {
    let last = match &object["last"] {
        Value::Null => None,
        slide => Some(Slide::read(slide)?),
    };
    let board = Board::read(&object["board"])?.into();
    Ok(Maze { board, spare: Tile::read(&object["spare"])?, last })
}

impl Defined for State {
    /// A `State`, a `RefereeState` or a `RefereeState2`.
    fn read(value: &Value) -> Result<State, Malformed> {
        let object = members(value, "a State", &["board", "spare", "plmt", "last"], &["goals"])?;
        let maze = maze(object)?;
        let players: Vec<PlayerEntry> = list(&object["plmt"], "an array of Players")?;
        let goals = match object.get("goals") {
            Some(goals) => list(goals, "an array of Coordinates")?,
            None => Vec::new(),
        };
        let told = players.iter().filter(|player| player.goto.is_some()).count();
        if told != 0 && told != players.len() {
            return Err(inconsistent("either every player of a State has a goto or none has"));
        }
        let state = State { maze, players, goals };
        state.check().map_err(|why| Malformed::Inconsistent(format!("a State in which {why}")))?;
        Ok(state)
    }
}

impl Defined for Choice {
    fn read(value: &Value) -> Result<Choice, Malformed> {
        match value.as_array().map(Vec::as_slice) {
            Some([number, direction, degree, to]) => Ok(Choice {
                slide: Slide { index: index(number)?, direction: Direction::read(direction)? },
                degree: Degree::read(degree)?,
                to: Coordinate::read(to)?,
            }),
            _ => Err(expected("\"PASS\" or [Index, Direction, Degree, Coordinate]", value)),
        }
    }
}

impl Defined for Action {
    /// The course's `Choice`, and the house's own word for the answer after the last move.
    fn read(value: &Value) -> Result<Action, Malformed> {
        match value.as_str() {
            Some(PASS) => Ok(Action::Pass),
            Some(ACKNOWLEDGE) => Ok(Action::Acknowledge),
            _ => Choice::read(value).map(Action::Play),
        }
    }
}

macro_rules! read_through_the_tree {
    ($($type:ty),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let Strict(value) = Strict::deserialize(deserializer)?;
                <$type>::read(&value).map_err(de::Error::custom)
            }
        }
    )*};
}

read_through_the_tree!(
    Coordinate, Slide, Direction, Degree, Treasure, Tile, Board, Maze, Color, State, Choice, Action
);
