//! What a seat knows of the others from all its reports: where their submarines may be, where their
//! mines lie, and what they have hit.

mod squares;

use std::ops::ControlFlow;

use super::chart::{Chart, MINE_SIZE, OBSTACLE_SIZE, Square, Waters};
use super::news::{Report, damage_by_distance};
use super::view::{Phase, View};
use squares::Squares;

/// Nothing smaller than this is a submarine.
const SMALLEST_SUB: u32 = 50;
/// With more to keep than this, sixty-four squares each, nothing is kept of where submarines are.
const MOST_KEPT: usize = 4096;

/// One seat's knowledge of the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// The turn of the next report, counted from 1; 0 before the submarines are placed.
    next: u32,
    /// For each submarine of the others, where it may be. The others are taken in the order of their
    /// seats. Nobody is thought to have sprinted or surfaced unless nothing else explains a contact.
    subs: Vec<Squares>,
    /// Mines of others that sonar found and nothing has set off since.
    mines: Vec<Square>,
    /// Where others may have laid a mine that nobody has noticed; none if `subs` are not kept.
    mined: Option<Squares>,
    /// Reactors of others that exploded: each took at least one submarine along.
    wrecks: usize,
    /// The own mines of the last view.
    own_mines: Vec<Square>,
    /// Which own submarines were not destroyed after the last report.
    alive: Vec<bool>,
    /// Damage to own submarines by the weapons of others: their points.
    taken: u32,
}

impl Tracks {
    /// Takes the next view in. Showing one twice changes nothing.
    pub fn see(&mut self, view: &View) {
        if view.phase == Phase::Placing || view.viewer.seat().is_none() {
            return;
        }
        if self.next == 0 {
            self.begin(&view.chart);
        }
        for report in &view.news {
            if report.turn == 0 {
                self.alive = report.subs.iter().map(|sub| !sub.dead).collect();
            } else if report.turn >= self.next {
                self.hear(view, report);
            }
        }
        self.own_mines.clone_from(&view.mines);
        self.next = view.executed + 1;
    }

    /// Where the submarines of the others may be; none where too much would have to be kept.
    pub(super) fn subs(&self) -> &[Squares] {
        &self.subs
    }

    pub(super) fn mines(&self) -> &[Square] {
        &self.mines
    }

    /// Where mines of others may lie that were not found.
    pub(super) fn mined(&self) -> Option<&Squares> {
        self.mined.as_ref()
    }

    /// How many submarines of the others were seen to explode.
    pub(super) fn wrecks(&self) -> usize {
        self.wrecks
    }

    /// The points that others have for hits on the own submarines.
    pub(super) fn taken(&self) -> u32 {
        self.taken
    }

    fn begin(&mut self, chart: &Chart) {
        let others = chart.config().players().start() - 1;
        let start = |start: Option<Square>| match start {
            Some(square) => Squares::of(chart, square),
            None => Squares::free(chart),
        };
        let fleet: Vec<Squares> = chart.kinds().iter().map(|kind| start(kind.start)).collect();
        self.alive = vec![true; fleet.len()];
        if others * fleet.len() * chart.cells().len().div_ceil(64) <= MOST_KEPT {
            self.subs = std::iter::repeat_n(fleet, others).flatten().collect();
            self.mined = Some(Squares::none(chart));
        }
    }

    fn hear(&mut self, view: &View, report: &Report) {
        let chart = &*view.chart;
        let free = Squares::free(chart);
        for squares in &mut self.subs {
            squares.spread(chart.stride(), &free);
        }
        self.count_damage(report);
        self.hear_shots(chart, report);
        self.hear_sonar(chart, report);
        self.see_contacts(view, report);
        self.guess_mines(chart, report, &free);
        self.wrecks += self.wrecks_of(report);
        self.alive = report.subs.iter().map(|sub| !sub.dead).collect();
    }

    /// What went off beside own submarines and was not the own was somebody's who has points for it.
    fn count_damage(&mut self, report: &Report) {
        let own = |square: Square| {
            self.own_mines.contains(&square)
                || report.shots.iter().any(|shot| shot.target == square)
        };
        let strange = report.detonations.iter().filter(|blast| blast.radius == 1);
        for blast in strange.filter(|blast| !own(blast.square)) {
            for (sub, _) in report.subs.iter().zip(&self.alive).filter(|(_, alive)| **alive) {
                let distance = usize::from(sub.square.blast_distance(blast.square));
                let damage = damage_by_distance(1).get(distance).copied().flatten();
                self.taken += damage.unwrap_or(0);
            }
        }
    }

    /// An own torpedo has hit somebody, or nobody is where it went off.
    fn hear_shots(&mut self, chart: &Chart, report: &Report) {
        for shot in report.shots.iter().filter(|shot| shot.went_off) {
            let blast = Squares::around(chart, shot.target, 1);
            let hit = report.torpedo_hits.iter().find(|hit| hit.square == shot.target);
            match (hit, &mut self.subs[..]) {
                (None, subs) => subs.iter_mut().for_each(|squares| squares.remove(&blast)),
                (Some(hit), [only]) if hit.damage >= 2 => {
                    only.keep(&Squares::of(chart, shot.target));
                }
                (Some(_), [only]) => {
                    let mut ring = blast;
                    ring.remove(&Squares::of(chart, shot.target));
                    only.keep(&ring);
                }
                // It cannot be told who was hit.
                (Some(_), _) => {}
            }
        }
    }

