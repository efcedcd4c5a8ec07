//! One client: its conversation, what carries its messages, and its limits.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use hall::{Answer, Command, ConnId, Event, Input, Time};
use wire::{Conversation, Frame, Playable, Said, Session, Text};

use crate::hosted_game::HostedGame;
use crate::trace::Trace;

/// What carries a connection's messages. Nothing here waits: what cannot be done at once wakes
/// the connection's task when it can.
pub trait Transport {
    /// Fetches input. False: the client has closed its side.
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, String>>;

    /// Lets the next message of what was fetched be heard. False: there is none.
    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool;

    /// Whether nothing that was fetched waits to be heard.
    fn is_drained(&self) -> bool;

    fn put(&mut self, text: Text);

    /// When it wants to look whether the client is still there.
    fn deadline(&self) -> Option<Time>;

    /// That time has come. The error says that the client is gone.
    fn tick(&mut self, now: Time) -> Result<(), String>;

    /// Sends what was put, as far as the client takes it.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>>;

    /// How many bytes were put and not sent.
    fn unsent(&self) -> usize;

    /// Sends the last words, and takes in what the client still sends until it closes too, so
    /// that a reset does not swallow them.
    fn poll_close(&mut self, cx: &mut Context<'_>, reason: &str) -> Poll<()>;
}

/// One client. Its task fetches and hears; whoever delivers what it is told also sends it, so
/// that the task is woken for nothing but input.
pub struct Connection<G: Playable> {
    pub conn: ConnId,
    hosted: Arc<HostedGame<G>>,
    transport: Box<dyn Transport>,
    conversation: Conversation<G>,
    bucket: Bucket,
    /// When the client must have said something.
    first_message: Option<Time>,
    /// When the move in flight was read.
    moved: Option<Instant>,
    trace: Option<Trace>,
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
}

/// Somebody new.
pub struct Arrival<G: Playable> {
    pub dialect: &'static str,
    pub session: Box<dyn Session<G>>,
    pub transport: Box<dyn Transport>,
    pub first_message_ms: Option<u64>,
    /// Where from, for the trace.
    pub peer: String,
}

impl<G: Playable> Connection<G> {
    pub fn new(
        now: Time,
        conn: ConnId,
        hosted: Arc<HostedGame<G>>,
        arrival: Arrival<G>,
    ) -> Connection<G> {
        let Arrival { dialect, session, transport, first_message_ms, peer } = arrival;
        hosted.metrics.connections.inc();
        hosted.metrics.connections_total.inc();
        let first = match hosted.limits.first_message_ms {
            0 => None,
            limit => first_message_ms.map(|own| now + own.min(limit)),
        };
        Connection {
            conn,
            transport,
            conversation: Conversation::new(now, session),
            bucket: Bucket::new(hosted.limits.messages_per_s, now),
            first_message: first,
            moved: None,
            trace: hosted.trace(dialect, conn, &peer),
            hosted,
            task: Waker::noop().clone(),
            fetches: false,
            closed: false,
            ended: None,
            alarm: None,
            told: false,
            urgent: false,
            kept_since: None,
        }
    }

    /// The task's turn: hears what the client says. Ready with the reason once it must end.
    pub fn poll(
        &mut self,
        now: Time,
        cx: &mut Context<'_>,
        inputs: &mut Vec<Input<G>>,
    ) -> Poll<String> {
        self.task.clone_from(cx.waker());
        while self.ended.is_none() {
            self.proceed(now, inputs);
            // Input is fetched while nothing of it waits to be heard, so whoever says more than
            // it may is slowed down by its own socket.
            self.fetches = !self.closed && self.transport.is_drained() && !self.bucket.is_empty();
            if !self.fetches || self.ended.is_some() {
                break;
            }
            match self.transport.poll_fetch(cx) {
                Poll::Pending => break,
                Poll::Ready(Ok(true)) => {}
                Poll::Ready(Ok(false)) => self.closed = true,
                Poll::Ready(Err(error)) => self.ended = Some(error),
            }
        }
        if self.ended.is_none() {
            self.send();
        }
        self.ended.take().map_or(Poll::Pending, Poll::Ready)
    }

    pub fn answered(&mut self, now: Time, answer: Answer) {
        if let Some(moved) = self.moved.take() {
            self.hosted.metrics.turn_latency.observe(moved.elapsed().as_secs_f64());
        }
        self.conversation.answered(now, answer);
    }

    pub fn told(&mut self, now: Time, event: Event<G>) {
        self.conversation.told(now, event);
    }

