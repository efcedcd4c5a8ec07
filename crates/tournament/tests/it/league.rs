//! A ladder of bots whose strengths are known, played in virtual time: how well it finds the
//! strengths, whether its intervals hold, and how long bots wait.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rules::{Dice, Exit, Outcome, Seed};
use tournament::{EntrantId, Fact, Format, Matchmaking, Plan, Tournament, Waiting};

/// What a league is like.
#[derive(Clone, Copy, Debug)]
pub struct League {
    pub bots: usize,
    pub table_seats: usize,
    /// It ends when the average bot has played this number of games.
    pub games_each: usize,
    pub wait_s: u32,
    /// Strengths are spread around 1500 with this deviation.
    pub spread: f64,
    /// One in this number of games takes twenty times as long as the others.
    pub slow_one_in: usize,
    /// One in this number of bots never finishes a game; 0: all do.
    pub broken_one_in: usize,
    pub seed: u64,
}

impl Default for League {
    fn default() -> League {
        League {
            bots: 500,
            table_seats: 2,
            games_each: 100,
            wait_s: 20,
            spread: 250.0,
            slow_one_in: 100,
            broken_one_in: 0,
            seed: 1,
        }
    }
}

/// How it went.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub games: usize,
    /// Spearman's, between the standings and the true strengths.
    pub rank_correlation: f64,
    /// The share of 95 % intervals that hold the truth, once both are centred.
    pub coverage: f64,
    /// How much wider than the truth the strengths are spread: 1 is right.
    pub slope: f64,
    /// The deviation of the error, and half an average interval.
    pub error: f64,
    pub half_interval: f64,
    pub longest_wait_ms: u64,
    pub average_wait_ms: u64,
    /// Number of games between two bots that had met in the previous game of one of them.
    pub met_again: usize,
    /// The average true difference between two at a table.
    pub apart: f64,
    /// The most games that a broken bot was given.
    pub broken_games: usize,
}

impl Report {
    /// On one line, for people.
    pub fn text(&self) -> String {
        format!(
            "{} games, rank correlation {:.3}, 95 % intervals hold {:.1} %, spread {:.2} of the true one, \
             error {:.0} (intervals ± {:.0}), opponents {:.0} apart, {} met again at once, waits {} ms on \
             average and {} ms at most, {} games for a broken bot at most",
            self.games,
            self.rank_correlation,
            100.0 * self.coverage,
            self.slope,
            self.error,
            self.half_interval,
            self.apart,
            self.met_again,
            self.average_wait_ms,
            self.longest_wait_ms,
            self.broken_games,
        )
    }
}

/// A game on a table: when it ends.
type Running = Reverse<(u64, EntrantId)>;

pub fn play(league: League) -> Report {
    let mut season = Season::new(league);
    while season.games * league.table_seats < league.games_each * league.bots {
        season.pair();
        season.now = season.next_end().min(season.now + 250);
        season.end_games();
        let most = 60 + season.running.len();
        assert!(season.ladder.pairings().len() <= most, "it forgets games that ended long ago");
    }
    season.report()
}

/// A league on its way.
struct Season {
    league: League,
    dice: Dice,
    /// The true strength of each bot.
    truth: Vec<f64>,
    ladder: Tournament,
    now: u64,
    /// Since when each bot without a game waits.
    free: BTreeMap<EntrantId, u64>,
    running: BinaryHeap<Running>,
    last_met: BTreeMap<EntrantId, EntrantId>,
    games: usize,
    /// How long bots waited for a game: the longest wait, the sum, and the number of waits.
    waits: (u64, u64, u64),
    met_again: usize,
    /// The sum of the true differences between opponents.
    apart: f64,
    broken_games: BTreeMap<EntrantId, usize>,
}

impl Season {
    fn new(league: League) -> Season {
        let mut dice = Dice::new(&Seed::from_number(league.seed), "league", 0);
        let truth: Vec<f64> =
            (0..league.bots).map(|_| 1500.0 + league.spread * normal(&mut dice)).collect();
        let plan = Plan {
            format: Format::Ladder { wait_s: league.wait_s },
            table_seats: league.table_seats,
            max_entrants: league.bots,
            seed: Some(Seed::from_number(league.seed)),
            ..Plan::default()
        };
        let mut ladder = Tournament::new(plan).unwrap();
        ladder.apply(&Fact::Started).unwrap();
        for number in 0..league.bots {
            ladder.apply(&Fact::Entered { name: format!("bot {number}"), bot: None }).unwrap();
        }
        Season {
            league,
            dice,
            truth,
            ladder,
            now: 0,
            free: (0..league.bots as u32).map(|id| (EntrantId(id), 0)).collect(),
            running: BinaryHeap::new(),
            last_met: BTreeMap::new(),
            games: 0,
            waits: (0, 0, 0),
            met_again: 0,
            apart: 0.0,
            broken_games: BTreeMap::new(),
        }
    }

    fn is_broken(&self, id: EntrantId) -> bool {
        let one_in = self.league.broken_one_in;
        one_in > 0 && id.index().is_multiple_of(one_in)
    }

