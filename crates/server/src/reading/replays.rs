//! Long work for readers: replaying games, updating ratings. A few pieces run at a time, on
//! separate threads, and work ends when its client stops waiting. Each address has its own queue
//! before the shared one, so no client waits for more than a few pieces of another's work.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use crate::gate::Limit;
use crate::house::Metrics;

/// The pool for long work, for all games.
#[derive(Clone, Debug)]
pub struct Replays {
    at_once: usize,
    places: Arc<Semaphore>,
    lines: Arc<Mutex<HashMap<IpAddr, Arc<Line>>>>,
    metrics: Arc<Metrics>,
}

/// The client that work is done for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A client that isn't counted.
    Anybody,
    /// A client at this address.
    At(IpAddr),
    /// The same, for an answer that has begun and must not break off.
    GoesOn(IpAddr),
}

/// Those of one address: as many of them are worked for as there are places, and others wait.
#[derive(Debug)]
struct Line {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// The most requests of one address that wait.
const WAITING: usize = 32;

/// Number of queues at which empty ones are dropped.
const FORGET_AT: usize = 1024;

/// Why work was not done.
#[derive(Debug)]
pub enum Undone {
    /// Too many of the same address wait.
    Crowded,
    /// It panicked.
    Broken(JoinError),
}

/// Whether work should stop because its client has gone. It is checked between steps.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn say(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_said(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Replays {
    /// `at_once` pieces at a time; 0 means no limit.
    pub fn new(at_once: usize, metrics: Arc<Metrics>) -> Replays {
        let at_once = if at_once == 0 { Semaphore::MAX_PERMITS } else { at_once };
        let places = Arc::new(Semaphore::new(at_once));
        Replays { at_once, places, lines: Arc::default(), metrics }
    }

    /// Does some work when its turn has come. Dropping this future stops the work.
    pub async fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let mut waiting = Waiting { stop: Stop::default(), metrics: &self.metrics, is_done: false };
        let places = match self.places(asker).await {
            Some(places) => places,
            None => {
                // It has not begun, so nothing is cancelled.
                waiting.is_done = true;
                return Err(Undone::Crowded);
            }
        };
        let stop = waiting.stop.clone();
        let done = spawn_blocking(move || {
            let done = work(&stop);
            // The places are released when the work ends, not when the client leaves.
            drop(places);
            done
        });
        let done = done.await;
        waiting.is_done = true;
        done.map_err(Undone::Broken)
    }

    /// A place in the line of its address, then one of all. None: that line is too long.
    async fn places(&self, asker: Asker) -> Option<[Option<OwnedSemaphorePermit>; 2]> {
        let own = match asker {
            Asker::Anybody => None,
            Asker::At(address) | Asker::GoesOn(address) => {
                let line = self.line(address);
                let most = if asker == Asker::At(address) { WAITING } else { usize::MAX };
                let own = line.place(most).await;
                if own.is_none() {
                    self.metrics.hit(Limit::Replays);
                    return None;
                }
                own
            }
        };
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Some([own, Some(place)]);
        }
        self.metrics.hit(Limit::Replays);
        let place = self.places.clone().acquire_owned().await.expect("nobody closes it");
        Some([own, Some(place)])
    }

    fn line(&self, address: IpAddr) -> Arc<Line> {
        let mut lines = self.lines.lock().expect("no holder of this lock panics");
        if lines.len() >= FORGET_AT {
            // Work in progress has a permit, which keeps its semaphore.
            lines.retain(|_, line| {
                Arc::strong_count(line) > 1 || Arc::strong_count(&line.places) > 1
            });
        }
        let fresh = || {
            let places = Arc::new(Semaphore::new(self.at_once));
            Arc::new(Line { places, waiting: AtomicUsize::new(0) })
        };
        lines.entry(address).or_insert_with(fresh).clone()
    }
}

impl Line {
    /// A place in it, when there is one. None: more than `most` wait already.
    async fn place(&self, most: usize) -> Option<OwnedSemaphorePermit> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Some(place);
        }
        let waits = InLine(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= most {
            return None;
        }
        let place = self.places.clone().acquire_owned().await.expect("nobody closes it");
        drop(waits);
        Some(place)
    }
}

/// A waiting client in a queue, until it is dropped.
struct InLine<'a>(&'a AtomicUsize);

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A client that waits for work.
struct Waiting<'a> {
    stop: Stop,
    metrics: &'a Metrics,
    is_done: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.stop.say();
            self.metrics.replays_cancelled.inc();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_ends_when_nobody_waits_and_only_then_is_its_place_free() {
        let metrics = Metrics::new();
        let replays = Replays::new(1, metrics.clone());
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (ended, ends) = mpsc::channel();
        let first = replays.run(Asker::Anybody, move |stop| {
            begun.send(()).expect("the test waits");
            while !stop.is_said() {
                std::thread::yield_now();
            }
            ended.send("first").expect("the test waits");
        });
        tokio::select! {
            biased;
            _ = first => panic!("nobody has said that it should stop"),
            begun = begins => begun.expect("it begins"),
        }
        // Its future is dropped. The next gets its place once the thread is done with it.
        let told = replays.run(Asker::Anybody, move |_| ends.try_recv()).await.expect("works");
        assert_eq!(told, Ok("first"), "two worked at once");
        assert_eq!(metrics.replays_cancelled.get(), 1);
    }

    /// One address filled the queue with long work, and all others waited for all of it.
    #[tokio::test]
    async fn an_address_waits_in_a_line_of_its_own_which_has_an_end() {
        let replays = Replays::new(1, Metrics::new());
        let (eve, ann) = (Asker::At([192, 0, 2, 1].into()), Asker::At([192, 0, 2, 2].into()));
        let (go, goes) = mpsc::channel::<()>();
        let (told, order) = mpsc::channel();
        let say = |who: &'static str| {
            let told = told.clone();
            move |_: &Stop| told.send(who).expect("the test listens")
        };
        let first = tokio::spawn({
            let replays = replays.clone();
            async move { replays.run(eve, move |_| goes.recv()).await.map(|_| ()) }
        });
        while replays.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let others: Vec<_> = (0..WAITING)
            .map(|_| {
                let (replays, say) = (replays.clone(), say("eve"));
                tokio::spawn(async move { replays.run(eve, say).await })
            })
            .collect();
        while replays.line([192, 0, 2, 1].into()).waiting.load(Ordering::Relaxed) < WAITING {
            tokio::task::yield_now().await;
        }
        assert!(matches!(replays.run(eve, say("eve")).await, Err(Undone::Crowded)));
        let mut anns = Box::pin(replays.run(ann, say("ann")));
        assert!(
            futures_util::poll!(&mut anns).is_pending(),
            "it waits for the one that is at work"
        );
        go.send(()).expect("it waits");
        anns.await.expect("is done");
        first.await.expect("ends").expect("is done");
        for other in others {
            other.await.expect("ends").expect("is done");
        }
        assert_eq!(order.try_recv(), Ok("ann"), "before all that wait for Eve");
        assert_eq!(order.try_iter().count(), WAITING, "whose turn comes too");
    }
}
