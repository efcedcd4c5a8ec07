//! A tournament, live, over a WebSocket.
//!
//! Every message is all of it and the same for everybody, so a watcher that is slow misses what
//! was in between and hears the latest; nothing is kept for it but that.

use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::connection::Transport;
use crate::directory::TournamentText;

/// A tournament as one watcher sees it.
pub struct Feed<T: Transport> {
    /// What is to be said next.
    next: Option<TournamentText>,
    transport: T,
    /// How many bytes it may miss before it is given up.
    patience: usize,
    missed: usize,
    /// There is nothing more to say after that.
    is_over: bool,
}

impl<T: Transport> Feed<T> {
    pub fn new(first: TournamentText, transport: T, patience: usize) -> Feed<T> {
        Feed { next: Some(first), transport, patience, missed: 0, is_over: false }
    }

    /// Shows the tournament until it is over, or the watcher goes or must. No news: nothing more
    /// will happen.
    pub async fn show(
        mut self,
        mut news: Option<watch::Receiver<TournamentText>>,
        stopping: CancellationToken,
    ) {
        let reason = loop {
            self.is_over |= news.is_none();
            let deadline = self.transport.deadline();
            tokio::select! {
                biased;
                () = stopping.cancelled() => break "the server is shutting down".to_owned(),
                reason = poll_fn(|cx| self.poll(cx)) => break reason,
                text = changed(&mut news) => match text {
                    Some(text) => {
                        if let Some(late) = self.next.replace(text) {
                            self.missed += late.json.len();
                        }
                        if self.missed > self.patience {
                            break "the client does not read".to_owned();
                        }
                    }
                    None => news = None,
                },
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

/// What the tournament has become. None: nobody will tell any more.
async fn changed(news: &mut Option<watch::Receiver<TournamentText>>) -> Option<TournamentText> {
    match news {
        None => std::future::pending().await,
        Some(news) => {
            news.changed().await.ok()?;
            Some(news.borrow_and_update().clone())
        }
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
