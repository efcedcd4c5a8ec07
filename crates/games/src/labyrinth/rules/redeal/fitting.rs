//! The deals of first goals that fit what a seat saw, where guesses hardly ever do.
//!
//! A goal matters only once its seat stands on it. So the moves are gone through with goals that are
//! open, and wherever a seat stands on a place that may be its goal, both are tried: it is, or it is
//! not. What contradicts the seat's own goals is given up at once. Each way through the moves stands
//! for many deals, because goals that nobody came upon may be anywhere else.

use rules::{Dice, Seat};

use super::super::Quest;
use super::super::quest::Arrival;
use super::{Coordinate, Path, Trail};

/// How many moves are looked at. Where there are more, the search takes ways in random order.
const STEPS: usize = 200_000;
/// Goals are distinct. They are dealt this often without minding that, and then with care.
const TRIES: usize = 5000;

/// First goals that fit, each choice equally likely unless there are very many. None if none were
/// found.
pub(super) fn search(
    trail: &Trail<'_>,
    seat: Seat,
    seen: &Path,
    dice: &mut Dice,
) -> Option<Vec<Option<Coordinate>>> {
    let places = trail.places();
    let mut search = Search {
        trail,
        seat,
        seen,
        visits: visits(trail, &places),
        places,
        ways: Vec::new(),
        steps: STEPS,
    };
    search.go(0, search.begin(), dice);
    search.complete(dice)
}

struct Search<'a> {
    trail: &'a Trail<'a>,
    seat: Seat,
    seen: &'a Path,
    places: Vec<Coordinate>,
    /// For each move the place, by its number, on which the mover came to stand.
    visits: Vec<Option<usize>>,
    ways: Vec<Way>,
    /// How many more moves may be looked at.
    steps: usize,
}

/// What is known and supposed after some moves.
#[derive(Clone)]
struct Way {
    /// Of each seat: its quest, once its first goal is known.
    quests: Vec<Option<Quest>>,
    /// Of each seat: where its first goal may be, by the numbers of the places.
    open: Vec<Vec<usize>>,
    goals: Vec<Coordinate>,
    /// How many goals the seat has been told of.
    told: usize,
}