    /// A single enemy that has seen an own submarine is as far away as it says, or nearer where
    /// something is in the way.
    fn hear_sonar(&mut self, chart: &Chart, report: &Report) {
        let [only] = &mut self.subs[..] else { return };
        for detected in &report.detected {
            let Some(sub) = report.subs.get(usize::from(detected.sub)) else { continue };
            let (mut ring, mut disc) = (Squares::none(chart), Squares::none(chart));
            Waters::new(chart).search(sub.square, detected.distance, |reached| {
                disc.insert(reached.cell);
                if reached.distance == detected.distance {
                    ring.insert(reached.cell);
                }
                ControlFlow::Continue(())
            });
            if !only.keep(&ring) {
                only.keep(&disc);
            }
        }
    }

    /// What the own pings found, and where they found nobody.
    fn see_contacts(&mut self, view: &View, report: &Report) {
        let chart = &*view.chart;
        let mut swept = Squares::none(chart);
        for square in report.pings.iter().flat_map(|ping| &ping.squares) {
            swept.insert(chart.cell(*square));
        }
        self.mines.retain(|mine| {
            let near = |square: Square, radius: u8| square.blast_distance(*mine) <= radius.into();
            !swept.contains(chart.cell(*mine))
                && !report.detonations.iter().any(|blast| near(blast.square, blast.radius))
        });
        let mut found = vec![false; self.subs.len()];
        let contacts = report.objects.iter().filter(|contact| contact.size != OBSTACLE_SIZE);
        for contact in contacts.filter(|contact| chart.contains(contact.square)) {
            let mut size = contact.size.saturating_sub(self.own_size(view, report, contact.square));
            while size >= SMALLEST_SUB {
                let Some(sub) = self.likeliest(chart, contact.square, size, &found) else { break };
                found[sub] = true;
                self.subs[sub] = Squares::of(chart, contact.square);
                size -= chart.kinds()[sub % chart.kinds().len()].size;
            }
            if (MINE_SIZE..SMALLEST_SUB).contains(&size) {
                self.mines.push(contact.square);
            }
        }
        for (squares, _) in self.subs.iter_mut().zip(&found).filter(|(_, found)| !**found) {
            squares.remove(&swept);
        }
    }

    /// A mine is laid beside its layer. None is left where something went off, where an own
    /// submarine is, or where sonar has just looked.
    fn guess_mines(&mut self, chart: &Chart, report: &Report, free: &Squares) {
        let Some(mined) = &mut self.mined else { return };
        let mut beside = Squares::none(chart);
        self.subs.iter().for_each(|squares| beside.add(squares));
        beside.spread(chart.stride(), free);
        mined.add(&beside);
        for blast in &report.detonations {
            mined.clear(&Squares::around(chart, blast.square, blast.radius.into()));
        }
        let under = report.subs.iter().filter(|sub| !sub.dead).map(|sub| sub.square);
        let swept = report.pings.iter().flat_map(|ping| ping.squares.iter().copied());
        for square in under.chain(swept) {
            mined.clear(&Squares::of(chart, square));
        }
    }

    /// Reactors that exploded in this turn where no own submarine was lost.
    fn wrecks_of(&self, report: &Report) -> usize {
        let own = |square: Square| {
            let mut lost =
                report.subs.iter().zip(&self.alive).filter(|(sub, alive)| sub.dead && **alive);
            lost.any(|(sub, _)| sub.square == square)
        };
        let reactors = report.detonations.iter().filter(|blast| blast.radius == 2);
        reactors.filter(|blast| !own(blast.square)).count()
    }

    /// Of those that were not found in this turn and are no larger: which may be there and else in
    /// the fewest squares; if none may be there, any.
    fn likeliest(&self, chart: &Chart, at: Square, size: u32, found: &[bool]) -> Option<usize> {
        let kinds = chart.kinds();
        let cell = chart.cell(at);
        let lost = (0..self.subs.len()).filter(|&sub| !found[sub]);
        lost.filter(|&sub| kinds[sub % kinds.len()].size <= size)
            .min_by_key(|&sub| (!self.subs[sub].contains(cell), self.subs[sub].len()))
    }

    /// A submarine destroyed in this turn was still there when sonar looked.
    fn own_size(&self, view: &View, report: &Report, square: Square) -> u32 {
        let kinds = view.chart.kinds();
        let subs = report.subs.iter().zip(&self.alive).zip(kinds);
        let there = subs
            .filter(|((sub, alive), _)| **alive && sub.surface_remain == 0 && sub.square == square);
        let mine = if view.mines.contains(&square) { MINE_SIZE } else { 0 };
        there.map(|(_, kind)| kind.size).sum::<u32>() + mine
    }
}
