//! How somebody comes to a hosted game who was let in on another thread.

use std::sync::Arc;

use hall::KeyHash;
use wire::house::{self, HouseSession};
use wire::{Framing, Observer, Watch};

use super::HostedGame;
use crate::gate::Admission;
use crate::hosting::HallMessage;
use crate::hosting::visit::{Vehicle, Visit};
use crate::transport::Socket;

impl HostedGame {
    async fn receive(&self, visit: Visit) {
        self.handle.send(HallMessage::Came(Box::new(visit))).await;
    }
}

// Each visitor is there from now until it ends.
impl HostedGame {
    /// Plays by a protocol of the game.
    pub async fn play(
        &self,
        dialect: Option<&str>,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) {
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
        .await;
    }

    /// Speaks the JSON protocol. An organiser sees everything of what it watches.
    pub async fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) {
        let session = HouseSession::new(self.game, self.options.clone(), &self.terms, organiser);
        self.receive(Visit {
            vehicle,
            dialect: hall::HOUSE_WIRE,
            session: Box::new(session),
            key,
            framing: Framing::Lines { max: house::MAX_MESSAGE },
            first_message_ms: None,
            admission,
        })
        .await;
    }

    /// Watches over a WebSocket.
    pub async fn watch(&self, watch: Watch, socket: Socket, admission: Arc<Admission>) {
        self.receive(Visit {
            vehicle: Vehicle::WebSocket(socket),
            dialect: "watch",
            session: Box::new(Observer::new(self.game, watch)),
            key: None,
            // Observers need not say anything, and are not listened to.
            framing: Framing::Lines { max: 1024 },
            first_message_ms: None,
            admission,
        })
        .await;
    }
}
