//! What a player can order, and whether it may: legality depends only on what the player knows
//! when it gives the order, so these checks work on a view as well as on the game.

use ::rules::{Dice, Illegal};
use serde::{Deserialize, Serialize};

use super::chart::{Chart, Direction, Square};
use super::sub::Sub;

/// One seat's part in a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Before the first turn: a start square for each submarine, in order of their IDs. The
    /// square given for a submarine with a pre-set start is ignored.
    Place(Vec<Square>),
    /// Afterwards: one order for each active submarine, in order of their IDs.
    Orders(Vec<Order>),
}

/// What one submarine shall do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Order {
    pub sub: u8,
    pub command: Command,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    Move(Direction, Equipment),
    Sleep(Equipment, Equipment),
    Ping,
    Fire(Square),
    Mine(Direction),
    Sprint(Direction, u32),
    Surface,
}

/// What can be charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Equipment {
    Sonar,
    Torpedo,
    Mine,
    Sprint,
    /// Nothing; the power goes into the reactor core.
    None,
}

impl Equipment {
    pub const ALL: [Equipment; 5] =
        [Equipment::Sonar, Equipment::Torpedo, Equipment::Mine, Equipment::Sprint, Equipment::None];
}

/// Whether these squares are good to start on. What is given for a submarine with a pre-set start
/// is not looked at, but it must be there.
pub fn check_placing(chart: &Chart, squares: &[Square]) -> Result<(), Illegal> {
    for (id, kind) in chart.kinds().iter().enumerate() {
        let given = squares.get(id).copied();
        let square = given.map(|square| kind.start.unwrap_or(square));
        let Some(square) = square.filter(|&square| chart.contains(square)) else {
            return refuse(format!("Missing or invalid coordinates for sub ID {id}"));
        };
        if !chart.is_free(square) {
            return refuse(format!("Coordinate {square} is blocked"));
        }
    }
    if squares.len() != chart.kinds().len() {
        return refuse("Incorrect number of submarine coordinate values");
    }
    Ok(())
}

/// The submarines of one seat on the map: all it takes to judge that seat's orders.
#[derive(Clone, Copy, Debug)]
pub struct Fleet<'a> {
    pub chart: &'a Chart,
    pub subs: &'a [Sub],
}

