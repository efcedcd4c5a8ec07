//! A gateway's side: the connections are here, their hall is at another node.
//!
//! What connections ask is kept until it is answered. When the link breaks or the hall gets
//! another owner, nobody here notices but by the wait: the gateway says to whoever owns the hall
//! then what it has heard and who is here, hears what it has missed, and says again what was not
//! answered.

mod hearing;
mod succession;
mod unanswered;
mod uplink;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hall::{Attendance, BanSubject, ConnId, Input, TableNo, TableStanding, Time};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_local;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use super::gateways::retain_attended;
use super::link::{self, Attach, BEAT, Following, FromGateway, FromOwner, Outgoing};
use super::{Fleet, Owner};
use crate::hosting::{HallMessage, HostedGame, SharedConnections};
use crate::house::clock;

use unanswered::Unanswered;
use uplink::{FromLink, Troubles, keep_link};

/// When the server stops, the owner has so long to hear who is gone.
const FAREWELL: Duration = Duration::from_millis(500);

/// That something has come is said with what is said next, and after so long by itself.
const CONFIRM_MS: u64 = 20;

/// So many messages of an owner wait at most; then its link is not read.
const WAITING: usize = 256;

/// What a gateway keeps of its connections to one hall, whoever owns it.
pub struct Relay {
    hosted: Arc<HostedGame>,
    fleet: Fleet,
    unanswered: Unanswered,
    /// What the hall knew of each connection when it last said something of it.
    pub attending: BTreeMap<ConnId, Attendance>,
    /// How their tables stood then.
    pub tables: BTreeMap<TableNo, TableStanding>,
    /// Since when the owner is not heard.
    pub lost: Option<Time>,
    /// The owner's epoch and its last frame that has come.
    heard: Option<(u64, u64)>,
    /// The epoch of the owner it looks for.
    served: u64,
    confirmed: u64,
    /// Since when something has come of which the owner does not know that.
    unconfirmed_since: Option<Time>,
    following: Following,
    /// It is about to say to the owner who is gone.
    takes_leave: bool,
    troubles: Rc<Troubles>,
}

/// Why there is nothing more to relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The server stops.
    Stopped,
    /// The hall has another owner, or none.
    OwnerChanged,
}

/// Where the gateway is with its owner.
enum Standing {
    /// There is no link.
    Down,
    /// The owner has been told who is here.
    Attaching(Outgoing),
    Attached(Outgoing),
}

impl Relay {
    pub fn new(hosted: Arc<HostedGame>, fleet: Fleet) -> Relay {
        Relay {
            hosted,
            fleet,
            unanswered: Unanswered::default(),
            attending: BTreeMap::new(),
            tables: BTreeMap::new(),
            lost: None,
            heard: None,
            served: 0,
            confirmed: 0,
            unconfirmed_since: None,
            following: Following::default(),
            takes_leave: false,
            troubles: Rc::default(),
        }
    }

    /// Whether the hall was ever at another node, as far as this one knows.
    pub fn has_known_an_owner(&self) -> bool {
        self.served > 0 || self.heard.is_some()
    }

