//! A hall and its thread: the only place where a hall is driven.

mod connection;
mod connections;
mod door;
mod hall_thread;
mod handle;
mod history;
mod hosted_game;
mod lag;
mod onlookers;
mod openers;
mod outbox;
mod port;
mod requests;
mod silence;
mod thinkers;
mod transport;
mod visit;

use std::sync::Arc;

use hall::{Answer, BanSubject, ConnId, Hall, Input, Output, Recall, Refusal, TableNo, Time};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{spawn_local, yield_now};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::fleet::{Tenure, serve_link};
use crate::house::clock;
use crate::journal::{PendingBatches, rows};
use crate::reading::{Recalled, Undone};
use crate::system;

use history::RECORDS_PER_MESSAGE;
use lag::{Lag, Loss};
use openers::Openers;
use outbox::Outbox;

pub use connection::Arrival;
pub use connections::{Connections, STOPPING, SharedConnections};
pub use door::Door;
pub use hall_thread::{Owners, on_thread};
pub use handle::{HallHandle, HallMessage};
pub use hosted_game::HostedGame;
pub use port::{HttpPort, Listening};
pub use requests::{EntrantRequest, TableRequest, TournamentRequest};
pub use thinkers::Thinkers;
pub use transport::Transport;
pub use visit::Vehicle;

/// A node that may not speak looks so often whether it may again.
const SILENT_MS: u64 = 10;

/// A hall that is about to be hosted.
pub struct Hosting {
    pub hall: Hall,
    /// What it has said on being restored.
    pub outputs: Vec<Output>,
    pub hosted: Arc<HostedGame>,
    pub messages: mpsc::Receiver<HallMessage>,
    pub pending: PendingBatches,
    /// Where its house bots think.
    pub thinkers: Thinkers,
    /// In a fleet, for how long it is this node's.
    pub tenure: Option<Tenure>,
    /// Told when what was said on being restored is durable and can be read.
    pub is_up: Option<oneshot::Sender<()>>,
}

impl Hosting {
    /// Starts the hall's thread, where all its connections live too.
    pub fn start(self, owners: Owners) -> std::io::Result<()> {
        on_thread(self.hosted.name(), owners, async move |halls| self.host(halls).await)
    }

    async fn host(mut self, halls: &TaskTracker) {
        let connections = Connections::new(self.hosted.clone(), 1);
        let sockets = TaskTracker::new();
        // Without a fleet it ends only when it is told to.
        let _ = halls.track_future(self.drive(&connections, &sockets)).await;
        sockets.close();
        sockets.wait().await;
    }

