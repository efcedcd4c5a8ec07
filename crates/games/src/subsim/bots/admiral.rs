//! A bot that knows where the enemy may be. It keeps a map of that, made of everything it is told:
//! where its pings found nobody, from how far it was seen itself, what its torpedoes hit. It weighs
//! pinging, firing and charging by what each is expected to bring, and when it was seen it sprints
//! out of the blast that is to come.

use ::rules::{Bot, Dice};

use super::super::rules::{
    Action, Command, Direction, Equipment, MINE_SIZE, OBSTACLE_SIZE, Order, Phase, Square, Sub,
    SubKind, SubSim, View, random_places,
};
use super::hunter::{Hunter, SMALLEST_SUB, course};
use super::plot::{Plot, damage, reach};

/// A torpedo is fired if it is expected to do so much.
const WORTH_FIRING: f32 = 0.7;
/// The sprint engine is kept charged for two squares: out of a blast.
const SPRINT: u32 = 3;
/// Two who always get away would never be done with each other: after so many turns nobody does.
const PATIENCE: u32 = 300;
/// Nobody charges for longer ranges than this.
const FARTHEST: u32 = 30;

#[derive(Clone, Debug, Default)]
pub struct Admiral {
    plot: Plot,
    /// Where own submarines pinged in the last turn, and how far.
    pinged: Vec<(Square, u32)>,
    /// Where mines of others were seen.
    mined: Vec<Square>,
    /// It never sprints: some bots of others crash when they hear a sprint.
    stays: bool,
    /// For waters that are too wide to be mapped in time.
    deputy: Hunter,
}

impl Admiral {
    pub fn without_sprints() -> Admiral {
        Admiral { stays: true, ..Admiral::default() }
    }

    /// Takes in what the last turn told. The pings in it may not be what this bot would have ordered.
    pub(super) fn hear(&mut self, view: &View) {
        if !is_too_wide(view) {
            let pings = view.news.iter().flat_map(|report| &report.pings);
            self.pinged = pings.map(|ping| (ping.from, ping.range)).collect();
            self.listen(view);
        }
    }

    /// Its orders for all submarines, now that it has heard of the last turn.
    pub(super) fn orders(&self, view: &View, dice: &mut Dice) -> Vec<Order> {
        if is_too_wide(view) {
            return match self.deputy.clone().choose(view, dice) {
                Action::Orders(orders) => orders,
                Action::Place(_) => Vec::new(),
            };
        }
        let aims = self.aims(view);
        let order = |sub: u8| {
            let command = self.command(view, usize::from(sub), &aims, dice);
            Order { sub, command }
        };
        view.fleet().active().map(order).collect()
    }

    /// The square in range that is most worth a torpedo.
    pub(super) fn best_shot(&self, view: &View, id: usize) -> Option<Square> {
        if is_too_wide(view) {
            return None;
        }
        target(view, &view.subs[id], &self.aims(view))
    }

    /// Whether it may still sprint.
    fn flees(&self, view: &View) -> bool {
        !self.stays && view.executed < PATIENCE
    }
}

impl Bot<SubSim> for Admiral {
    fn choose(&mut self, view: &View, dice: &mut Dice) -> Action {
        if is_too_wide(view) {
            return self.deputy.choose(view, dice);
        }
        if view.phase == Phase::Placing {
            return Action::Place(self.places(view, dice));
        }
        self.listen(view);
        let orders = self.orders(view, dice);
        let pings = orders.iter().filter(|order| order.command == Command::Ping);
        let own = pings.map(|order| &view.subs[usize::from(order.sub)]);
        self.pinged.extend(own.map(|own| (own.square, own.sonar_range())));
        Action::Orders(orders)
    }
}

/// Squares times submarines.
const WIDEST: usize = 12_000;

/// Whether the waters take too long to map.
fn is_too_wide(view: &View) -> bool {
    let chart = &*view.chart;
    let squares = usize::from(chart.width()) * usize::from(chart.height());
    squares * chart.kinds().len() > WIDEST
}

/// A square, and what a torpedo is expected to do there in this turn.
type Aim = (Square, f32);

impl Admiral {
    /// Where most of the map is near: the best of a few places for each submarine.
    fn places(&mut self, view: &View, dice: &mut Dice) -> Vec<Square> {
        let chart = &*view.chart;
        let middle = Square::new(chart.width().div_ceil(2), chart.height().div_ceil(2));
        let tries: Vec<Vec<Square>> = (0..4).map(|_| random_places(chart, dice)).collect();
        let nearest =
            |sub: usize| tries.iter().map(|places| places[sub]).min_by_key(|s| s.steps_to(middle));
        (0..chart.kinds().len()).filter_map(nearest).collect()
    }

    fn listen(&mut self, view: &View) {
        if !self.plot.is_begun(&view.chart) {
            self.plot.begin(&view.chart);
        }
        for report in view.news.iter().filter(|report| report.turn > 0) {
            let pings = std::mem::take(&mut self.pinged);
            self.plot.hear(view, report, &pings);
            let small = |size: u32| (MINE_SIZE..SMALLEST_SUB).contains(&size);
            let mines = report.objects.iter().filter(|c| c.size != OBSTACLE_SIZE && small(c.size));
            self.mined.extend(mines.map(|contact| contact.square));
            let gone = |square: &Square| {
                report.detonations.iter().any(|d| d.square.blast_distance(*square) <= 1)
            };
            self.mined.retain(|square| !gone(square));
        }
    }

