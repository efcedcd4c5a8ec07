//! A whole game among programs that may fail on purpose, refereed as the course does it: every
//! call is answered or its player is removed at once. Nothing here waits.

use rules::{Exit, Game, Move, Seat, Seed, Step};
use serde_json::Value;

use super::super::bots::Strategy;
use super::super::json::{Malformed, expected};
use super::super::rules::{Action, Config, Labyrinth, State, TurnOrder};
use super::super::verb::is_name;
use super::Failure;

/// What a referee asks of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    SetUp,
    TakeTurn,
    Win,
}

/// A player by specification: it fails at the `countdown`-th call of one kind, or never.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entrant {
    name: String,
    strategy: Strategy,
    fault: Option<(Call, u64)>,
}

/// Names, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub winners: Vec<String>,
    pub misbehaved: Vec<String>,
}

impl Verdict {
    pub fn both(&self) -> [&[String]; 2] {
        [&self.winners, &self.misbehaved]
    }
}

pub(super) fn strategy(value: &Value) -> Result<Strategy, Malformed> {
    let named = value.as_str().and_then(Strategy::named);
    named.ok_or_else(|| expected("\"Riemann\" or \"Euclid\"", value))
}

/// An array of `[Name, Strategy]`, `[Name, Strategy, Call]` or `[Name, Strategy, Call, Count]`.
pub(super) fn entrants(value: &Value) -> Result<Vec<Entrant>, Malformed> {
    let items = value.as_array().ok_or_else(|| expected("an array of players", value))?;
    items.iter().map(entrant).collect()
}

fn entrant(value: &Value) -> Result<Entrant, Malformed> {
    let (name, plan, fault) = match value.as_array().map(Vec::as_slice) {
        Some([name, plan]) => (name, plan, None),
        Some([name, plan, call]) => (name, plan, Some((read_call(call)?, 1))),
        Some([name, plan, call, count]) => {
            let count = count.as_u64().filter(|count| (1..=7).contains(count));
            let count =
                count.ok_or_else(|| expected("a player with a count from 1 to 7", value))?;
            (name, plan, Some((read_call(call)?, count)))
        }
        _ => return Err(expected("[Name, Strategy] with maybe a call and a count", value)),
    };
    let name = name.as_str().ok_or_else(|| expected("a Name", name))?.to_owned();
    Ok(Entrant { name, strategy: strategy(plan)?, fault })
}

fn read_call(value: &Value) -> Result<Call, Malformed> {
    match value.as_str() {
        Some("setUp") => Ok(Call::SetUp),
        Some("takeTurn") => Ok(Call::TakeTurn),
        Some("win") => Ok(Call::Win),
        _ => Err(expected("\"setUp\", \"takeTurn\" or \"win\"", value)),
    }
}

/// The entrants that play, in the order of their seats.
pub(super) fn admit(
    mut entrants: Vec<Entrant>,
    state: &State,
    remote: bool,
    warnings: &mut Vec<String>,
) -> Vec<Entrant> {
    for Entrant { name, .. } in entrants.iter().filter(|entrant| !is_name(&entrant.name)) {
        warnings.push(format!("{name:?} is no name: 1 to 20 letters and digits are"));
    }
    // A server refuses bad names at the door and stops waiting at the sixth player; a referee
    // that is handed its players takes them all.
    if remote {
        entrants.retain(|entrant| is_name(&entrant.name));
    }
    let room = if remote { state.players.len().min(6) } else { state.players.len() };
    if entrants.len() != state.players.len() {
        let (count, places) = (entrants.len(), state.players.len());
        warnings
            .push(format!("{count} players for {places} places: whoever has no match is left out"));
    }
    entrants.truncate(room);
    entrants
}

/// Plays the game out. `Err` when it cannot begin.
pub(super) fn play(
    mut entrants: Vec<Entrant>,
    state: State,
    remote: bool,
) -> Result<Verdict, Failure> {
    let least = if remote { 2 } else { 1 };
    if entrants.len() < least {
        return Ok(Verdict { winners: Vec::new(), misbehaved: Vec::new() });
    }
    let turn_order = if remote { TurnOrder::ReverseJoin } else { TurnOrder::Join };
    let config = Config { state: Some(state), ..Config::default().for_course() };
    let config = Config { turn_order, ..config };
    let mut game = Labyrinth::setup(&config, entrants.len(), Seed::from_number(0))
        .map_err(|why| Failure::Illegal(why.to_string()))?;
    set_up(&mut game, &mut entrants);
    while game.ending.is_none() {
        take_turn(&mut game, &mut entrants);
    }
    tell_result(&mut game, &mut entrants);
    Ok(verdict(&game, &entrants))
}

fn set_up(game: &mut Labyrinth, entrants: &mut [Entrant]) {
    for seat in game.order.clone() {
        if !entrants[seat.index()].answers(Call::SetUp) {
            game.mark(seat, &misbehaved());
        }
    }
    game.drop_leaving();
    game.judge();
}

/// "A legal move followed by a failing `setup` call stays executed."
fn take_turn(game: &mut Labyrinth, entrants: &mut [Entrant]) {
    let mover = game.mover();
    let entrant = &mut entrants[mover.index()];
    game.begin_turn();
    if entrant.answers(Call::TakeTurn) {
        let avatar = &game.avatars[mover.index()];
        let target = game.quests[mover.index()].target(avatar.home).expect("goals are places");
        let choice = entrant.strategy.choose(&game.maze, avatar.position, target);
        game.act(&choice.map_or(Action::Pass, Action::Play));
        if game.news.next_target.is_some() && !entrant.answers(Call::SetUp) {
            game.mark(mover, &misbehaved());
        }
    } else {
        game.mark(mover, &misbehaved());
    }
    game.end_turn();
}

fn tell_result(game: &mut Labyrinth, entrants: &mut [Entrant]) {
    let owed = game.to_act();
    let answer = |seat: Seat| match entrants[seat.index()].answers(Call::Win) {
        true => (seat, Move::Act(Action::Acknowledge)),
        false => (seat, Move::Retire(misbehaved())),
    };
    let answers: Vec<(Seat, Move<Action>)> = owed.iter().map(answer).collect();
    if !answers.is_empty() {
        game.advance(Step::Turn(&answers));
    }
}

fn verdict(game: &Labyrinth, entrants: &[Entrant]) -> Verdict {
    let names = |chosen: &dyn Fn(Seat) -> bool| {
        let seats = Seat::all(entrants.len()).zip(entrants).filter(|(seat, _)| chosen(*seat));
        let mut names: Vec<String> = seats.map(|(_, entrant)| entrant.name.clone()).collect();
        names.sort();
        names
    };
    Verdict {
        winners: names(&|seat| game.winners.contains(seat)),
        misbehaved: names(&|seat| game.exits[seat.index()].is_some()),
    }
}

impl Entrant {
    /// Whether this call is answered. The one the specification names is not: whether it raises
    /// or hangs, its player misbehaved.
    fn answers(&mut self, call: Call) -> bool {
        match &mut self.fault {
            Some((faulty, countdown)) if *faulty == call => {
                *countdown = countdown.saturating_sub(1);
                *countdown > 0
            }
            _ => true,
        }
    }
}

fn misbehaved() -> Exit {
    Exit::Disqualified("did not answer as it should".to_owned())
}