impl Fleet<'_> {
    /// The IDs of the submarines that owe an order.
    pub fn active(&self) -> impl Iterator<Item = u8> {
        (0..).zip(self.subs).filter(|(_, sub)| sub.is_active()).map(|(id, _)| id)
    }

    /// Whether a list of orders has exactly one legal order for each active submarine, in order.
    pub fn check_orders(&self, orders: &[Order]) -> Result<(), Illegal> {
        orders.iter().try_for_each(|order| self.check_order(order))?;
        for pair in orders.windows(2) {
            let (one, two) = (pair[0].sub, pair[1].sub);
            if one == two {
                return refuse(format!("Multiple commands for sub ID {one}"));
            }
            if one > two {
                return refuse(format!("Command for sub ID {one} before sub ID {two}"));
            }
        }
        match self.active().find(|id| orders.iter().all(|order| order.sub != *id)) {
            Some(id) => refuse(format!("No command for sub ID {id}")),
            None => Ok(()),
        }
    }

    /// Whether one order is legal by itself.
    pub fn check_order(&self, order: &Order) -> Result<(), Illegal> {
        let id = order.sub;
        let Some(sub) = self.subs.get(usize::from(id)) else {
            return refuse(format!("Invalid sub ID: {id}"));
        };
        if sub.dead {
            return refuse(format!("Command submitted for dead sub ID{id}"));
        }
        if sub.surface_remain > 0 {
            return refuse(format!("Command submitted for surfaced sub ID {id}"));
        }
        let (holds, why_not) = match order.command {
            Command::Sleep(..) | Command::Ping | Command::Surface => return Ok(()),
            Command::Move(direction, _) => {
                (self.chart.is_free(sub.square.step(direction)), "Illegal move command")
            }
            Command::Fire(square) => (self.chart.is_free(square), "Illegal fire command"),
            Command::Mine(direction) => {
                (self.chart.is_free(sub.square.step(direction)), "Illegal mine command")
            }
            Command::Sprint(_, distance @ 0..2) => {
                return refuse(format!("Invalid distance: {distance}"));
            }
            Command::Sprint(direction, distance) => {
                (self.can_sprint(sub, direction, distance), "Illegal sprint command")
            }
        };
        if holds { Ok(()) } else { refuse(why_not) }
    }

    /// "If dist <= the present range, all dist squares must be on the map and free of obstacles
    /// (so legality never depends on a hidden mine)." A longer sprint does nothing at all.
    fn can_sprint(&self, sub: &Sub, direction: Direction, distance: u32) -> bool {
        let mut square = sub.square;
        distance > sub.sprint_range()
            || (0..distance).all(|_| {
                square = square.step(direction);
                self.chart.is_free(square)
            })
    }

    /// Any legal orders for all active submarines, each equally likely. Sprints that no submarine
    /// of the table can be charged for are one order in each direction: none of them does anything.
    pub(in crate::subsim) fn random_orders(&self, dice: &mut Dice) -> Vec<Order> {
        let farthest = self.chart.config().farthest_sprint() as usize;
        let order = |sub| loop {
            let order = Order { sub, command: self.any_command(sub, farthest, dice) };
            if self.check_order(&order).is_ok() {
                return order;
            }
        };
        self.active().map(order).collect()
    }

    /// Any command, each equally likely, legal or not.
    fn any_command(&self, sub: u8, farthest: usize, dice: &mut Dice) -> Command {
        let (width, height) = (usize::from(self.chart.width()), usize::from(self.chart.height()));
        let mut number = dice.below(width * height + 51 + 4 * farthest);
        // The place of the number among the next ones, or none if it comes after them.
        let mut among = |count: usize| {
            let found = (number < count).then_some(number);
            number = number.wrapping_sub(count);
            found
        };
        if let Some(at) = among(width * height) {
            return Command::Fire(Square::new((at % width) as u16 + 1, (at / width) as u16 + 1));
        }
        if let Some(way) = among(20) {
            return Command::Move(Direction::ALL[way / 5], Equipment::ALL[way % 5]);
        }
        if let Some(pair) = among(25) {
            return Command::Sleep(Equipment::ALL[pair / 5], Equipment::ALL[pair % 5]);
        }
        if let Some(way) = among(4) {
            return Command::Mine(Direction::ALL[way]);
        }
        if let Some(way) = among(4 * farthest) {
            let (direction, far) = (Direction::ALL[way / farthest], way % farthest + 2);
            let range = self.subs[usize::from(sub)].sprint_range();
            let too_far = far > farthest;
            let distance = if too_far { range.max(farthest as u32) + 1 } else { far as u32 };
            return Command::Sprint(direction, distance);
        }
        if among(1).is_some() { Command::Ping } else { Command::Surface }
    }

    /// Legal orders for all active submarines, of which each is possible.
    pub(super) fn casual_orders(&self, dice: &mut Dice) -> Vec<Order> {
        self.active().map(|sub| self.casual_order(sub, dice)).collect()
    }

    /// A legal order. Moving and sleeping come up more often than the rest, because an
    /// uncharged submarine can do little.
    pub(in crate::subsim) fn casual_order(&self, sub: u8, dice: &mut Dice) -> Order {
        let any_equipment = |dice: &mut Dice| *dice.pick(&Equipment::ALL);
        let direction = *dice.pick(&Direction::ALL);
        let state = &self.subs[usize::from(sub)];
        let command = match dice.below(16) {
            0..7 => Command::Move(direction, any_equipment(dice)),
            7..10 => Command::Sleep(any_equipment(dice), any_equipment(dice)),
            10 => Command::Ping,
            11 | 12 => Command::Fire(self.random_target(state.square, dice)),
            13 => Command::Mine(direction),
            14 if dice.one_in(16) => Command::Sprint(direction, any_distance(dice)),
            14 => {
                let range = state.sprint_range().clamp(2, 400);
                Command::Sprint(direction, 2 + dice.below(range as usize) as u32)
            }
            _ => Command::Surface,
        };
        let order = Order { sub, command };
        if self.check_order(&order).is_ok() {
            return order;
        }
        let command = Command::Sleep(any_equipment(dice), any_equipment(dice));
        Order { sub, command }
    }

    /// Half the targets are near, where a torpedo can reach them.
    fn random_target(&self, from: Square, dice: &mut Dice) -> Square {
        loop {
            let mut square = from;
            if dice.one_in(2) {
                for _ in 0..dice.below(6) {
                    let next = square.step(*dice.pick(&Direction::ALL));
                    square = if self.chart.contains(next) { next } else { square };
                }
            } else {
                square = random_square(self.chart, dice);
            }
            if self.chart.is_free(square) {
                return square;
            }
        }
    }
}

/// A random free square for each submarine.
pub(in crate::subsim) fn random_places(chart: &Chart, dice: &mut Dice) -> Vec<Square> {
    chart.kinds().iter().map(|_| random_square(chart, dice)).collect()
}

/// A random square without an obstacle. At most a quarter of the squares have one.
fn random_square(chart: &Chart, dice: &mut Dice) -> Square {
    let mut side = |length: u16| 1 + dice.below(usize::from(length)) as u16;
    loop {
        let square = Square::new(side(chart.width()), side(chart.height()));
        if chart.is_free(square) {
            return square;
        }
    }
}

fn any_distance(dice: &mut Dice) -> u32 {
    2 + dice.below(u32::MAX as usize - 1) as u32
}

fn refuse(why: impl Into<String>) -> Result<(), Illegal> {
    Err(Illegal::new(why))
}
