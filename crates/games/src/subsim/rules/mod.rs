//! The rules. They see whole turns only and know neither the wire nor the clock.

mod blast;
mod chart;
mod config;
mod determinise;
mod news;
mod order;
mod picture;
mod redeal;
mod sub;
mod tracks;
mod turn;
mod view;

use std::sync::Arc;

use ::rules::{
    Dice, Exit, Game, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed, SetupError, Step, Viewer,
};

pub use chart::{
    Chart, Direction, MINE_SIZE, OBSTACLE_SIZE, STANDARD_SIZE, Square, SubKind, Waters,
};
pub use config::{Config, SubConfig, SubId};
pub use news::{Contact, Detected, Detonation, Heard, Hit, Ping, Report, Shot, Weapon};
pub use order::{Action, Command, Equipment, Fleet, Order, check_placing};
pub use sub::Sub;
pub use tracks::Tracks;
pub use view::{End, Mine, Phase, View};

pub(super) use news::Log;
pub(super) use order::random_places;
pub(super) use turn::Mines;
use turn::Turn;

/// One game of SubSim.
#[derive(Clone, PartialEq, Debug)]
pub struct SubSim {
    pub(super) chart: Arc<Chart>,
    /// Only for squares a silent player did not choose; nothing else in this game is chance.
    pub(super) seed: Seed,
    pub(super) phase: Phase,
    /// The submarines are on the map.
    pub(super) placed: bool,
    /// The number of turns executed.
    pub(super) executed: u32,
    /// All submarines, seat by seat. Those of a seat that has left count as destroyed.
    pub(super) subs: Vec<Sub>,
    pub(super) mines: Mines,
    pub(super) scores: Vec<u32>,
    pub(super) exits: Vec<Option<Exit>>,
    /// The turns of the last step. There are several when nobody could act in some of them.
    pub(super) news: Vec<Log>,
    pub(super) outcome: Option<Outcome>,
}

impl SubSim {
    /// Legal orders of a seat that owes some, each equally likely.
    pub fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        match self.phase {
            Phase::Placing => Action::Place(random_places(&self.chart, dice)),
            _ => Action::Orders(self.fleet(seat).random_orders(dice)),
        }
    }
}

