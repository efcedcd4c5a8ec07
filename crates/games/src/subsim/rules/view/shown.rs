//! A view as it is written down: besides what it holds, what boards would otherwise have to work
//! out by rules of their own. Everything here follows from the view, so it tells nothing more.

use std::ops::ControlFlow;

use ::rules::Viewer;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::super::chart::{Chart, Direction, Square, SubKind, Waters};
use super::super::news::{Detonation, Report, damage_by_distance};
use super::super::order::{Action, Command, Equipment, Fleet, Order};
use super::super::sub::Sub;
use super::{End, Phase, View};

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kinds = self.chart.kinds();
        Shown {
            viewer: self.viewer,
            chart: &self.chart,
            kinds,
            phase: self.phase,
            executed: self.executed,
            subs: self.subs.iter().zip(kinds).map(ShownSub::of).collect(),
            choices: match self.phase {
                Phase::Playing => Choices::of(self.fleet()),
                Phase::Placing | Phase::Over => Vec::new(),
            },
            mines: &self.mines,
            score: self.score,
            news: &self.news,
            end: &self.end,
        }
        .serialize(serializer)
    }
}

/// So many squares a torpedo could reach are told in words, the nearest first.
const TOLD: usize = 40;

impl View {
    /// Something that may be ordered now.
    pub fn example(&self) -> Option<Action> {
        match self.phase {
            Phase::Over => None,
            Phase::Placing => {
                let middle = Square::new(self.chart.width() / 2, self.chart.height() / 2);
                let squares = (0..self.chart.cells().len()).map(|cell| self.chart.square(cell));
                let free = squares.filter(|square| self.chart.is_free(*square));
                let square = free.min_by_key(|square| square.steps_to(middle))?;
                let start = |kind: &SubKind| kind.start.unwrap_or(square);
                Some(Action::Place(self.chart.kinds().iter().map(start).collect()))
            }
            Phase::Playing => {
                let charge = Command::Sleep(Equipment::Sonar, Equipment::Torpedo);
                let order = |sub: u8| Order { sub, command: charge };
                Some(Action::Orders(self.fleet().active().map(order).collect()))
            }
        }
    }

    /// What may be ordered, in words.
    pub fn choice_words(&self) -> String {
        match self.phase {
            Phase::Over => String::new(),
            Phase::Placing => {
                let (width, height) = (self.chart.width(), self.chart.height());
                let count = self.chart.kinds().len();
                format!(
                    "Choose a square for each of your submarines ({count}): columns 1 to {width}, \
                     rows 1 to {height}, but no obstacle."
                )
            }
            Phase::Playing => {
                let all = Choices::of(self.fleet()).into_iter();
                let told = all.map(|choices| choices.words(&self.subs));
                format!("You may order:\n{}", told.collect::<Vec<String>>().join("\n"))
            }
        }
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    viewer: Viewer,
    chart: &'a Chart,
    /// What every player's submarines are built for, in order of their IDs.
    kinds: &'a [SubKind],
    phase: Phase,
    executed: u32,
    subs: Vec<ShownSub<'a>>,
    choices: Vec<Choices>,
    mines: &'a [Square],
    score: u32,
    news: &'a [Report],
    end: &'a Option<End>,
}

/// An own submarine, and how far what it has charged reaches.
#[derive(Serialize)]
struct ShownSub<'a> {
    #[serde(flatten)]
    sub: &'a Sub,
    sonar_range: u32,
    torpedo_range: u32,
    sprint_range: u32,
    mine_ready: bool,
}

