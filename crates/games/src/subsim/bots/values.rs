//! What a review of SubSim weighs: what the admiral orders, and for one submarine at a time what
//! else it could reasonably do.

use ::rules::{Dice, Past, Reviewable, Seat};

use super::super::rules::{
    Action, Command, Direction, Equipment, Order, Phase, Square, SubSim, Tracks, View, Waters,
    random_places,
};
use super::admiral::Admiral;
use super::hunter::{SMALLEST_SUB, charges};

/// How many ways to place the submarines are weighed.
const PLACINGS: usize = 4;
/// The most orders that are weighed.
const MOST: usize = 12;
/// A quick move charges up to this range before it pings.
const REACH: u32 = 9;
/// How many turns quick moves go to the same square of the map.
const LEG: u32 = 24;

/// Everything a seat has learned.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    tracks: Tracks,
    admiral: Admiral,
    /// The turn of the last report that was heard, plus one.
    heard: u32,
}

impl Reviewable for SubSim {
    type Memory = Memory;

    const KINDS: &'static [&'static str] =
        &["place", "fire", "ping", "move", "sleep", "mine", "sprint", "surface"];
    const DEALS: u32 = 48;
    const LONGEST: usize = 200;

    fn remember(memory: &mut Memory, view: &View) {
        memory.tracks.see(view);
        if view.phase == Phase::Playing && memory.heard <= view.executed {
            memory.admiral.hear(view);
            memory.heard = view.executed + 1;
        }
    }

    fn redeal(past: &Past<'_, SubSim>, dice: &mut Dice) -> Option<SubSim> {
        past.game.redealt(past.seat, &past.memory.tracks, dice)
    }

    fn candidates(view: &View, memory: &Memory, dice: &mut Dice) -> Vec<Action> {
        if view.phase == Phase::Placing {
            let place =
                |_| SubSim::canonical(view, &Action::Place(random_places(&view.chart, dice)));
            return deduplicated((0..PLACINGS).map(place));
        }
        let orders = memory.admiral.orders(view, dice);
        let mut all = vec![orders.clone()];
        for index in 0..orders.len() {
            for command in alternatives(view, &orders[index], memory, dice) {
                let mut other = orders.clone();
                other[index].command = command;
                all.push(other);
            }
        }
        let mut actions = deduplicated(all.into_iter().map(Action::Orders));
        actions.truncate(MOST);
        actions
    }

    /// A submarine that starts on a fixed square needs no other.
    fn canonical(view: &View, action: &Action) -> Action {
        let Action::Place(squares) = action else { return action.clone() };
        let kinds = view.chart.kinds().iter();
        let place = squares.iter().zip(kinds).map(|(square, kind)| kind.start.unwrap_or(*square));
        Action::Place(place.collect())
    }

    /// Of several submarines the first order counts.
    fn kind(_: &View, action: &Action) -> &'static str {
        let Action::Orders(orders) = action else { return "place" };
        match orders.first().map(|order| order.command) {
            Some(Command::Fire(_)) => "fire",
            Some(Command::Ping) => "ping",
            Some(Command::Move(..)) => "move",
            Some(Command::Mine(_)) => "mine",
            Some(Command::Sprint(..)) => "sprint",
            Some(Command::Surface) => "surface",
            Some(Command::Sleep(..)) | None => "sleep",
        }
    }

    fn quick_move(&self, seat: Seat, dice: &mut Dice) -> Action {
        match self.phase {
            Phase::Placing => Action::Place(random_places(&self.chart, dice)),
            _ => {
                let fleet = self.fleet(seat);
                let order = |sub| Order { sub, command: quick_command(self, seat, sub, dice) };
                Action::Orders(fleet.active().map(order).collect())
            }
        }
    }

    /// By the points so far.
    fn unfinished(&self, seats: usize) -> Vec<f64> {
        let others = seats.saturating_sub(1).max(1) as f64;
        let share = |own: usize| {
            let scores = (0..seats).filter(|other| *other != own).map(|other| self.scores[other]);
            let beaten = |score: u32| match self.scores[own].cmp(&score) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
            scores.map(beaten).sum::<f64>() / others
        };
        (0..seats).map(share).collect()
    }
}

