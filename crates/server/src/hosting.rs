//! A hall and its thread: the only place where a hall is driven.

use std::rc::Rc;
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

use crate::clock;
use crate::connection::Arrival;
use crate::connections::{self, Connections, SharedConnections};
use crate::hosted_game::HostedGame;
use crate::journal_writer::{self, PendingBatches};
use crate::lag::Lag;
use crate::listen::{self, Admission, Gate};
use crate::outbox::Outbox;
use crate::tcp::{self, HttpPort};
use crate::websocket::{MessageLimits, Pings, WebSocketTransport};

/// What reaches a hall's thread from others, in order.
pub enum HallMessage<G: Playable> {
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
    pub http: HttpPort,
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
pub struct HallHandle<G: Playable>(mpsc::Sender<HallMessage<G>>);

impl<G: Playable> Clone for HallHandle<G> {
    fn clone(&self) -> HallHandle<G> {
        HallHandle(self.0.clone())
    }
}

impl<G: Playable> HallHandle<G> {
    pub fn new() -> (HallHandle<G>, mpsc::Receiver<HallMessage<G>>) {
        let (messages, heard) = mpsc::channel(1024);
        (HallHandle(messages), heard)
    }

    /// An organiser's request. None: the hall is closed.
    pub async fn ask(&self, request: Request<G>) -> Option<Reply> {
        let (sender, reply) = oneshot::channel();
        self.0.send(HallMessage::Asked(request, sender)).await.ok()?;
        reply.await.ok()
    }

    pub async fn send(&self, message: HallMessage<G>) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.send(message).await;
    }
}

