//! The connections of one hall, as its thread has them. A connection's task fetches input; what
//! it is told is said and sent by whoever delivers it. All take turns on one thread, so nothing
//! here is locked and nothing is handed from task to task.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use foldhash::{HashMap, HashMapExt};
use hall::{Answer, BanSubject, ConnId, Event, Input, Output, Refusal, Time};
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::connection::{Arrival, Connection};
use super::onlookers::{Onlookers, Told};
use super::transport::Transport;
use super::{HostedGame, Openers, silence};
use crate::fleet::{Gateways, node_of};
use crate::house::clock;
use crate::reading::Asker;

/// Why connections end when the server does.
pub const STOPPING: &str = "the server is shutting down";

/// The connections of one hall.
pub struct Connections {
    pub hosted: Arc<HostedGame>,
    /// In boxes, for a growing map shall not copy them all.
    by_id: HashMap<ConnId, Box<Connection>>,
    next_conn: u64,
    /// What connections ask and the hall has not heard yet, in order.
    pub inputs: Vec<Input>,
    alarms: Alarms,
    /// Where more connections of the hall are.
    pub gateways: Gateways,
    /// Connections that were told something, in order.
    told: VecDeque<ConnId>,
    /// Connections that keep something that can wait, and since when.
    keeping: VecDeque<(Time, ConnId)>,
    /// What those who only look on will be told.
    onlookers: Onlookers,
    /// So many times in a row there was nothing else to do.
    lulls: u32,
    /// Notified when there is something for the hall to hear, or an earlier alarm.
    pub stirred: Rc<Notify>,
    openers: Openers,
    /// Those who wait to be told what has happened: whoever leaves ends that.
    pub recalls: HashMap<ConnId, AbortOnDropHandle<()>>,
    /// Why nothing new begins in the hall, as this node was told, wherever the hall is.
    pub barred: Option<Refusal>,
    open: bool,
}

/// The connections, as the tasks on their thread share them. They are never borrowed across an await.
pub type SharedConnections = Rc<RefCell<Connections>>;

/// So many connections are attended to before others on the thread get their turn.
const AT_ONCE: usize = 64;

/// What can wait is sent in a lull: when so many times in a row, with a look at all sockets in
/// between, nobody was told anything.
const LULL: u32 = 2;
/// When they are busy it waits for so long at most, and mostly leaves with what is told next.
const PATIENCE_MS: u64 = 10;

/// Serves one connection until it ends.
pub async fn serve(connections: SharedConnections, arrival: Arrival) {
    let Some(conn) = connections.borrow_mut().enter(arrival) else { return };
    let reason = poll_fn(|cx| connections.borrow_mut().poll(conn, cx)).await;
    let transport = connections.borrow_mut().leave(conn, &reason);
    // In a box, so that it takes no room before.
    Box::pin(take_leave(transport, reason)).await;
}

async fn take_leave(mut transport: Box<dyn Transport>, reason: String) {
    let farewell = poll_fn(|cx| transport.poll_close(cx, &reason));
    // Whether or not the farewell arrived, there is nobody left to tell.
    let _ = timeout(Duration::from_secs(1), farewell).await;
}

// What the connections' tasks do.
impl Connections {
    /// None yet, and the first will have this number.
    pub fn new(hosted: Arc<HostedGame>, next_conn: u64) -> SharedConnections {
        Rc::new(RefCell::new(Connections {
            hosted,
            by_id: HashMap::new(),
            next_conn,
            inputs: Vec::new(),
            alarms: Alarms::default(),
            gateways: Gateways::default(),
            told: VecDeque::new(),
            keeping: VecDeque::new(),
            onlookers: Onlookers::default(),
            lulls: 0,
            stirred: Rc::default(),
            openers: Openers::default(),
            recalls: HashMap::new(),
            barred: None,
            open: true,
        }))
    }

    /// None: the hall is closed.
    fn enter(&mut self, arrival: Arrival) -> Option<ConnId> {
        if !self.open {
            return None;
        }
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        let connection = Connection::new(clock::now(), conn, self.hosted.clone(), arrival);
        self.by_id.insert(conn, Box::new(connection));
        Some(conn)
    }

    /// Ready with the reason once the connection must end.
    fn poll(&mut self, conn: ConnId, cx: &mut Context<'_>) -> Poll<String> {
        let connection = self.by_id.get_mut(&conn).expect("a connection stays until its task ends");
        let polled = sheltered(|| connection.poll(clock::now(), cx, &mut self.inputs));
        if self.alarms.set(connection) || !self.inputs.is_empty() {
            self.stirred.notify_one();
        }
        polled.unwrap_or_else(Poll::Ready)
    }

    /// Tells the hall that a connection is gone, before its socket is closed.
    fn leave(&mut self, conn: ConnId, reason: &str) -> Box<dyn Transport> {
        let connection = self.by_id.remove(&conn).expect("a connection stays until its task ends");
        self.alarms.remove(&connection);
        self.recalls.remove(&conn);
        self.inputs.push(Input::Gone(conn));
        self.stirred.notify_one();
        connection.leave(reason)
    }
}

