//! A hall and its thread: the only place where a hall is driven.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::{Hall, Input, Output, Reply, Request, TableNo, Time};
use rules::Game;
use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{spawn_local, yield_now};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::{Dialect, Playable, Session};

use crate::caller::Arrival;
use crate::clock;
use crate::floor::{self, Floor, SharedFloor};
use crate::lag::Lag;
use crate::listen::{self, Admission, Gate};
use crate::post::Post;
use crate::room::Room;
use crate::scribe::{self, Ledger};
use crate::tcp;
use crate::websocket::{Frames, MessageLimits, Pings};

/// What reaches a hall's thread from others, in order.
pub enum Knock<G: Playable> {
    /// Connections come in here.
    Listen(Listening<G>),
    /// Somebody has come by WebSocket.
    Came(Box<Visit<G>>),
    Asked(Request<G>, oneshot::Sender<Reply>),
    ShuttingDown,
    /// Everything before this has been handled; the thread ends.
    Stop,
}

/// A port of a protocol.
pub struct Listening<G: Playable> {
    pub listener: std::net::TcpListener,
    pub dialect: &'static Dialect<G>,
    pub gate: Arc<Gate>,
    pub stop: CancellationToken,
    pub router: axum::Router,
}

/// A WebSocket and the session that shall run over it.
pub struct Visit<G: Game> {
    pub socket: WebSocket,
    pub dialect: &'static str,
    pub session: Box<dyn Session<G>>,
    pub limits: MessageLimits,
    pub admission: Arc<Admission>,
}

/// The way into a hall from other threads.
pub struct Door<G: Playable>(mpsc::Sender<Knock<G>>);

impl<G: Playable> Clone for Door<G> {
    fn clone(&self) -> Door<G> {
        Door(self.0.clone())
    }
}

impl<G: Playable> Door<G> {
    pub fn new() -> (Door<G>, mpsc::Receiver<Knock<G>>) {
        let (knocks, heard) = mpsc::channel(1024);
        (Door(knocks), heard)
    }

    /// An organiser's request. None: the hall is closed.
    pub async fn ask(&self, request: Request<G>) -> Option<Reply> {
        let (sender, reply) = oneshot::channel();
        self.0.send(Knock::Asked(request, sender)).await.ok()?;
        reply.await.ok()
    }

    pub async fn send(&self, knock: Knock<G>) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.send(knock).await;
    }
}

/// A hall that is about to be hosted.
pub struct Hosting<G: Playable> {
    pub hall: Hall<G>,
    /// What it has said on being restored.
    pub outputs: Vec<Output<G>>,
    pub room: Arc<Room<G>>,
    pub knocks: mpsc::Receiver<Knock<G>>,
    pub ledger: Ledger,
}

/// One look at the sockets sees all of them, or those beyond would be heard too late.
const SOCKETS_AT_ONCE: usize = 16 * 1024;

/// Who waits for a hall's thread.
#[derive(Clone, Default)]
pub struct Owners {
    /// Wait for halls.
    pub halls: TaskTracker,
    /// Wait for everything else, connections and threads.
    pub tasks: TaskTracker,
    /// Cancelled when nobody waits any more.
    pub abandoned: CancellationToken,
}

impl<G: Playable> Hosting<G> {
    /// Starts the hall's thread, where all its connections live too.
    pub fn start(self, owners: Owners) -> std::io::Result<()> {
        let (starting, started) = std::sync::mpsc::sync_channel(1);
        let run = move || {
            let built = Builder::new_current_thread()
                .enable_all()
                .max_io_events_per_tick(SOCKETS_AT_ONCE)
                .build_local(LocalOptions::default());
            let runtime = match built {
                Ok(runtime) => runtime,
                // Whoever started this thread waits for this.
                Err(error) => {
                    _ = starting.send(Err(error));
                    return;
                }
            };
            _ = starting.send(Ok(()));
            let running = owners.tasks.token();
            runtime.block_on(async {
                tokio::select! {
                    () = self.host(&owners.halls) => {}
                    () = owners.abandoned.cancelled() => {}
                }
            });
            drop(runtime);
            drop(running);
        };
        std::thread::Builder::new().name(format!("hall-{}", G::NAME)).spawn(run)?;
        started.recv().unwrap_or_else(|_| Err(std::io::Error::other("a hall's thread panicked")))
    }

    async fn host(self, halls: &TaskTracker) {
        let floor = Floor::new(self.room.clone());
        let connections = TaskTracker::new();
        halls.track_future(self.drive(floor, &connections)).await;
        connections.close();
        connections.wait().await;
    }

