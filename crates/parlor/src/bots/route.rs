//! The way from a relay to its server: a WebSocket with the key of the one player that may use it.

use std::sync::Mutex;

use anyhow::Result;
use wire::{AnyDialect, Framing};

use crate::servers::{Address, Socket};

#[derive(Debug)]
pub struct ServerRoute {
    address: Address,
    path: String,
    key: Mutex<Option<String>>,
}

impl ServerRoute {
    /// `http`: where the server's HTTP is. `key`: the key of the bot's name; none if the name has
    /// no key.
    pub fn new(wire: &AnyDialect, http: &str, key: Option<String>) -> Result<ServerRoute> {
        Ok(ServerRoute {
            address: Address::read(http, None)?,
            path: play_path(wire),
            key: Mutex::new(key),
        })
    }

    pub async fn open(&self) -> Result<Socket> {
        let key = self.key.lock().expect("no holder of this lock panics").clone();
        self.address.socket(&self.path, key.as_deref()).await
    }

    /// From now on this key is shown.
    pub fn use_key(&self, key: Option<String>) {
        *self.key.lock().expect("no holder of this lock panics") = key;
    }
}

/// Where a protocol is spoken over a WebSocket: protocols with their own framing as bytes, the
/// others message by message.
pub fn play_path(wire: &AnyDialect) -> String {
    let is_websocket = matches!(wire.framing, Framing::WebSocket { .. });
    match wire.is_house() {
        true => wire.path.clone(),
        false => {
            let bytes = if is_websocket { "" } else { "&bytes=true" };
            format!("/play/{}?dialect={}{bytes}", wire.game, wire.name)
        }
    }
}
