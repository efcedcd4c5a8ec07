//! A game at a node of a fleet: its connections, and its hall wherever that is.

mod standing;
mod taking_up;
mod waiting;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hall::{Input, OpenRecords};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::TaskTracker;

use super::gateways::{Gateways, Inherited, Newcomer, attach, receive, serve_gateway};
use super::link::Unheard;
use super::relay::{self, Relay};
use super::{Fleet, Owner, Tenure, first_conn};
use crate::hosting::{
    self, Connections, HallMessage, HostedGame, Hosting, Owners, SharedConnections, Thinkers,
    on_thread,
};
use crate::house::clock;

use standing::standing;
use taking_up::{Taken, TakenUp};

pub use taking_up::{Journals, SharedJournal, TakeUp, take_up};
pub use waiting::Reasons;

/// Whoever takes a hall over waits so long for gateways to say who is there, unless all have.
const RECEPTION: Duration = Duration::from_secs(3);

/// So often it is looked whether those who have not said it are still alive.
const LOOK: Duration = Duration::from_millis(20);

/// A hall that cannot be taken up is tried again after so long.
const AGAIN: Duration = Duration::from_millis(200);

/// A game at a node of a fleet.
pub struct Station {
    pub hosted: Arc<HostedGame>,
    pub messages: mpsc::Receiver<HallMessage>,
    pub fleet: Fleet,
    pub thinkers: Thinkers,
    pub take_up: TakeUp,
    pub reasons: Reasons,
}

/// Whether a station goes on.
enum Next {
    GoOn,
    Stop,
}

impl Station {
    /// Starts the game's thread, where its connections live wherever its hall is.
    pub fn start(mut self, owners: Owners) -> std::io::Result<()> {
        on_thread(self.hosted.name(), owners, async move |halls| {
            let sockets = TaskTracker::new();
            halls.track_future(self.serve(&sockets)).await;
            sockets.close();
            sockets.wait().await;
        })
    }

    /// Serves its connections until it is told to stop, whoever owns the hall.
    async fn serve(&mut self, sockets: &TaskTracker) {
        let connections = Connections::new(self.hosted.clone(), first_conn(self.hosted.node));
        let mut owner = self.fleet.owners.owner_of(self.hosted.name());
        let mut relay = Relay::new(self.hosted.clone(), self.fleet.clone());
        loop {
            let now = *owner.borrow_and_update();
            let next = match now {
                Owner::Me => self.own(&mut relay, &owner, &connections, sockets).await,
                _ => match relay.run(&mut owner, &mut self.messages, &connections, sockets).await {
                    relay::Ended::Stopped => Next::Stop,
                    relay::Ended::OwnerChanged => Next::GoOn,
                },
            };
            if let Next::Stop = next {
                return connections.borrow_mut().close();
            }
        }
    }

