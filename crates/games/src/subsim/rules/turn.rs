//! The resolution of one turn: eight steps in a fixed order.
//!
//! Who acts in a step is fixed when the step begins; the acts are carried out by seat, then by
//! submarine. A submarine destroyed in an earlier step does not act any more, but it stays on its
//! square until the end of the turn: it can be hit again, is in the way and is seen.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ::rules::Seat;

use super::chart::{Chart, MINE_SIZE, OBSTACLE_SIZE, Square, SubKind, Waters};
use super::news::{Contact, Detected, Detonation, Heard, Log, Ping, Shot, Weapon};
use super::order::Command;
use super::sub::Sub;

/// How far a sprint engine is heard.
const NOISE_RANGE: u32 = 4;

/// The mines on the map, at most one on a square. None: the owner has left the game.
pub(in crate::subsim) type Mines = BTreeMap<Square, Option<Seat>>;

/// A turn being resolved. The vectors have one entry for each submarine, seat by seat.
pub(super) struct Turn<'a> {
    pub chart: &'a Chart,
    pub subs: &'a mut [Sub],
    pub mines: &'a mut Mines,
    pub scores: &'a mut [u32],
    pub log: &'a mut Log,
    pub commands: &'a [Option<Command>],
    /// Destroyed submarines leave the map at the end of the turn, not before.
    pub on_map: Vec<bool>,
    /// The reactor will explode.
    pub doomed: Vec<bool>,
}

impl<'a> Turn<'a> {
    pub fn new(
        chart: &'a Chart,
        (subs, mines, scores): (&'a mut [Sub], &'a mut Mines, &'a mut [u32]),
        commands: &'a [Option<Command>],
        log: &'a mut Log,
    ) -> Turn<'a> {
        let on_map = subs.iter().map(|sub| !sub.dead).collect();
        let doomed = vec![false; subs.len()];
        Turn { chart, subs, mines, scores, log, commands, on_map, doomed }
    }

    pub fn resolve(mut self) {
        self.sleep();
        self.move_subs();
        self.sprint();
        self.lay_mines();
        self.fire();
        self.explode_reactors();
        self.tell_shots_from_misses();
        self.surface_and_repair();
        self.ping();
    }

    fn sleep(&mut self) {
        for index in 0..self.subs.len() {
            if let Some(Command::Sleep(first, second)) = self.commands[index] {
                let kind = self.kind(index);
                self.doomed[index] |= self.subs[index].charge(kind, first);
                self.doomed[index] |= self.subs[index].charge(kind, second);
            }
        }
    }

    /// Everybody has moved before the first mine goes off, so everybody is hit at the new place.
    fn move_subs(&mut self) {
        for index in 0..self.subs.len() {
            if let Some(Command::Move(direction, equipment)) = self.commands[index] {
                let kind = self.kind(index);
                let sub = &mut self.subs[index];
                self.doomed[index] |= sub.charge(kind, equipment);
                sub.square = sub.square.step(direction);
            }
        }
        for index in 0..self.subs.len() {
            if let Some(Command::Move(..)) = self.commands[index] {
                self.trip_mine(self.subs[index].square);
            }
        }
    }

    fn sprint(&mut self) {
        let mut noises = Vec::new();
        let sprinting = self.acting(|command| match command {
            Command::Sprint(direction, distance) => Some((direction, distance)),
            _ => None,
        });
        for (index, (direction, distance)) in sprinting {
            let kind = self.kind(index);
            let sub = &mut self.subs[index];
            let range = sub.sprint_range();
            sub.sprint_charge = 0;
            if distance > range {
                continue;
            }
            let strained = sub.reactor_damage.saturating_add(distance);
            if strained >= kind.max_reactor_damage {
                sub.reactor_damage = strained;
                self.doomed[index] = true;
            }
            let mut audible = Vec::new();
            self.hear_from(self.subs[index].square, &mut audible);
            for _ in 0..distance {
                let square = self.subs[index].square.step(direction);
                self.subs[index].square = square;
                if self.trip_mine(square) {
                    break;
                }
            }
            noises.push((index, audible));
        }
        self.spread_noise(noises);
    }

    /// The range around the start was taken when the submarine set off; the range around the end
    /// and the listeners are taken when all sprints are over.
    fn spread_noise(&mut self, mut noises: Vec<(usize, Vec<Square>)>) {
        if noises.is_empty() {
            return;
        }
        let mut counts = vec![0; self.subs.len()];
        for (sprinter, audible) in &mut noises {
            self.hear_from(self.subs[*sprinter].square, audible);
            for (listener, count) in counts.iter_mut().enumerate() {
                let hears = self.on_map[listener]
                    && self.seat(listener) != self.seat(*sprinter)
                    && audible.contains(&self.subs[listener].square);
                *count += u32::from(hears);
            }
        }
        for (listener, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let heard = Heard { sub: self.id(listener), count };
            self.log.heard.push((self.seat(listener), heard));
        }
    }

