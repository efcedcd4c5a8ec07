//! What a hall says is held back until its cause is durable, then handed out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use hall::{
    Answer, ConnId, Event, Listing, Output, Recall, Reply, TableEntry, TableNo, TableRecord,
    TableSaid, Time,
};
use tokio::sync::oneshot;

use super::connections::Connections;
use super::hosted_game::HostedGame;
use super::lag::LATE_MS;
use crate::fleet::Parcel;

/// Delivers what a hall says, once its cause is durable.
pub struct Outbox {
    requests: HashMap<u64, oneshot::Sender<Reply>>,
    next_request: u64,
    held: VecDeque<Batch>,
    /// Tables of which something was handed out just now, and when it had happened.
    pub waited: Vec<(TableNo, Time)>,
    /// What was asked and can be told from records now.
    pub recalls: Vec<Recall>,
    /// Records that were just handed out, on their way to the directory.
    recorded: Vec<TableEntry>,
    /// An empty list with room, for the next batch.
    spare: Vec<Output>,
    hosted: Arc<HostedGame>,
    /// When it was last said that the game stands still.
    complained: Option<Time>,
}

/// What waits for the journal for this long is not just slow: the game stands still.
const STUCK_MS: u64 = 2000;

/// That is said again after this long.
const AGAIN_MS: u64 = 60_000;

/// What was said at one time, and what it waits for.
struct Batch {
    number: u64,
    since: Time,
    outputs: Vec<Output>,
    /// What it changes in lists, to be read before anybody is told the rest.
    listed: Vec<Listing>,
    /// What it says to connections at other nodes.
    parcels: Vec<Parcel>,
}

impl Outbox {
    pub fn new(hosted: Arc<HostedGame>) -> Outbox {
        Outbox {
            requests: HashMap::new(),
            next_request: 0,
            held: VecDeque::new(),
            waited: Vec::new(),
            recalls: Vec::new(),
            recorded: Vec::new(),
            spare: Vec::new(),
            hosted,
            complained: None,
        }
    }

    /// Expects a reply to somebody; its number.
    pub fn expect(&mut self, reply: oneshot::Sender<Reply>) -> u64 {
        self.next_request += 1;
        self.requests.insert(self.next_request, reply);
        self.next_request
    }

    /// Keeps outputs until batch `number` is durable.
    pub fn hold(
        &mut self,
        since: Time,
        outputs: &mut Vec<Output>,
        parcels: Vec<Parcel>,
        number: u64,
    ) {
        if !outputs.is_empty() || !parcels.is_empty() {
            let spare = std::mem::take(&mut self.spare);
            let mut outputs = std::mem::replace(outputs, spare);
            let is_listed = |output: &mut Output| matches!(output, Output::Listed(_));
            let listed = outputs.extract_if(.., is_listed).filter_map(|output| match output {
                Output::Listed(change) => Some(change),
                _ => None,
            });
            let listed = listed.collect();
            self.held.push_back(Batch { number, since, outputs, listed, parcels });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// When the oldest of what is held was said.
    pub fn since(&self) -> Option<Time> {
        self.held.front().map(|batch| batch.since)
    }

    /// Whether something waits for the journal for so long that clocks must stand still.
    pub fn is_late(&self, now: Time) -> bool {
        self.held.front().is_some_and(|batch| batch.since + LATE_MS < now)
    }

    /// When operators are to hear that the game stands still.
    pub fn complains_at(&self) -> Option<Time> {
        let stuck = self.held.front()?.since + STUCK_MS;
        Some(self.complained.map_or(stuck, |last| stuck.max(last + AGAIN_MS)))
    }

    /// Says so if it is time.
    pub fn complain(&mut self, now: Time) {
        if let Some(batch) = self.held.front()
            && self.complains_at().is_some_and(|time| time <= now)
        {
            let ms = now.0.saturating_sub(batch.since.0);
            tracing::warn!(
                game = self.hosted.name(),
                ms,
                "the game stands still: nothing could be saved since"
            );
            self.complained = Some(now);
        }
    }

    /// Hands out what is durable, if anything may be said; since when the first of it was held. What
    /// the tables it is about had to wait for is left in `waited`.
    pub fn deliver(
        &mut self,
        now: Time,
        durable_up_to: Option<u64>,
        connections: &mut Connections,
    ) -> Option<Time> {
        self.waited.clear();
        let mut first = None;
        let is_durable = |batch: &Batch| durable_up_to.is_some_and(|up_to| batch.number <= up_to);
        while self.held.front().is_some_and(is_durable) {
            let mut batch = self.held.pop_front().expect("just seen");
            let is_record = |output: &mut Output| matches!(output, Output::TableRecord(_));
            for output in batch.outputs.extract_if(.., is_record) {
                let Output::TableRecord(entry) = output else { continue };
                if batch.since < now {
                    self.waited.push((entry.table, batch.since));
                }
                self.count(&entry);
                self.recorded.push(entry);
            }
            let number = self.hosted.directory.next_number();
            connections.gateways.tell_lists(number, &batch.listed);
            self.hosted.directory.publish(&mut batch.listed, &mut self.recorded);
            connections.gateways.send(batch.parcels);
            for output in batch.outputs.drain(..) {
                self.hand_over(now, output, connections);
            }
            first.get_or_insert(batch.since);
            self.spare = batch.outputs;
        }
        first
    }

    fn count(&self, entry: &TableEntry) {
        match *entry.record {
            TableRecord::Moved { .. } => _ = self.hosted.metrics.moves.inc(),
            TableRecord::Closed(hall::Closing::Over(_)) => {
                self.hosted.metrics.games_finished.inc();
            }
            _ => {}
        }
    }

    fn hand_over(&mut self, now: Time, output: Output, connections: &mut Connections) {
        match output {
            Output::TableRecord(_)
            | Output::TournamentRecord(_)
            | Output::Think(..)
            | Output::Listed(_) => {}
            Output::Recall(recall) => self.recalls.push(recall),
            Output::Answer(conn, answer) => self.answer(now, conn, answer, connections),
            Output::Tell(conn, event) => connections.tell(now, conn, event),
            Output::At(_, said) => match said {
                TableSaid::Answer(conn, answer) => {
                    self.answer(now, conn, answer.into(), connections);
                }
                TableSaid::Tell(conn, event) => connections.tell(now, conn, event.into()),
                TableSaid::Show(conns, event) => connections.show(now, conns, event.into()),
                TableSaid::Turn(turn) => {
                    for (conn, update) in turn.updates {
                        connections.tell(now, conn, Event::Update(update));
                    }
                }
            },
            Output::Reply(number, reply) => {
                if let Some(sender) = self.requests.remove(&number) {
                    // Whoever asked may have hung up.
                    let _ = sender.send(reply);
                }
            }
        }
    }
    fn answer(&self, now: Time, conn: ConnId, answer: Answer, connections: &mut Connections) {
        if let Answer::Refused(refusal) = &answer {
            self.hosted.metrics.refused(refusal.code());
        }
        connections.answer(now, conn, answer);
    }
}
