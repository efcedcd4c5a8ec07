//! A second model of the game, written from the rule book alone and sharing nothing with the
//! rules but the types of their input.
//!
//! It is slow on purpose: everything is one flat list of things that is searched from end to end
//! for every question, squares are pairs of numbers, and what players receive is text from the
//! start.

mod turn;

use std::collections::{BTreeMap, VecDeque};

use super::super::rules::{Command, Config, Direction, Equipment, Order, Square, SubConfig, SubId};

type Point = (i64, i64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Rock,
    Mine,
    Boat,
}

/// Anything on the map. Things are never taken off the list, so an index always means the same
/// thing; what is off the map is `gone`.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub what: What,
    pub at: Point,
    pub gone: bool,
    /// Rocks, and the mines of players who have left, have no owner.
    pub owner: Option<usize>,
    size: i64,
    // The rest is for boats.
    pub id: u8,
    pub charge: [i64; 4],
    pub most: [i64; 4],
    shields: i64,
    most_shields: i64,
    reactor: i64,
    most_reactor: i64,
    torpedoes: Option<i64>,
    mines: Option<i64>,
    pub up: i64,
    up_turns: i64,
    pub dead: bool,
    doomed: bool,
}

const SONAR: usize = 0;
const TORPEDO: usize = 1;
const MINE: usize = 2;
const SPRINT: usize = 3;

impl Thing {
    fn new(what: What, at: Point, owner: Option<usize>, size: i64) -> Thing {
        Thing {
            what,
            at,
            gone: false,
            owner,
            size,
            id: 0,
            charge: [0; 4],
            most: [0; 4],
            shields: 0,
            most_shields: 0,
            reactor: 0,
            most_reactor: 0,
            torpedoes: None,
            mines: None,
            up: 0,
            up_turns: 0,
            dead: false,
            doomed: false,
        }
    }

    fn boat(owner: usize, id: u8, at: Point, given: &SubConfig) -> Thing {
        let or = |value: Option<u32>, default: i64| value.map_or(default, i64::from);
        Thing {
            id,
            most: [
                or(given.max_sonar_charge, 100),
                or(given.max_torpedo_charge, 100),
                or(given.max_mine_charge, 3),
                or(given.max_sprint_charge, 9),
            ],
            shields: or(given.max_shields, 3),
            most_shields: or(given.max_shields, 3),
            most_reactor: or(given.max_reactor_damage, 9),
            torpedoes: given.torpedo_count.map(i64::from),
            mines: given.mine_count.map(i64::from),
            up_turns: given.surface_turn_count.map_or(3, i64::from),
            ..Thing::new(What::Boat, at, Some(owner), or(given.size, 100))
        }
    }

    pub fn is_active(&self) -> bool {
        self.what == What::Boat && !self.gone && !self.dead && self.up == 0
    }

    pub fn range(&self, equipment: usize) -> i64 {
        match (equipment, self.charge[equipment]) {
            (_, 0) => 0,
            (SONAR, charge) => charge + 1,
            (TORPEDO, charge) => charge - 1,
            (SPRINT, charge) if charge >= 3 => charge / 3 + 1,
            _ => 0,
        }
    }

    fn variables(&self) -> String {
        let mut text = format!("|shields={}", self.shields);
        let mut add = |name: &str, value: i64| text += &format!("|{name}={value}");
        let full = |equipment: usize| self.charge[equipment] >= self.most[equipment];
        if self.size != 100 {
            add("size", self.size);
        }
        if let Some(left) = self.torpedoes {
            add("torpedos", left);
        }
        if let Some(left) = self.mines {
            add("mines", left);
        }
        for (name, equipment) in [("sonar", SONAR), ("sprint", SPRINT), ("torpedo", TORPEDO)] {
            if self.range(equipment) > 0 {
                add(&format!("{name}_range"), self.range(equipment));
            }
            if full(equipment) {
                add(&format!("max_{name}"), 1);
            }
        }
        if full(MINE) {
            add("mine_ready", 1);
        }
        if self.up > 0 {
            add("surface_remain", self.up);
        }
        if self.reactor > 0 {
            add("reactor_damage", self.reactor);
        }
        if self.dead {
            add("dead", 1);
        }
        text
    }
}

