//! A tournament, live, over a WebSocket.
//!
//! Every message is all of it and the same for everybody, so a watcher that is slow misses what
//! was in between and hears the latest; nothing is kept for it but that.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::hosting::Transport;
use crate::house::clock;
use crate::reading::TournamentText;

/// Watchers are told of a change within so long, one so much later than the one before.
const SPREAD_MS: u64 = 400;
const STRIDE_MS: u64 = 7;

/// A tournament as one watcher sees it.
pub struct Feed<T: Transport> {
    /// What is to be said next.
    next: Option<TournamentText>,
    transport: T,
    /// How many bytes it may miss before it is given up.
    patience: usize,
    missed: usize,
    /// How long it hears of a change after the first to hear of it.
    delay_ms: u64,
    /// There is nothing more to say after that.
    is_over: bool,
}

impl<T: Transport> Feed<T> {
    pub fn new(first: TournamentText, transport: T, patience: usize) -> Feed<T> {
        Feed { next: Some(first), transport, patience, missed: 0, delay_ms: 0, is_over: false }
    }

    /// The same for one of many: not all are told of a change in one moment, when those who play would
    /// have to wait for it.
    pub fn one_of_many(mut self) -> Feed<T> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        self.delay_ms = NUMBER.fetch_add(STRIDE_MS, Ordering::Relaxed) % SPREAD_MS;
        self
    }

    /// Shows the tournament until it is over, or the watcher goes or must. No news: nothing more
    /// will happen.
    pub async fn show(
        mut self,
        mut news: Option<watch::Receiver<TournamentText>>,
        stopping: CancellationToken,
    ) {
        let mut due = None;
        let reason = loop {
            self.is_over |= news.is_none();
            let deadline = self.transport.deadline();
            tokio::select! {
                biased;
                () = stopping.cancelled() => break "the server is shutting down".to_owned(),
                reason = poll_fn(|cx| self.poll(cx)) => break reason,
                has_changed = changed(&mut news), if due.is_none() => match has_changed {
                    true => due = Some(clock::now() + self.delay_ms),
                    false => news = None,
                },
                () = clock::sleep_until(due), if due.is_some() => {
                    due = None;
                    let text = news.as_mut().map(|news| news.borrow_and_update().clone());
                    if let Some(late) = text.and_then(|text| self.next.replace(text)) {
                        self.missed += late.json.len();
                    }
                    if self.missed > self.patience {
                        break "the client does not read".to_owned();
                    }
                }
                () = clock::sleep_until(deadline) => {
                    if let Err(gone) = self.transport.tick(clock::now()) {
                        break gone;
                    }
                }
            }
        };
        let farewell = poll_fn(|cx| self.transport.poll_close(cx, &reason));
        // Whether or not the farewell arrived, there is nobody left to tell.
        let _ = timeout(Duration::from_secs(1), farewell).await;
    }

    /// Says what is to be said once what was said before is taken. Ready with the reason once it
    /// must end.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<String> {
        loop {
            match self.transport.poll_send(cx) {
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                Poll::Pending => break,
                Poll::Ready(Ok(())) => match self.next.take() {
                    Some(text) => {
                        self.missed = 0;
                        self.is_over |= text.is_over;
                        self.transport.put(text.json.into());
                    }
                    None if self.is_over => return Poll::Ready(String::new()),
                    None => break,
                },
            }
        }
        loop {
            match self.transport.poll_fetch(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                Poll::Ready(Ok(0)) => return Poll::Ready(String::new()),
                // Watchers need not say anything, and are not listened to.
                Poll::Ready(Ok(_)) => while self.transport.next(&mut |_| {}) {},
            }
        }
    }
}

/// Waits until the tournament has changed. False: nobody will tell any more.
async fn changed(news: &mut Option<watch::Receiver<TournamentText>>) -> bool {
    match news {
        None => std::future::pending().await,
        Some(news) => news.changed().await.is_ok(),
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
