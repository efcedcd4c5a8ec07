//! Known answers as text: a map drawn in characters, the orders, and what each player receives.
//!
//! ```text
//! == 7.2 the title, which begins with the number of the rule
//! set sub.0.max_shields 1        a setting and its value as JSON
//! map                            the map from its north-western corner: A-F submarines by seat
//! A b .                          (the first A is submarine 0), a-f their mines, x a mine of
//! . . #                          no one,  # an obstacle, . or whatever is not drawn: water
//! state A0 sonar_charge=3        a submarine is changed before the first turn
//! A < M|1|0|E|Sonar              an order, as on the wire
//! A ! M|1|0|N|Sonar = Illegal    an order that is refused, and the text
//! B gone                         B leaves together with the turn
//! B departs                      B leaves in the middle of the turn
//! A > D|1|2|1|1                  all that A receives, in order; public > for all others
//! map                            what is on the map now; + where several things are
//! end A 3, B 1, C left           the result, in order of the seats
//! ```
//!
//! The turn is resolved at the first line after its orders that is not one of its orders.

use std::fmt::Write;

use ::rules::{Exit, Game, Move, Seat, Seed, Step, Viewer};
use serde_json::Value;

use super::super::rules::{Action, Config, Square, SubSim};
use super::speech::{parse, speak};

/// Plays one case and panics where it differs from what is written.
pub(super) fn check(case: &str) {
    let (title, body) = case.split_once('\n').expect("a title and a body");
    let mut stage = Stage { title, ..Stage::default() };
    let mut lines = body.lines().filter(|line| !line.trim().is_empty()).peekable();
    while let Some(line) = lines.next() {
        let mut paragraph = vec![line];
        if line == "map" {
            let row = |line: &&str| line.split(' ').all(|sign| sign.len() == 1);
            paragraph = std::iter::from_fn(|| lines.next_if(row)).collect();
            stage.map(&paragraph);
        } else {
            let speaker = said_by(line, " > ");
            while speaker.is_some() {
                let Some(next) = lines.next_if(|next| said_by(next, " > ") == speaker) else {
                    break;
                };
                paragraph.push(next);
            }
            stage.perform(&paragraph);
        }
    }
    assert!(stage.turn.is_empty(), "{title}: the last turn was never resolved");
}

fn said_by<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    line.split_once(sign).map(|(speaker, _)| speaker)
}

#[derive(Default)]
struct Stage<'a> {
    title: &'a str,
    settings: serde_json::Map<String, Value>,
    game: Option<SubSim>,
    turn: Vec<(Seat, Move<Action>)>,
}