fn deduplicated(actions: impl Iterator<Item = Action>) -> Vec<Action> {
    let mut kept: Vec<Action> = Vec::new();
    for action in actions {
        if !kept.contains(&action) {
            kept.push(action);
        }
    }
    kept
}

/// What else a submarine could do.
fn alternatives(view: &View, order: &Order, memory: &Memory, dice: &mut Dice) -> Vec<Command> {
    let sub = &view.subs[usize::from(order.sub)];
    let kind = &view.chart.kinds()[usize::from(order.sub)];
    let charge = match charges(sub, kind, REACH) {
        (Some(first), second) => (first, second.unwrap_or(Equipment::None)),
        (None, _) => (Equipment::Sonar, Equipment::Torpedo),
    };
    let mut commands = vec![Command::Ping, Command::Sleep(charge.0, charge.1)];
    commands.extend(memory.admiral.best_shot(view, usize::from(order.sub)).map(Command::Fire));
    let mut ways = Direction::ALL;
    dice.shuffle(&mut ways);
    commands.extend(ways.map(|way| Command::Move(way, charge.0)));
    if sub.shields < kind.max_shields {
        commands.push(Command::Surface);
    }
    let id = order.sub;
    commands.retain(|&command| view.fleet().check_order(&Order { sub: id, command }).is_ok());
    commands
}

/// Fires at what was just found, moves on when it was seen, else charges on its way and pings.
fn quick_command(game: &SubSim, seat: Seat, id: u8, dice: &mut Dice) -> Command {
    let chart = &*game.chart;
    let (sub, kind) = (&game.fleet(seat).subs[usize::from(id)], &chart.kinds()[usize::from(id)]);
    let log = game.news.last();
    if sub.torpedo_range() > 0
        && sub.torpedoes != Some(0)
        && let Some(target) =
            log.and_then(|log| quick_target(game, seat, sub.square, sub.torpedo_range(), log))
    {
        return Command::Fire(target);
    }
    let (first, second) = charges(sub, kind, REACH);
    let Some(first) = first else { return Command::Ping };
    let was_seen = log.is_some_and(|log| {
        log.detected.iter().any(|(who, detected)| *who == seat && detected.sub == id)
    });
    if !was_seen && dice.one_in(2) {
        return Command::Sleep(first, second.unwrap_or(Equipment::None));
    }
    let heading = if was_seen { sub.square } else { heading(game, seat, id) };
    let mut ways = Direction::ALL;
    dice.shuffle(&mut ways);
    let is_free = |way: &Direction| chart.is_free(sub.square.step(*way));
    let nearer =
        |way: &Direction| sub.square.step(*way).steps_to(heading) < sub.square.steps_to(heading);
    let way = ways.iter().find(|way| is_free(way) && nearer(way));
    match way.or_else(|| ways.iter().find(|way| is_free(way))) {
        Some(way) => Command::Move(*way, first),
        None => Command::Sleep(first, second.unwrap_or(Equipment::None)),
    }
}

/// A submarine or a hit of the last turn, if a torpedo gets there and the blast spares its own.
fn quick_target(
    game: &SubSim,
    seat: Seat,
    from: Square,
    range: u32,
    log: &super::super::rules::Log,
) -> Option<Square> {
    let own = game.fleet(seat).subs.iter().filter(|sub| !sub.dead);
    let is_large = |size: u32| size >= SMALLEST_SUB;
    let contacts =
        log.objects.iter().filter(|(who, contact)| *who == seat && is_large(contact.size));
    let hits = log.hits.iter().filter(|(who, ..)| *who == seat).map(|(_, _, hit)| hit.square);
    let mut squares = contacts.map(|(_, contact)| contact.square).chain(hits);
    let chart = &*game.chart;
    squares.find(|&square| {
        chart.is_free(square)
            && own.clone().all(|sub| sub.square.blast_distance(square) > 1)
            && Waters::new(chart).distance(from, square, range).is_some()
    })
}

/// Where a submarine goes for some turns: nobody else knows.
fn heading(game: &SubSim, seat: Seat, id: u8) -> Square {
    let number = (game.executed / LEG) * 64 + u32::from(seat.0) * 8 + u32::from(id);
    let mixed = number.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(2_246_822_519);
    let (wide, high) = (u32::from(game.chart.width()), u32::from(game.chart.height()));
    Square::new(1 + (mixed % wide) as u16, 1 + (mixed / wide % high) as u16)
}
