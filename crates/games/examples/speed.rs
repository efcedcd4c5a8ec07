//! How fast rules and halls are, for every game:
//!
//! ```text
//! cargo run --release -p games --example speed
//! ```
//!
//! `rules`: moves a second in random playouts. `hall`: moves a second through `Hall::handle`,
//! from command to delivered events, on one table after another, with nothing durable. One
//! core; figures of one run on one machine can be compared with each other and little else.

use std::io::Write;
use std::time::{Duration, Instant};

use games::roster::{self, Visitor};
use hall::{Answer, Command, Conn, Event, Hall, Input, Output, Phase, Role, Time};
use rules::{Dice, Game, Move, Seat, Seed, Step};
use wire::Playable;

const RUN: Duration = Duration::from_secs(2);

struct Speed;

impl Visitor for Speed {
    fn visit<G: Playable>(&mut self) {
        let (moves, games) = rules_speed::<G>();
        let through_hall = hall_speed::<G>();
        let mut out = std::io::stdout();
        writeln!(
            out,
            "{:<14} rules {moves:>11.0} moves/s {games:>9.0} games/s   hall {through_hall:>9.0} moves/s",
            G::NAME
        )
        .expect("a terminal");
    }
}

fn rules_speed<G: Playable>() -> (f64, f64) {
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    let seats = terms.policy.seats.min(5);
    let (mut moves, mut games) = (0u64, 0u64);
    let mut turn: Vec<(Seat, Move<G::Action>)> = Vec::new();
    let start = Instant::now();
    while start.elapsed() < RUN {
        let seed = Seed::from_number(games);
        let mut dice = Dice::new(&seed, "speed", 0);
        let mut game = G::setup(&terms.config, seats, seed).expect("the defaults can be played");
        while !game.to_act().is_empty() {
            turn.clear();
            turn.extend(
                game.to_act().iter().map(|seat| (seat, Move::Act(game.sample(seat, &mut dice)))),
            );
            game.advance(Step::Turn(&turn));
            moves += turn.len() as u64;
        }
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    (moves as f64 / seconds, games as f64 / seconds)
}

fn hall_speed<G: Playable>() -> f64 {
    let mut terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    terms.policy.seats = terms.policy.seats.min(4);
    let seats = terms.policy.seats;
    let mut hall = Hall::<G>::new(terms, G::bots(), 10_000, Seed::from_number(1));
    let mut dice = Dice::new(&Seed::from_number(1), "speed", 0);
    let mut outputs = Vec::new();
    let conns: Vec<Conn> = (1..=seats as u64).map(Conn).collect();
    let mut now = Time(1_000_000);
    let (mut moves, mut acting) = (0u64, Duration::ZERO);
    for conn in &conns {
        let name = format!("p{}", conn.0).into();
        hall.handle(now, Input::Said(*conn, Command::Enter { name }), &mut outputs);
    }
    while acting < RUN {
        let mut places = Vec::new();
        for conn in &conns {
            outputs.clear();
            let name = format!("p{}", conn.0).into();
            // Wherever the first sits down, the others follow.
            let table = places
                .first()
                .map(|(table, _, _)| std::sync::Arc::clone(table))
                .or_else(|| joinable(&hall));
            hall.handle(
                now,
                Input::Said(*conn, Command::Join { table, name, role: Role::Player, manner: None }),
                &mut outputs,
            );
            places.extend(outputs.iter().find_map(|output| match output {
                Output::Answer(_, Answer::Joined(joined)) => {
                    Some((joined.company.table.clone(), *conn, joined.seat?))
                }
                _ => None,
            }));
        }
        for conn in &conns {
            hall.handle(now, Input::Said(*conn, Command::Ready), &mut outputs);
        }
        hall.handle(now, Input::Said(conns[0], Command::Start), &mut outputs);
        now = now + 10_000;
        hall.handle(now, Input::Tick, &mut outputs);
        let id = places.first().expect("players sit").0.clone();
        loop {
            let table =
                hall.tables().map(|(_, table)| table).filter(|table| table.opened.id == id).last();
            let Some(table) = table.filter(|table| table.phase() == Phase::Playing) else { break };
            let (game, seq) = (table.game.as_ref().expect("begun"), table.seq);
            let acts: Vec<_> =
                table.owed().iter().map(|seat| (seat, game.sample(seat, &mut dice))).collect();
            for (seat, action) in acts {
                let conn = conn_of(&places, &hall, &id, seat);
                outputs.clear();
                let start = Instant::now();
                hall.handle(now, Input::Said(conn, Command::Act { seq, action }), &mut outputs);
                acting += start.elapsed();
                let answered = matches!(
                    outputs.iter().find(|o| matches!(o, Output::Answer(..))),
                    Some(Output::Answer(_, Answer::Accepted))
                );
                assert!(answered, "{outputs:?}");
                std::hint::black_box(
                    outputs
                        .iter()
                        .filter(|o| matches!(o, Output::Tell(_, Event::Update(_))))
                        .count(),
                );
                moves += 1;
            }
        }
        for conn in &conns {
            hall.handle(now, Input::Said(*conn, Command::Leave), &mut outputs);
        }
    }
    moves as f64 / acting.as_secs_f64()
}

fn joinable<G: Game>(hall: &Hall<G>) -> Option<hall::Name> {
    let mut tables = hall.tables().map(|(_, table)| table);
    tables
        .find(|table| table.phase() == Phase::Gathering && table.opened.house)
        .map(|table| table.opened.id.clone())
}

/// Seats can be dealt out anew at the start; names stay.
fn conn_of<G: Game>(
    places: &[(hall::Name, Conn, Seat)],
    hall: &Hall<G>,
    id: &hall::Name,
    seat: Seat,
) -> Conn {
    let table = hall
        .tables()
        .map(|(_, table)| table)
        .filter(|table| table.opened.id == *id)
        .last()
        .expect("it is there");
    let name = &table.chair(seat).expect("somebody sits there").name;
    let by_name = places.iter().find(|(_, conn, _)| format!("p{}", conn.0) == **name);
    by_name.expect("one of ours").1
}

fn main() {
    roster::each(&mut Speed);
}