    /// Takes the hall up and drives it for as long as it is this node's.
    async fn own(
        &mut self,
        relay: &mut Relay,
        owner: &watch::Receiver<Owner>,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Next {
        if !self.fleet.owners.is_believed() {
            // The database could not be asked, and nothing may be said for the hall.
            return self.wait_a_moment(connections, sockets).await;
        }
        if let Some(lost) = self.fleet.owners.lost_at(self.hosted.name()) {
            relay.lost = Some(lost);
        }
        let Taken { epoch, unheard, pages, go_on } = match (self.take_up)() {
            Ok(taken) => taken,
            Err(error) => {
                self.reasons.say(self.hosted.name(), &error);
                return self.wait_a_moment(connections, sockets).await;
            }
        };
        let Some(newcomers) = self.hold_reception(connections, sockets).await else {
            return Next::Stop;
        };
        relay.catch_up(&unheard, connections);
        let standing = standing(relay, &newcomers, &unheard);
        let given_back = standing.gap_ms;
        // A fleet that begins again is a server that begins again. Otherwise somebody was lost, and whoever
        // has gone with it is gone as by any lost connection, even if that was everybody.
        let has_lost = relay.has_known_an_owner()
            || newcomers.iter().any(|newcomer| newcomer.attach.heard.is_some())
            || !standing.attending.is_empty();
        let went_on = go_on(has_lost.then_some(standing));
        let TakenUp { mut hall, records, mut outputs, pending } = match went_on {
            Ok(taken_up) => taken_up,
            Err(error) => {
                self.reasons.say(self.hosted.name(), &error);
                return self.wait_a_moment(connections, sockets).await;
            }
        };
        let (gateways, ms) = (newcomers.len(), relay.gap_ms());
        // Folding a large hall takes a while, too.
        hall.give_back(ms.saturating_sub(given_back));
        tracing::info!(game = self.hosted.name(), epoch, gateways, ms, "this node hosts the game");
        self.hosted.metrics.takeovers.inc();
        self.hosted.metrics.takeover_ms.set(ms as i64);
        if let Some(why) = connections.borrow().barred.clone() {
            hall.handle(clock::now(), Input::Barred(Some(why)), &mut outputs);
        }
        self.hosted.directory.take_up(records.clone());
        let is_believed =
            |newcomer: &&Newcomer| !unheard.has_given_up(newcomer.node, newcomer.attach.heard);
        let received = newcomers.iter().filter(is_believed).map(|newcomer| newcomer.node).collect();
        connections.borrow_mut().gateways =
            Gateways::new(self.hosted.node, pages, &unheard, received, records);
        relay.hand_over(connections);
        self.receive(newcomers, &unheard, (epoch, ms), connections, sockets);
        let messages = std::mem::replace(&mut self.messages, mpsc::channel(1).1);
        let mut hosting = Hosting {
            hall,
            outputs,
            hosted: self.hosted.clone(),
            messages,
            pending,
            thinkers: self.thinkers.clone(),
            tenure: Some(Tenure { owner: owner.clone(), owners: self.fleet.owners.clone() }),
            is_up: None,
        };
        self.hosted.metrics.is_driven.set(1);
        let ended = hosting.drive(connections, sockets).await;
        self.hosted.metrics.is_driven.set(0);
        self.hosted.metrics.unsaved_since.set(0);
        self.messages = hosting.messages;
        connections.borrow_mut().part_from_gateways();
        self.hosted.directory.take_up(OpenRecords::default());
        match ended {
            hosting::Ended::Stopped => return Next::Stop,
            hosting::Ended::LetGo => relay.take_over(&hosting.hall, epoch, connections),
            hosting::Ended::Superseded => relay.lose_hall(epoch, connections),
        }
        self.fleet.owners.let_go(self.hosted.name());
        Next::GoOn
    }

    /// Serves the gateways that have come before the hall was taken up in this epoch, so many milliseconds
    /// after its last owner was lost.
    fn receive(
        &self,
        newcomers: Vec<Newcomer>,
        unheard: &Unheard,
        (epoch, gap_ms): (u64, u64),
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) {
        for newcomer in newcomers {
            let (node, heard) = (newcomer.node, newcomer.attach.heard);
            let is_given_up = unheard.has_given_up(node, heard);
            let missed = unheard.missed(node, heard);
            let inherited = Inherited { missed, is_given_up, gap_ms };
            let link = attach(connections, &newcomer, epoch, Some(inherited), Vec::new());
            let owners = self.fleet.owners.clone();
            sockets.spawn_local(serve_gateway(connections.clone(), newcomer, link, owners));
        }
    }

    /// Hears from gateways who is there, until all have said so or it takes too long. None: the
    /// server stops.
    async fn hold_reception(
        &mut self,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Option<Vec<Newcomer>> {
        let until = Instant::now() + RECEPTION;
        let (sender, mut received) = mpsc::channel(64);
        let mut here: BTreeMap<u32, Newcomer> = BTreeMap::new();
        let mut waiting = Vec::new();
        let are_all_here = |here: &BTreeMap<u32, Newcomer>| {
            self.fleet.owners.others().iter().all(|node| here.contains_key(node))
        };
        while !are_all_here(&here) && Instant::now() < until {
            tokio::select! {
                message = self.messages.recv() => match message?.admit(connections, sockets) {
                    Some(HallMessage::Linked(link)) => {
                        let (game, sender) = (self.hosted.game, sender.clone());
                        spawn_local(async move {
                            if let Ok(newcomer) = receive(game, *link).await {
                                // The reception may be over; then the gateway comes again.
                                let _ = sender.send(newcomer).await;
                            }
                        });
                    }
                    Some(HallMessage::Stop) => return None,
                    // Everything else waits for the hall.
                    other => waiting.extend(other),
                },
                newcomer = received.recv() => {
                    here.extend(newcomer.map(|newcomer| (newcomer.node, newcomer)));
                }
                // Who is waited for may be lost as well.
                () = sleep_until(until.min(Instant::now() + LOOK)) => {}
            }
        }
        self.put_back(waiting);
        Some(here.into_values().collect())
    }
}
