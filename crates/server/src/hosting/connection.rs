//! One client: its conversation, what carries its messages, and its limits.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use hall::{Answer, Command, ConnId, Credential, Event, Input, KeyHash, Refusal, Time, hide_keys};
use wire::{Conversation, Said, Sent, Session};

use super::history;
use super::hosted_game::HostedGame;
use super::onlookers::Told;
use super::transport::Transport;
use crate::gate::{Admission, Allowance, Holdings, Limit, Peer, TableBill};
use crate::transcript::Transcript;

/// One client. Its task fetches and hears; whoever delivers what it is told also sends it, so
/// that the task is woken for nothing but input.
pub struct Connection {
    pub conn: ConnId,
    pub peer: Peer,
    hosted: Arc<HostedGame>,
    transport: Box<dyn Transport>,
    conversation: Conversation,
    allowance: Allowance,
    holdings: Holdings,
    /// The history that it gets next is paid for.
    has_paid: bool,
    /// It has asked to leave its table.
    leaves: bool,
    /// How many bytes the last message had.
    heard_bytes: usize,
    sent: Sent,
    /// How many messages the client had been sent when its input was fetched.
    sent_before: u64,
    /// When the client must have said something.
    first_message: Option<Time>,
    /// Since when it has neither said anything nor been at a table.
    idle_since: Time,
    /// When the move in flight was read.
    moved: Option<Instant>,
    transcript: Transcript,
    /// The connection's task.
    task: Waker,
    /// Whether the task will be woken by input.
    fetches: bool,
    /// The client has said its last.
    closed: bool,
    /// Why the connection must end.
    ended: Option<String>,
    /// When it is looked at next, if nothing happens before.
    pub alarm: Option<Time>,
    /// It was told something and not attended to since.
    pub told: bool,
    /// It may act on what it was told, so that is sent at once.
    pub urgent: bool,
    /// Since when something is kept that can wait.
    pub kept_since: Option<Time>,
    /// What it will be told once nobody who plays waits.
    pub later: VecDeque<Told>,
}

/// A connection is heard so many messages at a time; then others have their turn.
const HANDFUL: usize = 8;

/// Somebody new.
pub struct Arrival {
    pub dialect: &'static str,
    pub session: Box<dyn Session>,
    pub transport: Box<dyn Transport>,
    /// The key that it has shown already.
    pub key: Option<KeyHash>,
    pub first_message_ms: Option<u64>,
    pub admission: Arc<Admission>,
}

impl Connection {
    pub fn new(now: Time, conn: ConnId, hosted: Arc<HostedGame>, arrival: Arrival) -> Connection {
        let admission = arrival.admission.clone();
        let peer = admission.peer();
        let Arrival { dialect, session, transport, key, first_message_ms, .. } = arrival;
        let mut conversation = Conversation::new(now, session);
        let mut transcript = Transcript::new(&hosted, dialect, conn, peer);
        if let Some(key) = key {
            transcript.showed(&key, None);
            conversation.show(key);
        }
        hosted.metrics.connections.inc();
        hosted.metrics.connections_total.inc();
        let first = match hosted.limits.first_message_ms {
            0 => None,
            limit => first_message_ms.map(|own| now + own.min(limit)),
        };
        Connection {
            conn,
            transport,
            conversation,
            allowance: Allowance::new(&hosted.limits, admission.clone(), now),
            holdings: Holdings::new(admission, hosted.metrics.playing.clone()),
            has_paid: false,
            leaves: false,
            heard_bytes: 0,
            sent: Sent::default(),
            sent_before: 0,
            first_message: first,
            idle_since: now,
            moved: None,
            transcript,
            peer,
            hosted,
            task: Waker::noop().clone(),
            fetches: false,
            closed: false,
            ended: None,
            alarm: None,
            told: false,
            urgent: false,
            kept_since: None,
            later: VecDeque::new(),
        }
    }

    /// The task's turn: hears what the client says. Ready with the reason once it must end.
    pub fn poll(
        &mut self,
        now: Time,
        cx: &mut Context<'_>,
        inputs: &mut Vec<Input>,
    ) -> Poll<String> {
        self.task.clone_from(cx.waker());
        let mut fetched = 0;
        while self.ended.is_none() {
            let waits = self.proceed(now, inputs);
            // Input is fetched while nothing of it waits to be heard, so whoever says more than
            // it may is slowed down by its own socket.
            self.fetches =
                !self.closed && self.transport.is_drained() && !self.allowance.is_spent();
            if waits || self.fetches && fetched == HANDFUL {
                self.fetches = false;
                cx.waker().wake_by_ref();
            }
            if !self.fetches || self.ended.is_some() {
                break;
            }
            self.sent_before = self.sent.count(self.transport.unsent());
            match self.transport.poll_fetch(cx) {
                Poll::Pending => break,
                Poll::Ready(Ok(0)) => self.closed = true,
                Poll::Ready(Ok(count)) => {
                    self.allowance.take_bytes(count);
                    self.allowance.take_messages(self.transport.idle_frames());
                }
                Poll::Ready(Err(error)) => self.ended = Some(error),
            }
            fetched += 1;
            if self.transport.take_sign_of_life() {
                self.conversation.is_there();
            }
        }
        if self.ended.is_none() {
            self.send();
        }
        self.ended.take().map_or(Poll::Pending, Poll::Ready)
    }