    /// Drives the hall until it is told to stop.
    async fn drive(mut self, floor: SharedFloor<G>, connections: &TaskTracker) {
        let mut post = Post::new(self.room.clone());
        let mut lag = Lag::default();
        let stirred = floor.borrow().stirred.clone();
        let mut inputs = Vec::new();
        let (mut knocked, mut stopped) = (None, false);
        loop {
            // While the journal keeps everybody waiting, no clock runs.
            let enforces = |now| !stopped && !post.is_late(now);
            let is_due = |time: Time| time <= clock::now();
            if self.deadline(&floor).is_some_and(is_due) && enforces(clock::now()) {
                hear_all_out().await;
            }
            let now = clock::now();
            let enforced = enforces(now);
            self.give_back(lag.came_round(now));
            if let Some(knock) = knocked.take() {
                stopped = self.answer(knock, now, &mut post, &floor, connections);
            }
            if !stopped {
                self.hear(now, &floor, &mut inputs);
            }
            if enforced && !stopped {
                self.enforce(now, &floor);
            }
            let rows = scribe::rows(&self.hall, &self.outputs);
            let number = self.ledger.write(rows).await;
            post.hold(now, &mut self.outputs, number);
            let now = clock::now();
            let since = post.deliver(now, self.ledger.durable_up_to(), &mut floor.borrow_mut());
            match since.map_or(0, |since| lag.lost(since, now)) {
                0 => self.begin_clocks(now, &post.waited),
                lost => self.give_back(lost),
            }
            self.room.metrics.tables.set(self.hall.open_tables() as i64);
            let all_attended = floor.borrow_mut().attend(now);
            if stopped && post.is_empty() && all_attended {
                return floor.borrow_mut().close();
            }
            let deadline = self.deadline(&floor).filter(|_| !stopped && !post.is_late(now));
            let round = lag.expect(now, deadline);
            if !all_attended {
                // A crowd takes long; others come in between.
                yield_now().await;
            }
            tokio::select! {
                biased;
                knock = self.knocks.recv(), if !stopped => {
                    let Some(knock) = knock else { return };
                    knocked = Some(knock);
                }
                () = std::future::ready(()), if !all_attended => {}
                () = stirred.notified(), if !stopped => {}
                () = clock::sleep_until(round) => {}
                changed = self.ledger.committed.changed(), if !post.is_empty() => {
                    // The ledger itself holds the sender.
                    changed.expect("the sender is there");
                }
            }
        }
    }

    /// When something is due although nothing happens.
    fn deadline(&self, floor: &SharedFloor<G>) -> Option<Time> {
        [self.hall.deadline(), floor.borrow().deadline()].into_iter().flatten().min()
    }

    /// Gives everybody back the time that was lost.
    fn give_back(&mut self, ms: u64) {
        if ms > 0 {
            tracing::warn!(game = G::NAME, ms, "the server was held up; clocks wait as long");
            self.hall.give_back(ms);
        }
    }

    /// Clocks of turns run from when everybody was told of them.
    fn begin_clocks(&mut self, now: Time, waited: &[(TableNo, Time)]) {
        for (table, since) in waited {
            self.hall.handed_out(now, *table, *since);
        }
    }

    /// Lets the hall hear what callers ask.
    fn hear(&mut self, now: Time, floor: &SharedFloor<G>, inputs: &mut Vec<Input<G>>) {
        std::mem::swap(&mut floor.borrow_mut().inputs, inputs);
        for input in inputs.drain(..) {
            self.hall.handle(now, input, &mut self.outputs);
        }
    }

    /// Enforces what is due. Whoever had said something by then was heard before.
    fn enforce(&mut self, now: Time, floor: &SharedFloor<G>) {
        if self.hall.deadline().is_some_and(|time| time <= now) {
            self.hall.handle(now, Input::Tick, &mut self.outputs);
        }
        floor.borrow_mut().tick(now);
    }

    /// Does what another thread asks for. Whether that is to stop.
    fn answer(
        &mut self,
        knock: Knock<G>,
        now: Time,
        post: &mut Post<G>,
        floor: &SharedFloor<G>,
        connections: &TaskTracker,
    ) -> bool {
        match knock {
            Knock::Listen(listening) => {
                connections.spawn_local(accept(listening, floor.clone(), connections.clone()));
            }
            Knock::Came(visit) => {
                connections.spawn_local(visit.serve(floor.clone()));
            }
            Knock::Asked(request, reply) => {
                let number = post.expect(reply);
                self.hall.handle(now, Input::Asked(number, request), &mut self.outputs);
            }
            Knock::ShuttingDown => {
                self.hall.handle(now, Input::ShuttingDown, &mut self.outputs);
            }
            Knock::Stop => return true,
        }
        false
    }
}

/// Lets everybody who has said something by now be heard: the runtime looks at all sockets, then
/// every task that this wakes has its turn before one that is spawned behind them.
async fn hear_all_out() {
    yield_now().await;
    spawn_local(async {}).await.expect("nothing panics");
}

/// Accepts connections of a protocol, each with a task of its own on this thread.
async fn accept<G: Playable>(
    listening: Listening<G>,
    floor: SharedFloor<G>,
    connections: TaskTracker,
) {
    let Listening { listener, dialect, gate, stop, router } = listening;
    let serve = move |socket, admission| {
        let (floor, router) = (floor.clone(), router.clone());
        connections.spawn_local(tcp::serve(floor, dialect, socket, admission, router));
    };
    listen::accept(listener, gate, stop, serve).await;
}

impl<G: Playable> Visit<G> {
    async fn serve(self: Box<Self>, floor: SharedFloor<G>) {
        let Visit { socket, dialect, session, limits, admission } = *self;
        let room = floor.borrow().room.clone();
        let pings = Pings::every(room.limits.ping_ms);
        let frames = Frames::new(socket, limits.max_bytes, pings, room.metrics.clone());
        let arrival = Arrival {
            dialect,
            session,
            carrier: Box::new(frames),
            first_message_ms: limits.first_ms,
            peer: "WebSocket".to_owned(),
        };
        floor::serve(floor, arrival).await;
        drop(admission);
    }
}

#[cfg(test)]
#[path = "hosting_tests.rs"]
mod tests;