/// The distance of what cannot be reached.
const FAR: i64 = i64::MAX;

/// Distances by column and row.
struct Distances(Vec<Vec<i64>>);

impl Distances {
    fn to(&mut self, (x, y): Point) -> &mut i64 {
        &mut self.0[x as usize][y as usize]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    config: Config,
    pub things: Vec<Thing>,
    pub scores: Vec<i64>,
    pub left: Vec<bool>,
    pub turn: i64,
    pub over: bool,
    /// What each player was sent since the last call, and finally what the public was.
    pub told: Vec<Vec<String>>,
    pub events: BTreeMap<&'static str, u64>,
}

pub(super) fn toward((x, y): Point, direction: Direction, steps: i64) -> Point {
    match direction {
        Direction::North => (x, y - steps),
        Direction::East => (x + steps, y),
        Direction::South => (x, y + steps),
        Direction::West => (x - steps, y),
    }
}

/// How far apart two squares are for a blast.
fn apart(a: Point, b: Point) -> i64 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn place(square: Square) -> Point {
    (square.x.into(), square.y.into())
}

impl Model {
    /// The game when all have placed their boats.
    pub fn new(config: &Config, placing: &[Vec<Square>]) -> Model {
        let mut things = Vec::new();
        for &[x, y] in &config.obstacles {
            things.push(Thing::new(What::Rock, (x.into(), y.into()), None, 4_294_967_295));
        }
        for (player, squares) in placing.iter().enumerate() {
            for (id, square) in (0..).zip(squares) {
                let given = config.sub.get(&SubId(id)).cloned().unwrap_or_default();
                let start = given.start_location.map_or(*square, |[x, y]| Square::new(x, y));
                things.push(Thing::boat(player, id, place(start), &given));
            }
        }
        let players = placing.len();
        let mut model = Model {
            config: config.clone(),
            things,
            scores: vec![0; players],
            left: vec![false; players],
            turn: 0,
            over: false,
            told: vec![Vec::new(); players + 1],
            events: BTreeMap::new(),
        };
        model.tell_state();
        model.tell_next();
        model
    }

    pub fn note(&mut self, event: &'static str) {
        *self.events.entry(event).or_default() += 1;
    }

    pub fn note_if(&mut self, happened: bool, event: &'static str) {
        if happened {
            self.note(event);
        }
    }

    pub fn players(&self) -> usize {
        self.scores.len()
    }

    pub fn is_open(&self, (x, y): Point) -> bool {
        let [width, height] = self.config.map_size;
        let on_map = x >= 1 && x <= width.into() && y >= 1 && y <= height.into();
        on_map && !self.things.iter().any(|it| it.what == What::Rock && it.at == (x, y))
    }

    /// Whether a command is legal for a boat that is active.
    pub fn is_legal(&self, player: usize, order: &Order) -> bool {
        let Some(boat) = self
            .things
            .iter()
            .find(|it| it.what == What::Boat && it.owner == Some(player) && it.id == order.sub)
        else {
            return false;
        };
        match order.command {
            _ if !boat.is_active() => false,
            Command::Move(direction, _) | Command::Mine(direction) => {
                self.is_open(toward(boat.at, direction, 1))
            }
            Command::Fire(square) => self.is_open(place(square)),
            Command::Sprint(direction, distance) => {
                let distance = i64::from(distance);
                distance >= 2
                    && (distance > boat.range(SPRINT)
                        || (1..=distance).all(|n| self.is_open(toward(boat.at, direction, n))))
            }
            Command::Sleep(..) | Command::Ping | Command::Surface => true,
        }
    }

    /// The indices of everything of a kind that is on the map: boats in order of joining and
    /// their IDs, mines column by column.
    fn all(&self, what: What) -> Vec<usize> {
        let here = |i: &usize| self.things[*i].what == what && !self.things[*i].gone;
        let mut all: Vec<usize> = (0..self.things.len()).filter(here).collect();
        if what == What::Mine {
            all.sort_by_key(|&i| self.things[i].at);
        }
        all
    }

