//! What a watcher says, to which nobody listens.

use std::sync::Arc;
use std::task::{Context, Poll};

use hall::Time;

use crate::gate::{Admission, Allowance};
use crate::hosting::Transport;
use crate::house::clock;

/// Takes in what a watcher says, no faster than a player may talk.
#[derive(Debug)]
pub struct Unheard {
    allowance: Allowance,
}

/// This much is taken in at a time; then others have their turn.
const HANDFUL: usize = 8;

impl Unheard {
    pub fn new(admission: Arc<Admission>) -> Unheard {
        let limits = admission.limits().clone();
        Unheard { allowance: Allowance::new(&limits, admission, clock::now()) }
    }

    /// When to go on, if the watcher has said too much.
    pub fn deadline(&self) -> Option<Time> {
        self.allowance.refill
    }

    /// Ready with the reason once the watcher is gone.
    pub fn poll(&mut self, transport: &mut impl Transport, cx: &mut Context<'_>) -> Poll<String> {
        for _ in 0..HANDFUL {
            if self.allowance.take_message(clock::now()).is_err() {
                return Poll::Pending;
            }
            match transport.poll_fetch(cx) {
                Poll::Pending => {
                    self.allowance.give_message_back();
                    return Poll::Pending;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                Poll::Ready(Ok(0)) => return Poll::Ready(String::new()),
                Poll::Ready(Ok(count)) => {
                    while transport.next(&mut |_| {}) {}
                    self.allowance.take_bytes(count);
                }
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