    fn hear_from(&self, from: Square, audible: &mut Vec<Square>) {
        audible.push(from);
        self.waters().search(from, NOISE_RANGE, |reached| {
            audible.push(self.chart.square(reached.cell));
            ControlFlow::Continue(())
        });
    }

    fn lay_mines(&mut self) {
        let laying = self.acting(|command| match command {
            Command::Mine(direction) => Some(direction),
            _ => None,
        });
        for (index, direction) in laying {
            let kind = self.kind(index);
            let sub = &mut self.subs[index];
            let ready = sub.mine_charge >= kind.max_mine_charge;
            sub.mine_charge = 0;
            if !spend(&mut sub.mines) || !ready {
                continue;
            }
            let square = sub.square.step(direction);
            let owner = Some(self.seat(index));
            if self.is_occupied(square) {
                // "The newly laid mine is the one that goes off", for its layer's credit.
                self.detonate(square, owner, Weapon::Mine);
            } else {
                self.mines.insert(square, owner);
            }
        }
    }

    fn fire(&mut self) {
        let firing = self.acting(|command| match command {
            Command::Fire(target) => Some(target),
            _ => None,
        });
        for (index, target) in firing {
            self.note_shot(index, target);
            let sub = &mut self.subs[index];
            let range = sub.torpedo_range();
            sub.torpedo_charge = 0;
            if !spend(&mut sub.torpedoes) || range == 0 {
                continue;
            }
            let from = sub.square;
            let in_reach = from.steps_to(target) <= range
                && self.waters().distance(from, target, range).is_some();
            if in_reach {
                self.detonate(target, Some(self.seat(index)), Weapon::Torpedo);
            }
        }
    }

    /// Where the torpedo goes as its owner would have it: what is unseen does not count.
    fn note_shot(&mut self, index: usize, target: Square) {
        let Sub { square: from, torpedoes, .. } = self.subs[index];
        let range = self.subs[index].torpedo_range();
        let mut path = Vec::new();
        if range > 0 && torpedoes != Some(0) {
            path = self.own_waters(index).path(from, target, range).unwrap_or_default();
        }
        let shot = Shot { sub: self.id(index), from, target, path, went_off: false };
        self.log.shots.push((self.seat(index), shot));
    }

    /// Everybody hears of detonations, so whoever has aimed there knows of one at the target.
    fn tell_shots_from_misses(&mut self) {
        for (_, shot) in &mut self.log.shots {
            let hit = |blast: &Detonation| blast.square == shot.target && blast.radius == 1;
            shot.went_off = self.log.detonations.iter().any(hit);
        }
    }

    /// All submarines doomed now explode, even if the explosion of another reaches them first.
    fn explode_reactors(&mut self) {
        if !self.doomed.contains(&true) {
            return;
        }
        for index in 0..self.subs.len() {
            self.doomed[index] &= !self.subs[index].dead;
        }
        for index in 0..self.subs.len() {
            if self.doomed[index] {
                self.explode_reactor(self.subs[index].square);
            }
        }
    }

    fn surface_and_repair(&mut self) {
        for (index, _) in self.acting(|command| (command == Command::Surface).then_some(())) {
            self.subs[index].surface_remain = self.kind(index).surface_turn_count;
        }
        for index in 0..self.subs.len() {
            let kind = self.kind(index);
            self.subs[index].repair(kind);
        }
    }

    fn ping(&mut self) {
        let pingers = self.acting(|command| (command == Command::Ping).then_some(()));
        if pingers.is_empty() {
            return;
        }
        let waters = self.waters();
        let sizes = self.visible_sizes();
        // The distance of every occupied square from one pinger; 0 where it does not reach.
        let mut distances = vec![0; sizes.len()];
        let mut ranges = Vec::new();
        for (index, _) in pingers {
            let seat = self.seat(index);
            let range = self.subs[index].sonar_range();
            ranges.push((index, range));
            self.subs[index].sonar_charge = 0;
            distances.fill(0);
            waters.search(self.subs[index].square, range, |reached| {
                if reached.occupied && sizes[reached.cell] > 0 {
                    distances[reached.cell] = reached.distance;
                    let square = self.chart.square(reached.cell);
                    let contact = Contact { square, size: sizes[reached.cell] };
                    self.log.objects.push((seat, contact));
                }
                ControlFlow::Continue(())
            });
            for other in 0..self.subs.len() {
                let distance = distances[self.chart.cell(self.subs[other].square)];
                if distance > 0 && self.seat(other) != seat && self.is_visible(other) {
                    let detected = Detected { sub: self.id(other), distance };
                    self.log.detected.push((self.seat(other), detected));
                }
            }
        }
        // One line for a square however many pings saw it, and no order that tells who pinged.
        self.log
            .objects
            .sort_unstable_by_key(|(seat, contact)| (*seat, contact.square.y, contact.square.x));
        self.log.objects.dedup();
        self.log
            .detected
            .sort_unstable_by_key(|(seat, detected)| (*seat, detected.sub, detected.distance));
        for (index, range) in ranges {
            self.note_ping(index, range);
        }
    }

