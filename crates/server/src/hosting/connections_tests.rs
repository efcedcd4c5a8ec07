//! Connections without a transport: what they send is written down beforehand, what they receive is
//! kept.

use std::task::Waker;

use games::sushi_go::SushiGo;
use hall::{Command, OpenRecords};
use tokio_util::sync::CancellationToken;
use wire::{AnyGame, Frame, Garbage, Session, Speech, Text};

use super::*;
use crate::gate::{Gate, Limits, Peer};
use crate::hosting::HallHandle;
use crate::hosting::onlookers::{self, ASIDE_MS};
use crate::house::{Metrics, Settings};
use crate::reading::{Directory, Replays};
use crate::transcript::Wires;

/// Repeats what it receives, except for a word that makes it panic.
struct Parrot;

impl Session for Parrot {
    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech) {
        assert_ne!(text, "boo");
        out.text(text);
    }

    fn on_garbage(&mut self, _now: Time, _garbage: Garbage, _out: &mut Speech) {}

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        out.text(format!("{answer:?}"));
    }

    fn on_event(&mut self, _now: Time, event: &Event, out: &mut Speech) {
        if let Event::Waiting(_) = event {
            out.text("Waiting");
        }
    }
}

type Heard = Rc<RefCell<Vec<String>>>;

/// What carries the messages of a client that has said everything already.
struct Tape {
    says: Vec<&'static str>,
    unsent: Vec<String>,
    /// What was sent, piece by piece.
    hears: Heard,
}

