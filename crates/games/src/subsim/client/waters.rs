//! What a player knows of the waters: its view, made of what the server reports turn by turn.

use std::sync::Arc;

use rules::{Seat, SetupError, Viewer};

use super::super::rules::{
    Chart, Command, Config, Contact, Detected, Detonation, Equipment, Heard, Hit, Order, Phase,
    Report, Square, Sub, SubKind, View,
};

pub struct Sight {
    pub view: View,
    /// The report that is coming in.
    report: Option<Report>,
    /// Charges that the reports tell only in steps, counted along.
    charges: Vec<Charges>,
}

#[derive(Clone, Copy, Default)]
struct Charges {
    torpedo: u32,
    mine: u32,
    sprint: u32,
}

impl Sight {
    /// The map before anybody is placed on it. Which seat this is, the wire never tells.
    pub fn new(config: &Config) -> Result<Sight, SetupError> {
        let chart = Arc::new(Chart::new(config)?);
        let charges = vec![Charges::default(); chart.kinds().len()];
        let view = View {
            viewer: Viewer::Seat(Seat(0)),
            chart,
            phase: Phase::Placing,
            executed: 0,
            subs: Vec::new(),
            mines: Vec::new(),
            score: 0,
            news: Vec::new(),
            end: None,
        };
        Ok(Sight { view, report: None, charges })
    }

    /// One line of a report: a letter, the turn, and what happened.
    pub fn hear(&mut self, fields: &[&str]) {
        let numbers: Vec<u32> = fields[1..].iter().map_while(|text| text.parse().ok()).collect();
        let Some((&turn, values)) = numbers.split_first() else { return };
        // What is told again or late is no news.
        if self.view.phase == Phase::Playing && turn <= self.view.executed {
            return;
        }
        let mut report = match self.report.take() {
            Some(report) if report.turn == turn => report,
            _ => empty(turn),
        };
        let side = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        let at = |x, y| Square::new(side(x), side(y));
        let own = |id: u32| u8::try_from(id).ok().filter(|_| (id as usize) < self.charges.len());
        match (fields[0], values) {
            ("D", &[x, y, radius]) => {
                let radius = u8::try_from(radius).unwrap_or(u8::MAX);
                report.detonations.push(Detonation { square: at(x, y), radius });
            }
            ("S", &[sub, distance]) => {
                report.detected.extend(own(sub).map(|sub| Detected { sub, distance }));
            }
            ("R", &[sub, count]) => {
                report.heard.extend(own(sub).map(|sub| Heard { sub, count }));
            }
            ("O", &[x, y, size]) => report.objects.push(Contact { square: at(x, y), size }),
            ("T", &[x, y, damage]) => report.torpedo_hits.push(Hit { square: at(x, y), damage }),
            ("M", &[x, y, damage]) => report.mine_hits.push(Hit { square: at(x, y), damage }),
            ("I", &[id, x, y, ..])
                if self.view.chart.contains(at(x, y))
                    && id as usize == report.subs.len()
                    && own(id).is_some() =>
            {
                report.subs.push(self.sub(id as usize, at(x, y), fields));
            }
            ("H", &[score, ..]) => report.score = score,
            _ => {}
        }
        self.report = Some(report);
    }

    /// `B`: the report is complete. Whether there is anything to order.
    pub fn begin_turn(&mut self, turn: u32) -> bool {
        let Some(report) = self.report.take().filter(|report| report.turn + 1 == turn) else {
            return false;
        };
        if report.subs.len() != self.charges.len() {
            return false;
        }
        self.view.phase = Phase::Playing;
        self.view.executed = report.turn;
        self.view.subs.clone_from(&report.subs);
        self.view.score = report.score;
        self.view.news.push(report);
        self.view.fleet().active().next().is_some()
    }

    /// The orders are given: the news is old, and they change the charges.
    pub fn ordered(&mut self, orders: &[Order]) {
        self.view.news.clear();
        for order in orders {
            let id = usize::from(order.sub);
            let kind = self.view.chart.kinds()[id];
            let charges = &mut self.charges[id];
            match order.command {
                Command::Move(_, equipment) => charges.add(equipment, &kind),
                Command::Sleep(first, second) => {
                    charges.add(first, &kind);
                    charges.add(second, &kind);
                }
                Command::Fire(_) => charges.torpedo = 0,
                Command::Mine(_) => charges.mine = 0,
                Command::Sprint(..) => charges.sprint = 0,
                Command::Ping | Command::Surface => {}
            }
        }
    }

    /// `I|turn|id|x|y|active|variable=value...`; a variable that is left out is 0.
    fn sub(&mut self, id: usize, square: Square, fields: &[&str]) -> Sub {
        let kind = self.view.chart.kinds()[id];
        let variable = |name: &str| {
            let pairs = fields.iter().filter_map(|field| field.split_once('='));
            pairs.filter(|(key, _)| *key == name).find_map(|(_, value)| value.parse::<u32>().ok())
        };
        let value = |name| variable(name).unwrap_or(0);
        let charges = &mut self.charges[id];
        charges.agree_with(&kind, value);
        Sub {
            square,
            shields: value("shields"),
            sonar_charge: value("sonar_range").saturating_sub(1),
            torpedo_charge: charges.torpedo,
            mine_charge: charges.mine,
            sprint_charge: charges.sprint,
            torpedoes: kind.torpedo_count.map(|_| value("torpedos")),
            mines: kind.mine_count.map(|_| value("mines")),
            surface_remain: u16::try_from(value("surface_remain")).unwrap_or(u16::MAX),
            reactor_damage: value("reactor_damage"),
            dead: value("dead") == 1,
        }
    }
}

impl Charges {
    fn add(&mut self, equipment: Equipment, kind: &SubKind) {
        let (charge, most) = match equipment {
            Equipment::Torpedo => (&mut self.torpedo, kind.max_torpedo_charge),
            Equipment::Mine => (&mut self.mine, kind.max_mine_charge),
            Equipment::Sprint => (&mut self.sprint, kind.max_sprint_charge),
            // The range of the sonar tells its charge.
            Equipment::Sonar | Equipment::None => return,
        };
        *charge = charge.saturating_add(1).min(most);
    }

    /// What is told wins over what was counted.
    fn agree_with(&mut self, kind: &SubKind, value: impl Fn(&'static str) -> u32) {
        let reach = value("torpedo_range");
        self.torpedo = match reach {
            _ if value("max_torpedo") == 1 => kind.max_torpedo_charge,
            0 => self.torpedo.min(1),
            reach => reach.saturating_add(1),
        };
        self.mine = match value("mine_ready") {
            1 => kind.max_mine_charge,
            _ => self.mine.min(kind.max_mine_charge.saturating_sub(1)),
        };
        self.sprint = match value("sprint_range") {
            _ if value("max_sprint") == 1 => kind.max_sprint_charge,
            0 => self.sprint.min(2),
            reach => {
                let least = reach.saturating_sub(1).saturating_mul(3);
                self.sprint.clamp(least, least.saturating_add(2))
            }
        };
    }
}

fn empty(turn: u32) -> Report {
    Report {
        turn,
        detonations: Vec::new(),
        detected: Vec::new(),
        heard: Vec::new(),
        objects: Vec::new(),
        pings: Vec::new(),
        shots: Vec::new(),
        torpedo_hits: Vec::new(),
        mine_hits: Vec::new(),
        subs: Vec::new(),
        score: 0,
    }
}
