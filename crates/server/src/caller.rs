//! What every connection has in common, whatever carries its messages.

use std::time::Instant;

use hall::{Command, Time};
use tokio_util::sync::CancellationToken;
use wire::{Conversation, Frame, Playable, Said, Session, Text};

use crate::clock;
use crate::hosting::{Letter, Passage};
use crate::metrics::GameMetrics;
use crate::settings::Limits;
use crate::trace::Trace;

/// One client: its conversation, its way into the hall, and its limits.
pub struct Caller<G: Playable> {
    conversation: Conversation<G>,
    passage: Passage<G>,
    bucket: Bucket,
    /// When the client must have said something.
    first_message: Option<Time>,
    /// When the move in flight was read.
    moved: Option<Instant>,
    shutdown: CancellationToken,
    pub metrics: GameMetrics,
    trace: Option<Trace>,
}

/// Where a caller's messages are put until they are written.
pub trait Outbox {
    fn put(&mut self, text: &Text);
}

/// What a new caller is made of.
pub struct Introduction<G: Playable> {
    pub session: Box<dyn Session<G>>,
    pub passage: Passage<G>,
    pub first_message_ms: Option<u64>,
    pub limits: Limits,
    pub shutdown: CancellationToken,
    pub metrics: GameMetrics,
    pub trace: Option<Trace>,
}

impl<G: Playable> Caller<G> {
    pub fn new(introduction: Introduction<G>) -> Caller<G> {
        let now = clock::now();
        let Introduction { session, passage, first_message_ms, limits, shutdown, metrics, trace } =
            introduction;
        let first = match limits.first_message_ms {
            0 => None,
            limit => first_message_ms.map(|own| now + own.min(limit)),
        };
        metrics.connections.inc();
        metrics.connections_total.inc();
        Caller {
            conversation: Conversation::new(now, session),
            passage,
            bucket: Bucket::new(limits.messages_per_s, now),
            first_message: first,
            moved: None,
            shutdown,
            metrics,
            trace,
        }
    }

    /// Whether the next message may be heard now.
    pub fn listens(&mut self) -> bool {
        !self.conversation.busy() && !self.conversation.over() && self.bucket.has(clock::now())
    }

    pub fn hear(&mut self, frame: Frame<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.heard(frame);
        }
        self.first_message = None;
        self.bucket.take();
        self.conversation.hear(clock::now(), frame);
    }

    /// Does what the conversation wants done. The reason, once it has hung up.
    pub async fn settle(&mut self, outbox: &mut impl Outbox) -> Option<String> {
        for said in self.conversation.by_ref() {
            match said {
                Said::Text(text) => {
                    if let Some(trace) = &mut self.trace {
                        trace.said(text.as_str());
                    }
                    outbox.put(&text);
                }
                Said::Ask(command) => {
                    if matches!(command, Command::Act { .. }) {
                        self.moved = Some(Instant::now());
                    }
                    self.passage.say(command).await;
                }
                Said::Hangup(reason) => return Some(reason),
            }
        }
        None
    }

    /// Waits for anything but the client itself. Cancelling this loses nothing. The reason, if
    /// the connection must end.
    pub async fn wait(&mut self) -> Option<String> {
        let deadline = [self.conversation.deadline(), self.first_message, self.bucket.refill]
            .into_iter()
            .flatten();
        tokio::select! {
            biased;
            () = self.passage.overrun.cancelled() => return Some("the client is too slow".to_owned()),
            letters = self.passage.letters.recv() => match letters {
                Some(letters) => self.read_letters(letters),
                None => return Some("the server is shutting down".to_owned()),
            },
            () = self.shutdown.cancelled() => return Some("the server is shutting down".to_owned()),
            () = clock::sleep_until(deadline.min()) => {}
        }
        while let Ok(letters) = self.passage.letters.try_recv() {
            self.read_letters(letters);
        }
        let now = clock::now();
        if self.first_message.is_some_and(|time| time <= now) {
            return Some("no message came".to_owned());
        }
        self.conversation.tick(now);
        None
    }

    fn read_letters(&mut self, letters: Vec<Letter<G>>) {
        let now = clock::now();
        for letter in letters {
            match letter {
                Letter::Answer(answer) => {
                    if let Some(moved) = self.moved.take() {
                        self.metrics.turn_latency.observe(moved.elapsed().as_secs_f64());
                    }
                    self.conversation.answered(now, answer);
                }
                Letter::Event(event) => self.conversation.told(now, event),
            }
        }
    }

    /// Tells the hall that this connection is gone.
    pub async fn leave(self, reason: &str) {
        self.metrics.connections.dec();
        tracing::debug!(conn = self.passage.conn.0, game = G::NAME, reason, "closed");
        if let Some(mut trace) = self.trace {
            trace.closed(reason);
        }
        self.passage.leave().await;
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
        let fresh = (now.0 - self.since.0).saturating_mul(u64::from(self.per_s)) / 1000;
        if fresh > 0 {
            self.left = (u64::from(self.left) + fresh).min(u64::from(self.per_s)) as u32;
            self.since = now;
        }
        let empty = self.left == 0;
        // Wait for a tenth of a second's worth, not for one message at a time.
        self.refill = empty.then_some(now + 100);
        !empty
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
