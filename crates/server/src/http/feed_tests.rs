//! Feeds over a transport whose client takes what it is let take.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use hall::Time;
use wire::{Frame, Text};

use super::*;
use crate::gate::{Gate, Peer};
use crate::house::{Metrics, Settings};

/// What a client has taken, and how many more messages it will.
#[derive(Clone, Default)]
struct Client(Arc<Mutex<Taken>>);

#[derive(Default)]
struct Taken {
    messages: Vec<String>,
    appetite: usize,
    waits: Option<Waker>,
}

impl Client {
    fn eat(&self, count: usize) {
        let mut taken = self.0.lock().expect("no panics");
        taken.appetite += count;
        if let Some(waits) = taken.waits.take() {
            waits.wake();
        }
    }

    fn messages(&self) -> Vec<String> {
        self.0.lock().expect("no panics").messages.clone()
    }
}

struct Pipe {
    client: Client,
    unsent: Vec<Text>,
}

impl Transport for Pipe {
    fn poll_fetch(&mut self, _cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        Poll::Pending
    }

    fn next(&mut self, _hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        false
    }

    fn is_drained(&self) -> bool {
        true
    }

    fn put(&mut self, text: Text) {
        self.unsent.push(text);
        assert_eq!(self.unsent.len(), 1, "nothing is kept for who has not taken the last");
    }

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn tick(&mut self, _now: Time) -> Result<(), String> {
        Ok(())
    }

    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        let mut taken = self.client.0.lock().expect("no panics");
        while !self.unsent.is_empty() {
            if taken.appetite == 0 {
                taken.waits = Some(cx.waker().clone());
                return Poll::Pending;
            }
            taken.appetite -= 1;
            taken.messages.push(self.unsent.remove(0).as_str().to_owned());
        }
        Poll::Ready(Ok(()))
    }

    fn unsent(&self) -> usize {
        self.unsent.len()
    }

    fn poll_close(&mut self, _cx: &mut Context<'_>, reason: &str) -> Poll<()> {
        let mut taken = self.client.0.lock().expect("no panics");
        taken.messages.push(format!("closed: {reason}"));
        Poll::Ready(())
    }
}

fn text(json: &str, is_over: bool) -> TournamentText {
    TournamentText { json: json.into(), is_over }
}

fn show() -> (Client, watch::Sender<TournamentText>, tokio::task::JoinHandle<()>) {
    show_within(&Room::new(0))
}

/// The same where long texts have so much room.
fn show_within(
    room: &Room,
) -> (Client, watch::Sender<TournamentText>, tokio::task::JoinHandle<()>) {
    let client = Client::default();
    let (news, heard) = watch::channel(text("first", false));
    let pipe = Pipe { client: client.clone(), unsent: Vec::new() };
    let gate = Gate::new(&Settings::default(), Metrics::new(), None);
    let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
    let feed = Feed::new(text("first", false), pipe, Unheard::new(Arc::new(admission)));
    let feed = feed.within(room.clone(), Some([192, 0, 2, 1].into()));
    (client, news, tokio::spawn(feed.show(Some(heard), CancellationToken::new())))
}

/// Lets the feed do all it can.
async fn settle() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_is_slow_hears_the_latest_and_the_end() {
    let (client, news, shown) = show();
    settle().await;
    for json in ["second", "third", "fourth"] {
        news.send_replace(text(json, false));
        settle().await;
    }
    client.eat(2);
    settle().await;
    assert_eq!(client.messages(), ["first", "fourth"]);
    news.send_replace(text("last", true));
    client.eat(1);
    shown.await.expect("ends");
    assert_eq!(client.messages(), ["first", "fourth", "last", "closed: "]);
}

/// A text of some megabytes takes a while on a slow line, and changes twice a second meanwhile.
#[tokio::test]
async fn who_is_slow_is_not_closed_for_what_it_misses() {
    let (client, news, shown) = show();
    settle().await;
    let megabytes = "x".repeat(3 << 20);
    for _ in 0..4 {
        news.send_replace(text(&megabytes, false));
        settle().await;
        news.send_replace(text("small", false));
        settle().await;
    }
    assert!(!shown.is_finished());
    client.eat(2);
    settle().await;
    assert_eq!(client.messages(), ["first", "small"]);
    shown.abort();
}

/// A watcher that talks without end kept a thread of HTTP busy.
#[tokio::test]
async fn a_watcher_that_talks_is_taken_in_a_handful_at_a_time_and_then_not_at_all() {
    let gate = Gate::new(&Settings::default(), Metrics::new(), None);
    let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
    let mut unheard = Unheard::new(Arc::new(admission));
    let mut chatter = Chatter::default();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(unheard.poll(&mut chatter, &mut cx).is_pending());
    assert_eq!(chatter.fetched, 8, "then others have their turn");
    while unheard.deadline().is_none() {
        assert!(unheard.poll(&mut chatter, &mut cx).is_pending());
        assert!(chatter.fetched < 10_000, "400 at once are a player's limit");
    }
}

/// Has always something to say.
#[derive(Default)]
struct Chatter {
    fetched: usize,
}

impl Transport for Chatter {
    fn poll_fetch(&mut self, _cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        self.fetched += 1;
        Poll::Ready(Ok(6))
    }

    fn next(&mut self, _hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        false
    }

    fn is_drained(&self) -> bool {
        true
    }

    fn put(&mut self, _text: Text) {}

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn tick(&mut self, _now: Time) -> Result<(), String> {
        Ok(())
    }

    fn poll_send(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        Poll::Ready(Ok(()))
    }

    fn unsent(&self) -> usize {
        0
    }

    fn poll_close(&mut self, _cx: &mut Context<'_>, _reason: &str) -> Poll<()> {
        Poll::Ready(())
    }
}

/// Each watcher that reads a byte now and then kept another version of a large text alive.
#[tokio::test]
async fn what_slow_watchers_of_one_address_keep_is_bounded() {
    // A megabyte for one address.
    let room = Room::new(8);
    let watchers: Vec<_> = (0..4).map(|_| show_within(&room)).collect();
    watchers.iter().for_each(|(client, ..)| client.eat(1));
    settle().await;
    for (number, (_, news, _)) in watchers.iter().enumerate() {
        news.send_replace(text(&number.to_string().repeat(600_000), false));
        settle().await;
    }
    let heard = |number: usize| watchers[number].0.messages().len() - 1;
    watchers[3].0.eat(1);
    settle().await;
    assert_eq!(heard(3), 0, "there is room for one text, which the first keeps");
    for (client, ..) in &watchers[..3] {
        client.eat(1);
        settle().await;
    }
    assert_eq!([0, 1, 2, 3].map(heard), [1; 4], "the others get theirs when it has read its own");
    let own = room.try_hold(900_000, [192, 0, 2, 1].into(), Held::default());
    assert!(own.is_some(), "nobody keeps anything");
    watchers.iter().for_each(|(.., shown)| shown.abort());
}