    /// How far the sound went as its owner would have it: what no ping has found does not count.
    fn note_ping(&mut self, index: usize, range: u32) {
        let (seat, from) = (self.seat(index), self.subs[index].square);
        let mut waters = self.own_waters(index);
        for (_, found) in self.log.objects.iter().filter(|(owner, _)| *owner == seat) {
            waters.occupy(found.square);
        }
        let mut squares = Vec::new();
        waters.search(from, range, |reached| {
            squares.push(self.chart.square(reached.cell));
            ControlFlow::Continue(())
        });
        self.log.pings.push((seat, Ping { sub: self.id(index), from, range, squares }));
    }

    /// What sonar finds on each square: the sum of the sizes.
    fn visible_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.chart.cells().len()];
        for &obstacle in &self.chart.config().obstacles {
            sizes[self.chart.cell(obstacle.into())] = OBSTACLE_SIZE;
        }
        for &square in self.mines.keys() {
            sizes[self.chart.cell(square)] += MINE_SIZE;
        }
        for index in (0..self.subs.len()).filter(|&index| self.is_visible(index)) {
            sizes[self.chart.cell(self.subs[index].square)] += self.kind(index).size;
        }
        sizes
    }

    /// "Surfaced subs are invisible: no share in O, no S."
    fn is_visible(&self, index: usize) -> bool {
        self.on_map[index] && self.subs[index].surface_remain == 0
    }

    /// The submarines that act in a step: those with such a command that still live.
    fn acting<T>(&self, such: impl Fn(Command) -> Option<T>) -> Vec<(usize, T)> {
        let act = |index: usize| Some((index, such(self.commands[index]?)?));
        (0..self.subs.len()).filter(|&index| !self.subs[index].dead).filter_map(act).collect()
    }

    /// The mine on a square that was entered goes off. False if there is none.
    fn trip_mine(&mut self, square: Square) -> bool {
        let Some(owner) = self.mines.remove(&square) else { return false };
        self.detonate(square, owner, Weapon::Mine);
        true
    }

    fn is_occupied(&self, square: Square) -> bool {
        let mut subs = self.subs.iter().zip(&self.on_map);
        self.mines.contains_key(&square)
            || subs.any(|(sub, &on_map)| on_map && sub.square == square)
    }

    /// The map as a path finds it now.
    fn waters(&self) -> Waters<'a> {
        let mut waters = Waters::new(self.chart);
        self.mines.keys().for_each(|&square| waters.occupy(square));
        for (sub, _) in self.subs.iter().zip(&self.on_map).filter(|(_, on_map)| **on_map) {
            waters.occupy(sub.square);
        }
        waters
    }

    /// The map as the owner of a submarine knows it: its own submarines and mines are on it.
    fn own_waters(&self, index: usize) -> Waters<'a> {
        let seat = self.seat(index);
        let mut waters = Waters::new(self.chart);
        let mines = self.mines.iter().filter(|(_, owner)| **owner == Some(seat));
        mines.for_each(|(&square, _)| waters.occupy(square));
        for other in (0..self.subs.len()).filter(|&other| self.seat(other) == seat) {
            if self.on_map[other] {
                waters.occupy(self.subs[other].square);
            }
        }
        waters
    }

    pub(super) fn seat(&self, index: usize) -> Seat {
        Seat((index / self.chart.kinds().len()) as u8)
    }

    fn id(&self, index: usize) -> u8 {
        (index % self.chart.kinds().len()) as u8
    }

    fn kind(&self, index: usize) -> &'a SubKind {
        &self.chart.kinds()[usize::from(self.id(index))]
    }
}

/// Uses one piece of ammunition. False if there is none left.
fn spend(ammunition: &mut Option<u32>) -> bool {
    match ammunition {
        Some(0) => false,
        Some(left) => {
            *left -= 1;
            true
        }
        None => true,
    }
}
