//! How somebody comes to a hosted game who was let in on another thread.

use std::sync::Arc;

use hall::KeyHash;
use wire::house::{self, HouseSession};
use wire::{Framing, Observer, Playable, Watch};

use super::{Future, HostedGame};
use crate::gate::Admission;
use crate::hosting::HallMessage;
use crate::hosting::visit::{Vehicle, Visit};
use crate::transport::Socket;

/// How one comes to a game, whatever its type; each is there from now until it ends.
pub trait VisitGame {
    /// Plays by a protocol of the game.
    fn play(
        &self,
        dialect: Option<&str>,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Speaks the house wire. An organiser sees everything of what it watches.
    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Watches over a WebSocket.
    fn watch(&self, watch: Watch, socket: Socket, admission: Arc<Admission>) -> Future<'_, ()>;
}

impl<G: Playable> HostedGame<G> {
    fn receive(&self, visit: Visit<G>) -> Future<'_, ()> {
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }
}

impl<G: Playable> VisitGame for HostedGame<G> {
    fn play(
        &self,
        dialect: Option<&str>,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let dialect = self.dialect(dialect);
        self.receive(Visit {
            vehicle,
            dialect: dialect.name,
            session: (dialect.session)(&self.terms),
            key,
            framing: dialect.framing,
            first_message_ms: dialect.first_message_ms,
            admission,
        })
    }

    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let options = Arc::new(self.options.clone());
        self.receive(Visit {
            vehicle,
            dialect: hall::HOUSE_WIRE,
            session: Box::new(HouseSession::<G>::new(options, &self.terms, organiser)),
            key,
            framing: Framing::Lines { max: house::MAX_MESSAGE },
            first_message_ms: None,
            admission,
        })
    }

    fn watch(&self, watch: Watch, socket: Socket, admission: Arc<Admission>) -> Future<'_, ()> {
        self.receive(Visit {
            vehicle: Vehicle::WebSocket(socket),
            dialect: "watch",
            session: Box::new(Observer::<G>::new(watch)),
            key: None,
            // Observers need not say anything, and are not listened to.
            framing: Framing::Lines { max: 1024 },
            first_message_ms: None,
            admission,
        })
    }
}
