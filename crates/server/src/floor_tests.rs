//! Callers on a floor, carried by nothing: what they say is written down beforehand, what they
//! hear is kept.

use std::task::Waker;

use games::sushi_go::SushiGo;
use tokio_util::sync::CancellationToken;
use wire::{Frame, Garbage, Session, Speech, Text};

use super::*;
use crate::hosting::Door;
use crate::metrics::Metrics;
use crate::settings::Limits;

/// Repeats what it hears, except for a word it cannot bear.
struct Parrot;

impl Session<SushiGo> for Parrot {
    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech<SushiGo>) {
        assert_ne!(text, "boo");
        out.text(text);
    }

    fn on_garbage(&mut self, _now: Time, _garbage: Garbage, _out: &mut Speech<SushiGo>) {}

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech<SushiGo>) {
        out.text(format!("{answer:?}"));
    }

    fn on_event(&mut self, _now: Time, _event: &Event<SushiGo>, _out: &mut Speech<SushiGo>) {}
}

type Heard = Rc<RefCell<Vec<String>>>;

/// What carries the messages of a client that has said everything already.
struct Tape {
    says: Vec<&'static str>,
    unsent: Vec<String>,
    /// What was sent, piece by piece.
    hears: Heard,
}

impl Carrier for Tape {
    fn poll_fetch(&mut self, _cx: &mut Context<'_>) -> Poll<Result<bool, String>> {
        Poll::Pending
    }

    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        self.says.pop().map(|text| hear(Frame::Text(text))).is_some()
    }

    fn is_drained(&self) -> bool {
        self.says.is_empty()
    }

    fn put(&mut self, text: Text) {
        self.unsent.push(text.as_str().to_owned());
    }

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn tick(&mut self, _now: Time) -> Result<(), String> {
        Ok(())
    }

    fn poll_send(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        if !self.unsent.is_empty() {
            self.hears.borrow_mut().push(self.unsent.join(" "));
            self.unsent.clear();
        }
        Poll::Ready(Ok(()))
    }

    fn unsent(&self) -> usize {
        self.unsent.len()
    }

    fn poll_close(&mut self, _cx: &mut Context<'_>, _reason: &str) -> Poll<()> {
        Poll::Ready(())
    }
}

fn floor(change: impl FnOnce(&mut Limits)) -> SharedFloor<SushiGo> {
    let mut limits = Limits::default();
    change(&mut limits);
    let options = <SushiGo as Playable>::Options::default();
    Floor::new(Arc::new(Room {
        door: Door::new().0,
        terms: SushiGo::terms(&options).expect("defaults are fine"),
        options,
        limits,
        metrics: Metrics::new().of_game("sushi-go"),
        closing: CancellationToken::new(),
        trace_folder: None,
        notes: tokio::sync::watch::Sender::new(0),
    }))
}

fn enter(floor: &SharedFloor<SushiGo>, says: Vec<&'static str>) -> (Conn, Heard) {
    let hears = Heard::default();
    let carrier = Box::new(Tape { says, unsent: Vec::new(), hears: hears.clone() });
    let (session, peer) = (Box::new(Parrot), "nowhere".to_owned());
    let arrival = Arrival { dialect: "test", session, carrier, first_message_ms: Some(1000), peer };
    (floor.borrow_mut().enter(arrival).expect("the floor is open"), hears)
}

fn poll(floor: &SharedFloor<SushiGo>, conn: Conn) -> Poll<String> {
    floor.borrow_mut().poll(conn, &mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_session_that_panics_takes_nobody_along() {
    let floor = floor(|_| {});
    let (calm, heard) = enter(&floor, vec!["hello"]);
    let (scared, _) = enter(&floor, vec!["boo"]);
    assert_eq!(poll(&floor, scared), Poll::Ready("a session has panicked".to_owned()));
    floor.borrow_mut().leave(scared, "");
    assert_eq!(poll(&floor, calm), Poll::Pending);
    assert_eq!(*heard.borrow(), ["hello"]);
}

#[test]
fn alarms_ring_for_those_who_say_nothing() {
    let floor = floor(|_| {});
    let (silent, _) = enter(&floor, vec![]);
    let (speaking, _) = enter(&floor, vec!["hello"]);
    assert_eq!((poll(&floor, silent), poll(&floor, speaking)), (Poll::Pending, Poll::Pending));
    let due = floor.borrow().deadline().expect("the first message is awaited");
    floor.borrow_mut().tick(due);
    assert!(floor.borrow_mut().attend(due));
    assert_eq!(poll(&floor, silent), Poll::Ready("no message came".to_owned()));
    assert_eq!(poll(&floor, speaking), Poll::Pending);
    floor.borrow_mut().leave(silent, "");
    assert_eq!(floor.borrow().deadline(), None);
}

#[test]
fn a_crowd_is_attended_to_in_parts() {
    let floor = floor(|_| {});
    let now = clock::now();
    let crowd: Vec<Conn> = (0..=AT_ONCE).map(|_| enter(&floor, vec![]).0).collect();
    let mut floor = floor.borrow_mut();
    for conn in crowd {
        floor.answer(now, conn, Answer::Entered);
        floor.answer(now, conn, Answer::Entered);
    }
    assert!(!floor.attend(now), "one is left");
    assert!(floor.attend(now));
}

#[test]
fn what_can_wait_leaves_in_a_lull_with_what_is_urgent_or_when_patience_ends() {
    let floor = floor(|_| {});
    let (moved, heard) = enter(&floor, vec![]);
    let (other, _) = enter(&floor, vec![]);
    assert_eq!((poll(&floor, moved), poll(&floor, other)), (Poll::Pending, Poll::Pending));
    let mut floor = floor.borrow_mut();
    let now = clock::now();

    floor.answer(now, moved, Answer::Accepted);
    assert!(!floor.attend(now));
    assert!(!floor.attend(now), "one look around is not enough");
    assert!(heard.borrow().is_empty());
    assert!(floor.attend(now));
    assert_eq!(heard.take(), ["Accepted"]);

    floor.answer(now, moved, Answer::Accepted);
    assert!(!floor.attend(now));
    floor.answer(now, moved, Answer::Entered);
    floor.attend(now);
    assert_eq!(heard.take(), ["Accepted Entered"]);

    floor.answer(now, moved, Answer::Accepted);
    for ms in 0..=PATIENCE_MS {
        assert!(heard.borrow().is_empty(), "after {ms} ms");
        floor.answer(now, other, Answer::Entered);
        floor.attend(now + ms);
    }
    assert_eq!(heard.take(), ["Accepted"]);
}