    /// Begins the games that the ladder wants to see now.
    fn pair(&mut self) {
        let is_quarantined = |id: &EntrantId| {
            self.ladder.ladder().unwrap().rung(*id).unwrap().quarantine(self.now).is_some()
        };
        let waiting: Vec<Waiting> = self
            .free
            .iter()
            .filter(|(id, _)| !is_quarantined(id))
            .map(|(id, since)| Waiting { entrant: *id, waited_ms: self.now - since })
            .collect();
        for table in Matchmaking::of(&self.ladder).unwrap().tables(&waiting) {
            table.iter().for_each(|id| self.end_wait(*id));
            self.met_again += usize::from(self.last_met.get(&table[0]) == Some(&table[1]));
            self.last_met.extend([(table[0], table[1]), (table[1], table[0])]);
            self.apart += (self.truth[table[0].index()] - self.truth[table[1].index()]).abs();
            let usual = 1000 + self.dice.below(4000) as u64;
            let one_in = self.league.slow_one_in;
            let slow = one_in > 0 && self.dice.one_in(one_in);
            let lasts = usual * if slow { 20 } else { 1 };
            self.running.push(Reverse((self.now + lasts, table[0])));
            self.ladder.apply(&Fact::Paired { entrants: table }).unwrap();
            self.games += 1;
        }
    }

    /// A bot gets a game. The wait of one that was in quarantine began with the end of that.
    fn end_wait(&mut self, id: EntrantId) {
        let wait = self.now - self.free.remove(&id).unwrap();
        let (longest, sum, count) = self.waits;
        self.waits = (longest.max(wait), sum + wait, count + 1);
        if self.is_broken(id) {
            *self.broken_games.entry(id).or_insert(0) += 1;
        }
    }

    /// When the next running game ends.
    fn next_end(&self) -> u64 {
        self.running.peek().map_or(u64::MAX, |Reverse((at, _))| *at)
    }

    /// Ends the games whose time has come.
    fn end_games(&mut self) {
        while self.next_end() <= self.now {
            let Reverse((_, of)) = self.running.pop().expect("it has an end");
            let due = self.ladder.open_game_of(of).unwrap().clone();
            self.free.extend(due.seats.iter().map(|id| (*id, self.now)));
            let broken: Vec<EntrantId> =
                due.seats.iter().copied().filter(|id| self.is_broken(*id)).collect();
            let is_broken = |id| broken.contains(&id);
            let outcome = outcome(&due.seats, &self.truth, is_broken, &mut self.dice);
            let (pairing, attempt) = (due.pairing, due.attempt);
            self.ladder.apply(&Fact::Played { pairing, attempt, outcome }).unwrap();
            for (id, lasts) in self.ladder.ladder().unwrap().broken().collect::<Vec<_>>() {
                let (name, until) = (self.ladder.entrant(id).name.clone(), self.now + lasts);
                self.ladder.apply(&Fact::Quarantined { name, until }).unwrap();
                self.free.insert(id, until);
            }
        }
    }

    fn report(&self) -> Report {
        let (longest_wait_ms, sum, count) = self.waits;
        Report {
            games: self.games,
            longest_wait_ms,
            average_wait_ms: sum / count.max(1),
            met_again: self.met_again,
            apart: self.apart / self.games as f64,
            broken_games: self.broken_games.values().max().copied().unwrap_or(0),
            ..compare(&self.ladder, &self.truth, |id| self.is_broken(id))
        }
    }
}

/// By the model of Plackett and Luce: the next rank goes to one of the remaining players, by
/// strength.
fn outcome(
    seats: &[EntrantId],
    truth: &[f64],
    is_broken: impl Fn(EntrantId) -> bool,
    dice: &mut Dice,
) -> Outcome {
    let key = |id: &EntrantId| {
        let noise = -(-uniform(dice).ln()).ln();
        let exit = is_broken(*id).then_some(Exit::TimedOut);
        let rank = truth[id.index()] / (400.0 / std::f64::consts::LN_10) + noise;
        (0, (exit.is_none(), (rank * 1e9) as i64), exit)
    };
    Outcome::ranked(seats.iter().map(key).collect())
}

fn compare(ladder: &Tournament, truth: &[f64], is_broken: impl Fn(EntrantId) -> bool) -> Report {
    let mut order: Vec<EntrantId> = ladder.standings().iter().map(|line| line.entrant).collect();
    order.retain(|id| !is_broken(*id));
    let count = order.len() as f64;
    let mut true_order = order.clone();
    true_order.sort_by(|one, other| truth[other.index()].total_cmp(&truth[one.index()]));
    let true_place: BTreeMap<EntrantId, usize> = true_order.into_iter().zip(0..).collect();
    let squares: f64 =
        order.iter().zip(0..).map(|(id, at)| (at as f64 - true_place[id] as f64).powi(2)).sum();
    let elo = |id: &EntrantId| ladder.ladder().unwrap().elo(*id);
    let offset: f64 = order.iter().map(|id| elo(id).mean - truth[id.index()]).sum::<f64>() / count;
    let misses = |id: &EntrantId| {
        let at = truth[id.index()] + offset;
        !(elo(id).low()..=elo(id).high()).contains(&at)
    };
    let square = |id: &EntrantId| (elo(id).mean - truth[id.index()] - offset).powi(2);
    Report {
        games: 0,
        rank_correlation: 1.0 - 6.0 * squares / (count * (count * count - 1.0)),
        coverage: 1.0 - order.iter().filter(|id| misses(id)).count() as f64 / count,
        slope: slope(order.iter().map(|id| (truth[id.index()], elo(id).mean)).collect()),
        error: (order.iter().map(square).sum::<f64>() / count).sqrt(),
        half_interval: order.iter().map(|id| elo(id).deviation * 1.96).sum::<f64>() / count,
        longest_wait_ms: 0,
        average_wait_ms: 0,
        met_again: 0,
        apart: 0.0,
        broken_games: 0,
    }
}

/// Of the line through these points.
fn slope(points: Vec<(f64, f64)>) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / count, y / count);
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    along / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// Between zero and one, neither included.
fn uniform(dice: &mut Dice) -> f64 {
    (dice.below(1 << 30) as f64 + 0.5) / (1u64 << 30) as f64
}

fn normal(dice: &mut Dice) -> f64 {
    let (radius, angle) = (uniform(dice), uniform(dice));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}
