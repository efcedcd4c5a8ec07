//! What one connection may still send: from its own share, and from its address's.

use std::sync::Arc;

use hall::Time;

use super::Admission;
use super::bucket::Bucket;
use super::limits::{Limit, Limits};

/// What a connection may still send. After too many messages the server stops reading for a while,
/// so the client's own socket slows it down.
#[derive(Debug)]
pub struct Allowance {
    messages: Bucket,
    bytes: Bucket,
    admission: Arc<Admission>,
    /// When to look again, if nothing may be said now.
    pub refill: Option<Time>,
}

/// How long reading pauses after too many messages: then a tenth of a second's worth is read at
/// once, not one message at a time.
const PAUSE_MS: u64 = 100;

impl Allowance {
    pub fn new(limits: &Limits, admission: Arc<Admission>, now: Time) -> Allowance {
        Allowance {
            messages: Bucket::new(limits.messages_per_s.into(), now),
            bytes: Bucket::new(limits.bytes_per_s.into(), now),
            admission,
            refill: None,
        }
    }

    /// Takes one message, or returns the limit reached. `None`: it was reached before and has been
    /// reported.
    pub fn take_message(&mut self, now: Time) -> Result<(), Option<Limit>> {
        let reached = match () {
            () if !self.messages.has(now) => Limit::MessagesPerS,
            () if !self.bytes.has(now) => Limit::BytesPerS,
            () if !self.admission.take_message(now) => Limit::MessagesPerSPerAddress,
            () => {
                self.messages.take(1);
                self.refill = None;
                return Ok(());
            }
        };
        let is_new = self.refill.is_none();
        self.refill = Some(now + PAUSE_MS);
        Err(is_new.then_some(reached))
    }

    /// Takes as many messages as have come already.
    pub fn take_messages(&mut self, count: u64) {
        if count > 0 {
            self.messages.take(count);
            self.admission.take_messages(count);
        }
    }

    /// The message that was taken last was none, or cost nothing.
    pub fn give_message_back(&mut self) {
        self.messages.give_back(1);
        self.admission.give_message_back();
    }

    /// Charges for messages, whether or not the allowance suffices.
    pub fn charge(&mut self, messages: u64) {
        self.messages.take(messages);
        self.admission.take_messages(messages);
    }

    pub fn take_bytes(&mut self, count: usize) {
        self.bytes.take(count as u64);
    }

    pub fn give_bytes_back(&mut self, count: usize) {
        self.bytes.give_back(count as u64);
    }

    /// Whether anything may be read.
    pub fn is_spent(&self) -> bool {
        self.refill.is_some() || self.messages.is_empty() || self.bytes.is_empty()
    }
}