    /// Relays to one owner until it is another's turn. With no owner it waits, and serves its
    /// connections as far as that goes.
    pub async fn run(
        &mut self,
        owner: &mut watch::Receiver<Owner>,
        messages: &mut mpsc::Receiver<HallMessage>,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Ended {
        let now = *owner.borrow_and_update();
        let address = match now {
            Owner::Node { address, epoch } => {
                self.served = epoch;
                Some(address)
            }
            Owner::Nobody | Owner::Me => None,
        };
        let (up, mut incoming) = mpsc::channel(WAITING);
        let link = address.map(|address| {
            let (fleet, troubles) = (self.fleet.clone(), self.troubles.clone());
            spawn_local(keep_link(
                self.hosted.game,
                fleet,
                (address, self.hosted.node),
                up,
                troubles,
            ))
        });
        self.hosted.metrics.links.set(0);
        self.hosted.metrics.link_lag.set(0);
        self.hosted.metrics.journal_bytes.set(0);
        self.hosted.metrics.unsaved_since.set(0);
        if address.is_none() {
            self.lost.get_or_insert(clock::now());
        }
        let ended = self.relay((owner, now), messages, &mut incoming, connections, sockets).await;
        if let Some(mut link) = link {
            if ended == Ended::Stopped && self.takes_leave {
                // The owner is told who is gone, if it takes that.
                let _ = timeout(FAREWELL, &mut link).await;
            }
            link.abort();
        }
        ended
    }

    async fn relay(
        &mut self,
        (owner, served): (&mut watch::Receiver<Owner>, Owner),
        messages: &mut mpsc::Receiver<HallMessage>,
        incoming: &mut mpsc::Receiver<FromLink>,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Ended {
        let stirred = connections.borrow().stirred.clone();
        let mut standing = Standing::Down;
        let mut stopped = false;
        loop {
            let now = clock::now();
            if connections.borrow().deadline().is_some_and(|time| time <= now) {
                connections.borrow_mut().tick(now);
            }
            self.carry(connections, &standing);
            if self.confirms_at().is_some_and(|time| time <= now) {
                self.confirm(&standing);
            }
            let all_attended = connections.borrow_mut().attend(now);
            if stopped && all_attended {
                self.take_leave(connections, &standing);
                return Ended::Stopped;
            }
            let (deadline, onlookers) =
                (connections.borrow().deadline(), connections.borrow().onlookers_due());
            let wakes = [deadline, onlookers, self.confirms_at()].into_iter().flatten().min();
            tokio::select! {
                biased;
                changed = owner.changed(), if !stopped => {
                    let is_same = changed.is_ok() && *owner.borrow() == served;
                    if !is_same {
                        self.lose(&standing);
                        return Ended::OwnerChanged;
                    }
                }
                message = messages.recv() => match message {
                    None | Some(HallMessage::Stop) => stopped = true,
                    Some(message) => self.answer(message, connections, sockets, &standing),
                },
                said = incoming.recv(), if !incoming.is_closed() || !incoming.is_empty() => {
                    match said {
                        None => standing = Standing::Down,
                        Some(said) => {
                            // It may have been waited for: what is lost is lost now, not then.
                            let now = clock::now();
                            self.hear(now, said, connections, &mut standing);
                            // What has come meanwhile is sent on in the same writes.
                            while let Ok(said) = incoming.try_recv() {
                                self.hear(now, said, connections, &mut standing);
                            }
                        }
                    }
                }
                // A crowd takes long; others come in between.
                () = std::future::ready(()), if !all_attended => tokio::task::yield_now().await,
                () = stirred.notified() => {}
                () = clock::sleep_until(wakes) => {}
            }
        }
    }

    /// The owner is another. The one before was there until it was last heard.
    fn lose(&mut self, standing: &Standing) {
        if let Standing::Attaching(outgoing) | Standing::Attached(outgoing) = standing {
            // Who lives may be silent for a moment; who hangs is so for longer.
            let silence = Some(outgoing.silence()).filter(|silence| *silence > 2 * BEAT);
            let silent_ms = silence.map_or(0, |silence| silence.as_millis() as u64);
            self.lost.get_or_insert(Time(clock::now().0.saturating_sub(silent_ms)));
        }
    }

    /// Says who is here, and what was heard last.
    fn attach(&mut self, outgoing: Outgoing) -> Standing {
        retain_attended(&mut self.tables, self.attending.values());
        let attending = self.attending.iter().map(|(conn, known)| (*conn, known.clone()));
        let tables = self.tables.iter().map(|(no, stands)| (*no, stands.clone()));
        let attach = Attach {
            heard: self.heard,
            attending: attending.collect(),
            asking: self.unanswered.asking().collect(),
            tables: tables.collect(),
        };
        outgoing.put(&link::frame(&FromGateway::Attach(attach)));
        Standing::Attaching(outgoing)
    }

    /// Sends on what connections ask.
    fn carry(&mut self, connections: &SharedConnections, standing: &Standing) {
        let inputs = std::mem::take(&mut connections.borrow_mut().inputs);
        if !inputs.is_empty() {
            self.confirm(standing);
        }
        for input in inputs {
            let said = match input {
                Input::Said(conn, command) => self.unanswered.said(conn, command),
                Input::Showed(conn, key) => self.unanswered.showed(conn, key),
                Input::Gone(conn) => {
                    self.unanswered.forget(conn);
                    self.attending.remove(&conn);
                    FromGateway::Gone(conn)
                }
                // Connections ask nothing else.
                _ => continue,
            };
            // Otherwise it is said when the owner has attached this gateway; but who is gone was listed
            // as here already.
            match (standing, &said) {
                (Standing::Attached(outgoing), _)
                | (Standing::Attaching(outgoing), FromGateway::Gone(_)) => {
                    outgoing.put(&link::frame(&said));
                }
                _ => {}
            }
        }
    }

    fn hear(
        &mut self,
        now: Time,
        said: FromLink,
        connections: &SharedConnections,
        standing: &mut Standing,
    ) {
        let said = match said {
            FromLink::Up(outgoing) => return *standing = self.attach(outgoing),
            FromLink::Down(heard) => {
                self.hosted.metrics.links.set(0);
                self.hosted.metrics.unsaved_since.set(0);
                self.lost.get_or_insert(heard);
                return *standing = Standing::Down;
            }
            FromLink::Said(said) => said,
        };
        match said {
            FromOwner::Attached { epoch, .. } if epoch < self.served => {
                tracing::warn!(
                    game = self.hosted.name(),
                    epoch,
                    "a node speaks for a game that is another's"
                );
                *standing = Standing::Down;
            }
            FromOwner::Attached { epoch, mut lists, unknown } => {
                self.hosted.directory.publish(&mut lists, &mut Vec::new());
                let heard = self.heard.filter(|(of, _)| *of == epoch);
                if heard.is_none() {
                    // Another owner tells everything afresh.
                    self.following.clear();
                }
                self.heard = Some(heard.unwrap_or((epoch, 0)));
                self.following.put_off(0);
                self.part_from(unknown, connections);
                let (Standing::Attaching(outgoing) | Standing::Attached(outgoing)) =
                    std::mem::replace(standing, Standing::Down)
                else {
                    return;
                };
                self.lost = None;
                self.hosted.metrics.links.set(1);
                self.confirmed = self.heard.map_or(0, |(_, number)| number);
                outgoing.put(&link::frame(&FromGateway::Heard(self.confirmed)));
                self.unanswered.say_again(&outgoing);
                *standing = Standing::Attached(outgoing);
            }
            FromOwner::Listed(mut changes) => {
                self.hosted.directory.publish(&mut changes, &mut Vec::new());
            }
            FromOwner::Kick(subject, named) => {
                connections.borrow_mut().kick(&subject, &named);
            }
            FromOwner::Parted(conns) => self.part_from(conns, connections),
            FromOwner::Late(late_ms) => self.following.put_off(late_ms),
            FromOwner::Unsaved(ms) => {
                let since = if ms == 0 { 0 } else { now.0.saturating_sub(ms) };
                self.hosted.metrics.unsaved_since.set(since as i64);
            }
            FromOwner::Frame(frame) => self.take(now, frame, connections),
        }
    }

    /// When the owner is told what has arrived, if nothing else is said to it before.
    fn confirms_at(&self) -> Option<Time> {
        self.unconfirmed_since.map(|since| since + CONFIRM_MS)
    }

    /// Lets the owner forget what has arrived.
    fn confirm(&mut self, standing: &Standing) {
        self.unconfirmed_since = None;
        let heard = self.heard.map_or(0, |(_, number)| number);
        if let Standing::Attached(outgoing) = standing
            && std::mem::replace(&mut self.confirmed, heard) != heard
        {
            outgoing.put(&link::frame(&FromGateway::Heard(heard)));
        }
    }

    /// Does what another thread asks for.
    fn answer(
        &mut self,
        message: HallMessage,
        connections: &SharedConnections,
        sockets: &TaskTracker,
        standing: &Standing,
    ) {
        match message.admit(connections, sockets) {
            Some(HallMessage::Asked(request, asker)) => {
                let asked = self.unanswered.asked(request, asker);
                if let Standing::Attached(outgoing) = standing {
                    outgoing.put(&link::frame(&asked));
                }
            }
            // It was asked of the hall when that was here.
            Some(HallMessage::Recalled(conn, recalled)) => {
                let (now, mut connections) = (clock::now(), connections.borrow_mut());
                connections.recalls.remove(&conn);
                connections.answer(now, conn, recalled.answer);
                recalled.event.into_iter().for_each(|event| connections.tell(now, conn, event));
            }
            Some(HallMessage::Registered(_, known)) => {
                // Whoever has told it may be gone.
                let _ = known.send(());
            }
            // Whoever owns the hall decides what begins there; this node may once.
            Some(HallMessage::Barred(why, known)) => {
                connections.borrow_mut().barred = why;
                let _ = known.send(());
            }
            Some(HallMessage::Kick(subject, kicked)) => {
                let named = self.conns_called(&subject);
                // Whoever has asked may be gone.
                let _ = kicked.send(connections.borrow_mut().kick(&subject, &named));
                // The owner knows who else is meant, here and elsewhere.
                if let Standing::Attached(outgoing) = standing {
                    outgoing.put(&link::frame(&FromGateway::Kick(subject)));
                }
            }
            _ => {}
        }
    }

    /// Those of whom this node knows that they are meant.
    fn conns_called(&self, subject: &BanSubject) -> Vec<ConnId> {
        let is_meant = |known: &Attendance| match subject {
            BanSubject::Name(name) => {
                known.person.as_ref().is_some_and(|person| person.to_lowercase() == *name)
            }
            BanSubject::Key(key) => known.key.as_ref() == Some(key),
            BanSubject::Address(_) => false,
        };
        let found = self.attending.iter().filter(|(_, known)| is_meant(known));
        found.map(|(conn, _)| *conn).collect()
    }

    /// The owner knows nothing of these any more.
    fn part_from(&mut self, unknown: Vec<ConnId>, connections: &SharedConnections) {
        for conn in unknown {
            self.attending.remove(&conn);
            self.unanswered.forget(conn);
            connections.borrow_mut().end(conn, "the server that hosts this game was lost");
        }
    }

    /// The server stops: everybody here is gone.
    fn take_leave(&mut self, connections: &SharedConnections, standing: &Standing) {
        // A new owner may not have said a word yet; it has heard who was here.
        if let Standing::Attaching(outgoing) | Standing::Attached(outgoing) = standing {
            for conn in self.attending.keys() {
                outgoing.put(&link::frame(&FromGateway::Gone(*conn)));
            }
            outgoing.close();
            self.takes_leave = true;
        }
        connections.borrow_mut().close();
    }
}
