//! SubSim: a code is a start square or a command of one submarine. A player of several decides for
//! one after the other. The memory keeps what sonar found and where something went off.

use games::subsim::{
    Action, BOTS, Chart, Command, Config, Direction, Equipment, Order, Phase, Square, SubKind,
    SubSim, Tracks, View,
};
use rules::{BotKind, Dice, Game, Seat};

use crate::row::Row;
use crate::spec::axis;
use crate::{Encode, Past, Recall, Spec};

/// Squares by when the viewer last learned something of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// The last turn that was taken in, counted from 1.
    seen: u32,
    /// Of each square: how large it was what sonar last found there.
    sizes: Vec<f32>,
    /// When that was.
    contacts: Vec<u32>,
    /// When sonar last went over it.
    swept: Vec<u32>,
    /// When something last went off there.
    blasts: Vec<u32>,
    /// Where the others may be.
    tracks: Tracks,
}

impl Encode for SubSim {
    type Memory = Memory;
    const REMEMBERS: bool = true;

    fn bots() -> &'static [BotKind<SubSim>] {
        BOTS
    }

    /// Fewer players couldn't start the game, so a re-dealt one has the same number of seats.
    fn seated(config: Config, seats: usize) -> Config {
        Config { min_players: seats, ..config }
    }

    fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        SubSim::random(self, seat, dice)
    }

    fn spec(config: &Config, seats: usize) -> Spec {
        let [width, height] = config.map_size;
        let square = |y: u16| move |x: u16| format!("{x}|{y}");
        let squares = || axis((1..=height).flat_map(|y| (1..=width).map(square(y))));
        let ways = || axis(["N", "E", "S", "W"]);
        let gear = || axis(["sonar", "torpedo", "mine", "sprint", "none"]);
        let reach = config.farthest_sprint();
        let mut far = axis(2..=reach);
        far.push("too far".to_owned());
        let area = [usize::from(height), usize::from(width)];
        let subs = usize::from(config.subs_per_player);
        Spec::new(SubSim::NAME, seats)
            .simultaneous()
            .codes("place", vec![squares()])
            .codes("fire", vec![squares()])
            .codes("move", vec![ways(), gear()])
            .codes("sleep", vec![gear(), gear()])
            .codes("ping", vec![])
            .codes("mine", vec![ways()])
            .codes("sprint", vec![ways(), far])
            .codes("surface", vec![])
            .plane("deciding_at", &area, "1 where the submarine is that is decided for")
            .plane("own_subs", &area, "own submarines that are not destroyed")
            .plane("placed", &area, "start squares chosen so far in this turn")
            .plane("obstacles", &area, "1 where nothing can go")
            .plane("own_mines", &area, "1 where an own mine lies")
            .plane("contacts", &area, "size of what sonar last found / 100")
            .plane("contact_age", &area, "1 / turns since that was found")
            .plane("swept_age", &area, "1 / turns since own sonar went over the square")
            .plane("blast_age", &area, "1 / turns since something went off there")
            .plane("deciding", &[subs], "1 at the submarine that is decided for")
            .plane("phase", &[2], "1 at placing or playing")
            .plane("active", &[subs], "1 if the submarine takes orders")
            .plane("shields", &[subs], "shields / most")
            .plane("sonar", &[subs], "sonar charge / 10")
            .plane("torpedo", &[subs], "torpedo charge / 10")
            .plane("mine", &[subs], "mine charge / what a mine takes")
            .plane("sprint", &[subs], "sprint charge / most")
            .plane("torpedoes", &[subs], "1 if there are torpedoes left")
            .plane("mines", &[subs], "1 if there are mines left")
            .plane("surfaced", &[subs], "turns it stays surfaced / 10")
            .plane("reactor", &[subs], "reactor damage / what it can bear")
            .plane("detected", &[subs], "1 / distance of the nearest sonar that found it last turn")
            .plane("heard", &[subs], "sprints it heard last turn")
            .plane("score", &[1], "own points / 10")
            .plane("turn", &[1], "turns played / 100")
    }

    fn redeal(past: Past<'_, SubSim>, dice: &mut Dice) -> Option<SubSim> {
        past.game.redealt(past.seat, &past.memory.tracks, dice)
    }

    /// All seats learn about explosions. No seat knows what sonar found in the new game.
    fn recall(recall: &Recall<'_, SubSim>) -> Memory {
        let mut memory = Memory::default();
        SubSim::remember(&mut memory, &recall.now[recall.seat.index()]);
        memory.seen = recall.memory.seen.max(memory.seen);
        if !recall.memory.blasts.is_empty() {
            memory.blasts.clone_from(&recall.memory.blasts);
        }
        memory
    }

    fn remember(memory: &mut Memory, view: &View) {
        memory.tracks.see(view);
        let area = usize::from(view.chart.width()) * usize::from(view.chart.height());
        if memory.blasts.is_empty() {
            memory.sizes = vec![0.0; area];
            memory.contacts = vec![0; area];
            memory.swept = vec![0; area];
            memory.blasts = vec![0; area];
        }
        for report in view.news.iter().filter(|report| report.turn + 1 > memory.seen) {
            let turn = report.turn + 1;
            for contact in &report.objects {
                let square = cell(&view.chart, contact.square);
                memory.sizes[square] = contact.size as f32 / 100.0;
                memory.contacts[square] = turn;
            }
            for square in report.pings.iter().flat_map(|ping| &ping.squares) {
                memory.swept[cell(&view.chart, *square)] = turn;
            }
            for blast in &report.detonations {
                memory.blasts[cell(&view.chart, blast.square)] = turn;
            }
        }
        memory.seen = memory.seen.max(view.news.last().map_or(0, |report| report.turn + 1));
    }

    fn parts(view: &View) -> usize {
        match view.phase {
            Phase::Placing => view.chart.kinds().len(),
            _ => view.fleet().active().count(),
        }
    }

    fn observe(view: &View, memory: &Memory, draft: &[usize], out: &mut [f32]) {
        let chart = &view.chart;
        let area = usize::from(chart.width()) * usize::from(chart.height());
        let deciding = deciding(view, draft);
        let mut row = Row::new(out);
        let at = deciding.and_then(|sub| view.subs.get(sub)).map(|sub| cell(chart, sub.square));
        row.one_hot(area, at);
        let own = row.plane(area);
        for sub in view.subs.iter().filter(|sub| !sub.dead) {
            own[cell(chart, sub.square)] += 1.0;
        }
        let placed = row.plane(area);
        if view.phase == Phase::Placing {
            draft.iter().for_each(|&square| placed[square] += 1.0);
        }
        mark(chart, row.plane(area), chart.config().obstacles.iter().map(|&at| at.into()));
        mark(chart, row.plane(area), view.mines.iter().copied());
        // Nothing is known before the first view.
        let known = memory.sizes.len();
        row.plane(area)[..known].copy_from_slice(&memory.sizes);
        for turns in [&memory.contacts, &memory.swept, &memory.blasts] {
            for (number, &turn) in row.plane(area).iter_mut().zip(turns) {
                *number = freshness(memory.seen, turn);
            }
        }
        row.one_hot(chart.kinds().len(), deciding);
        row.one_hot(
            2,
            match view.phase {
                Phase::Placing => Some(0),
                Phase::Playing => Some(1),
                Phase::Over => None,
            },
        );
        equipment(view, &mut row);
        row.number(view.score as f32 / 10.0);
        row.number(view.executed as f32 / 100.0);
        row.end();
    }

    fn mask(view: &View, draft: &[usize], out: &mut [u8]) {
        let Some(sub) = deciding(view, draft) else { return };
        let chart = &view.chart;
        let codes = CodesOf::new(chart);
        if view.phase == Phase::Placing {
            match chart.kinds()[sub].start {
                Some(start) => out[cell(chart, start)] = 1,
                None => mark_free(chart, &mut out[..codes.area]),
            }
            return;
        }
        let fleet = view.fleet();
        if !fleet.subs[sub].is_active() {
            return;
        }
        // A torpedo may be sent to any square that is free.
        mark_free(chart, &mut out[codes.area..codes.moves()]);
        for (code, legal) in out.iter_mut().enumerate().skip(codes.moves()) {
            let command = codes.command(view, sub, code);
            let order = command.map(|command| Order { sub: sub as u8, command });
            *legal = u8::from(order.is_some_and(|order| fleet.check_order(&order).is_ok()));
        }
    }

    fn decode(view: &View, parts: &[usize]) -> Option<Action> {
        let codes = CodesOf::new(&view.chart);
        if view.phase == Phase::Placing {
            let kinds = view.chart.kinds().iter();
            let square = |(kind, &code): (&SubKind, &usize)| {
                let square = (code < codes.area).then(|| square_of(&view.chart, code))?;
                kind.start.is_none_or(|start| start == square).then_some(square)
            };
            return kinds.zip(parts).map(square).collect::<Option<_>>().map(Action::Place);
        }
        let order = |(sub, &code): (u8, &usize)| {
            Some(Order { sub, command: codes.command(view, usize::from(sub), code)? })
        };
        view.fleet().active().zip(parts).map(order).collect::<Option<_>>().map(Action::Orders)
    }

    fn encode(view: &View, action: &Action) -> Option<Vec<usize>> {
        let codes = CodesOf::new(&view.chart);
        match action {
            Action::Place(squares) => {
                let kinds = view.chart.kinds().iter();
                let placed = kinds.zip(squares).map(|(kind, &given)| kind.start.unwrap_or(given));
                Some(placed.map(|square| cell(&view.chart, square)).collect())
            }
            Action::Orders(orders) => {
                Some(orders.iter().map(|order| codes.code(&view.chart, order.command)).collect())
            }
        }
    }
}

