//! What a connection asks of whatever carries its messages.

use std::task::{Context, Poll};

use hall::Time;
use wire::{Frame, Text};

/// What carries a connection's messages. Nothing here waits: what cannot be done at once wakes
/// the connection's task when it can.
pub trait Transport {
    /// Fetches input; how many bytes. 0: the client has closed its side.
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, String>>;

    /// How many frames came since this was last asked that carried nothing, or a part of a message whose
    /// beginning had come: each counts as a message.
    fn idle_frames(&mut self) -> u64 {
        0
    }

    /// Lets the next message of what was fetched be heard. False: there is none.
    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool;

    /// Whether nothing that was fetched waits to be heard.
    fn is_drained(&self) -> bool;

    /// The beginning of a message whose end has not come.
    fn unfinished(&self) -> &[u8] {
        &[]
    }

    fn put(&mut self, text: Text);

    /// When it wants to look whether the client is still there.
    fn deadline(&self) -> Option<Time>;

    /// That time has come. The error says that the client is gone.
    fn tick(&mut self, now: Time) -> Result<(), String>;

    /// Asks the client whether it is still there. False: there is no way to ask.
    fn probe(&mut self) -> bool {
        false
    }

    /// Whether something has come since the client was asked; once.
    fn take_sign_of_life(&mut self) -> bool {
        false
    }

    /// Sends what was put, as far as the client takes it.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>>;

    /// How many bytes were put and not sent.
    fn unsent(&self) -> usize;

    /// Sends the last words, and takes in what the client still sends until it closes too, so
    /// that a reset does not swallow them.
    fn poll_close(&mut self, cx: &mut Context<'_>, reason: &str) -> Poll<()>;
}
