//! A bot that looks before it shoots: it charges torpedo and sonar, pings, fires at what it found
//! before the prey can leave the blast, and moves on when it was seen itself. It never surfaces:
//! two that repair themselves would never be done with each other.

use ::rules::{Bot, Dice};

use super::super::rules::{
    Action, Command, Direction, Equipment, OBSTACLE_SIZE, Order, Phase, Report, Square, Sub,
    SubKind, SubSim, View, Waters, random_places,
};

/// Nothing smaller than this is a submarine.
pub(super) const SMALLEST_SUB: u32 = 50;
/// For so many turns it is worth shooting at a square where somebody was.
const FRESH: u32 = 2;
/// For so many turns it is worth searching around it.
const WARM: u32 = 20;
/// How long a submarine that was seen or hit keeps moving.
const ALARM: u32 = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Hunter {
    /// Where enemies were last, and in which turn.
    contacts: Vec<Sighting>,
    /// What each own submarine remembers.
    crews: Vec<Crew>,
}

#[derive(Clone, Copy, Debug)]
struct Sighting {
    square: Square,
    turn: u32,
}

#[derive(Clone, Debug, Default)]
struct Crew {
    /// The turn of the last alarm.
    alarm: u32,
    shields: u32,
    /// Its last order was a ping.
    pinged: bool,
    /// Where it is going because its last ping found nobody.
    heading: Option<Square>,
}

impl Bot<SubSim> for Hunter {
    fn choose(&mut self, view: &View, dice: &mut Dice) -> Action {
        if view.phase == Phase::Placing {
            return Action::Place(random_places(&view.chart, dice));
        }
        let turn = view.executed + 1;
        self.crews.resize(view.subs.len(), Crew::default());
        self.contacts.retain(|contact| turn - contact.turn <= WARM);
        for report in &view.news {
            self.remember(view, report, dice);
        }
        let order = |sub: u8| {
            let command = self.command(view, usize::from(sub), turn, dice);
            Order { sub, command }
        };
        Action::Orders(view.fleet().active().map(order).collect())
    }
}

impl Hunter {
    fn remember(&mut self, view: &View, report: &Report, dice: &mut Dice) {
        let seen = report.objects.iter().filter(|contact| contact.size != OBSTACLE_SIZE);
        let strange = seen.filter(|contact| {
            let own = own_size(view, report, contact.square);
            contact.size.saturating_sub(own) >= SMALLEST_SUB
        });
        let hits = report.torpedo_hits.iter().chain(&report.mine_hits).map(|hit| hit.square);
        let mut found: Vec<Sighting> = strange
            .map(|contact| contact.square)
            .chain(hits)
            .map(|square| Sighting { square, turn: report.turn })
            .collect();
        for crew in self.crews.iter_mut().filter(|crew| crew.pinged) {
            crew.pinged = false;
            crew.heading =
                if found.is_empty() { random_places(&view.chart, dice).pop() } else { None };
        }
        if !found.is_empty() {
            std::mem::swap(&mut self.contacts, &mut found);
        }
        for detected in &report.detected {
            self.crews[usize::from(detected.sub)].alarm = report.turn;
        }
        for (crew, sub) in self.crews.iter_mut().zip(&report.subs) {
            if sub.shields < crew.shields {
                crew.alarm = report.turn;
            }
            crew.shields = sub.shields;
        }
    }

    fn command(&mut self, view: &View, id: usize, turn: u32, dice: &mut Dice) -> Command {
        let (sub, kind) = (&view.subs[id], &view.chart.kinds()[id]);
        let quiet = turn - self.crews[id].alarm;
        if let Some(target) = self.target(view, sub, turn) {
            return Command::Fire(target);
        }
        let reach = self.reach(view, sub, turn);
        let (first, second) = charges(sub, kind, reach);
        match (first, second) {
            (None, _) => {
                self.crews[id].pinged = true;
                Command::Ping
            }
            (Some(first), Some(second)) if quiet > ALARM => match self.crews[id].heading {
                Some(heading) if heading.steps_to(sub.square) > 1 => {
                    let direction = course(view, sub.square, heading, dice);
                    direction.map_or(Command::Sleep(first, second), |direction| {
                        Command::Move(direction, first)
                    })
                }
                _ => Command::Sleep(first, second),
            },
            (Some(first), second) => match course(view, sub.square, sub.square, dice) {
                Some(direction) => Command::Move(direction, first),
                None => Command::Sleep(first, second.unwrap_or(first)),
            },
        }
    }

    /// A fresh contact in range whose blast will not touch an own submarine.
    fn target(&self, view: &View, sub: &Sub, turn: u32) -> Option<Square> {
        if sub.torpedo_range() == 0 || sub.torpedoes == Some(0) {
            return None;
        }
        let mut waters = Waters::new(&view.chart);
        let own = view.subs.iter().filter(|own| !own.dead);
        own.clone().for_each(|own| waters.occupy(own.square));
        self.contacts
            .iter()
            .filter(|contact| turn - contact.turn <= FRESH)
            .map(|contact| contact.square)
            .filter(|&square| view.chart.is_free(square))
            .filter(|square| own.clone().all(|own| own.square.blast_distance(*square) > 1))
            .find(|&square| waters.distance(sub.square, square, sub.torpedo_range()).is_some())
    }

    /// How far sonar and torpedo should reach: around the last contact, which may have moved
    /// since, or else as far as patience goes.
    fn reach(&self, view: &View, sub: &Sub, turn: u32) -> u32 {
        let sides = u32::from(view.chart.width()) + u32::from(view.chart.height());
        let most = (sides / 4).min(30);
        let around = |contact: &Sighting| {
            sub.square.steps_to(contact.square) + (turn - contact.turn) / 2 + 1
        };
        self.contacts.iter().map(around).min().map_or(most, |around| around.clamp(3, most))
    }
}

/// The size of the own submarines sonar saw on a square.
pub(super) fn own_size(view: &View, report: &Report, square: Square) -> u32 {
    let size = |(sub, kind): (&Sub, &SubKind)| {
        if sub.square == square && sub.is_active() { kind.size } else { 0 }
    };
    report.subs.iter().zip(view.chart.kinds()).map(size).sum()
}

/// The next two units of charge: torpedo before sonar, so that a contact can be shot at once.
pub(super) fn charges(
    sub: &Sub,
    kind: &SubKind,
    reach: u32,
) -> (Option<Equipment>, Option<Equipment>) {
    let mut after = *sub;
    let mut next = || {
        let torpedo = after.torpedoes != Some(0)
            && after.torpedo_range() < reach
            && !after.is_full(kind, Equipment::Torpedo);
        let sonar = after.sonar_range() < reach && !after.is_full(kind, Equipment::Sonar);
        if torpedo {
            after.torpedo_charge += 1;
            Some(Equipment::Torpedo)
        } else if sonar {
            after.sonar_charge += 1;
            Some(Equipment::Sonar)
        } else {
            None
        }
    };
    (next(), next())
}

/// A free direction that leads to `heading` if there is one, else any free one.
pub(super) fn course(
    view: &View,
    from: Square,
    heading: Square,
    dice: &mut Dice,
) -> Option<Direction> {
    let mut directions = Direction::ALL;
    dice.shuffle(&mut directions);
    directions
        .sort_by_key(|direction| from.step(*direction).steps_to(heading) > from.steps_to(heading));
    directions.into_iter().find(|direction| view.chart.is_free(from.step(*direction)))
}
