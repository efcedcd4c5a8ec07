//! A connection whose messages come from an agent's calls, over a line in memory.

use std::task::{Context, Poll, ready};

use hall::Time;
use mcp::HouseEnd;
use wire::{Frame, Text};

use crate::hosting::Transport;
use crate::house::{GameMetrics, clock};

/// The hall's end of an agent's line.
pub struct AgentLine {
    line: HouseEnd,
    /// A fetched message that isn't processed yet.
    fetched: Option<String>,
    /// When to look whether the agent still calls.
    look_at: Time,
    metrics: GameMetrics,
}

impl AgentLine {
    pub fn new(line: HouseEnd, metrics: GameMetrics) -> AgentLine {
        AgentLine { line, fetched: None, look_at: clock::now() + PATIENCE_MS, metrics }
    }
}

/// Silence after which an agent counts as gone. It may return with its seat's token.
const PATIENCE_MS: u64 = mcp::PATIENCE.as_secs() * 1000;

impl Transport for AgentLine {
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        let Some(text) = ready!(self.line.poll_hear(cx)) else { return Poll::Ready(Ok(0)) };
        // An empty message would look like the end.
        let bytes = text.len().max(1);
        self.metrics.bytes_in.inc_by(bytes as u64);
        self.fetched = Some(text);
        Poll::Ready(Ok(bytes))
    }

    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        let Some(text) = self.fetched.take() else { return false };
        hear(Frame::Text(&text));
        true
    }

    fn is_drained(&self) -> bool {
        self.fetched.is_none()
    }

    fn put(&mut self, text: Text) {
        self.metrics.bytes_out.inc_by(text.as_str().len() as u64);
        self.line.say(text.as_str().to_owned());
    }

    fn deadline(&self) -> Option<Time> {
        Some(self.look_at)
    }

    fn tick(&mut self, now: Time) -> Result<(), String> {
        if now < self.look_at {
            return Ok(());
        }
        self.look_at = now + PATIENCE_MS;
        if self.line.take_used() { Ok(()) } else { Err("the agent calls no more".to_owned()) }
    }

    /// The caller takes what there is.
    fn poll_send(&mut self, _: &mut Context<'_>) -> Poll<Result<(), String>> {
        if self.unsent() > 0 { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    fn unsent(&self) -> usize {
        self.line.unheard()
    }

    fn poll_close(&mut self, _: &mut Context<'_>, _reason: &str) -> Poll<()> {
        self.line.hang_up();
        Poll::Ready(())
    }
}