// What the hall's driver does.
impl Connections {
    pub fn answer(&mut self, now: Time, conn: ConnId, answer: Answer) {
        if self.looks_on(conn) {
            return self.onlookers.put_aside(now, Arc::new([conn]), Told::Answer(answer));
        }
        let urgent = answer.is_urgent();
        self.let_hear(now, conn, urgent, |connection| connection.answered(now, answer));
    }

    pub fn tell(&mut self, now: Time, conn: ConnId, event: Event) {
        if self.looks_on(conn) {
            return self.onlookers.put_aside(now, Arc::new([conn]), Told::Event(event));
        }
        let urgent = event.is_urgent();
        self.let_hear(now, conn, urgent, |connection| connection.told(now, event));
    }

    /// For whom long work is done that a connection asks for. Those of gateways are counted there.
    pub fn asker(&self, conn: ConnId) -> Asker {
        let address = self.by_id.get(&conn).and_then(|connection| connection.counted_at());
        address.map_or(Asker::Anybody, Asker::At)
    }

    /// What a connection has asked for costs so many messages more.
    pub fn charge(&mut self, conn: ConnId, messages: u64) {
        if let Some(connection) = self.by_id.get_mut(&conn) {
            connection.charge(messages);
        }
    }

    /// Counts what tables write for those who were first there.
    pub fn bill(&mut self, outputs: &[Output]) {
        for output in outputs {
            if let Output::TableRecord(entry) = output {
                let bill = |conn| self.by_id.get(&conn).and_then(|opener| opener.table_bill());
                self.openers.note(entry, bill);
            }
        }
    }

    /// Tells all of these the same; they only look on.
    pub fn show(&mut self, now: Time, conns: Arc<[ConnId]>, event: Event) {
        self.onlookers.put_aside(now, conns, Told::Event(event));
    }

    /// Whether a connection only looks on, so that everything it is told can wait. Nothing overtakes what
    /// waits; but what was begun to be told is told at once.
    fn looks_on(&self, conn: ConnId) -> bool {
        let Some(connection) = self.by_id.get(&conn) else { return false };
        let has_begun = || connection.told && !self.onlookers.keep_something_for(conn);
        !connection.later.is_empty() || connection.is_watching() && !has_begun()
    }

    /// Whether nobody will hear of any of this, and nobody waits for it.
    pub fn are_silent_on(&self, outputs: &[Output]) -> bool {
        // What a session at another node says to something is not known here.
        let is_here = |conn| !self.gateways.have(conn);
        let on_answer = |conn, answer: &Answer| {
            let connection = self.by_id.get(&conn);
            is_here(conn) && connection.is_none_or(|one| one.is_silent_on(answer))
        };
        let at_event = |conn, event: &Event| {
            let connection = self.by_id.get(&conn);
            is_here(conn) && connection.is_none_or(|one| one.is_silent_at(event))
        };
        outputs.iter().all(|output| silence::holds(output, on_answer, at_event))
    }

    /// Lets connections whose alarms ring do what is due.
    pub fn tick(&mut self, now: Time) {
        while let Some(conn) = self.alarms.ring(now) {
            self.let_hear(now, conn, true, |connection| {
                connection.alarm = None;
                connection.tick(now);
            });
        }
    }

    fn let_hear(
        &mut self,
        now: Time,
        conn: ConnId,
        urgent: bool,
        step: impl FnOnce(&mut Connection),
    ) {
        // Whoever has gone meanwhile needs to hear nothing.
        let Some(connection) = self.by_id.get_mut(&conn) else { return };
        connection.urgent |= urgent;
        let spoken = sheltered(|| {
            step(connection);
            connection.speak(now, &mut self.inputs);
        });
        if let Err(fault) = spoken {
            connection.end(fault);
        }
        if !std::mem::replace(&mut connection.told, true) {
            self.told.push_back(conn);
        }
    }

    /// Sends connections what they were told, all of it in one write, and lets them go on; some of
    /// them at a time, and first those for whom a game waits. Whether that were all.
    pub fn attend(&mut self, now: Time) -> bool {
        self.lulls = if self.told.is_empty() { self.lulls.saturating_add(1) } else { 0 };
        for _ in 0..AT_ONCE {
            let Some(conn) = self.told.pop_front() else { break };
            let Some(connection) = self.by_id.get_mut(&conn) else { continue };
            connection.told = false;
            match sheltered(|| connection.attend(now, &mut self.inputs)) {
                Ok(true) => self.keeping.push_back((now, conn)),
                Ok(false) => {}
                Err(fault) => connection.end(fault),
            }
            self.alarms.set(connection);
        }
        self.send_kept(now);
        if self.onlookers.due().is_some_and(|due| due <= now) {
            self.tell_onlookers(now);
        }
        if !self.inputs.is_empty() {
            self.stirred.notify_one();
        }
        self.told.is_empty() && self.keeping.is_empty()
    }

    /// When some of those who only look on have their turn.
    pub fn onlookers_due(&self) -> Option<Time> {
        self.onlookers.due()
    }

