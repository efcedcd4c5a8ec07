//! From the game's own values to JSON: keys in sorted order, so that equal values are equal texts.

use std::sync::LazyLock;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::super::board::{
    Board, Choice, Connector, Coordinate, Degree, Direction, Gem, Maze, Slide, Tile, Treasure,
};
use super::super::rules::{Action, Color, PlayerEntry, State};
use super::{ACKNOWLEDGE, PASS};

/// Texts are written as they are named, so that the line below looks like the line on the wire.
macro_rules! written_as {
    ($($type:ty: $value:ident => $form:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                $form.serialize(serializer)
            }
        }
    )*};
}

macro_rules! written_as_object {
    ($($type:ty: $value:ident => $($key:literal: $member:expr),*;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                let mut object = serializer.serialize_map(None)?;
                $(object.serialize_entry($key, &$member)?;)*
                object.end()
            }
        }
    )*};
}

written_as! {
    Connector: connector => connector.glyph();
    Gem: gem => quoted(*gem);
    Treasure: treasure => treasure.0;
    Direction: direction => direction.name();
    Degree: degree => degree.number();
    Slide: slide => (slide.index, slide.direction);
    Choice: choice => (choice.slide.index, choice.slide.direction, choice.degree, choice.to);
    Color: color => color.as_str();
}

written_as_object! {
    Coordinate: at => "column#": at.column, "row#": at.row;
    Tile: tile =>
        "1-image": tile.treasure.0[0], "2-image": tile.treasure.0[1], "tilekey": tile.connector;
    Board: board =>
        "connectors": Matrix(board, |tile| tile.connector),
        "treasures": Matrix(board, |tile| tile.treasure);
    Maze: maze => "board": *maze.board, "last": maze.last, "spare": maze.spare;
}

impl Serialize for PlayerEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("color", &self.color)?;
        object.serialize_entry("current", &self.current)?;
        if let Some(goto) = &self.goto {
            object.serialize_entry("goto", goto)?;
        }
        object.serialize_entry("home", &self.home)?;
        object.end()
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("board", &*self.maze.board)?;
        if !self.goals.is_empty() {
            object.serialize_entry("goals", &self.goals)?;
        }
        object.serialize_entry("last", &self.maze.last)?;
        object.serialize_entry("plmt", &self.players)?;
        object.serialize_entry("spare", &self.maze.spare)?;
        object.end()
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Action::Pass => PASS.serialize(serializer),
            Action::Play(choice) => choice.serialize(serializer),
            Action::Acknowledge => ACKNOWLEDGE.serialize(serializer),
        }
    }
}

/// A gem's name with its quotation marks. A state has a hundred gems, so they are not looked
/// through for letters to escape each time.
fn quoted(gem: Gem) -> &'static RawValue {
    static QUOTED: LazyLock<Vec<Box<RawValue>>> = LazyLock::new(|| {
        let quoted = |gem: Gem| RawValue::from_string(format!("\"{}\"", gem.name()));
        Gem::all().map(|gem| quoted(gem).expect("names are plain letters")).collect()
    });
    &QUOTED[gem.index()]
}

/// A board as rows of one property of its tiles.
struct Matrix<'a, T>(&'a Board, fn(&Tile) -> T);

impl<T: Serialize> Serialize for Matrix<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Matrix(board, property) = self;
        let rows = board.tiles().chunks(usize::from(board.columns()));
        serializer.collect_seq(rows.map(|row| row.iter().map(property).collect::<Vec<T>>()))
    }
}
