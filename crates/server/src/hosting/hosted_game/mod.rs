//! A hosted game: the way into its hall, and everything its connections share.

mod organising;
mod reading;
mod visiting;

use std::path::PathBuf;
use std::sync::Arc;

use hall::Terms;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use wire::{AnyDialect, AnyGame};

use super::{Door, HallHandle};
use crate::gate::Limits;
use crate::house::GameMetrics;
use crate::reading::{Directory, Replays};
use crate::transcript::{Troubles, Wires};

pub struct HostedGame {
    pub handle: HallHandle,
    pub game: &'static dyn AnyGame,
    /// Its own protocols, the main one first.
    pub dialects: Vec<AnyDialect>,
    pub options: Arc<Value>,
    pub terms: Terms,
    /// Which start of which server this is: what its connections did is written down under it.
    pub node: u32,
    pub limits: Limits,
    /// Whether nobody plays without a key.
    pub requires_key: bool,
    pub metrics: GameMetrics,
    /// Cancelled when connections must end.
    pub closing: CancellationToken,
    pub trace_folder: Option<PathBuf>,
    /// What names' own connections say, for whoever has their keys.
    pub wires: Arc<Wires>,
    /// What went wrong last for each player.
    pub troubles: Arc<Troubles>,
    /// What everybody may read of it.
    pub directory: Arc<Directory>,
    /// Who plays games again for those who ask what has happened.
    pub replays: Replays,
    pub door: Arc<Door>,
}

impl HostedGame {
    /// A protocol by the name of its port; the usual one if there is none of this name.
    pub fn dialect(&self, name: Option<&str>) -> &AnyDialect {
        let found = self.dialects.iter().find(|dialect| Some(dialect.name) == name);
        found.unwrap_or(&self.dialects[0])
    }
}