/// The number of the submarine that is decided for next.
fn deciding(view: &View, draft: &[usize]) -> Option<usize> {
    match view.phase {
        Phase::Placing => (draft.len() < view.chart.kinds().len()).then_some(draft.len()),
        Phase::Playing => view.fleet().active().nth(draft.len()).map(usize::from),
        Phase::Over => None,
    }
}

/// Squares row by row, from zero.
fn cell(chart: &Chart, square: Square) -> usize {
    usize::from(square.y - 1) * usize::from(chart.width()) + usize::from(square.x - 1)
}

fn square_of(chart: &Chart, cell: usize) -> Square {
    let width = usize::from(chart.width());
    Square::new((cell % width) as u16 + 1, (cell / width) as u16 + 1)
}

fn mark_free(chart: &Chart, codes: &mut [u8]) {
    for (codes, row) in codes.chunks_exact_mut(chart.width().into()).zip(chart.free_rows()) {
        codes.iter_mut().zip(row).for_each(|(code, free)| *code = free.into());
    }
}

fn mark(chart: &Chart, plane: &mut [f32], squares: impl Iterator<Item = Square>) {
    squares.for_each(|square| plane[cell(chart, square)] = 1.0);
}

/// 1 for the last turn, a half for the one before; 0 for never.
fn freshness(now: u32, turn: u32) -> f32 {
    // Signed, because processors turn several of these into fractions at once.
    let age = (1 + now - turn) as i32 as f32;
    if turn == 0 { 0.0 } else { 1.0 / age }
}

