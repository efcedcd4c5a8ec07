//! One submarine: what it has left, what it can do with its charge, what hits do to it.

use serde::{Deserialize, Serialize};

use super::chart::{Square, SubKind};
use super::order::Equipment;

/// The state of one submarine, as its owner knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sub {
    /// Where it is; once it is destroyed, where it was last.
    pub square: Square,
    pub shields: u32,
    pub sonar_charge: u32,
    pub torpedo_charge: u32,
    pub mine_charge: u32,
    pub sprint_charge: u32,
    /// None: unlimited.
    pub torpedoes: Option<u32>,
    /// None: unlimited.
    pub mines: Option<u32>,
    /// How many more turns it stays surfaced.
    pub surface_remain: u16,
    pub reactor_damage: u32,
    pub dead: bool,
}

impl Sub {
    pub(super) fn new(kind: &SubKind, square: Square) -> Sub {
        Sub {
            square,
            shields: kind.max_shields,
            sonar_charge: 0,
            torpedo_charge: 0,
            mine_charge: 0,
            sprint_charge: 0,
            torpedoes: kind.torpedo_count,
            mines: kind.mine_count,
            surface_remain: 0,
            reactor_damage: 0,
            dead: false,
        }
    }

    /// Under water and not destroyed: it takes orders.
    pub fn is_active(&self) -> bool {
        !self.dead && self.surface_remain == 0
    }

    pub fn sonar_range(&self) -> u32 {
        match self.sonar_charge {
            0 => 0,
            charge => charge.saturating_add(1),
        }
    }

    pub fn torpedo_range(&self) -> u32 {
        self.torpedo_charge.saturating_sub(1)
    }

    pub fn sprint_range(&self) -> u32 {
        match self.sprint_charge {
            0..3 => 0,
            charge => charge / 3 + 1,
        }
    }

    /// Whether the equipment is charged to its maximum. A mine is ready exactly then.
    pub fn is_full(&self, kind: &SubKind, equipment: Equipment) -> bool {
        match equipment {
            Equipment::Sonar => self.sonar_charge >= kind.max_sonar_charge,
            Equipment::Torpedo => self.torpedo_charge >= kind.max_torpedo_charge,
            Equipment::Mine => self.mine_charge >= kind.max_mine_charge,
            Equipment::Sprint => self.sprint_charge >= kind.max_sprint_charge,
            Equipment::None => true,
        }
    }

    /// "Charging None, or something already at its maximum: 1 point of reactor damage, and the
    /// charge stays at the maximum." True if the reactor is now doomed.
    pub(super) fn charge(&mut self, kind: &SubKind, equipment: Equipment) -> bool {
        if self.is_full(kind, equipment) {
            self.reactor_damage = self.reactor_damage.saturating_add(1);
            return self.reactor_damage >= kind.max_reactor_damage;
        }
        match equipment {
            Equipment::Sonar => self.sonar_charge += 1,
            Equipment::Torpedo => self.torpedo_charge += 1,
            Equipment::Mine => self.mine_charge += 1,
            Equipment::Sprint => self.sprint_charge += 1,
            Equipment::None => {}
        }
        false
    }

    /// "If hits > shields the sub is destroyed (shields 0), else shields -= hits."
    pub(super) fn hit(&mut self, points: u32) {
        if points > self.shields {
            self.destroy();
        } else {
            self.shields -= points;
        }
    }

    pub(super) fn destroy(&mut self) {
        self.shields = 0;
        self.dead = true;
    }

    /// One turn at the surface goes by; the last one gives a shield.
    pub(super) fn repair(&mut self, kind: &SubKind) {
        if self.dead || self.surface_remain == 0 {
            return;
        }
        self.surface_remain -= 1;
        if self.surface_remain == 0 && self.shields < kind.max_shields {
            self.shields += 1;
        }
    }
}
