//! A hall and its task: the only place where a hall is driven.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hall::{Answer, Command, Conn, Event, Hall, Input, Output, Record, Refusal, Reply, Request};
use rules::Game;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::metrics::GameMetrics;
use crate::scribe::{self, Ledger};

/// What reaches a hall's task, in order.
pub enum Knock<G: Game> {
    Opened(Conn, Mailbox<G>),
    Said(Conn, Command<G>),
    Gone(Conn),
    Asked(Request<G>, oneshot::Sender<Reply>),
    ShuttingDown,
    /// Everything before this has been handled; the task ends.
    Stop,
}

/// Where a connection's answers and events go.
pub struct Mailbox<G: Game> {
    letters: mpsc::Sender<Vec<Letter<G>>>,
    /// Cancelled when the connection does not keep up.
    overrun: CancellationToken,
}

/// One thing for a connection. All letters of one batch arrive together.
#[derive(Debug)]
pub enum Letter<G: Game> {
    Answer(Answer),
    Event(Event<G>),
}

/// So many batches may wait for a connection's task before it counts as stuck.
const LETTERS: usize = 1024;

/// So many inputs are handled before what they cause is delivered.
const BATCH: usize = 256;

/// The way into a hall.
pub struct Door<G: Game> {
    knocks: mpsc::Sender<Knock<G>>,
    next_conn: Arc<AtomicU64>,
}

impl<G: Game> Clone for Door<G> {
    fn clone(&self) -> Door<G> {
        Door { knocks: self.knocks.clone(), next_conn: self.next_conn.clone() }
    }
}

/// One connection's way in and out. Dropping it means the connection is gone.
pub struct Passage<G: Game> {
    pub conn: Conn,
    door: Door<G>,
    pub letters: mpsc::Receiver<Vec<Letter<G>>>,
    pub overrun: CancellationToken,
}

impl<G: Game> Door<G> {
    pub fn new() -> (Door<G>, mpsc::Receiver<Knock<G>>) {
        let (knocks, heard) = mpsc::channel(4096);
        (Door { knocks, next_conn: Arc::new(AtomicU64::new(1)) }, heard)
    }

    /// A new connection. None: the hall is closed.
    pub async fn enter(&self) -> Option<Passage<G>> {
        let conn = Conn(self.next_conn.fetch_add(1, Ordering::Relaxed));
        let (sender, letters) = mpsc::channel(LETTERS);
        let overrun = CancellationToken::new();
        let mailbox = Mailbox { letters: sender, overrun: overrun.clone() };
        self.knocks.send(Knock::Opened(conn, mailbox)).await.ok()?;
        Some(Passage { conn, door: self.clone(), letters, overrun })
    }

    /// An organiser's request. None: the hall is closed.
    pub async fn ask(&self, request: Request<G>) -> Option<Reply> {
        let (sender, reply) = oneshot::channel();
        self.knocks.send(Knock::Asked(request, sender)).await.ok()?;
        reply.await.ok()
    }

    pub async fn send(&self, knock: Knock<G>) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.knocks.send(knock).await;
    }
}

impl<G: Game> Passage<G> {
    pub async fn say(&self, command: Command<G>) {
        self.door.send(Knock::Said(self.conn, command)).await;
    }

    /// Says that the connection is gone, and waits until the hall will hear it.
    pub async fn leave(self) {
        self.door.send(Knock::Gone(self.conn)).await;
    }
}

/// Drives a hall until it is told to stop. `outputs`: what it has said on being restored.
pub async fn drive<G: Game>(
    mut hall: Hall<G>,
    mut outputs: Vec<Output<G>>,
    mut knocks: mpsc::Receiver<Knock<G>>,
    mut ledger: Ledger,
    metrics: GameMetrics,
) {
    let mut post = Post::<G>::new(metrics);
    hall.handle(clock::now(), Input::Tick, &mut outputs);
    loop {
        let rows = scribe::rows(&hall, &outputs);
        let number = ledger.write(rows).await;
        post.hold(&mut outputs, number);
        post.deliver(ledger.durable_up_to());
        post.metrics.tables.set(hall.open_tables() as i64);
        if post.stopped && post.held.is_empty() {
            return;
        }
        let listens = !post.stopped;
        tokio::select! {
            biased;
            changed = ledger.committed.changed(), if !post.held.is_empty() => {
                // The ledger itself holds the sender.
                changed.expect("the sender is there");
            }
            () = clock::sleep_until(hall.deadline()), if listens => {
                hall.handle(clock::now(), Input::Tick, &mut outputs);
                // A table of bots is always due; people come first in between.
                take_waiting(&mut hall, &mut knocks, &mut post, &mut outputs);
            }
            knock = knocks.recv(), if listens => {
                let Some(knock) = knock else { return };
                if hear(&mut hall, knock, &mut post, &mut outputs).is_continue() {
                    take_waiting(&mut hall, &mut knocks, &mut post, &mut outputs);
                }
            }
        }
    }
}

