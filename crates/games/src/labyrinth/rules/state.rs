//! A state of the game as it is handed from program to program: what a `State` or a referee's
//! state says, and in which ways one can be odd.

use std::sync::Arc;

use rules::Illegal;

use super::super::board::{Coordinate, Maze, Tile, Treasure};

/// An avatar's colour. Text from outside becomes one through [`Color::parse`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(Arc<str>);

impl Color {
    pub const NAMES: [&'static str; 9] =
        ["purple", "orange", "pink", "red", "blue", "green", "yellow", "white", "black"];

    /// A colour by one of the nine names or by six digits 0-9A-F.
    pub fn parse(text: &str) -> Option<Color> {
        let color = Color::unchecked(text);
        color.is_valid().then_some(color)
    }

    /// Any text at all: states from elsewhere name colours that the definition does not.
    pub(in crate::labyrinth) fn unchecked(text: &str) -> Color {
        Color(text.into())
    }

    pub fn is_valid(&self) -> bool {
        let digit = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
        Color::NAMES.contains(&self.as_str())
            || (self.0.len() == 6 && self.0.as_bytes().iter().all(digit))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One entry of `plmt`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerEntry {
    pub color: Color,
    pub current: Coordinate,
    pub home: Coordinate,
    /// The treasure tile. Only a referee's state tells it.
    pub goto: Option<Coordinate>,
}

/// The labyrinth and its players, the one to move first. Either every player has a `goto` (a
/// referee's state) or none has; `goals` are the referee's further goals, handed out in order.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub maze: Maze,
    pub players: Vec<PlayerEntry>,
    pub goals: Vec<Coordinate>,
}

impl State {
    /// Whether everybody stands on the board. A further goal need not be there: it can be handed
    /// out like any other, and nobody ever reaches it.
    pub fn check(&self) -> Result<(), Illegal> {
        let on_board = |what: &str, at: Coordinate| match self.maze.board.contains(at) {
            true => Ok(()),
            false => Err(Illegal(format!("{what} {at} is not on the board"))),
        };
        for PlayerEntry { color, current, home, goto } in &self.players {
            on_board(&format!("the place of {color}"), *current)?;
            on_board(&format!("the home of {color}"), *home)?;
            goto.map_or(Ok(()), |goto| on_board(&format!("the goal of {color}"), goto))?;
        }
        Ok(())
    }

    /// The first further goal that is not on the board.
    pub fn goal_off_board(&self) -> Option<Coordinate> {
        self.goals.iter().copied().find(|&goal| !self.maze.board.contains(goal))
    }

    /// What breaks a definition although a game can still be played.
    pub fn oddities(&self) -> Vec<String> {
        let tiles = self.maze.board.tiles().iter();
        let mut oddities = repeated_treasures(tiles.chain([&self.maze.spare]));
        if let Some(last) = self.maze.last
            && let Err(Illegal(why)) = self.maze.board.check_slide(last)
        {
            oddities.push(format!("the last slide is impossible: {why}"));
        }
        for (index, player) in self.players.iter().enumerate() {
            let PlayerEntry { color, home, goto, .. } = player;
            let before = &self.players[..index];
            if !color.is_valid() {
                oddities.push(format!("{color:?} is not a colour"));
            }
            if before.iter().any(|other| other.color == *color) {
                oddities.push(format!("the colour {color} occurs twice"));
            }
            if before.iter().any(|other| other.home == *home) {
                oddities.push(format!("the home {home} belongs to two players"));
            }
            if !home.is_fixed() {
                oddities.push(format!("the home {home} of {color} is on a tile that can slide"));
            }
            if let Some(goto) = goto.filter(|goto| !goto.is_fixed()) {
                oddities.push(format!("the goal {goto} of {color} is on a tile that can slide"));
            }
        }
        for goal in &self.goals {
            if !self.maze.board.contains(*goal) {
                oddities.push(format!("the further goal {goal} is not on the board"));
            } else if !goal.is_fixed() {
                oddities.push(format!("the further goal {goal} is on a tile that can slide"));
            }
        }
        oddities
    }
}

/// "No two tiles, the spare included, carry the same unordered pair."
pub(in crate::labyrinth) fn repeated_treasures<'a>(
    tiles: impl Iterator<Item = &'a Tile>,
) -> Vec<String> {
    let mut seen = vec![false; Treasure::COUNT];
    let mut repeated = |treasure: Treasure| std::mem::replace(&mut seen[treasure.number()], true);
    let told = |treasure: Treasure| {
        let [one, two] = treasure.0.map(|gem| gem.name());
        format!("the treasure {one} and {two} occurs twice")
    };
    tiles.map(|tile| tile.treasure).filter(|&treasure| repeated(treasure)).map(told).collect()
}