    /// Drives the hall until it is told to stop, or is another's.
    pub async fn drive(&mut self, connections: &SharedConnections, sockets: &TaskTracker) -> Ended {
        let mut outbox = Outbox::new(self.hosted.clone());
        let mut lag = Lag::default();
        let stirred = connections.borrow().stirred.clone();
        let mut inputs = Vec::new();
        let (mut knocked, mut stopped) = (None, false);
        let cpu = || system::thread_cpu().as_millis() as u64;
        loop {
            // While the journal keeps everybody waiting, no clock runs.
            let enforces = |now| !stopped && !outbox.is_late(now);
            let is_due = |time: Time| time <= clock::now();
            if self.deadline(connections).is_some_and(is_due) && enforces(clock::now()) {
                hear_all_out().await;
            }
            let now = clock::now();
            let enforced = enforces(now);
            self.give_back(lag.came_round(now, cpu()), connections);
            self.give_back(lag.speaks(now, self.may_speak()), connections);
            let waits_for_none = matches!(
                knocked,
                None | Some(HallMessage::Thought(..) | HallMessage::Recalled(..))
            );
            if let Some(message) = knocked.take() {
                stopped = self.answer(message, now, &mut outbox, connections, sockets);
            }
            let leaves = self.tenure.as_ref().is_some_and(Tenure::is_over);
            // What is not heard here is for whoever has the hall next.
            let hears = !stopped && !leaves && self.may_speak();
            if hears {
                self.hear(now, connections, &mut inputs);
            }
            if enforced && hears {
                self.enforce(now, connections);
            }
            self.let_think(now);
            connections.borrow_mut().bill(&self.outputs);
            let mut rows = rows(self.hosted.game.rules(), self.hosted.node, &self.outputs);
            let may_wait =
                !stopped && waits_for_none && connections.borrow().are_silent_on(&self.outputs);
            let parcels = connections.borrow_mut().gateways.wrap(&self.hall, &self.outputs);
            if !rows.is_empty() || connections.borrow().gateways.have_news() {
                rows.extend(connections.borrow_mut().gateways.write_down(now, &parcels));
            }
            let number = self.pending.write(now, rows, may_wait).await;
            // Who is told to stop stops, whosever the hall is.
            let end = |ended| if stopped { Ended::Stopped } else { ended };
            if self.pending.is_superseded() {
                // Nothing of it was said, and nothing of it will be.
                return end(Ended::Superseded);
            }
            outbox.hold(now, &mut self.outputs, parcels, number);
            let may_speak = self.may_speak();
            if (leaves || stopped) && !may_speak && !outbox.is_empty() {
                // Another may speak for the hall by now, and say otherwise. A server that stops does not
                // wait for a database that is away: nobody was answered yet.
                return end(Ended::Superseded);
            }
            let now = clock::now();
            let durable = may_speak.then(|| self.pending.durable_up_to());
            let since = outbox.deliver(now, durable, &mut connections.borrow_mut());
            self.recall(&mut outbox.recalls, connections, sockets);
            if let Some(is_up) = self.is_up.take_if(|_| outbox.is_empty()) {
                // A server that is given up meanwhile need not hear it.
                let _ = is_up.send(());
            }
            match since.and_then(|since| lag.waited(since, now)) {
                None => self.begin_clocks(now, &outbox.waited),
                lost => self.give_back(lost, connections),
            }
            if leaves && outbox.is_empty() {
                return end(Ended::LetGo);
            }
            self.count(connections, outbox.since());
            outbox.complain(now);
            let all_attended = connections.borrow_mut().attend(now);
            if stopped && outbox.is_empty() && all_attended {
                connections.borrow_mut().close();
                return Ended::Stopped;
            }
            // Deadlines that aren't enforced aren't waited for: the loop would spin.
            let waits = hears && !outbox.is_late(now);
            let deadline = self.deadline(connections).filter(|_| waits);
            let round = lag.expect(now, cpu(), deadline);
            // Whether it may speak again is looked at soon.
            let round = if may_speak { round } else { Some(now + SILENT_MS) };
            let onlookers = connections.borrow().onlookers_due();
            let others = [self.pending.deadline(), onlookers, outbox.complains_at()];
            let wakes = others.into_iter().chain([round]).flatten().min();
            if !all_attended {
                // A crowd takes long; others come in between.
                yield_now().await;
            }
            tokio::select! {
                biased;
                message = self.messages.recv(), if !stopped => {
                    let Some(message) = message else { return Ended::Stopped };
                    knocked = Some(message);
                }
                () = std::future::ready(()), if !all_attended => {}
                () = Tenure::changed(&mut self.tenure) => {}
                () = self.pending.progress(), if !outbox.is_empty() => {}
                () = stirred.notified(), if !stopped => {}
                () = clock::sleep_until(wakes) => {}
            }
        }
    }

    /// Whether nothing new may begin in the hall. A node of a fleet that is about to end hands it over
    /// instead, unless it is the only one.
    fn concerns_hall(&self, why: Option<&Refusal>) -> bool {
        let drains = why == Some(&Refusal::Draining);
        let hands_over = |tenure: &Tenure| !tenure.owners.others().is_empty();
        !(drains && self.tenure.as_ref().is_some_and(hands_over))
    }

    fn may_speak(&self) -> bool {
        self.tenure.as_ref().is_none_or(Tenure::may_speak)
    }