/// The planes of one number for each submarine.
fn equipment(view: &View, row: &mut Row<'_>) {
    let kinds = view.chart.kinds();
    let share = |part: u32, whole: u32| part as f32 / whole.max(1) as f32;
    let mut each = |number: &dyn Fn(usize) -> f32| {
        let plane = row.plane(kinds.len());
        for (sub, out) in plane.iter_mut().enumerate().take(view.subs.len()) {
            *out = number(sub);
        }
    };
    let is = |holds: bool| f32::from(u8::from(holds));
    let subs = &view.subs;
    each(&|sub| is(subs[sub].is_active()));
    each(&|sub| share(subs[sub].shields, kinds[sub].max_shields));
    each(&|sub| subs[sub].sonar_charge as f32 / 10.0);
    each(&|sub| subs[sub].torpedo_charge as f32 / 10.0);
    each(&|sub| share(subs[sub].mine_charge, kinds[sub].max_mine_charge));
    each(&|sub| share(subs[sub].sprint_charge, kinds[sub].max_sprint_charge));
    each(&|sub| is(subs[sub].torpedoes != Some(0)));
    each(&|sub| is(subs[sub].mines != Some(0)));
    each(&|sub| f32::from(subs[sub].surface_remain) / 10.0);
    each(&|sub| share(subs[sub].reactor_damage, kinds[sub].max_reactor_damage));
    let last = view.news.last();
    each(&|sub| {
        let pings = last.iter().flat_map(|report| &report.detected);
        let near = pings.filter(|ping| usize::from(ping.sub) == sub).map(|ping| ping.distance);
        near.min().map_or(0.0, |distance| 1.0 / distance.max(1) as f32)
    });
    each(&|sub| {
        let heard = last.iter().flat_map(|report| &report.heard);
        heard.filter(|heard| usize::from(heard.sub) == sub).map(|heard| heard.count as f32).sum()
    });
}