fn take_waiting<G: Game>(
    hall: &mut Hall<G>,
    knocks: &mut mpsc::Receiver<Knock<G>>,
    post: &mut Post<G>,
    outputs: &mut Vec<Output<G>>,
) {
    for _ in 0..BATCH {
        let Ok(knock) = knocks.try_recv() else { return };
        if hear(hall, knock, post, outputs).is_break() {
            return;
        }
    }
}

fn hear<G: Game>(
    hall: &mut Hall<G>,
    knock: Knock<G>,
    post: &mut Post<G>,
    outputs: &mut Vec<Output<G>>,
) -> std::ops::ControlFlow<()> {
    let input = match knock {
        Knock::Opened(conn, mailbox) => {
            post.mailboxes.insert(conn, mailbox);
            return std::ops::ControlFlow::Continue(());
        }
        Knock::Said(conn, command) => Input::Said(conn, command),
        Knock::Gone(conn) => {
            post.mailboxes.remove(&conn);
            Input::Gone(conn)
        }
        Knock::Asked(request, reply) => {
            post.next_request += 1;
            post.requests.insert(post.next_request, reply);
            Input::Asked(post.next_request, request)
        }
        Knock::ShuttingDown => Input::ShuttingDown,
        Knock::Stop => {
            post.stopped = true;
            return std::ops::ControlFlow::Break(());
        }
    };
    hall.handle(clock::now(), input, outputs);
    std::ops::ControlFlow::Continue(())
}

/// Delivers what a hall says, once its cause is durable: all letters for one connection from
/// one batch in one piece.
struct Post<G: Game> {
    mailboxes: HashMap<Conn, Mailbox<G>>,
    requests: HashMap<u64, oneshot::Sender<Reply>>,
    next_request: u64,
    /// Batches of outputs, each with the number it waits for.
    held: VecDeque<(u64, Vec<Output<G>>)>,
    /// Scratch: the letters of this batch, by connection.
    sorted: HashMap<Conn, Vec<Letter<G>>>,
    metrics: GameMetrics,
    stopped: bool,
}

impl<G: Game> Post<G> {
    fn new(metrics: GameMetrics) -> Post<G> {
        Post {
            mailboxes: HashMap::new(),
            requests: HashMap::new(),
            next_request: 0,
            held: VecDeque::new(),
            sorted: HashMap::new(),
            metrics,
            stopped: false,
        }
    }

    /// Keeps outputs until batch `number` is durable.
    fn hold(&mut self, outputs: &mut Vec<Output<G>>, number: u64) {
        if !outputs.is_empty() {
            self.held.push_back((number, std::mem::take(outputs)));
        }
    }

    fn deliver(&mut self, durable_up_to: u64) {
        while self.held.front().is_some_and(|(number, _)| *number <= durable_up_to) {
            let (_, outputs) = self.held.pop_front().expect("just seen");
            outputs.into_iter().for_each(|output| self.sort(output));
        }
        for (conn, letters) in self.sorted.drain() {
            if let Some(mailbox) = self.mailboxes.get(&conn)
                && mailbox.letters.try_send(letters).is_err()
            {
                mailbox.overrun.cancel();
            }
        }
    }

    fn sort(&mut self, output: Output<G>) {
        match output {
            Output::Record(entry) => match entry.record {
                Record::Moved { .. } => _ = self.metrics.moves.inc(),
                Record::Closed(hall::Closing::Over(_)) => _ = self.metrics.games_finished.inc(),
                _ => {}
            },
            Output::Note(_) => {}
            Output::Answer(conn, answer) => {
                if let Answer::Refused(refusal) = &answer {
                    self.metrics.refused(reason(refusal));
                }
                self.sorted.entry(conn).or_default().push(Letter::Answer(answer));
            }
            Output::Tell(conn, event) => {
                self.sorted.entry(conn).or_default().push(Letter::Event(event));
            }
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
        Refusal::NameTaken => "name_taken",
        Refusal::IdTaken => "id_taken",
        Refusal::NotEntered => "not_entered",
        Refusal::TooFewPlayers => "too_few_players",
        Refusal::BadTable(_) => "bad_table",
    }
}