    /// Whether this answer leads to nothing, and nothing waits for it.
    pub fn is_silent_on(&self, answer: &Answer) -> bool {
        self.transport.is_drained() && self.conversation.is_silent_on(answer)
    }

    /// Whether this event leads to nothing.
    pub fn is_silent_at(&self, event: &Event<G>) -> bool {
        self.conversation.is_silent_at(event)
    }

    /// Its alarm has rung.
    pub fn tick(&mut self, now: Time) {
        if self.first_message.is_some_and(|time| time <= now) {
            self.end("no message came".to_owned());
        }
        if let Err(gone) = self.transport.tick(now) {
            self.end(gone);
        }
        self.conversation.tick(now);
    }

    /// Goes on hearing, and sends what it has said if that is urgent. True: from now on it keeps
    /// something that can wait.
    pub fn attend(&mut self, now: Time, inputs: &mut Vec<Input<G>>) -> bool {
        if self.ended.is_none() {
            self.proceed(now, inputs);
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
        let (transport, refill) = (self.transport.deadline(), self.bucket.refill);
        let deadlines = [self.conversation.deadline(), self.first_message, transport, refill];
        deadlines.into_iter().flatten().min()
    }

    /// Takes leave of it. What carries its messages is still to be closed.
    pub fn leave(mut self, reason: &str) -> Box<dyn Transport> {
        self.hosted.metrics.connections.dec();
        tracing::debug!(conn = self.conn.0, game = G::NAME, reason, "closed");
        if let Some(trace) = &mut self.trace {
            trace.closed(reason);
        }
        self.transport
    }

    /// Hears and speaks until an answer is awaited or there is nothing more to hear.
    fn proceed(&mut self, now: Time, inputs: &mut Vec<Input<G>>) {
        loop {
            self.speak(inputs);
            if self.ended.is_some() || self.conversation.busy() || !self.bucket.has(now) {
                return;
            }
            let (conversation, trace) = (&mut self.conversation, &mut self.trace);
            let heard = self.transport.next(&mut |frame| {
                if let Some(trace) = trace {
                    trace.heard(frame);
                }
                conversation.hear(now, frame);
            });
            if !heard {
                break;
            }
            self.first_message = None;
            self.bucket.take();
        }
        if self.closed {
            self.ended = Some("the client closed the connection".to_owned());
        }
    }

    /// Does what the conversation wants done.
    pub fn speak(&mut self, inputs: &mut Vec<Input<G>>) {
        for said in self.conversation.by_ref() {
            match said {
                Said::Text(text) => {
                    if let Some(trace) = &mut self.trace {
                        trace.said(text.as_str());
                    }
                    self.transport.put(text);
                }
                Said::Ask(command) => {
                    if matches!(command, Command::Act { .. }) {
                        self.moved = Some(Instant::now());
                    }
                    inputs.push(Input::Said(self.conn, command));
                }
                Said::Hangup(reason) => self.ended = Some(reason),
            }
        }
    }

    fn send(&mut self) {
        self.kept_since = None;
        match self.transport.poll_send(&mut Context::from_waker(&self.task)) {
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(error)) => self.ended = Some(error),
            Poll::Pending if self.transport.unsent() > self.hosted.limits.outbound_bytes => {
                self.ended = Some("the client does not read".to_owned());
            }
            Poll::Pending => {}
        }
    }
}

/// A token bucket: so many messages a second, and as many at once.
struct Bucket {
    per_s: u32,
    left: u32,
    since: Time,
    /// When there will be something in it again.
    refill: Option<Time>,
}

impl Bucket {
    fn new(per_s: u32, now: Time) -> Bucket {
        Bucket { per_s, left: per_s, since: now, refill: None }
    }

    fn has(&mut self, now: Time) -> bool {
        let fresh = now.0.saturating_sub(self.since.0).saturating_mul(u64::from(self.per_s)) / 1000;
        if fresh > 0 {
            self.left = (u64::from(self.left) + fresh).min(u64::from(self.per_s)) as u32;
            self.since = now;
        }
        // Wait for a tenth of a second's worth, not for one message at a time.
        self.refill = self.is_empty().then_some(now + 100);
        !self.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.left == 0
    }

    fn take(&mut self) {
        self.left = self.left.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let mut bucket = Bucket::new(10, Time(1000));
        for _ in 0..10 {
            assert!(bucket.has(Time(1000)));
            bucket.take();
        }
        assert!(!bucket.has(Time(1099)));
        assert_eq!(bucket.refill, Some(Time(1199)));
        assert!(bucket.has(Time(1200)));
        assert!(bucket.has(Time(60_000)));
        assert_eq!(bucket.left, 10);
    }
}
