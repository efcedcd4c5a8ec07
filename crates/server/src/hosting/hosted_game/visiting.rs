//! How somebody comes to a hosted game who was let in on another thread.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::KeyHash;
use wire::house::{self, HouseSession};
use wire::{Dialect, Observer, Playable, Watch};

use super::{Future, HostedGame};
use crate::gate::Admission;
use crate::hosting::HallMessage;
use crate::hosting::visit::{Vehicle, Visit};
use crate::transport::{ByteSocket, MessageLimits, TlsStream};

impl<G: Playable> HostedGame<G> {
    /// Plays by a protocol, from now until it ends.
    async fn visit(
        &self,
        dialect: &'static Dialect<G>,
        vehicle: Vehicle,
        key: Option<KeyHash>,
        admission: Arc<Admission>,
    ) {
        let session = (dialect.session)(&self.terms);
        let limits = MessageLimits {
            first_ms: dialect.first_message_ms,
            max_bytes: dialect.framing.max_message(),
        };
        let visit = Visit { vehicle, dialect: dialect.name, session, key, limits, admission };
        self.handle.send(HallMessage::Came(Box::new(visit))).await;
    }
}

/// How one comes to a game, whatever its type.
pub trait VisitGame {
    /// Plays over a WebSocket that carries bytes, as on a port of the protocol's own.
    fn play_bytes(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Plays over a WebSocket, from now until it ends.
    fn play(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Plays by a protocol of lines over TLS, from now until it ends.
    fn play_secured(
        &self,
        dialect: &'static str,
        stream: TlsStream,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Speaks the house wire, from now until it ends. An organiser sees everything of what it
    /// watches.
    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Watches over a WebSocket, from now until it ends.
    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()>;
}

impl<G: Playable> VisitGame for HostedGame<G> {
    fn play_bytes(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(dialect.as_deref());
        let vehicle = Vehicle::Bytes(ByteSocket::new(socket), chosen.framing.framer());
        Box::pin(self.visit(chosen, vehicle, key, admission))
    }

    fn play(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(dialect.as_deref());
        Box::pin(self.visit(chosen, Vehicle::WebSocket(socket), key, admission))
    }

    fn play_secured(
        &self,
        dialect: &'static str,
        stream: TlsStream,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(Some(dialect));
        let vehicle = Vehicle::Secured(stream, chosen.framing.framer());
        Box::pin(self.visit(chosen, vehicle, None, admission))
    }

    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let options = self.options.clone();
        let session = Box::new(HouseSession::<G>::new(Arc::new(options), &self.terms, organiser));
        let limits = MessageLimits { first_ms: None, max_bytes: house::MAX_MESSAGE };
        let visit = Visit { vehicle, dialect: hall::HOUSE_WIRE, session, key, limits, admission };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }

    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()> {
        let session = Box::new(Observer::<G>::new(watch));
        // Observers need not say anything, and are not listened to.
        let limits = MessageLimits { first_ms: None, max_bytes: 1024 };
        let visit = Visit {
            vehicle: Vehicle::WebSocket(socket),
            dialect: "watch",
            session,
            key: None,
            limits,
            admission,
        };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }
}