    fn count(&self, connections: &SharedConnections, unsaved: Option<Time>) {
        let metrics = &self.hosted.metrics;
        metrics.unsaved_since.set(unsaved.map_or(0, |since| since.0 as i64));
        metrics.tables.set(self.hall.open_tables() as i64);
        if self.tenure.is_some() {
            let gateways = &connections.borrow().gateways;
            let (links, lag) = gateways.links();
            metrics.links.set(links as i64);
            metrics.link_lag.set(lag as i64);
            metrics.journal_bytes.set(gateways.kept_bytes() as i64);
        }
    }

    /// When something is due although nothing happens.
    fn deadline(&self, connections: &SharedConnections) -> Option<Time> {
        [self.hall.deadline(), connections.borrow().deadline()].into_iter().flatten().min()
    }

    /// Gives everybody back the time that was lost.
    fn give_back(&mut self, lost: Option<Loss>, connections: &SharedConnections) {
        if let Some(Loss { ms, cause }) = lost {
            tracing::warn!(game = self.hosted.name(), ms, %cause, "the server was held up; clocks wait as long");
            self.hall.give_back(ms);
            connections.borrow_mut().gateways.put_clocks_off();
        }
    }

    /// Clocks of turns run from when everybody was told of them.
    fn begin_clocks(&mut self, now: Time, waited: &[(TableNo, Time)]) {
        for (table, since) in waited {
            self.hall.handed_out(now, *table, *since);
        }
    }

    /// Lets the hall hear what connections ask.
    fn hear(&mut self, now: Time, connections: &SharedConnections, inputs: &mut Vec<Input>) {
        std::mem::swap(&mut connections.borrow_mut().inputs, inputs);
        let misses = connections.borrow().gateways.miss_somebody();
        for input in inputs.drain(..) {
            if let Input::Said(conn, command) = &input
                && misses
            {
                let rival = self.hall.rival_of(*conn, command);
                self.part_from_missed(now, rival.as_slice(), connections);
            }
            self.hall.handle(now, input, &mut self.outputs);
        }
        if misses {
            let doubted: Vec<ConnId> = self.hall.doubted().collect();
            self.part_from_missed(now, &doubted, connections);
        }
    }

    /// Others have come under the names of these. Those of them whose nodes are out of touch are gone, so
    /// that whoever has come finds its own seat.
    fn part_from_missed(&mut self, now: Time, conns: &[ConnId], connections: &SharedConnections) {
        if conns.is_empty() {
            return;
        }
        for conn in connections.borrow_mut().gateways.part_from_missed(conns) {
            self.hall.handle(now, Input::Gone(conn), &mut self.outputs);
        }
    }

    /// Enforces what is due. Whoever had said something by then was heard before.
    fn enforce(&mut self, now: Time, connections: &SharedConnections) {
        if self.hall.deadline().is_some_and(|time| time <= now) {
            self.hall.handle(now, Input::Tick, &mut self.outputs);
        }
        connections.borrow_mut().tick(now);
    }

    /// Hands on what house bots are asked. Whom nobody has time for is represented at once.
    fn let_think(&mut self, now: Time) {
        let is_question = |output: &mut Output| matches!(output, Output::Think(..));
        let questions: Vec<_> = self.outputs.extract_if(.., is_question).collect();
        for question in questions {
            let Output::Think(table, thinking) = question else { continue };
            if let Err(thinking) = self.thinkers.ask(&self.hosted.handle, table, thinking) {
                let thought = Box::new(thinking.decline());
                self.hall.handle(now, Input::Thought(table, thought), &mut self.outputs);
            }
        }
    }

    /// Lets others tell what has happened before: games are played again for it.
    fn recall(
        &self,
        recalls: &mut Vec<Recall>,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) {
        for recall in recalls.drain(..) {
            let hosted = self.hosted.clone();
            let asker = connections.borrow().asker(recall.conn);
            let recalling = sockets.spawn_local(async move {
                let (conn, directory) = (recall.conn, hosted.directory.clone());
                let told = hosted.replays.run(asker, move |stop| directory.recall(&recall, stop));
                let recalled = told.await.unwrap_or_else(|undone| Recalled {
                    answer: Answer::Refused(match undone {
                        Undone::Crowded => Refusal::TooMany,
                        Undone::Broken(fault) => Refusal::BadTable(fault.to_string()),
                    }),
                    event: None,
                    records: 0,
                });
                hosted.handle.send(HallMessage::Recalled(conn, Box::new(recalled))).await;
            });
            connections.borrow_mut().recalls.insert(recall.conn, AbortOnDropHandle::new(recalling));
        }
    }