impl<'a> ShownSub<'a> {
    fn of((sub, kind): (&'a Sub, &SubKind)) -> ShownSub<'a> {
        ShownSub {
            sub,
            sonar_range: sub.sonar_range(),
            torpedo_range: sub.torpedo_range(),
            sprint_range: sub.sprint_range(),
            mine_ready: sub.mine_charge >= kind.max_mine_charge && sub.mines != Some(0),
        }
    }
}

/// A detonation, and what it takes from a submarine by its distance, from the square itself outwards;
/// none: it is destroyed.
#[derive(Serialize)]
pub(in crate::subsim::rules) struct ShownDetonation {
    square: Square,
    radius: u8,
    damage: &'static [Option<u32>],
}

impl From<Detonation> for ShownDetonation {
    fn from(Detonation { square, radius }: Detonation) -> ShownDetonation {
        ShownDetonation { square, radius, damage: damage_by_distance(radius) }
    }
}

/// What an active submarine may do besides sleeping, pinging and surfacing.
#[derive(Serialize)]
struct Choices {
    sub: u8,
    /// Where it may go.
    r#move: Vec<Direction>,
    /// Where it may lay a mine.
    mine: Vec<Direction>,
    /// Where it may sprint to, and how far at most.
    sprint: Vec<(Direction, u32)>,
    /// Squares a torpedo could reach, as far as the map tells, the nearest first.
    fire: Vec<Square>,
    /// Squares a ping would go over, as far as the map tells, the nearest first.
    ping: Vec<Square>,
}

impl Choices {
    fn words(&self, subs: &[Sub]) -> String {
        let Choices { sub, r#move, mine, sprint, fire, .. } = self;
        let state = &subs[usize::from(*sub)];
        let fire = &fire[..fire.len().min(TOLD)];
        let ranges = [
            ("sonar", state.sonar_range()),
            ("torpedo", state.torpedo_range()),
            ("sprint", state.sprint_range()),
        ];
        let ranges = ranges.map(|(what, range)| format!("{what} {range}")).join(", ");
        let square = json!(state.square);
        format!(
            "  submarine {sub} at {square}, ranges: {ranges}\n    move {}; mine {}; sprint {}; \
             fire {}; and sleep, ping, surface",
            json!(r#move),
            json!(mine),
            json!(sprint),
            json!(fire)
        )
    }

    /// Of all submarines that owe an order.
    fn of(fleet: Fleet<'_>) -> Vec<Choices> {
        let waters = Waters::new(fleet.chart);
        fleet.active().map(|sub| Choices::of_sub(fleet, &waters, sub)).collect()
    }

    fn of_sub(fleet: Fleet<'_>, waters: &Waters<'_>, sub: u8) -> Choices {
        let legal = |command| fleet.check_order(&Order { sub, command }).is_ok();
        let directions = |command: fn(Direction) -> Command| {
            Direction::ALL.into_iter().filter(|direction| legal(command(*direction))).collect()
        };
        let state = &fleet.subs[usize::from(sub)];
        let sprint = |direction: Direction| {
            let far = (2..=state.sprint_range())
                .take_while(|&far| legal(Command::Sprint(direction, far)))
                .last()?;
            Some((direction, far))
        };
        Choices {
            sub,
            r#move: directions(|direction| Command::Move(direction, Equipment::None)),
            mine: directions(Command::Mine),
            sprint: Direction::ALL.into_iter().filter_map(sprint).collect(),
            fire: torpedo_reach(fleet.chart, waters, state),
            ping: sonar_reach(fleet.chart, waters, state),
        }
    }
}

fn torpedo_reach(chart: &Chart, waters: &Waters<'_>, sub: &Sub) -> Vec<Square> {
    let range = sub.torpedo_range();
    if range == 0 || sub.torpedoes == Some(0) {
        return Vec::new();
    }
    let mut squares = vec![sub.square];
    waters.search(sub.square, range, |reached| {
        if !reached.occupied {
            squares.push(chart.square(reached.cell));
        }
        ControlFlow::Continue(())
    });
    squares
}

fn sonar_reach(chart: &Chart, waters: &Waters<'_>, sub: &Sub) -> Vec<Square> {
    let mut squares = Vec::new();
    waters.search(sub.square, sub.sonar_range(), |reached| {
        squares.push(chart.square(reached.cell));
        ControlFlow::Continue(())
    });
    squares
}