/// The first code of each group on one map.
struct CodesOf {
    area: usize,
    /// Distances of a sprint: 2 to the farthest, and one for any that is too far, which does
    /// nothing.
    distances: usize,
}

impl CodesOf {
    fn new(chart: &Chart) -> CodesOf {
        let area = usize::from(chart.width()) * usize::from(chart.height());
        CodesOf { area, distances: chart.config().farthest_sprint() as usize }
    }

    fn moves(&self) -> usize {
        2 * self.area
    }

    fn ping(&self) -> usize {
        self.moves() + 20 + 25
    }

    fn sprints(&self) -> usize {
        self.ping() + 1 + 4
    }

    /// The command a code gives a submarine; `None` for a start square.
    fn command(&self, view: &View, sub: usize, code: usize) -> Option<Command> {
        let (moves, ping, sprints) = (self.moves(), self.ping(), self.sprints());
        let surface = sprints + 4 * self.distances;
        Some(if code < self.area || code > surface {
            return None;
        } else if code < moves {
            Command::Fire(square_of(&view.chart, code - self.area))
        } else if code < moves + 20 {
            let way = code - moves;
            Command::Move(Direction::ALL[way / 5], Equipment::ALL[way % 5])
        } else if code < ping {
            let pair = code - moves - 20;
            Command::Sleep(Equipment::ALL[pair / 5], Equipment::ALL[pair % 5])
        } else if code == ping {
            Command::Ping
        } else if code < sprints {
            Command::Mine(Direction::ALL[code - ping - 1])
        } else if code < surface {
            let (way, far) = ((code - sprints) / self.distances, (code - sprints) % self.distances);
            let too_far = far + 1 == self.distances;
            let beyond = view.subs.get(sub)?.sprint_range().max(far as u32 + 1) + 1;
            Command::Sprint(Direction::ALL[way], if too_far { beyond } else { far as u32 + 2 })
        } else {
            Command::Surface
        })
    }

    fn code(&self, chart: &Chart, command: Command) -> usize {
        let (moves, ping, sprints) = (self.moves(), self.ping(), self.sprints());
        match command {
            Command::Fire(square) => self.area + cell(chart, square),
            Command::Move(way, gear) => moves + 5 * way as usize + gear as usize,
            Command::Sleep(one, two) => moves + 20 + 5 * one as usize + two as usize,
            Command::Ping => ping,
            Command::Mine(way) => ping + 1 + way as usize,
            Command::Sprint(way, distance) => {
                let far = (distance as usize - 2).min(self.distances - 1);
                sprints + self.distances * way as usize + far
            }
            Command::Surface => sprints + 4 * self.distances,
        }
    }
}
