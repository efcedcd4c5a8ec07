//! Feeds over a transport whose client takes what it is let take.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use hall::Time;
use wire::{Frame, Text};

use super::*;

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

fn show(patience: usize) -> (Client, watch::Sender<TournamentText>, tokio::task::JoinHandle<()>) {
    let client = Client::default();
    let (news, heard) = watch::channel(text("first", false));
    let pipe = Pipe { client: client.clone(), unsent: Vec::new() };
    let feed = Feed::new(text("first", false), pipe, patience);
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
    let (client, news, shown) = show(1000);
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

/// Two hundred watchers who never read cost three gigabytes.
#[tokio::test]
async fn f35_who_never_reads_is_closed_at_its_limit_and_nothing_is_kept_for_it() {
    let (client, news, shown) = show(20);
    settle().await;
    for _ in 0..4 {
        assert!(!shown.is_finished(), "it may miss 20 bytes");
        news.send_replace(text("0123456789", false));
        settle().await;
    }
    shown.await.expect("ends");
    assert_eq!(client.messages(), ["closed: the client does not read"]);
}