    fn is_occupied(&self, at: Point) -> bool {
        self.things.iter().any(|it| !it.gone && it.at == at)
    }

    /// The path distances from a square, by making them shorter until none can be made shorter.
    /// Occupied squares can be reached but not passed.
    fn distances(&self, from: Point) -> Distances {
        let [width, height] = self.config.map_size.map(i64::from);
        let squares = (1..=height).flat_map(|y| (1..=width).map(move |x| (x, y)));
        let free: Vec<Point> = squares.filter(|&at| at == from || !self.is_occupied(at)).collect();
        // A margin around the map gets distances too, but no path leads on from there.
        let mut found = Distances(vec![vec![FAR; height as usize + 2]; width as usize + 2]);
        *found.to(from) = 0;
        let mut better = true;
        while better {
            better = false;
            for &(x, y) in &free {
                let next = found.to((x, y)).saturating_add(1);
                for other in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
                    if next < *found.to(other) {
                        *found.to(other) = next;
                        better = true;
                    }
                }
            }
        }
        found
    }

    fn tell(&mut self, player: usize, line: String) {
        self.told[player].push(line);
    }

    fn tell_all(&mut self, line: &str) {
        for told in &mut self.told {
            told.push(line.to_owned());
        }
    }

    fn tell_state(&mut self) {
        for boat in self.things.clone() {
            if let (What::Boat, Some(owner), (x, y)) = (boat.what, boat.owner, boat.at) {
                let active = i64::from(!boat.dead && boat.up == 0);
                let line = format!("I|{}|{}|{x}|{y}|{active}", self.turn, boat.id);
                self.tell(owner, line + &boat.variables());
            }
        }
        for player in 0..self.players() {
            if self.turn > 0 {
                self.tell(player, format!("H|{}|{}", self.turn, self.scores[player]));
            }
        }
    }

    fn tell_next(&mut self) {
        let line =
            if self.over { format!("F|{}", self.turn) } else { format!("B|{}", self.turn + 1) };
        self.tell_all(&line);
    }

    fn living(&self, player: usize) -> bool {
        let boats = self.all(What::Boat);
        boats.iter().any(|&i| self.things[i].owner == Some(player) && !self.things[i].dead)
    }

    fn remove(&mut self, players: &[usize]) {
        for &player in players {
            self.left[player] = true;
            for thing in self.things.iter_mut().filter(|it| it.owner == Some(player)) {
                match thing.what {
                    What::Boat => thing.gone = true,
                    _ => thing.owner = None,
                }
            }
        }
    }

    /// The end test; `last` is whether this was the last turn there may be.
    fn test_end(&mut self, last: bool) {
        let living: Vec<usize> = (0..self.players()).filter(|&p| self.living(p)).collect();
        self.over = living.len() < 2 || last;
        if self.over {
            match living[..] {
                [winner] => {
                    self.note("one survives");
                    self.scores[winner] += 1;
                }
                [] => self.note("nobody survives"),
                _ => self.note("the last turn ends the game"),
            }
        }
    }

    /// Players go in the middle of a turn.
    pub fn depart(&mut self, players: &[usize]) {
        self.told = vec![Vec::new(); self.players() + 1];
        self.remove(players);
        self.test_end(false);
        self.note_if(self.over, "a departure ends the game");
        self.run_idle_turns();
        self.tell_next();
    }

    /// A whole turn: some players go, the others' orders are carried out.
    pub fn play(&mut self, orders: &[(usize, Order)], leavers: &[usize]) {
        self.told = vec![Vec::new(); self.players() + 1];
        self.remove(leavers);
        if self.left.iter().all(|&left| left) {
            self.test_end(false);
        } else {
            self.resolve(orders);
        }
        self.run_idle_turns();
        self.tell_next();
    }

    fn run_idle_turns(&mut self) {
        while !self.over && !self.things.iter().any(Thing::is_active) {
            self.note("a turn nobody can act in");
            self.resolve(&[]);
        }
    }
}