    pub fn answered(&mut self, now: Time, answer: Answer) {
        let token = match &answer {
            Answer::Joined(joined) => joined.token.as_deref(),
            Answer::Enrolled(enrolled) => enrolled.token.as_deref(),
            _ => None,
        };
        self.transcript.hide(token);
        self.transcript.answered(&answer);
        if let Some(moved) = self.moved.take() {
            self.hosted.metrics.turn_latency.observe(moved.elapsed().as_secs_f64());
            if !matches!(answer, Answer::Refused(_)) {
                self.allowance.give_message_back();
                self.allowance.give_bytes_back(self.heard_bytes);
            }
        }
        if std::mem::take(&mut self.leaves) && !matches!(answer, Answer::Refused(_)) {
            self.holdings.stood_up();
            self.idle_since = now;
        }
        self.holdings.answered(&answer);
        self.conversation.answered(now, answer);
    }

    pub fn told(&mut self, now: Time, event: Event) {
        let token = match &event {
            Event::Seated(joined) => joined.token.as_deref(),
            Event::Paired(paired) => paired.game.as_ref().map(|(_, token)| &**token),
            _ => None,
        };
        self.transcript.hide(token);
        match &event {
            Event::Update(update) => self.transcript.updated(update),
            Event::Seated(joined) => self.transcript.seated(joined),
            Event::Over(_) => self.transcript.over(),
            // Another node has played the game again, and does not know who pays.
            Event::History(page) if !std::mem::take(&mut self.has_paid) => {
                self.allowance.charge(history::worth(page));
            }
            _ => {}
        }
        if self.holdings.told(&event) {
            self.idle_since = now;
        }
        self.conversation.told(now, event);
    }

    /// The history that it has asked for costs this many messages more.
    pub fn charge(&mut self, messages: u64) {
        self.allowance.charge(messages);
        self.has_paid = true;
    }

    /// The address that it is counted by; none: it may take any number.
    pub fn counted_at(&self) -> Option<IpAddr> {
        self.holdings.counted_at()
    }

    /// Who pays for what a table of its own writes.
    pub fn table_bill(&self) -> Option<TableBill> {
        self.holdings.table_bill()
    }

    /// Whether it watches a table.
    pub fn is_watching(&self) -> bool {
        self.holdings.is_watching()
    }

    /// Whether this answer leads to nothing, and nothing waits for it.
    pub fn is_silent_on(&self, answer: &Answer) -> bool {
        self.transport.is_drained() && self.conversation.is_silent_on(answer)
    }

    /// Whether this event leads to nothing.
    pub fn is_silent_at(&self, event: &Event) -> bool {
        self.conversation.is_silent_at(event)
    }

    /// Its alarm has rung.
    pub fn tick(&mut self, now: Time) {
        if self.first_message.is_some_and(|time| time <= now) {
            self.hosted.metrics.hit(Limit::FirstMessageMs);
            let silent = self.transport.unfinished().is_empty();
            self.end(if silent { "no message came" } else { "no whole message came" }.to_owned());
        }
        if self.idle_until().is_some_and(|time| time <= now) {
            self.hosted.metrics.hit(Limit::IdleMs);
            self.end("it was silent for too long".to_owned());
        }
        if let Err(gone) = self.transport.tick(now) {
            self.end(gone);
        }
        self.conversation.tick(now);
    }

    /// Goes on hearing, and sends what it has said if that is urgent. True: from now on it keeps
    /// something that can wait.
    pub fn attend(&mut self, now: Time, inputs: &mut Vec<Input>) -> bool {
        if self.ended.is_none() && self.proceed(now, inputs) {
            self.task.wake_by_ref();
        }
        let urgent = std::mem::take(&mut self.urgent);
        if urgent || self.ended.is_some() || !self.fetches {
            self.flush();
            return false;
        }
        let keeps = self.kept_since.is_none() && self.transport.unsent() > 0;
        if keeps {
            self.kept_since = Some(now);
        }
        keeps
    }

    /// Sends everything there is.
    pub fn flush(&mut self) {
        if self.ended.is_none() {
            self.send();
        }
        if self.ended.is_some() || !self.fetches {
            self.task.wake_by_ref();
        }
    }

    /// Has the connection end; its task sees to that.
    pub fn end(&mut self, reason: String) {
        self.ended.get_or_insert(reason);
        self.task.wake_by_ref();
    }

    /// When something is due although nothing happens.
    pub fn deadline(&self) -> Option<Time> {
        let (transport, refill) = (self.transport.deadline(), self.allowance.refill);
        let deadlines = [
            self.conversation.deadline(),
            self.first_message,
            self.idle_until(),
            transport,
            refill,
        ];
        deadlines.into_iter().flatten().min()
    }