impl Stage<'_> {
    fn perform(&mut self, paragraph: &[&str]) {
        let line = paragraph[0];
        if let Some(setting) = line.strip_prefix("set ") {
            let (path, value) = setting.split_once(' ').expect("a name and a value");
            let value = serde_json::from_str(value).expect("a value as JSON");
            self.set(path, value);
        } else if let Some(change) = line.strip_prefix("state ") {
            self.change(change);
        } else if let Some((who, order)) = line.split_once(" < ") {
            self.order(seat(who), order);
        } else if let Some((who, order)) = line.split_once(" ! ") {
            let (order, why) = order.split_once(" = ").expect("an order and a refusal");
            let verdict = self.game().fleet(seat(who)).check_order(&parse(order, self.open()));
            self.compare(line, &verdict.expect_err("refused").0, why);
        } else if let Some(who) = line.strip_suffix(" gone") {
            self.turn.push((seat(who), Move::Retire(Exit::Left)));
        } else if let Some(who) = line.strip_suffix(" departs") {
            let exits = [(seat(who), Exit::Left)];
            self.game.as_mut().expect("a map first").advance(Step::Departure(&exits));
        } else if let Some((who, _)) = line.split_once(" > ") {
            let told = self.told(who);
            let expected = paragraph.iter().map(|line| &line[who.len() + 3..]);
            self.compare(
                &format!("what {who} is told"),
                &told,
                &expected.collect::<Vec<_>>().join("\n"),
            );
        } else if let Some(expected) = line.strip_prefix("end ") {
            let end = self.end();
            self.compare("the result", &end, expected);
        } else {
            panic!("{}: not understood: {line}", self.title);
        }
    }

    fn set(&mut self, path: &str, value: Value) {
        let mut place = &mut self.settings;
        let mut names: Vec<&str> = path.split('.').collect();
        let last = names.pop().expect("a name");
        for name in names {
            let inner = place.entry(name).or_insert_with(|| Value::Object(Default::default()));
            place = inner.as_object_mut().expect("a table");
        }
        place.insert(last.to_owned(), value);
    }

    /// The first map begins the game, a later one is compared with it.
    fn map(&mut self, rows: &[&str]) {
        if self.game.is_none() {
            self.begin(rows);
            return;
        }
        self.resolve();
        let drawn = draw(self.game(), rows);
        self.compare("the map", &drawn, &rows.join("\n"));
    }

    fn begin(&mut self, rows: &[&str]) {
        let mut obstacles = Vec::new();
        let mut fleets: Vec<Vec<Square>> = Vec::new();
        let mut mines = Vec::new();
        for (y, row) in (1..).zip(rows) {
            for (x, sign) in (1..).zip(row.split(' ').filter_map(|sign| sign.chars().next())) {
                match sign {
                    '.' => {}
                    '#' => obstacles.push(vec![x, y]),
                    'x' => mines.push((Square::new(x, y), None)),
                    'a'..='f' => mines.push((Square::new(x, y), Some(Seat(sign as u8 - b'a')))),
                    _ => {
                        let seat = seat(&sign.to_string()).index();
                        fleets.resize(fleets.len().max(seat + 1), Vec::new());
                        fleets[seat].push(Square::new(x, y));
                    }
                }
            }
        }
        self.settings.entry("map_size").or_insert_with(|| vec![10, 10].into());
        self.settings.insert("obstacles".to_owned(), obstacles.into());
        let config: Config = serde_json::from_value(Value::Object(self.settings.clone()))
            .unwrap_or_else(|why| panic!("{}: {why}", self.title));
        let mut game = SubSim::setup(&config, fleets.len(), Seed::from_number(0))
            .unwrap_or_else(|why| panic!("{}: {why}", self.title));
        let turn: Vec<(Seat, Move<Action>)> = Seat::all(fleets.len())
            .zip(fleets)
            .map(|(seat, squares)| (seat, Move::Act(Action::Place(squares))))
            .collect();
        for (seat, made) in &turn {
            let Move::Act(action) = made else { continue };
            assert_eq!(game.check(*seat, action), Ok(()), "{}", self.title);
        }
        game.advance(Step::Turn(&turn));
        game.mines.extend(mines);
        self.game = Some(game);
    }

    fn change(&mut self, change: &str) {
        let mut words = change.split(' ');
        let name = words.next().expect("a submarine");
        let game = self.game.as_mut().expect("a map first");
        let index = seat(&name[..1]).index() * game.chart.kinds().len()
            + name[1..].parse::<usize>().expect("the ID of a submarine");
        let sub = &mut game.subs[index];
        for word in words {
            let (field, value) = word.split_once('=').expect("a field and a value");
            let value: u32 = value.parse().expect("a number");
            match field {
                "shields" => sub.shields = value,
                "sonar_charge" => sub.sonar_charge = value,
                "torpedo_charge" => sub.torpedo_charge = value,
                "mine_charge" => sub.mine_charge = value,
                "sprint_charge" => sub.sprint_charge = value,
                "reactor_damage" => sub.reactor_damage = value,
                "surface_remain" => sub.surface_remain = value as u16,
                _ => panic!("{}: no such field: {field}", self.title),
            }
        }
    }

    fn order(&mut self, seat: Seat, text: &str) {
        let order = parse(text, self.open());
        match self.turn.iter_mut().find(|(other, _)| *other == seat) {
            Some((_, Move::Act(Action::Orders(orders)))) => orders.push(order),
            _ => self.turn.push((seat, Move::Act(Action::Orders(vec![order])))),
        }
    }

    fn resolve(&mut self) {
        if self.turn.is_empty() {
            return;
        }
        let mut turn = std::mem::take(&mut self.turn);
        turn.sort_by_key(|(seat, _)| *seat);
        for (seat, made) in &turn {
            let Move::Act(action) = made else { continue };
            assert_eq!(self.game().check(*seat, action), Ok(()), "{}", self.title);
        }
        let owed = self.game().to_act();
        let moved = turn.iter().map(|(seat, _)| *seat).filter(|seat| owed.contains(*seat)).count();
        assert_eq!(moved, owed.len(), "{}: every seat in {owed:?} must move", self.title);
        self.game.as_mut().expect("a map first").advance(Step::Turn(&turn));
    }

    fn told(&mut self, who: &str) -> String {
        self.resolve();
        let viewer = if who == "public" { Viewer::Public } else { Viewer::Seat(seat(who)) };
        speak(&self.game().view(viewer))
    }

    fn end(&mut self) -> String {
        self.resolve();
        let outcome = self.game().outcome().unwrap_or_else(|| panic!("{}: goes on", self.title));
        let result = |(letter, standing): (char, &::rules::Standing)| match &standing.exit {
            None => format!("{letter} {}", standing.points),
            Some(_) => format!("{letter} left"),
        };
        ('A'..).zip(&outcome.standings).map(result).collect::<Vec<_>>().join(", ")
    }

    fn game(&self) -> &SubSim {
        self.game.as_ref().expect("a map first")
    }

    fn open(&self) -> u32 {
        self.game().executed + 1
    }

    fn compare(&self, what: &str, found: &str, expected: &str) {
        let ruler = "-".repeat(40);
        assert!(
            found.trim() == expected.trim(),
            "{}\n{what}\n{ruler} expected\n{expected}\n{ruler} found\n{found}\n{ruler}",
            self.title
        );
    }
}

fn seat(letter: &str) -> Seat {
    let letter = letter.bytes().next().expect("a letter");
    assert!((b'A'..=b'F').contains(&letter), "seats are A to F");
    Seat(letter - b'A')
}

/// The part of the map that was drawn, as it is now.
fn draw(game: &SubSim, rows: &[&str]) -> String {
    let sign = |square: Square| {
        let fleet = game.chart.kinds().len();
        let letter = |first: u8, seat: usize| char::from(first + seat as u8);
        let subs = game.subs.iter().enumerate().filter(|(_, sub)| !sub.dead);
        let mut signs: Vec<char> = subs
            .filter(|(_, sub)| sub.square == square)
            .map(|(index, _)| letter(b'A', index / fleet))
            .collect();
        if let Some(owner) = game.mines.get(&square) {
            signs.push(owner.map_or('x', |seat| letter(b'a', seat.index())));
        }
        match signs[..] {
            [] if game.chart.is_free(square) => '.',
            [] => '#',
            [sign] => sign,
            _ => '+',
        }
    };
    let mut drawn = String::new();
    for (y, row) in (1..).zip(rows) {
        let signs =
            (1..=row.split(' ').count() as u16).map(|x| sign(Square::new(x, y)).to_string());
        writeln!(drawn, "{}", signs.collect::<Vec<_>>().join(" ")).expect("text");
    }
    drawn
}
