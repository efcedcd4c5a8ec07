//! A hall and its thread: the only place where a hall is driven.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::{Answer, Hall, Input, Output, Record, Refusal, Reply, Request, Time};
use rules::Game;
use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::{Dialect, Playable, Session};

use crate::caller::Arrival;
use crate::clock;
use crate::floor::{self, Floor, SharedFloor};
use crate::listen::{self, Admission, Gate};
use crate::room::Room;
use crate::scribe::{self, Ledger};
use crate::tcp;
use crate::websocket::{Frames, MessageLimits};

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
            let built =
                Builder::new_current_thread().enable_all().build_local(LocalOptions::default());
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
        let stirred = floor.borrow().stirred.clone();
        let mut inputs = Vec::new();
        loop {
            let now = clock::now();
            if !post.stopped {
                self.hear(now, &floor, &mut inputs);
            }
            let rows = scribe::rows(&self.hall, &self.outputs);
            let number = self.ledger.write(rows).await;
            post.hold(&mut self.outputs, number);
            post.deliver(now, self.ledger.durable_up_to(), &mut floor.borrow_mut());
            post.room.metrics.tables.set(self.hall.open_tables() as i64);
            let all_attended = floor.borrow_mut().attend(now);
            if post.stopped && post.held.is_empty() && all_attended {
                return floor.borrow_mut().close();
            }
            let deadlines = [self.hall.deadline(), floor.borrow().deadline()];
            let deadline = deadlines.into_iter().flatten().min().filter(|_| !post.stopped);
            if !all_attended || deadline.is_some_and(|time| time <= now) {
                // A table of bots is always due, and a crowd takes long; others come in between.
                yield_now().await;
            }
            tokio::select! {
                biased;
                knock = self.knocks.recv(), if !post.stopped => {
                    let Some(knock) = knock else { return };
                    self.answer(knock, now, &mut post, &floor, connections);
                }
                () = std::future::ready(()), if !all_attended => {}
                () = stirred.notified(), if !post.stopped => {}
                () = clock::sleep_until(deadline) => {}
                changed = self.ledger.committed.changed(), if !post.held.is_empty() => {
                    // The ledger itself holds the sender.
                    changed.expect("the sender is there");
                }
            }
        }
    }

    /// Lets the hall hear what callers ask and what is due.
    fn hear(&mut self, now: Time, floor: &SharedFloor<G>, inputs: &mut Vec<Input<G>>) {
        if self.hall.deadline().is_some_and(|time| time <= now) {
            self.hall.handle(now, Input::Tick, &mut self.outputs);
        }
        let mut floor = floor.borrow_mut();
        floor.tick(now);
        std::mem::swap(&mut floor.inputs, inputs);
        for input in inputs.drain(..) {
            self.hall.handle(now, input, &mut self.outputs);
        }
    }

    fn answer(
        &mut self,
        knock: Knock<G>,
        now: Time,
        post: &mut Post<G>,
        floor: &SharedFloor<G>,
        connections: &TaskTracker,
    ) {
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
            Knock::Stop => post.stopped = true,
        }
    }
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
        let metrics = floor.borrow().room.metrics.clone();
        let arrival = Arrival {
            dialect,
            session,
            carrier: Box::new(Frames::new(socket, limits.max_bytes, metrics)),
            first_message_ms: limits.first_ms,
            peer: "WebSocket".to_owned(),
        };
        floor::serve(floor, arrival).await;
        drop(admission);
    }
}

/// Delivers what a hall says, once its cause is durable.
struct Post<G: Playable> {
    requests: HashMap<u64, oneshot::Sender<Reply>>,
    next_request: u64,
    /// Batches of outputs, each with the number it waits for.
    held: VecDeque<(u64, Vec<Output<G>>)>,
    /// An empty list with room, for the next batch.
    spare: Vec<Output<G>>,
    room: Arc<Room<G>>,
    stopped: bool,
}

impl<G: Playable> Post<G> {
    fn new(room: Arc<Room<G>>) -> Post<G> {
        Post {
            requests: HashMap::new(),
            next_request: 0,
            held: VecDeque::new(),
            spare: Vec::new(),
            room,
            stopped: false,
        }
    }

    /// Expects a reply to somebody; its number.
    fn expect(&mut self, reply: oneshot::Sender<Reply>) -> u64 {
        self.next_request += 1;
        self.requests.insert(self.next_request, reply);
        self.next_request
    }

    /// Keeps outputs until batch `number` is durable.
    fn hold(&mut self, outputs: &mut Vec<Output<G>>, number: u64) {
        if !outputs.is_empty() {
            let spare = std::mem::take(&mut self.spare);
            self.held.push_back((number, std::mem::replace(outputs, spare)));
        }
    }

    fn deliver(&mut self, now: Time, durable_up_to: u64, floor: &mut Floor<G>) {
        while self.held.front().is_some_and(|(number, _)| *number <= durable_up_to) {
            let (_, mut outputs) = self.held.pop_front().expect("just seen");
            for output in outputs.drain(..) {
                self.hand_over(now, output, floor);
            }
            self.spare = outputs;
        }
    }

    fn hand_over(&mut self, now: Time, output: Output<G>, floor: &mut Floor<G>) {
        match output {
            Output::Record(entry) => match *entry.record {
                Record::Moved { .. } => {
                    self.room.metrics.moves.inc();
                }
                Record::Closed(hall::Closing::Over(_)) => {
                    self.room.metrics.games_finished.inc();
                }
                _ => {}
            },
            Output::Note(_) => self.room.notes.send_modify(|count| *count += 1),
            Output::Answer(conn, answer) => {
                if let Answer::Refused(refusal) = &answer {
                    self.room.metrics.refused(reason(refusal));
                }
                floor.answer(now, conn, answer);
            }
            Output::Tell(conn, event) => floor.tell(now, conn, event),
            Output::Reply(number, reply) => {
                if let Some(sender) = self.requests.remove(&number) {
                    // Whoever asked may have hung up.
                    let _ = sender.send(reply);
                }
            }
        }
    }
}

/// A refusal's name in the metrics.
fn reason(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NoSuchTable => "no_such_table",
        Refusal::UnknownCredential => "unknown_credential",
        Refusal::NotSeated => "not_seated",
        Refusal::AlreadySeated => "already_seated",
        Refusal::NotStarted => "not_started",
        Refusal::AlreadyStarted => "already_started",
        Refusal::AlreadyOver => "already_over",
        Refusal::NotYourTurn => "not_your_turn",
        Refusal::AlreadyMoved => "already_moved",
        Refusal::Stale => "stale",
        Refusal::Illegal(_) => "illegal",
        Refusal::TableFull => "table_full",
        Refusal::HallFull => "hall_full",
        Refusal::NameTaken(_) => "name_taken",
        Refusal::IdTaken => "id_taken",
        Refusal::NotEntered => "not_entered",
        Refusal::TooFewPlayers => "too_few_players",
        Refusal::BadTable(_) => "bad_table",
    }
}