    /// The squares that are worth a torpedo, the best first.
    fn aims(&self, view: &View) -> Vec<Aim> {
        let chart = &*view.chart;
        let likely = self.plot.after(chart, view.executed + 1);
        let own = view.subs.iter().filter(|sub| !sub.dead);
        let harmless =
            |square: Square| own.clone().all(|sub| sub.square.blast_distance(square) > 1);
        let cells = (0..likely.len()).map(|cell| chart.square(cell));
        let mut aims: Vec<Aim> = cells
            .filter(|&square| chart.is_free(square) && harmless(square))
            .map(|square| (square, damage(chart, &likely, square)))
            .filter(|(_, damage)| *damage >= WORTH_FIRING)
            .collect();
        aims.sort_by(|one, two| two.1.total_cmp(&one.1));
        aims
    }

    fn command(&self, view: &View, id: usize, aims: &[Aim], dice: &mut Dice) -> Command {
        let (sub, kind) = (&view.subs[id], &view.chart.kinds()[id]);
        let seen = view.news.last().is_some_and(|report| {
            report.detected.iter().any(|detected| usize::from(detected.sub) == id)
        });
        if seen && let Some(escape) = self.escape(view, sub, kind, dice) {
            return escape;
        }
        if let Some(target) = target(view, sub, aims) {
            return Command::Fire(target);
        }
        match self.charges(view, sub, kind) {
            (None, _) => Command::Ping,
            (Some(first), Some(second)) if !seen => Command::Sleep(first, second),
            (Some(first), second) => {
                let direction = course(view, sub.square, sub.square, dice);
                let is_safe = |way: &Direction| !self.mined.contains(&sub.square.step(*way));
                match (direction.filter(is_safe), second) {
                    (Some(direction), _) => Command::Move(direction, first),
                    (None, Some(second)) => Command::Sleep(first, second),
                    (None, None) => Command::Ping,
                }
            }
        }
    }

    /// Out of the blast of a torpedo that is aimed at where the submarine is now.
    fn escape(&self, view: &View, sub: &Sub, kind: &SubKind, dice: &mut Dice) -> Option<Command> {
        let distance = if self.flees(view) { sub.sprint_range().min(3) } else { 0 };
        if distance < 2 || sub.reactor_damage.saturating_add(distance) >= kind.max_reactor_damage {
            return None;
        }
        let mut directions = Direction::ALL;
        dice.shuffle(&mut directions);
        let is_clear = |direction: &Direction| {
            let mut square = sub.square;
            (0..distance).all(|_| {
                square = square.step(*direction);
                view.chart.is_free(square) && !self.mined.contains(&square)
            })
        };
        let direction = directions.into_iter().find(is_clear)?;
        Some(Command::Sprint(direction, distance))
    }

    /// The next two units of charge; none if it is time to ping.
    fn charges(
        &self,
        view: &View,
        sub: &Sub,
        kind: &SubKind,
    ) -> (Option<Equipment>, Option<Equipment>) {
        let wanted = self.range(view, sub);
        let mut after = *sub;
        let mut next = || {
            let lacks = |range: u32, equipment| range < wanted && !after.is_full(kind, equipment);
            let flees = self.flees(view) && !after.is_full(kind, Equipment::Sprint);
            let equipment = if flees && after.sprint_charge < SPRINT {
                Equipment::Sprint
            } else if after.torpedoes != Some(0) && lacks(after.torpedo_range(), Equipment::Torpedo)
            {
                Equipment::Torpedo
            } else if lacks(after.sonar_range(), Equipment::Sonar) {
                Equipment::Sonar
            } else {
                return None;
            };
            match equipment {
                Equipment::Sprint => after.sprint_charge += 1,
                Equipment::Torpedo => after.torpedo_charge += 1,
                _ => after.sonar_charge += 1,
            }
            Some(equipment)
        };
        (next(), next())
    }

    /// How far sonar and torpedo should reach at the next ping: where the most enemies are to be
    /// found for the time it takes to charge for them.
    fn range(&self, view: &View, sub: &Sub) -> u32 {
        let sides = u32::from(view.chart.width()) + u32::from(view.chart.height());
        let within = self.plot.within(&view.chart, sub.square, sides.min(FARTHEST));
        let rate = |range: u32| {
            let lacking = (range + 1).saturating_sub(sub.torpedo_charge)
                + range.saturating_sub(1).saturating_sub(sub.sonar_charge);
            let turns = lacking as f32 / 2.0 + range as f32 / 2.0 + 2.0;
            within[range as usize] / turns
        };
        let ranges = 2..within.len() as u32;
        ranges.max_by(|one, two| rate(*one).total_cmp(&rate(*two))).unwrap_or(2)
    }
}

/// The best aim in range.
fn target(view: &View, sub: &Sub, aims: &[Aim]) -> Option<Square> {
    let range = sub.torpedo_range();
    if range == 0 || sub.torpedoes == Some(0) || aims.is_empty() {
        return None;
    }
    let mut in_reach = vec![false; view.chart.cells().len()];
    reach(&view.chart, sub.square, range, |cell, _| in_reach[cell] = true);
    aims.iter().map(|aim| aim.0).find(|square| in_reach[view.chart.cell(*square)])
}
