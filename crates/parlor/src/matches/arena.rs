//! Where the games of a match are played: house strategies in memory, all other bots on a private
//! server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use rules::{Outcome, Seed};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tournament::seating::{Seatings, Side};
use wire::{AnyDialect, AnyGame, Games};

use super::series::{GameResult, SeatResult};
use crate::cli::{Deals, MatchArgs};
use crate::play::{House, Kind, Lane, Match, Order, Played, Reason, house, share};
use crate::printed::Printed;

/// The games to play.
#[derive(Clone)]
pub struct Program {
    pub seatings: Arc<Seatings>,
    /// The bots of a table: those of the new side, then the others.
    pub bots: Vec<Kind>,
    pub seed: u64,
    pub deals: Deals,
    /// The number of the first game.
    pub first: u64,
}

impl Program {
    fn sides(&self) -> Vec<Side> {
        let new = self.seatings.games()[0].iter().filter(|side| **side == Side::New).count();
        (0..self.bots.len()).map(|bot| if bot < new { Side::New } else { Side::Base }).collect()
    }

    fn order(&self) -> Order {
        let new = self.sides().iter().filter(|side| **side == Side::New).count();
        let seat = |seating: &Vec<Side>| {
            let (mut next_new, mut next_base) = (0, new);
            let mut take = |side: &Side| {
                let next = if *side == Side::New { &mut next_new } else { &mut next_base };
                *next += 1;
                *next - 1
            };
            seating.iter().map(&mut take).collect()
        };
        let seatings = self.seatings.games().iter().map(seat).collect();
        Order::Blocks { seatings, fresh: self.deals == Deals::Fresh }
    }

    /// Whether all bots are house strategies, so that no socket is needed.
    fn strategies(&self) -> Option<Vec<String>> {
        let strategy = |bot: &Kind| match bot {
            Kind::House(strategy) => Some(strategy.clone()),
            Kind::Command(_) | Kind::Running(_) => None,
        };
        self.bots.iter().map(strategy).collect()
    }
}

/// A game, with its replay and what bots printed if it was played over sockets.
type Counted = (GameResult, Option<(String, Vec<Printed>)>);

/// Games being played.
pub struct Arena {
    pub games: mpsc::Receiver<Counted>,
    stop: Arc<AtomicBool>,
    tasks: JoinSet<Result<()>>,
    house: Option<Arc<House>>,
}

impl Arena {
    pub async fn open(
        roster: &Games,
        wire: AnyDialect,
        args: &MatchArgs,
        program: Program,
    ) -> Result<Arena> {
        let (sender, games) = mpsc::channel(64);
        let stop = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        let (order, sides) = (program.order(), program.sides());
        if let Some(strategies) = program.strategies().filter(|_| is_in_memory(args)) {
            let rules = roster.find(wire.game).map_err(anyhow::Error::msg)?;
            let next = Arc::new(AtomicU64::new(program.first));
            for _ in 0..args.concurrency {
                let (strategies, sides) = (strategies.clone(), sides.clone());
                let (next, stop, sender) = (next.clone(), stop.clone(), sender.clone());
                let (order, seed) = (order.clone(), program.seed);
                tasks.spawn_blocking(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let seated = order.seated(number, strategies.len());
                        let deal = order.deal(seed, "play", number);
                        let game = in_memory(&*rules, &strategies, &seated, deal)?;
                        let game = game.result(number, &seated, &sides, deal);
                        if sender.blocking_send((game, None)).is_err() {
                            break;
                        }
                    }
                    Ok(())
                });
            }
            return Ok(Arena { games, stop, tasks, house: None });
        }
        let kept = args.out.as_deref();
        let confinement = crate::play::confinement(&args.confinement, &program.bots, kept)?;
        let house = Arc::new(House::start(roster, &wire, &args.set).await?);
        let shared = Arc::new(Match {
            house: house.clone(),
            options: crate::play::clock(args.move_timeout),
            wire: Arc::new(wire),
            title: "match".to_owned(),
            bots: program.bots.clone(),
            called: Vec::new(),
            deal: None,
            games: u64::MAX,
            seed: program.seed,
            order,
            join_timeout: Duration::from_millis(args.join_timeout),
            game_timeout: Duration::from_secs(args.game_timeout),
            ends_with_commands: false,
            next: AtomicU64::new(program.first),
            names: Arc::default(),
            observer: None,
            confinement,
            cells: AtomicUsize::new(0),
        });
        let (played, ended) = mpsc::channel::<Played>(16);
        for _ in 0..args.concurrency {
            let (shared, played) = (shared.clone(), played.clone());
            tasks.spawn(async move { Lane::new(shared).await?.run(played).await.map(drop) });
        }
        tasks.spawn(hand_on(ended, sides, sender));
        Ok(Arena { games, stop, tasks, house: Some(house) })
    }

    /// Why there are no further games.
    pub async fn fault(&mut self) -> anyhow::Error {
        while let Some(task) = self.tasks.join_next().await {
            match task {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return error,
                Err(panic) => return panic.into(),
            }
        }
        anyhow::anyhow!("nobody plays any more")
    }

    /// Ends everything that still runs.
    pub async fn close(mut self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        self.games.close();
        self.tasks.shutdown().await;
        match self.house {
            Some(house) => house::shutdown(house).await,
            None => Ok(()),
        }
    }
}