    /// Tells some of those who only look on what has waited long enough.
    fn tell_onlookers(&mut self, now: Time) {
        self.onlookers.hand_out(now, |conn, told| {
            // Whoever has gone meanwhile needs to hear nothing.
            let Some(connection) = self.by_id.get_mut(&conn) else { return false };
            connection.later.push_back(told);
            connection.later.len() == 1
        });
        for conn in self.onlookers.take_some() {
            let Some(connection) = self.by_id.get_mut(&conn) else { continue };
            connection.urgent = true;
            let spoken = sheltered(|| {
                for told in std::mem::take(&mut connection.later) {
                    match told {
                        Told::Answer(answer) => connection.answered(now, answer),
                        Told::Event(event) => connection.told(now, event),
                    }
                    connection.speak(now, &mut self.inputs);
                }
                connection.attend(now, &mut self.inputs);
            });
            if let Err(fault) = spoken {
                connection.end(fault);
            }
            self.alarms.set(connection);
        }
    }

    /// Sends what has waited long enough, or all of it in a lull; some of it at a time.
    fn send_kept(&mut self, now: Time) {
        let lull = self.lulls >= LULL;
        for _ in 0..AT_ONCE {
            let Some((since, conn)) = self.keeping.front().copied() else { break };
            if !lull && since + PATIENCE_MS > now {
                break;
            }
            self.keeping.pop_front();
            // Most have sent it meanwhile, with something urgent.
            if let Some(connection) = self.by_id.get_mut(&conn)
                && connection.kept_since == Some(since)
            {
                connection.flush();
            }
        }
    }

    /// The time of the first alarm.
    pub fn deadline(&self) -> Option<Time> {
        self.alarms.first()
    }

    /// Ends those who come from an address, or have these numbers; how many.
    pub fn kick(&mut self, subject: &BanSubject, named: &[ConnId]) -> usize {
        let is_meant = |connection: &Connection| match subject {
            BanSubject::Name(_) | BanSubject::Key(_) => named.contains(&connection.conn),
            BanSubject::Address(_) => {
                !connection.peer.is_here()
                    && BanSubject::of_address(connection.peer.address) == *subject
            }
        };
        let mut ended = 0;
        for connection in self.by_id.values_mut().filter(|connection| is_meant(connection)) {
            connection.end("closed by the organiser".to_owned());
            ended += 1;
        }
        ended
    }

    pub fn has(&self, conn: ConnId) -> bool {
        self.by_id.contains_key(&conn)
    }

    /// Everybody who is connected here.
    pub fn all(&self) -> Vec<ConnId> {
        self.by_id.keys().copied().collect()
    }

    /// Ends one connection.
    pub fn end(&mut self, conn: ConnId, reason: &str) {
        if let Some(connection) = self.by_id.get_mut(&conn) {
            connection.end(reason.to_owned());
        }
    }

    /// The hall is another node's now, or nobody's. What gateways' connections have asked and the
    /// hall has not heard is forgotten: their gateways say it again to whoever owns the hall next.
    pub fn part_from_gateways(&mut self) {
        self.gateways.close();
        let here = self.hosted.node;
        self.inputs.retain(|input| match input {
            Input::Said(conn, _) | Input::Showed(conn, _) | Input::Gone(conn) => {
                node_of(*conn) == here
            }
            _ => false,
        });
    }

    /// Ends every connection, and takes no more.
    pub fn close(&mut self) {
        self.open = false;
        self.gateways.close();
        while let Some(due) = self.onlookers.due() {
            self.tell_onlookers(due);
        }
        for connection in self.by_id.values_mut() {
            connection.end(STOPPING.to_owned());
        }
    }
}

/// When connections are looked at, each no later than it is due.
#[derive(Default)]
struct Alarms(BTreeSet<(Time, ConnId)>);

impl Alarms {
    fn first(&self) -> Option<Time> {
        self.0.first().map(|(time, _)| *time)
    }

    /// Makes sure that a connection is looked at in time; whether it is the next. An alarm is only
    /// ever moved forward: one that rings too early is set anew then, which is cheaper than to
    /// move it with every message.
    fn set(&mut self, connection: &mut Connection) -> bool {
        let Some(due) = connection.deadline() else { return false };
        if connection.alarm.is_some_and(|alarm| alarm <= due) {
            return false;
        }
        self.remove(connection);
        connection.alarm = Some(due);
        self.0.insert((due, connection.conn));
        self.first() == Some(due)
    }

    fn remove(&mut self, connection: &Connection) {
        if let Some(alarm) = connection.alarm {
            self.0.remove(&(alarm, connection.conn));
        }
    }

    /// Takes an alarm that rings now.
    fn ring(&mut self, now: Time) -> Option<ConnId> {
        let rings = self.first().is_some_and(|time| time <= now);
        rings.then(|| self.0.pop_first()).flatten().map(|(_, conn)| conn)
    }
}

/// Runs a session's step; a panic there is that connection's misfortune, not everybody's.
fn sheltered<T>(step: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|_| "a session has panicked".to_owned())
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