    /// Does what another thread asks for. Whether that is to stop.
    fn answer(
        &mut self,
        message: HallMessage,
        now: Time,
        outbox: &mut Outbox,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> bool {
        let Some(message) = message.admit(connections, sockets) else { return false };
        match message {
            // It was let in.
            HallMessage::Listen(_) | HallMessage::Came(_) => {}
            HallMessage::Linked(link) => {
                // Only nodes of a fleet are linked.
                if let Some(Tenure { owners, .. }) = &self.tenure {
                    let (epoch, owners) = (self.pending.epoch(), owners.clone());
                    sockets.spawn_local(serve_link(connections.clone(), *link, epoch, owners));
                }
            }
            HallMessage::Asked(request, reply) => {
                let number = outbox.expect(reply);
                self.hall.handle(now, Input::Asked(number, request), &mut self.outputs);
            }
            HallMessage::Registered(register, known) => {
                self.hall.handle(now, Input::Registered(register), &mut self.outputs);
                // Whoever has told it may be gone.
                let _ = known.send(());
            }
            HallMessage::Barred(why, known) => {
                connections.borrow_mut().barred.clone_from(&why);
                if self.concerns_hall(why.as_ref()) {
                    self.hall.handle(now, Input::Barred(why), &mut self.outputs);
                }
                // Whoever has told it may be gone.
                let _ = known.send(());
            }
            HallMessage::Kick(subject, kicked) => {
                // Whoever has asked may be gone.
                let _ = kicked.send(self.kick(&subject, connections));
            }
            HallMessage::Thought(table, thought) => {
                self.hall.handle(now, Input::Thought(table, thought), &mut self.outputs);
            }
            HallMessage::Recalled(conn, recalled) => {
                self.hand_out_recalled(now, conn, *recalled, connections);
            }
            // In a fleet another node goes on with everything.
            HallMessage::ShuttingDown if self.tenure.is_some() => {}
            HallMessage::ShuttingDown => {
                self.hall.handle(now, Input::ShuttingDown, &mut self.outputs);
            }
            HallMessage::Stop => return true,
        }
        false
    }

    /// Closes the connections of a player, here and at gateways; their number.
    fn kick(&self, subject: &BanSubject, connections: &SharedConnections) -> usize {
        let named = match subject {
            BanSubject::Name(name) => self.hall.conns_called(name),
            BanSubject::Key(key) => self.hall.conns_with(key),
            BanSubject::Address(_) => Vec::new(),
        };
        let mut connections = connections.borrow_mut();
        let elsewhere = connections.gateways.kick(subject, &named);
        elsewhere + connections.kick(subject, &named)
    }

    /// Answers a connection from the records that it has asked for.
    fn hand_out_recalled(
        &mut self,
        now: Time,
        conn: ConnId,
        recalled: Recalled,
        connections: &SharedConnections,
    ) {
        let Recalled { answer, event, records } = recalled;
        let mut connections = connections.borrow_mut();
        connections.recalls.remove(&conn);
        if connections.gateways.have(conn) {
            self.outputs.push(Output::Answer(conn, answer));
            self.outputs.extend(event.map(|event| Output::Tell(conn, event)));
        } else {
            connections.charge(conn, records as u64 / RECORDS_PER_MESSAGE);
            connections.answer(now, conn, answer);
            event.into_iter().for_each(|event| connections.tell(now, conn, event));
        }
    }
}

/// Why a hall is driven no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was told to stop.
    Stopped,
    /// Its journal is written by another node.
    Superseded,
    /// It is to be another node's, and everything before that has been said.
    LetGo,
}

/// Lets everybody who has said something by now be heard: the runtime looks at all sockets, then
/// every task that this wakes has its turn before one that is spawned behind them.
async fn hear_all_out() {
    yield_now().await;
    spawn_local(async {}).await.expect("nothing panics");
}

#[cfg(test)]
mod tests;