/// Whether games of house strategies need no server: nothing but their results is asked for.
fn is_in_memory(args: &MatchArgs) -> bool {
    args.set.is_empty() && !args.review
}

/// A game of house strategies, and how long each seat thought about how many moves.
struct InMemory {
    outcome: Outcome,
    thought: Vec<(u64, Duration)>,
}

fn in_memory(
    rules: &'static dyn AnyGame,
    strategies: &[String],
    seated: &[usize],
    deal: u64,
) -> Result<InMemory> {
    let names: Vec<&str> = seated.iter().map(|bot| strategies[*bot].as_str()).collect();
    let mut thought = vec![(0, Duration::ZERO); seated.len()];
    let played = rules.let_play(&names, Seed::from_number(deal), &mut |seat, think| {
        let begun = Instant::now();
        think();
        let (moves, time) = &mut thought[seat.index()];
        *moves += 1;
        *time += begun.elapsed();
    });
    Ok(InMemory { outcome: played.map_err(anyhow::Error::msg)?, thought })
}

impl InMemory {
    fn result(&self, number: u64, seated: &[usize], sides: &[Side], seed: u64) -> GameResult {
        let seat = |(seat, bot): (usize, &usize)| {
            let standing = &self.outcome.standings[seat];
            let (moves, thought) = self.thought[seat];
            SeatResult {
                side: sides[*bot],
                place: standing.place,
                points: Some(standing.points),
                forfeit: standing.exit.as_ref().map(ToString::to_string),
                moves,
                thought_us: thought.as_micros() as u64,
            }
        };
        let seats = seated.iter().enumerate().map(seat).collect();
        GameResult { number, table: format!("match-{}", number + 1), seed, seats, void: None }
    }
}

/// Counts games that have ended, until the match is decided.
async fn hand_on(
    mut ended: mpsc::Receiver<Played>,
    sides: Vec<Side>,
    games: mpsc::Sender<Counted>,
) -> Result<()> {
    while let Some(played) = ended.recv().await {
        let game = counted(&played, &sides);
        let kept = played.replay.map(|replay| (replay, played.printed));
        if games.send((game, kept)).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// How a bot lost a game early, and what the server rejected last.
fn explained(why: String, reasons: &[Reason]) -> String {
    match reasons.last() {
        Some(reason) => format!("{why}: {}", reason.in_short()),
        None => why,
    }
}

/// A game over sockets.
fn counted(played: &Played, sides: &[Side]) -> GameResult {
    let mut seats: Vec<(usize, SeatResult)> = Vec::new();
    let mut void = played.account.as_ref().and_then(|account| account.void.clone());
    for (bot, side) in played.bots.iter().zip(sides) {
        let share = share(played, bot);
        if share.place.is_none() {
            void.get_or_insert_with(|| "nobody came".to_owned());
        }
        let absent = bot.absent.then(|| "never came".to_owned());
        let result = SeatResult {
            side: *side,
            place: share.place.unwrap_or(0),
            points: share.points,
            forfeit: share.exit.or(absent).map(|why| explained(why, &bot.reasons)),
            moves: share.moves,
            thought_us: 1000 * share.thought_ms,
        };
        seats.push((bot.seat, result));
    }
    seats.sort_by_key(|(seat, _)| *seat);
    let seats = seats.into_iter().map(|(_, seat)| seat).collect();
    let (number, table, seed) = (played.number, played.table.clone(), played.seed);
    GameResult { number, table, seed, seats, void }
}