impl Game for SubSim {
    const NAME: &'static str = "subsim";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = Action;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<SubSim, SetupError> {
        let chart = Arc::new(Chart::new(config)?);
        let players = config.players();
        if !players.contains(&seats) {
            let (fewest, most) = players.into_inner();
            return Err(SetupError(format!("{seats} seats; this game takes {fewest} to {most}")));
        }
        // Until they are placed the submarines are at a corner, where nobody looks for them.
        let unplaced = |kind: &SubKind| Sub::new(kind, kind.start.unwrap_or(Square::new(1, 1)));
        let fleet: Vec<Sub> = chart.kinds().iter().map(unplaced).collect();
        Ok(SubSim {
            seed,
            phase: Phase::Placing,
            placed: false,
            executed: 0,
            subs: fleet.repeat(seats),
            mines: Mines::new(),
            scores: vec![0; seats],
            exits: vec![None; seats],
            news: Vec::new(),
            outcome: None,
            chart,
        })
    }

    fn to_act(&self) -> SeatSet {
        match self.phase {
            Phase::Placing => self.seats().filter(|&seat| self.stays(seat)).collect(),
            Phase::Playing => self.seats_with(Sub::is_active),
            Phase::Over => SeatSet::EMPTY,
        }
    }

    /// Placing alone has hundreds of possibilities for each submarine.
    fn legal(&self, _seat: Seat) -> Option<Vec<Action>> {
        None
    }

    fn legal_at_most(&self, _seat: Seat) -> Option<usize> {
        None
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> Action {
        match self.phase {
            Phase::Placing => Action::Place(random_places(&self.chart, dice)),
            _ => Action::Orders(self.fleet(seat).casual_orders(dice)),
        }
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        view::check(self.phase, self.fleet(seat), action)
    }

    /// A silent player is removed. Only a start can be chosen for it.
    fn default_action(&self, seat: Seat) -> Option<Action> {
        let mut dice = Dice::new(&self.seed, "start squares", u64::from(seat.0));
        (self.phase == Phase::Placing).then(|| Action::Place(random_places(&self.chart, &mut dice)))
    }

    /// Who leaves takes its commands of the turn along.
    fn advance(&mut self, step: Step<'_, Action>) {
        match step {
            Step::Turn(moves) => {
                for (seat, exit) in moves.iter().filter_map(retirement) {
                    self.retire(seat, exit);
                }
                if self.exits.iter().all(Option::is_some) {
                    self.news.clear();
                    self.finish();
                } else if self.phase == Phase::Placing {
                    self.place(moves);
                } else {
                    self.play(moves);
                }
            }
            Step::Departure(exits) => {
                for (seat, exit) in exits {
                    self.retire(*seat, exit);
                }
                if self.is_decided() {
                    self.finish();
                } else if self.to_act().is_empty() {
                    self.play(&[]);
                }
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        picture::draw(scene)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

impl SubSim {
    /// Everything needed to judge the orders of a seat.
    pub fn fleet(&self, seat: Seat) -> Fleet<'_> {
        let size = self.chart.kinds().len();
        Fleet { chart: &self.chart, subs: &self.subs[seat.index() * size..][..size] }
    }

    fn mines_of(&self, seat: Seat) -> impl Iterator<Item = Square> {
        let own = self.mines.iter().filter(move |(_, owner)| **owner == Some(seat));
        own.map(|(&square, _)| square)
    }

    fn place(&mut self, moves: &[(Seat, Move<Action>)]) {
        let size = self.chart.kinds().len();
        for (seat, made) in moves {
            let (true, Move::Act(Action::Place(squares))) = (self.stays(*seat), made) else {
                continue;
            };
            let fleet = &mut self.subs[seat.index() * size..][..size];
            for ((sub, kind), square) in fleet.iter_mut().zip(self.chart.kinds()).zip(squares) {
                sub.square = kind.start.unwrap_or(*square);
            }
        }
        self.phase = Phase::Playing;
        self.placed = true;
        let log = Log { subs: self.subs.clone(), scores: self.scores.clone(), ..Log::default() };
        self.news = vec![log];
        if self.is_decided() {
            self.finish();
        }
    }

    /// Resolves the turn, and every following one in which nobody can act: all are surfaced, so
    /// "all commands are in" at once.
    fn play(&mut self, moves: &[(Seat, Move<Action>)]) {
        let mut commands = vec![None; self.subs.len()];
        let size = self.chart.kinds().len();
        for (seat, made) in moves {
            let (true, Move::Act(Action::Orders(orders))) = (self.stays(*seat), made) else {
                continue;
            };
            for order in orders {
                commands[seat.index() * size + usize::from(order.sub)] = Some(order.command);
            }
        }
        self.news.clear();
        self.resolve(&commands);
        commands.fill(None);
        while self.outcome.is_none() && self.to_act().is_empty() {
            self.resolve(&commands);
        }
    }

    fn resolve(&mut self, commands: &[Option<Command>]) {
        self.executed += 1;
        let mut log = Log { turn: self.executed, ..Log::default() };
        let state = (&mut self.subs[..], &mut self.mines, &mut self.scores[..]);
        Turn::new(&self.chart, state, commands, &mut log).resolve();
        log.subs.clone_from(&self.subs);
        log.scores.clone_from(&self.scores);
        self.news.push(log);
        let limit = self.chart.config().max_turns;
        if self.is_decided() || (limit > 0 && self.executed >= limit) {
            self.finish();
        }
    }

    /// The seat's submarines leave the map at once; its mines stay, for nobody's credit.
    fn retire(&mut self, seat: Seat, exit: &Exit) {
        self.exits[seat.index()] = Some(exit.clone());
        let size = self.chart.kinds().len();
        for sub in &mut self.subs[seat.index() * size..][..size] {
            sub.dead = true;
        }
        for owner in self.mines.values_mut().filter(|owner| **owner == Some(seat)) {
            *owner = None;
        }
    }

    /// Fewer than two players have submarines left.
    fn is_decided(&self) -> bool {
        self.survivors().len() < 2
    }

    fn survivors(&self) -> SeatSet {
        self.seats_with(|sub| !sub.dead)
    }

    /// The survivor's point is for the only player with submarines left, if there is one. Who did
    /// not stay to the end has no points.
    fn finish(&mut self) {
        let survivors = self.survivors();
        if let (1, Some(survivor)) = (survivors.len(), survivors.first()) {
            self.scores[survivor.index()] += 1;
        }
        let standing = |(score, exit): (&u32, &Option<Exit>)| match exit {
            None => (i64::from(*score), (true, *score), None),
            Some(exit) => (0, (false, 0), Some(exit.clone())),
        };
        let standings = self.scores.iter().zip(&self.exits).map(standing).collect();
        self.outcome = Some(Outcome::ranked(standings));
        self.phase = Phase::Over;
    }

    fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.exits.len())
    }

    fn stays(&self, seat: Seat) -> bool {
        self.exits[seat.index()].is_none()
    }

    fn seats_with(&self, holds: impl Fn(&Sub) -> bool) -> SeatSet {
        let fleets = self.subs.chunks(self.chart.kinds().len());
        let found = self.seats().zip(fleets).filter(|(_, fleet)| fleet.iter().any(&holds));
        found.map(|(seat, _)| seat).collect()
    }
}

fn retirement<A>((seat, made): &(Seat, Move<A>)) -> Option<(Seat, &Exit)> {
    match made {
        Move::Retire(exit) => Some((*seat, exit)),
        Move::Act(_) => None,
    }
}