impl Transport for Tape {
    fn poll_fetch(&mut self, _cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
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

fn connections(change: impl FnOnce(&mut Limits)) -> SharedConnections {
    let mut limits = Limits::default();
    change(&mut limits);
    let game = <dyn AnyGame>::of::<SushiGo>();
    let options = game.default_options();
    let hosted = Arc::new(HostedGame {
        handle: HallHandle::new().0,
        terms: game.terms(&options).expect("defaults are fine"),
        node: 1,
        game,
        dialects: game.own_wires(),
        options: Arc::new(options),
        limits,
        requires_key: false,
        metrics: Metrics::new().of_game("sushi-go"),
        closing: CancellationToken::new(),
        trace_folder: None,
        wires: Arc::new(Wires::new(None)),
        troubles: Arc::default(),
        directory: Arc::new(Directory::new(game.name(), OpenRecords::default())),
        replays: Replays::new(2, Metrics::new()),
        door: Arc::default(),
    });
    Connections::new(hosted, 1)
}

fn enter(connections: &SharedConnections, says: Vec<&'static str>) -> (ConnId, Heard) {
    let hears = Heard::default();
    let transport = Box::new(Tape { says, unsent: Vec::new(), hears: hears.clone() });
    let session = Box::new(Parrot);
    let limits = connections.borrow().hosted.limits.clone();
    let settings = Settings { limits, ..Settings::default() };
    let gate = Gate::new(&settings, Metrics::new(), None);
    let here = Peer::direct(std::net::Ipv4Addr::LOCALHOST.into());
    let admission = Arc::new(gate.admit(here).expect("there is room"));
    let first_message_ms = Some(1000);
    let key = None;
    let arrival = Arrival { dialect: "test", session, transport, key, first_message_ms, admission };
    (connections.borrow_mut().enter(arrival).expect("the hall is open"), hears)
}

fn poll(connections: &SharedConnections, conn: ConnId) -> Poll<String> {
    connections.borrow_mut().poll(conn, &mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_session_that_panics_takes_nobody_along() {
    let connections = connections(|_| {});
    let (calm, heard) = enter(&connections, vec!["hello"]);
    let (scared, _) = enter(&connections, vec!["boo"]);
    assert_eq!(poll(&connections, scared), Poll::Ready("a session has panicked".to_owned()));
    connections.borrow_mut().leave(scared, "");
    assert_eq!(poll(&connections, calm), Poll::Pending);
    assert_eq!(*heard.borrow(), ["hello"]);
}

/// A node that gave up a hall and got it back handled a gateway's command a second time: it had
/// arrived before, had not been handled by the hall then, and was kept among this node's own.
#[test]
fn what_gateways_have_asked_is_not_kept_for_another_owner() {
    let connections = connections(|_| {});
    let (mut connections, elsewhere) = (connections.borrow_mut(), ConnId(2 << 32 | 1));
    let here = ConnId(1 << 32 | 1);
    for conn in [elsewhere, here] {
        connections.inputs.push(Input::Said(conn, Command::Leave));
        connections.inputs.push(Input::Gone(conn));
    }
    connections.part_from_gateways();
    assert!(matches!(
        &connections.inputs[..],
        [Input::Said(said, _), Input::Gone(gone)] if *said == here && *gone == here
    ));
}

#[test]
fn alarms_ring_for_those_who_say_nothing() {
    let connections = connections(|_| {});
    let (silent, _) = enter(&connections, vec![]);
    let (speaking, _) = enter(&connections, vec!["hello"]);
    assert_eq!(
        (poll(&connections, silent), poll(&connections, speaking)),
        (Poll::Pending, Poll::Pending)
    );
    let due = connections.borrow().deadline().expect("the first message is awaited");
    connections.borrow_mut().tick(due);
    assert!(connections.borrow_mut().attend(due));
    assert_eq!(poll(&connections, silent), Poll::Ready("no message came".to_owned()));
    assert_eq!(poll(&connections, speaking), Poll::Pending);
    connections.borrow_mut().leave(silent, "");
    let due = connections.borrow().deadline().expect("nor may it be silent for ever");
    connections.borrow_mut().tick(due);
    assert_eq!(poll(&connections, speaking), Poll::Ready("it was silent for too long".to_owned()));
    connections.borrow_mut().leave(speaking, "");
    assert_eq!(connections.borrow().deadline(), None);
}

#[test]
fn a_crowd_is_attended_to_in_parts() {
    let connections = connections(|_| {});
    let now = clock::now();
    let crowd: Vec<ConnId> = (0..=AT_ONCE).map(|_| enter(&connections, vec![]).0).collect();
    let mut connections = connections.borrow_mut();
    for conn in crowd {
        connections.answer(now, conn, Answer::Entered);
        connections.answer(now, conn, Answer::Entered);
    }
    assert!(!connections.attend(now), "one is left");
    assert!(connections.attend(now));
}

#[test]
fn what_can_wait_leaves_in_a_lull_with_what_is_urgent_or_when_patience_ends() {
    let connections = connections(|_| {});
    let (moved, heard) = enter(&connections, vec![]);
    let (other, _) = enter(&connections, vec![]);
    assert_eq!(
        (poll(&connections, moved), poll(&connections, other)),
        (Poll::Pending, Poll::Pending)
    );
    let mut connections = connections.borrow_mut();
    let now = clock::now();

    connections.answer(now, moved, Answer::Accepted);
    assert!(!connections.attend(now));
    assert!(!connections.attend(now), "one look around is not enough");
    assert!(heard.borrow().is_empty());
    assert!(connections.attend(now));
    assert_eq!(heard.take(), ["Accepted"]);

    connections.answer(now, moved, Answer::Accepted);
    assert!(!connections.attend(now));
    connections.answer(now, moved, Answer::Entered);
    connections.attend(now);
    assert_eq!(heard.take(), ["Accepted Entered"]);

    connections.answer(now, moved, Answer::Accepted);
    for ms in 0..=PATIENCE_MS {
        assert!(heard.borrow().is_empty(), "after {ms} ms");
        connections.answer(now, other, Answer::Entered);
        connections.attend(now + ms);
    }
    assert_eq!(heard.take(), ["Accepted"]);
}

/// One connection had 20,000 messages handled before any other.
#[test]
fn each_connection_is_read_a_few_messages_at_a_time() {
    let connections = connections(|_| {});
    let (loud, heard) = enter(&connections, vec!["x"; 100]);
    let (quiet, quiet_heard) = enter(&connections, vec!["hello"]);
    let mut turns = 0;
    while heard.borrow().join(" ").len() < 199 {
        assert_eq!(poll(&connections, loud), Poll::Pending);
        turns += 1;
        if turns == 1 {
            assert_eq!(heard.borrow().join(" "), "x x x x x x x x");
            assert_eq!(poll(&connections, quiet), Poll::Pending);
            assert_eq!(*quiet_heard.borrow(), ["hello"]);
        }
    }
    assert_eq!(turns, 13);
}

#[test]
fn a_connection_over_its_budget_is_read_again_when_the_budget_refills() {
    let connections = connections(|limits| limits.messages_per_s = 2);
    let (loud, heard) = enter(&connections, vec!["x"; 6]);
    assert_eq!(poll(&connections, loud), Poll::Pending);
    assert_eq!(*heard.borrow(), ["x x x x"], "two seconds' worth at once");
    let first = connections.borrow().deadline().expect("it is looked at again");
    let mut connections = connections.borrow_mut();
    for ms in [0, 400, 900] {
        connections.tick(first + ms);
        connections.attend(first + ms);
    }
    assert_eq!(*heard.borrow(), ["x x x x", "x", "x"]);
}

/// A thousand people who looked at a tournament kept its players waiting for ten milliseconds.
#[test]
fn onlookers_are_told_after_players_in_small_parts_and_in_order() {
    let connections = connections(|_| {});
    let (player, player_heard) = enter(&connections, vec![]);
    let crowd: Vec<_> = (0..3 * onlookers::AT_ONCE).map(|_| enter(&connections, vec![])).collect();
    let seen =
        Box::new(hall::Joined { company: Arc::default(), seat: None, token: None, resumed: false });
    for (conn, _) in crowd.iter().chain([&(player, Heard::default())]) {
        assert_eq!(poll(&connections, *conn), Poll::Pending);
    }
    let mut connections = connections.borrow_mut();
    let now = clock::now();
    for (conn, _) in &crowd {
        connections.answer(now, *conn, Answer::Joined(seen.clone()));
    }
    while !connections.attend(now) {}
    crowd.iter().for_each(|(_, heard)| _ = heard.take());
    assert_eq!(connections.onlookers_due(), None);

    let all: Arc<[ConnId]> = crowd.iter().map(|(conn, _)| *conn).collect();
    connections.show(now, all.clone(), Event::Waiting(Default::default()));
    for conn in &*all {
        connections.answer(now, *conn, Answer::Entered);
    }
    connections.answer(now, player, Answer::Entered);
    assert!(connections.attend(now), "nobody else waits");
    assert_eq!(player_heard.take(), ["Entered"]);
    let due = now + ASIDE_MS;
    assert_eq!(connections.onlookers_due(), Some(due));
    for ms in 0..ASIDE_MS + 3 {
        connections.attend(now + ms);
        connections.attend(now + ms);
        let told = crowd.iter().filter(|(_, heard)| !heard.borrow().is_empty()).count();
        let parts = (ms + 1).saturating_sub(ASIDE_MS) as usize;
        assert_eq!(told, parts * onlookers::AT_ONCE, "after {ms} ms");
    }
    assert_eq!(connections.onlookers_due(), None);
    assert!(crowd.iter().all(|(_, heard)| heard.take() == ["Waiting Entered"]));

    connections.answer(now, crowd[0].0, Answer::Accepted);
    connections.close();
    assert_eq!(crowd[0].1.take(), ["Accepted"], "nor is it lost when the server stops");
}