    /// Until when it may be silent. Whoever sits at a table, watches one or waits for one may be
    /// silent as long as that lasts.
    fn idle_until(&self) -> Option<Time> {
        let limit = self.hosted.limits.idle_ms;
        (limit > 0 && !self.holdings.is_engaged()).then(|| self.idle_since + limit)
    }

    /// Takes leave of it. What carries its messages is still to be closed.
    pub fn leave(mut self, reason: &str) -> Box<dyn Transport> {
        self.hosted.metrics.connections.dec();
        // The reason may repeat what was said.
        let reason = &*hide_keys(reason);
        tracing::debug!(conn = self.conn.0, game = self.hosted.name(), reason, "closed");
        self.transcript.unfinished(self.transport.unfinished());
        self.transcript.closed(reason);
        self.transport
    }

    /// Hears and speaks until an answer is awaited or there is nothing more to hear, but not too
    /// much at a time. Whether there is more that could be heard now.
    fn proceed(&mut self, now: Time, inputs: &mut Vec<Input>) -> bool {
        for heard in 0.. {
            self.speak(now, inputs);
            if self.ended.is_some() || self.conversation.busy() {
                return false;
            }
            if heard == HANDFUL {
                return true;
            }
            if let Err(limit) = self.allowance.take_message(now) {
                if let Some(limit) = limit {
                    self.hosted.metrics.hit(limit);
                }
                return false;
            }
            let (conversation, transcript) = (&mut self.conversation, &mut self.transcript);
            let (bytes, sent) = (&mut self.heard_bytes, self.sent_before);
            let heard = self.transport.next(&mut |frame| {
                transcript.heard(frame);
                *bytes = frame.len();
                conversation.hear_after(now, sent, frame);
                if let Some(key) = conversation.shown() {
                    transcript.showed(key, Some(frame));
                }
            });
            if !heard {
                self.allowance.give_message_back();
                break;
            }
            self.first_message = None;
            self.idle_since = now;
        }
        if self.closed {
            self.ended = Some("the client closed the connection".to_owned());
        }
        false
    }

    /// Does what the conversation wants done.
    pub fn speak(&mut self, now: Time, inputs: &mut Vec<Input>) {
        while let Some(said) = self.conversation.next() {
            match said {
                Said::Text(text) => {
                    self.transcript.said(text.as_str());
                    let unsent = self.transport.unsent();
                    self.transport.put(text);
                    self.sent.put(self.transport.unsent().saturating_sub(unsent));
                }
                Said::Show(key) => {
                    self.holdings.showed(&key);
                    inputs.push(Input::Showed(self.conn, key));
                }
                Said::Ask(command) => {
                    let token = match &command {
                        Command::Resume(Credential::Token(token))
                        | Command::Attend { token, .. } => Some(&**token),
                        _ => None,
                    };
                    self.transcript.hide(token);
                    self.transcript.asks(&command);
                    if let Err(refusal) = self.check(now, &command) {
                        let refused = Answer::Refused(refusal);
                        self.transcript.answered(&refused);
                        self.conversation.answered(now, refused);
                        continue;
                    }
                    self.leaves = matches!(command, Command::Leave | Command::Part(_));
                    if matches!(command, Command::Act { .. }) {
                        self.moved = Some(Instant::now());
                    }
                    let command =
                        match self.hosted.door.is_shut() && self.holdings.is_newcomer(&command) {
                            true => Command::IfExpected(Box::new(self.holdings.located(command))),
                            false => self.holdings.located(command),
                        };
                    inputs.push(Input::Said(self.conn, command));
                }
                Said::Probe(rival) => {
                    if self.holdings.is_elsewhere(rival) || !self.transport.probe() {
                        self.conversation.is_there();
                    }
                }
                Said::Because(why) => self.transcript.because(why),
                Said::Hangup(reason) => {
                    self.transcript.hangs_up(&reason);
                    self.ended = Some(reason);
                }
            }
        }
        self.transcript.settle();
    }

    /// Whether it may ask for this. A node that is about to stop refuses newcomers, wherever the hall is. Of
    /// those who join, the hall knows whether a seat is reserved for them.
    fn check(&mut self, now: Time, command: &Command) -> Result<(), Refusal> {
        let joins = matches!(command, Command::Join { .. });
        if self.hosted.door.is_shut() && self.holdings.is_newcomer(command) && !joins {
            return Err(Refusal::Draining);
        }
        self.holdings.check(now, command)
    }

    fn send(&mut self) {
        self.kept_since = None;
        match self.transport.poll_send(&mut Context::from_waker(&self.task)) {
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(error)) => self.ended = Some(error),
            Poll::Pending if self.transport.unsent() > self.hosted.limits.outbound_bytes => {
                self.hosted.metrics.hit(Limit::OutboundBytes);
                self.ended = Some("the client does not read".to_owned());
            }
            Poll::Pending => {}
        }
    }
}