/// A hall that is about to be hosted.
pub struct Hosting<G: Playable> {
    pub hall: Hall<G>,
    /// What it has said on being restored.
    pub outputs: Vec<Output<G>>,
    pub hosted: Arc<HostedGame<G>>,
    pub messages: mpsc::Receiver<HallMessage<G>>,
    pub pending: PendingBatches,
    /// Told when what was said on being restored is durable and can be read.
    pub is_up: Option<oneshot::Sender<()>>,
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
        let connections = Connections::new(self.hosted.clone());
        let sockets = TaskTracker::new();
        halls.track_future(self.drive(connections, &sockets)).await;
        sockets.close();
        sockets.wait().await;
    }

    /// Drives the hall until it is told to stop.
    async fn drive(mut self, connections: SharedConnections<G>, sockets: &TaskTracker) {
        let mut outbox = Outbox::new(self.hosted.clone());
        let mut lag = Lag::default();
        let stirred = connections.borrow().stirred.clone();
        let mut inputs = Vec::new();
        let (mut knocked, mut stopped) = (None, false);
        loop {
            // While the journal keeps everybody waiting, no clock runs.
            let enforces = |now| !stopped && !outbox.is_late(now);
            let is_due = |time: Time| time <= clock::now();
            if self.deadline(&connections).is_some_and(is_due) && enforces(clock::now()) {
                hear_all_out().await;
            }
            let now = clock::now();
            let enforced = enforces(now);
            self.give_back(lag.came_round(now));
            let is_asked = knocked.is_some();
            if let Some(message) = knocked.take() {
                stopped = self.answer(message, now, &mut outbox, &connections, sockets);
            }
            if !stopped {
                self.hear(now, &connections, &mut inputs);
            }
            if enforced && !stopped {
                self.enforce(now, &connections);
            }
            let rows = journal_writer::rows(&self.outputs);
            let may_wait =
                !stopped && !is_asked && connections.borrow().are_silent_on(&self.outputs);
            let number = self.pending.write(now, rows, may_wait).await;
            outbox.hold(now, &mut self.outputs, number);
            let now = clock::now();
            let since =
                outbox.deliver(now, self.pending.durable_up_to(), &mut connections.borrow_mut());
            if let Some(is_up) = self.is_up.take_if(|_| outbox.is_empty()) {
                // A server that is given up meanwhile need not hear it.
                let _ = is_up.send(());
            }
            match since.map_or(0, |since| lag.lost(since, now)) {
                0 => self.begin_clocks(now, &outbox.waited),
                lost => self.give_back(lost),
            }
            self.hosted.metrics.tables.set(self.hall.open_tables() as i64);
            let all_attended = connections.borrow_mut().attend(now);
            if stopped && outbox.is_empty() && all_attended {
                return connections.borrow_mut().close();
            }
            let deadline = self.deadline(&connections).filter(|_| !stopped && !outbox.is_late(now));
            let round = lag.expect(now, deadline);
            if !all_attended {
                // A crowd takes long; others come in between.
                yield_now().await;
            }
            tokio::select! {
                biased;
                message = self.messages.recv(), if !stopped => {
                    let Some(message) = message else { return };
                    knocked = Some(message);
                }
                () = std::future::ready(()), if !all_attended => {}
                () = stirred.notified(), if !stopped => {}
                () = clock::sleep_until([round, self.pending.deadline()].into_iter().flatten().min()) => {}
                changed = self.pending.committed.changed(), if !outbox.is_empty() => {
                    // It holds the sender.
                    changed.expect("the sender is there");
                }
            }
        }
    }

    /// When something is due although nothing happens.
    fn deadline(&self, connections: &SharedConnections<G>) -> Option<Time> {
        [self.hall.deadline(), connections.borrow().deadline()].into_iter().flatten().min()
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

    /// Lets the hall hear what connections ask.
    fn hear(&mut self, now: Time, connections: &SharedConnections<G>, inputs: &mut Vec<Input<G>>) {
        std::mem::swap(&mut connections.borrow_mut().inputs, inputs);
        for input in inputs.drain(..) {
            self.hall.handle(now, input, &mut self.outputs);
        }
    }

    /// Enforces what is due. Whoever had said something by then was heard before.
    fn enforce(&mut self, now: Time, connections: &SharedConnections<G>) {
        if self.hall.deadline().is_some_and(|time| time <= now) {
            self.hall.handle(now, Input::Tick, &mut self.outputs);
        }
        connections.borrow_mut().tick(now);
    }

    /// Does what another thread asks for. Whether that is to stop.
    fn answer(
        &mut self,
        message: HallMessage<G>,
        now: Time,
        outbox: &mut Outbox<G>,
        connections: &SharedConnections<G>,
        sockets: &TaskTracker,
    ) -> bool {
        match message {
            HallMessage::Listen(listening) => {
                sockets.spawn_local(accept(listening, connections.clone(), sockets.clone()));
            }
            HallMessage::Came(visit) => {
                sockets.spawn_local(visit.serve(connections.clone()));
            }
            HallMessage::Asked(request, reply) => {
                let number = outbox.expect(reply);
                self.hall.handle(now, Input::Asked(number, request), &mut self.outputs);
            }
            HallMessage::ShuttingDown => {
                self.hall.handle(now, Input::ShuttingDown, &mut self.outputs);
            }
            HallMessage::Stop => return true,
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
    connections: SharedConnections<G>,
    sockets: TaskTracker,
) {
    let Listening { listener, dialect, gate, stop, http } = listening;
    let http = Rc::new(http);
    let serve = move |socket, admission| {
        let (connections, http) = (connections.clone(), http.clone());
        sockets.spawn_local(async move {
            tcp::serve(connections, dialect, socket, admission, &http).await;
        });
    };
    listen::accept(listener, gate, stop, serve).await;
}

impl<G: Playable> Visit<G> {
    async fn serve(self: Box<Self>, connections: SharedConnections<G>) {
        let Visit { socket, dialect, session, limits, admission } = *self;
        let hosted = connections.borrow().hosted.clone();
        let pings = Pings::every(hosted.limits.ping_ms);
        let frames =
            WebSocketTransport::new(socket, limits.max_bytes, pings, hosted.metrics.clone());
        let arrival = Arrival {
            dialect,
            session,
            transport: Box::new(frames),
            first_message_ms: limits.first_ms,
            peer: "WebSocket".to_owned(),
        };
        connections::serve(connections, arrival).await;
        drop(admission);
    }
}

#[cfg(test)]
#[path = "hosting_tests.rs"]
mod tests;
