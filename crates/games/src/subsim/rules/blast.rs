//! Detonations: torpedoes, mines and their chains, and exploding reactors.

use std::collections::VecDeque;

use ::rules::Seat;

use super::chart::Square;
use super::news::{Detonation, Hit, Weapon, damage_by_distance};
use super::turn::Turn;

impl Turn<'_> {
    /// A torpedo or mine goes off, and with it every mine in its reach, and in theirs.
    pub(super) fn detonate(&mut self, square: Square, owner: Option<Seat>, weapon: Weapon) {
        // "Other mines on Q are destroyed without effect."
        self.mines.remove(&square);
        let mut chain = VecDeque::from([(square, owner, weapon)]);
        while let Some((square, owner, weapon)) = chain.pop_front() {
            self.log.detonations.push(Detonation { square, radius: 1 });
            let damage = self.hit_around(square, owner);
            if let Some(owner) = owner.filter(|_| damage > 0) {
                self.scores[owner.index()] += damage;
                self.log.hits.push((owner, weapon, Hit { square, damage }));
            }
            for mine in self.mines_around(square, 1) {
                if let Some(owner) = self.mines.remove(&mine) {
                    chain.push_back((mine, owner, Weapon::Mine));
                }
            }
        }
    }

    /// Two points on the square itself, one around it. The sum over the owner's enemies "is
    /// counted in full even if fewer shields were left or the sub was already destroyed".
    fn hit_around(&mut self, square: Square, owner: Option<Seat>) -> u32 {
        let mut damage = 0;
        for index in 0..self.subs.len() {
            let distance = self.subs[index].square.blast_distance(square);
            let Some(points) = damage_by_distance(1).get(usize::from(distance)).copied().flatten()
            else {
                continue;
            };
            if !self.on_map[index] {
                continue;
            }
            self.subs[index].hit(points);
            if owner != Some(self.seat(index)) {
                damage += points;
            }
        }
        damage
    }

    /// A reactor explodes: everything on its square vanishes, then the mines within two squares
    /// go off, then the blast itself reaches the submarines there. Nobody gets points for it.
    pub(super) fn explode_reactor(&mut self, square: Square) {
        self.log.detonations.push(Detonation { square, radius: 2 });
        self.mines.remove(&square);
        for index in 0..self.subs.len() {
            if self.subs[index].square == square && self.on_map[index] {
                self.subs[index].destroy();
                self.on_map[index] = false;
            }
        }
        for mine in self.mines_around(square, 2) {
            // An earlier one may have set this one off.
            if let Some(owner) = self.mines.remove(&mine) {
                self.detonate(mine, owner, Weapon::Mine);
            }
        }
        for index in 0..self.subs.len() {
            let distance = self.subs[index].square.blast_distance(square);
            if let Some(points) =
                damage_by_distance(2).get(usize::from(distance)).copied().flatten()
                && self.on_map[index]
            {
                self.subs[index].hit(points);
            }
        }
    }

    fn mines_around(&self, square: Square, radius: u16) -> Vec<Square> {
        if self.mines.is_empty() {
            return Vec::new();
        }
        let Square { x, y } = square;
        let columns = x.saturating_sub(radius)..=x + radius;
        let rows = y.saturating_sub(radius)..=y + radius;
        columns
            .flat_map(|x| {
                let (north, south) = (Square::new(x, *rows.start()), Square::new(x, *rows.end()));
                self.mines.range(north..=south).map(|(&mine, _)| mine)
            })
            .collect()
    }
}