impl Search<'_> {
    fn begin(&self) -> Way {
        let game = self.trail.game;
        let own = game.first[self.seat.index()];
        let free = |place: &Coordinate| self.trail.is_given() || Some(*place) != own;
        let open = |other: Seat| -> Vec<usize> {
            let home = game.avatars[other.index()].home;
            let may = |index: &usize| free(&self.places[*index]) && self.places[*index] != home;
            (0..self.places.len()).filter(may).collect()
        };
        let mut way = Way {
            quests: vec![None; game.quests.len()],
            open: Seat::all(game.quests.len()).map(open).collect(),
            goals: self.trail.goals(),
            told: 0,
        };
        way.quests[self.seat.index()] = Some(self.quest(own));
        way.open[self.seat.index()].clear();
        way
    }

    fn quest(&self, place: Option<Coordinate>) -> Quest {
        let treasure = self.trail.game.maze.spare.treasure;
        Quest { treasure, place, homeward: false, found: 0 }
    }

    /// Goes on from a move, and keeps every way that leads to what was seen.
    fn go(&mut self, from: usize, mut way: Way, dice: &mut Dice) {
        let game = self.trail.game;
        for turn in from..self.trail.moves.len() {
            if self.steps == 0 {
                return;
            }
            self.steps -= 1;
            let (mover, choice) = self.trail.moves[turn];
            if let Some(choice) = choice {
                for quest in way.quests.iter_mut().flatten() {
                    quest.carry(game.treasures, &game.maze.board, choice.slide);
                }
                if let Some(found) = self.come_upon(turn, mover, &way) {
                    // In random order, should there be too many ways.
                    if dice.one_in(2) {
                        self.find(turn, mover, found, way.clone(), dice);
                        way.open[mover.index()].retain(|place| *place != found);
                    } else {
                        let mut other = way.clone();
                        other.open[mover.index()].retain(|place| *place != found);
                        self.go_past(turn, mover, other, dice);
                        return self.find(turn, mover, found, way, dice);
                    }
                }
            }
            match self.arrive(turn, mover, &mut way) {
                Some(true) => {}
                Some(false) => return self.ways.push(way),
                None => return,
            }
        }
        if self.seen.winner.is_none() && way.told == self.seen.told.len() {
            self.ways.push(way);
        }
    }

    /// The place that may be the mover's first goal, and on which it stands after this turn.
    fn come_upon(&self, turn: usize, mover: Seat, way: &Way) -> Option<usize> {
        let unknown = way.quests[mover.index()].is_none();
        self.visits[turn].filter(|place| unknown && way.open[mover.index()].contains(place))
    }

    /// Supposes that this place was the mover's first goal.
    fn find(&mut self, turn: usize, mover: Seat, found: usize, mut way: Way, dice: &mut Dice) {
        let at = self.trail.moves[turn].1.map(|choice| choice.to);
        way.quests[mover.index()] = Some(self.quest(at));
        way.open[mover.index()] = vec![found];
        if !self.trail.is_given() {
            for (seat, open) in Seat::all(way.open.len()).zip(&mut way.open) {
                if seat != mover {
                    open.retain(|place| *place != found);
                }
            }
        }
        self.go_past(turn, mover, way, dice);
    }

    /// Ends this turn, in which goals were carried already, and goes on.
    fn go_past(&mut self, turn: usize, mover: Seat, mut way: Way, dice: &mut Dice) {
        match self.arrive(turn, mover, &mut way) {
            Some(true) => self.go(turn + 1, way, dice),
            Some(false) => self.ways.push(way),
            None => {}
        }
    }

    /// What the turn's end means: the game goes on, is over as it was seen to be, or nothing fits.
    fn arrive(&self, turn: usize, mover: Seat, way: &mut Way) -> Option<bool> {
        let due = self.seen.told.get(way.told).filter(|(when, _)| *when == turn);
        let arrival = match (&mut way.quests[mover.index()], self.trail.moves[turn].1) {
            (Some(quest), Some(choice)) => {
                let home = self.trail.game.avatars[mover.index()].home;
                let arrival = quest.arrive(choice.to, home, &mut way.goals);
                if arrival == Arrival::Found && mover == self.seat {
                    if due.map(|(_, target)| *target) != Some(quest.target(home)) {
                        return None;
                    }
                    way.told += 1;
                    return self.is_on(turn);
                }
                arrival
            }
            _ => Arrival::Elsewhere,
        };
        if due.is_some()
            || way
                .open
                .iter()
                .zip(&way.quests)
                .any(|(open, quest)| quest.is_none() && open.is_empty())
        {
            return None;
        }
        if arrival == Arrival::Home {
            let all_told = way.told == self.seen.told.len();
            return (all_told && self.seen.winner == Some((turn, mover))).then_some(false);
        }
        self.is_on(turn)
    }

    /// The game went on after this turn, as it was seen to.
    fn is_on(&self, turn: usize) -> Option<bool> {
        self.seen.winner.is_none_or(|(when, _)| when != turn).then_some(true)
    }

    /// Deals the goals that are still open, in a way that is chosen by how many deals it stands for.
    fn complete(&self, dice: &mut Dice) -> Option<Vec<Option<Coordinate>>> {
        let deals = |way: &Way| -> u128 {
            let open = way.open.iter().filter(|open| !open.is_empty());
            open.map(|open| open.len() as u128).fold(1, u128::saturating_mul)
        };
        let counts: Vec<u128> = self.ways.iter().map(deals).collect();
        for _ in 0..TRIES {
            let way = &self.ways[pick(&counts, dice)?];
            let dealt: Vec<Option<usize>> =
                way.open.iter().map(|open| (!open.is_empty()).then(|| *dice.pick(open))).collect();
            if self.trail.is_given() || are_distinct(&dealt) {
                return Some(self.first(&dealt));
            }
        }
        let mut order: Vec<usize> = (0..self.ways.len()).collect();
        dice.shuffle(&mut order);
        order.into_iter().find_map(|way| {
            let mut open = self.ways[way].open.clone();
            open.iter_mut().for_each(|open| dice.shuffle(open));
            let mut dealt = Vec::new();
            deal_with_care(&open, &mut dealt).then(|| self.first(&dealt))
        })
    }

    fn first(&self, dealt: &[Option<usize>]) -> Vec<Option<Coordinate>> {
        let known = &self.trail.game.first;
        let place = |(seat, place): (usize, &Option<usize>)| match place {
            Some(place) => Some(self.places[*place]),
            None => known[seat],
        };
        dealt.iter().enumerate().map(place).collect()
    }
}

/// Where each mover came to stand, as the place that was there at the beginning.
fn visits(trail: &Trail<'_>, places: &[Coordinate]) -> Vec<Option<usize>> {
    let game = trail.game;
    let treasure = game.maze.spare.treasure;
    let begin =
        |place: &Coordinate| Quest { treasure, place: Some(*place), homeward: false, found: 0 };
    let mut carried: Vec<Quest> = places.iter().map(begin).collect();
    let visit = |(_, choice): &(Seat, Option<super::Choice>)| {
        let choice = choice.as_ref()?;
        for quest in &mut carried {
            quest.carry(game.treasures, &game.maze.board, choice.slide);
        }
        carried.iter().position(|quest| quest.place == Some(choice.to))
    };
    trail.moves.iter().map(visit).collect()
}

/// The number of one of them, each as likely as it is large.
fn pick(counts: &[u128], dice: &mut Dice) -> Option<usize> {
    let total = counts.iter().copied().fold(0, u128::saturating_add);
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    let mut rest = if total == 0 { return None } else { dice.below(total) as u128 };
    counts.iter().position(|&count| {
        let here = rest < count;
        rest = rest.saturating_sub(count);
        here
    })
}

fn are_distinct(dealt: &[Option<usize>]) -> bool {
    let place =
        |index: &usize| dealt[*index].filter(|place| !dealt[..*index].contains(&Some(*place)));
    (0..dealt.len()).all(|index| dealt[index].is_none() || place(&index).is_some())
}

/// Gives each seat a place that no other has, as far as that goes.
fn deal_with_care(open: &[Vec<usize>], dealt: &mut Vec<Option<usize>>) -> bool {
    let Some(next) = open.get(dealt.len()) else { return true };
    if next.is_empty() {
        dealt.push(None);
        return deal_with_care(open, dealt) || {
            dealt.pop();
            false
        };
    }
    for place in next {
        if !dealt.contains(&Some(*place)) {
            dealt.push(Some(*place));
            if deal_with_care(open, dealt) {
                return true;
            }
            dealt.pop();
        }
    }
    false
}
