//! What the turns told: everything in one log for the rules, and each viewer's part of it.

use ::rules::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::chart::Square;
use super::sub::Sub;
use super::view::ShownDetonation;

/// What a viewer learns of one turn. The public learns of detonations only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The number of the turn; 0 is the placing of the submarines.
    pub turn: u32,
    /// In the order of happening; everybody learns of all of them.
    pub detonations: Vec<Detonation>,
    /// Own submarines seen by enemy sonar, once for each ping that saw them.
    pub detected: Vec<Detected>,
    /// Own submarines that heard enemy sprint engines.
    pub heard: Vec<Heard>,
    /// What the own pings found, square by square.
    pub objects: Vec<Contact>,
    /// How far the own pings went, as far as their owner can tell.
    pub pings: Vec<Ping>,
    /// The own torpedoes, as far as their owner can tell.
    pub shots: Vec<Shot>,
    /// Own torpedoes that damaged enemies.
    pub torpedo_hits: Vec<Hit>,
    /// Own mines that damaged enemies.
    pub mine_hits: Vec<Hit>,
    /// The own submarines after the turn, in order of their IDs.
    pub subs: Vec<Sub>,
    /// The own score after the turn, without the survivor's point.
    pub score: u32,
}

/// Written down with what it does: see [`ShownDetonation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "ShownDetonation")]
pub struct Detonation {
    pub square: Square,
    /// 1: a torpedo or a mine. 2: a reactor.
    pub radius: u8,
}

/// What a detonation takes from a submarine by its distance, from the square itself to the radius;
/// none: it is destroyed.
pub(super) fn damage_by_distance(radius: u8) -> &'static [Option<u32>] {
    if radius < 2 { &[Some(2), Some(1)] } else { &[None, Some(2), Some(1)] }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Detected {
    pub sub: u8,
    /// The path distance to the submarine that pinged.
    pub distance: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heard {
    pub sub: u8,
    pub count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contact {
    pub square: Square,
    /// The sum of the sizes of all objects there.
    pub size: u32,
}

/// A ping of an own submarine. Where it went is worked out from the map, the own submarines and
/// mines, and what it found: something unseen may have been in its way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ping {
    pub sub: u8,
    pub from: Square,
    pub range: u32,
    /// The squares it went over, the nearest first.
    pub squares: Vec<Square>,
}

/// A torpedo of an own submarine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shot {
    pub sub: u8,
    pub from: Square,
    pub target: Square,
    /// One of the shortest ways there, both ends included, worked out from the map and the own
    /// submarines and mines; empty if there is none within its range.
    pub path: Vec<Square>,
    /// Something went off at the target in this turn.
    pub went_off: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hit {
    pub square: Square,
    /// Points of damage to enemies; chain reactions are counted with their own mines.
    pub damage: u32,
}

/// What went off for somebody's credit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weapon {
    Torpedo,
    Mine,
}

/// What happened in one turn, with whom each piece is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::subsim) struct Log {
    pub turn: u32,
    pub detonations: Vec<Detonation>,
    pub detected: Vec<(Seat, Detected)>,
    pub heard: Vec<(Seat, Heard)>,
    pub objects: Vec<(Seat, Contact)>,
    pub pings: Vec<(Seat, Ping)>,
    pub shots: Vec<(Seat, Shot)>,
    pub hits: Vec<(Seat, Weapon, Hit)>,
    pub subs: Vec<Sub>,
    pub scores: Vec<u32>,
}

impl Log {
    /// What `viewer` may know of it.
    pub(super) fn report(&self, viewer: Viewer) -> Report {
        let mut report = Report {
            turn: self.turn,
            detonations: self.detonations.clone(),
            detected: Vec::new(),
            heard: Vec::new(),
            objects: Vec::new(),
            pings: Vec::new(),
            shots: Vec::new(),
            torpedo_hits: Vec::new(),
            mine_hits: Vec::new(),
            subs: Vec::new(),
            score: 0,
        };
        let Viewer::Seat(seat) = viewer else { return report };
        report.detected = of_seat(&self.detected, seat);
        report.heard = of_seat(&self.heard, seat);
        report.objects = of_seat(&self.objects, seat);
        report.pings = of_seat(&self.pings, seat);
        report.shots = of_seat(&self.shots, seat);
        for (_, weapon, hit) in self.hits.iter().filter(|(owner, ..)| *owner == seat) {
            match weapon {
                Weapon::Torpedo => report.torpedo_hits.push(*hit),
                Weapon::Mine => report.mine_hits.push(*hit),
            }
        }
        let fleet = self.subs.len() / self.scores.len();
        report.subs = self.subs[seat.index() * fleet..][..fleet].to_vec();
        report.score = self.scores[seat.index()];
        report
    }
}

fn of_seat<T: Clone>(entries: &[(Seat, T)], seat: Seat) -> Vec<T> {
    entries.iter().filter(|(owner, _)| *owner == seat).map(|(_, entry)| entry.clone()).collect()
}
