//! A player of SubSim's protocol.
//!
//! ```text
//! idle ─connect─▶ hearing settings ─J─▶ joining ─J|name─▶ seated ─F, P, P─▶ idle
//!                                          │ error text     │ error text, or no connection
//!                                          ▼                ▼
//!                                       given up           lost
//! ```
//!
//! There is no way back: with the connection the game is lost. What a submarine's charges are is
//! told only as far as they reach; here they are counted along with the orders.

mod waters;

use hall::{Time, split_key};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::rules::{
    Action, Command, Config, Direction, Equipment, Order, SubConfig, SubId, SubSim,
};
use super::verb::{self, Verb};
use waters::Sight;

pub fn client(player: Player<SubSim>) -> Box<dyn Client> {
    Box::new(LineClient { player, connected: false, begun: false, stage: Progress::Idle })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| {
        let mut fields = text.split('|');
        let letter = fields.next().unwrap_or_default();
        matches!(letter, "M" | "S" | "P" | "F" | "D" | "R" | "U") && fields.next().is_some()
    },
    is_refusal: |text| is_error(text),
    is_forgiven: |_| false,
    is_end: |text| text.starts_with("F|"),
    // Whoever orders what cannot be is out.
    refusal: None,
    said_name: |text| match verb::parse(text) {
        Verb::Join(Ok(join)) => Some(split_key(&join.said).0.to_owned()),
        _ => None,
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

/// Messages have a letter and a bar; whatever else the server says is why it hangs up.
fn is_error(text: &str) -> bool {
    !text.is_empty() && text.as_bytes().get(1) != Some(&b'|')
}

struct LineClient {
    player: Player<SubSim>,
    connected: bool,
    /// The game it is seated at has begun.
    begun: bool,
    stage: Progress,
}

enum Progress {
    Idle,
    /// A game is wanted.
    Looking,
    /// The settings come in, so many are still to come.
    Hearing {
        config: Box<Config>,
        left: usize,
    },
    Joining(Box<Sight>),
    Seated(Box<Sight>),
    /// The results come in, so many are still to come.
    Counting {
        finished: bool,
        left: usize,
        results: Vec<(String, i64)>,
    },
}

impl LineClient {
    /// `C|version|title|width|height|count`
    fn greeted(&mut self, fields: &[&str], out: &mut Vec<Reaction>) {
        let [_, _, title, width, height, count, ..] = fields else { return };
        let number = |text: &str| text.parse().unwrap_or(0);
        let config = Config {
            title: (*title).to_owned(),
            map_size: [number(width), number(height)],
            max_turns: 0,
            ..Config::default()
        };
        let left = count.parse().unwrap_or(0);
        self.stage = Progress::Hearing { config: Box::new(config), left };
        self.join_when_told(out);
    }

    fn setting(&mut self, fields: &[&str], out: &mut Vec<Reaction>) {
        if let Progress::Hearing { config, left } = &mut self.stage {
            set(config, fields);
            *left = left.saturating_sub(1);
            self.join_when_told(out);
        }
    }

    /// Chooses where to start, once all settings are known.
    fn join_when_told(&mut self, out: &mut Vec<Reaction>) {
        let Progress::Hearing { config, left: 0 } = &self.stage else { return };
        let sight = match Sight::new(config) {
            Ok(sight) => sight,
            Err(why) => {
                self.stage = Progress::Idle;
                return out
                    .push(Reaction::GiveUp(format!("these settings cannot be played: {why}")));
            }
        };
        self.player.begin();
        let mut join = format!("J|{}", self.player.name);
        if let Action::Place(squares) = self.player.choose(&sight.view) {
            squares.iter().for_each(|square| join += &format!("|{}|{}", square.x, square.y));
        }
        out.push(Reaction::Say(join));
        self.begun = false;
        self.stage = Progress::Joining(Box::new(sight));
    }

    fn begin_turn(&mut self, turn: &str, out: &mut Vec<Reaction>) {
        let Progress::Seated(sight) = &mut self.stage else { return };
        let Ok(turn) = turn.parse() else { return };
        self.begun = true;
        if !sight.begin_turn(turn) {
            return;
        }
        let Action::Orders(orders) = self.player.choose(&sight.view) else { return };
        sight.ordered(&orders);
        let lines = orders.iter().map(|order| line(turn, order)).map(Reaction::Say);
        out.extend(lines);
        if let Some(Reaction::Say(last)) = out.pop() {
            out.push(Reaction::Move(last));
        }
    }

    fn result(&mut self, fields: &[&str], text: &str, out: &mut Vec<Reaction>) {
        let Progress::Counting { left, results, .. } = &mut self.stage else { return };
        let [_, name, score, ..] = fields else { return };
        results.push(((*name).to_owned(), score.parse().unwrap_or(0)));
        *left = left.saturating_sub(1);
        self.end_when_counted(text, out);
    }

    fn end_when_counted(&mut self, text: &str, out: &mut Vec<Reaction>) {
        let Progress::Counting { finished, left: 0, results } = &self.stage else { return };
        let own = results.iter().find(|(name, _)| *name == self.player.name);
        let points = own.map(|(_, score)| *score);
        let best = results.iter().map(|(_, score)| *score).max();
        let words = match &results[..] {
            [] => text.to_owned(),
            results => {
                let lines = results.iter().map(|(name, score)| format!("P|{name}|{score}"));
                lines.collect::<Vec<_>>().join(" ")
            }
        };
        let won = finished.then_some(points.is_some() && points == best);
        self.stage = Progress::Idle;
        out.push(Reaction::Over(Ending { won, points, words }));
        out.push(Reaction::Hangup);
    }

    fn refused(&mut self, text: &str, out: &mut Vec<Reaction>) {
        match self.stage {
            Progress::Seated(_) => {
                out.push(Reaction::Refused(text.to_owned()));
                self.stage = Progress::Idle;
                let words = text.to_owned();
                out.push(Reaction::Over(Ending { won: Some(false), points: None, words }));
                out.push(Reaction::Hangup);
            }
            Progress::Idle | Progress::Counting { .. } => {}
            Progress::Looking | Progress::Hearing { .. } | Progress::Joining(_) => {
                self.stage = Progress::Idle;
                out.push(Reaction::GiveUp(text.to_owned()));
            }
        }
    }
}

impl Client for LineClient {
    fn seek(&mut self, _now: Time, _table: Option<&str>, out: &mut Vec<Reaction>) {
        self.stage = Progress::Looking;
        if self.connected {
            out.push(Reaction::Hangup);
        }
    }

    fn open(&mut self, _now: Time, _out: &mut Vec<Reaction>) {
        self.connected = true;
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Vec<Reaction>) {
        if is_error(text) {
            return self.refused(text, out);
        }
        let fields: Vec<&str> = text.split('|').map(str::trim).collect();
        match (fields[0], &mut self.stage) {
            ("C", Progress::Looking) => self.greeted(&fields, out),
            ("V", Progress::Hearing { .. }) => self.setting(&fields, out),
            ("J", Progress::Joining(_)) => {
                if let Progress::Joining(sight) = std::mem::replace(&mut self.stage, Progress::Idle)
                {
                    self.stage = Progress::Seated(sight);
                }
            }
            ("B", Progress::Seated(_)) => self.begin_turn(fields.get(1).unwrap_or(&""), out),
            ("F", Progress::Seated(_)) => {
                let left = fields.get(1).and_then(|count| count.parse().ok()).unwrap_or(0);
                let finished = fields.get(3) == Some(&"finished");
                self.stage = Progress::Counting { finished, left, results: Vec::new() };
                self.end_when_counted(text, out);
            }
            ("P", Progress::Counting { .. }) => self.result(&fields, text, out),
            (_, Progress::Seated(sight)) => sight.hear(&fields),
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = false;
        match self.stage {
            Progress::Seated(_) if !self.begun => self.stage = Progress::Looking,
            Progress::Seated(_) | Progress::Counting { .. } => {
                self.stage = Progress::Idle;
                out.push(Reaction::Over(Ending::unknown("the connection was closed")));
            }
            Progress::Hearing { .. } | Progress::Joining(_) => self.stage = Progress::Looking,
            Progress::Idle | Progress::Looking => {}
        }
    }
}

/// Takes one `V` line over.
fn set(config: &mut Config, fields: &[&str]) {
    let numbers: Vec<u32> = fields[1..].iter().filter_map(|text| text.parse().ok()).collect();
    let side = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    match (fields.get(1).copied().unwrap_or_default(), &numbers[..]) {
        ("MinPlayers", [count]) => config.min_players = *count as usize,
        ("MaxPlayers", [count]) => config.max_players = *count as usize,
        ("MaxTurns", [turns]) => config.max_turns = *turns,
        ("MapSize", [width, height]) => config.map_size = [side(*width), side(*height)],
        ("Obstacle", [x, y]) => config.obstacles.push([side(*x), side(*y)]),
        ("SubsPerPlayer", [count]) => {
            config.subs_per_player = u8::try_from(*count).unwrap_or(u8::MAX);
        }
        (name, [id, values @ ..]) if name.starts_with("Sub") => {
            let id = SubId(u8::try_from(*id).unwrap_or(u8::MAX));
            set_sub(config.sub.entry(id).or_default(), name, values);
        }
        _ => {}
    }
}

fn set_sub(sub: &mut SubConfig, name: &str, values: &[u32]) {
    let side = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    match (name, values) {
        ("SubSize", [value]) => sub.size = Some(*value),
        ("SubStartLocation", [x, y]) => sub.start_location = Some([side(*x), side(*y)]),
        ("SubSurfaceTurnCount", [value]) => sub.surface_turn_count = Some(side(*value)),
        ("SubMaxShields", [value]) => sub.max_shields = Some(*value),
        ("SubMaxReactorDamage", [value]) => sub.max_reactor_damage = Some(*value),
        ("SubMaxSonarCharge", [value]) => sub.max_sonar_charge = Some(*value),
        ("SubMaxTorpedoCharge", [value]) => sub.max_torpedo_charge = Some(*value),
        ("SubMaxMineCharge", [value]) => sub.max_mine_charge = Some(*value),
        ("SubMaxSprintCharge", [value]) => sub.max_sprint_charge = Some(*value),
        ("SubTorpedoCount", [value]) => sub.torpedo_count = Some(*value),
        ("SubMineCount", [value]) => sub.mine_count = Some(*value),
        _ => {}
    }
}

fn line(turn: u32, order: &Order) -> String {
    let id = order.sub;
    match order.command {
        Command::Move(to, charge) => format!("M|{turn}|{id}|{}|{}", way(to), word(charge)),
        Command::Sleep(one, two) => format!("S|{turn}|{id}|{}|{}", word(one), word(two)),
        Command::Ping => format!("P|{turn}|{id}"),
        Command::Fire(at) => format!("F|{turn}|{id}|{}|{}", at.x, at.y),
        Command::Mine(to) => format!("D|{turn}|{id}|{}", way(to)),
        Command::Sprint(to, distance) => format!("R|{turn}|{id}|{}|{distance}", way(to)),
        Command::Surface => format!("U|{turn}|{id}"),
    }
}

fn way(direction: Direction) -> char {
    match direction {
        Direction::North => 'N',
        Direction::East => 'E',
        Direction::South => 'S',
        Direction::West => 'W',
    }
}

fn word(equipment: Equipment) -> &'static str {
    match equipment {
        Equipment::Sonar => "Sonar",
        Equipment::Torpedo => "Torpedo",
        Equipment::Mine => "Mine",
        Equipment::Sprint => "Sprint",
        Equipment::None => "None",
    }
}
