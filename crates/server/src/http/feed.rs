//! A tournament, live, over a WebSocket.
//!
//! Every message is all of it and the same for everybody, so a watcher that is slow misses what
//! was in between and hears the latest. What is kept for it is the text that it is being sent, which all
//! share who are sent the same, and one piece of that. A long text takes of the room for long answers until it
//! is read. Its socket fails if it takes nothing for long.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::long_answer::SHORT;
use super::room::{Held, Room};
use super::unheard::Unheard;
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
    /// Where long texts are counted, and for which address; none: nowhere.
    room: Option<(Room, IpAddr)>,
    /// Room for the text that is being sent.
    held: Held,
    /// Waits for room for the next.
    entering: Option<Pin<Box<dyn Future<Output = Held> + Send>>>,
    transport: T,
    unheard: Unheard,
    /// How long it hears of a change after the first to hear of it.
    delay_ms: u64,
    /// There is nothing more to say after that.
    is_over: bool,
}

impl<T: Transport> Feed<T> {
    pub fn new(first: TournamentText, transport: T, unheard: Unheard) -> Feed<T> {
        Feed {
            next: Some(first),
            room: None,
            held: Held::default(),
            entering: None,
            transport,
            unheard,
            delay_ms: 0,
            is_over: false,
        }
    }

    /// The same for somebody at an address that is counted. A watcher that reads a little at a time keeps
    /// the text that it is sent, which soon nobody shares: it takes of the room for long answers.
    pub fn within(mut self, room: Room, address: Option<IpAddr>) -> Feed<T> {
        self.room = address.map(|address| (room, address));
        self
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
            let deadlines = [self.transport.deadline(), self.unheard.deadline()];
            let deadline = deadlines.into_iter().flatten().min();
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
                    if let Some(news) = &mut news {
                        self.next = Some(news.borrow_and_update().clone());
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
                        self.held = Held::default();
                        match self.poll_room(text.json.len(), cx) {
                            Poll::Ready(held) => self.held = held,
                            Poll::Pending => {
                                self.next = Some(text);
                                break;
                            }
                        }
                        self.is_over |= text.is_over;
                        self.transport.put(text.json.into());
                    }
                    None if self.is_over => return Poll::Ready(String::new()),
                    None => break,
                },
            }
        }
        if self.transport.unsent() == 0 {
            self.held = Held::default();
        }
        self.unheard.poll(&mut self.transport, cx)
    }

    /// Room for a text of this length, when there is some.
    fn poll_room(&mut self, bytes: usize, cx: &mut Context<'_>) -> Poll<Held> {
        let Some((room, address)) = self.room.as_ref().filter(|_| bytes > SHORT) else {
            return Poll::Ready(Held::default());
        };
        let (room, address) = (room.clone(), *address);
        let enter = || Box::pin(async move { room.hold(bytes, address).await }) as Pin<Box<_>>;
        let held = self.entering.get_or_insert_with(enter).as_mut().poll(cx);
        if held.is_ready() {
            self.entering = None;
        }
        held
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
