//! A hosted game: the way into its hall, and everything its connections share.

mod organising;
mod reading;
mod visiting;

use std::path::PathBuf;
use std::sync::Arc;

use hall::Terms;
use tokio_util::sync::CancellationToken;
use wire::{Dialect, Playable};

use super::{Door, HallHandle};
use crate::gate::Limits;
use crate::house::GameMetrics;
use crate::reading::{Directory, Replays};
use crate::transcript::{Troubles, Wires};

pub use organising::OrganiseGame;
pub use reading::ReadGame;
pub use visiting::VisitGame;

pub struct HostedGame<G: Playable> {
    pub handle: HallHandle<G>,
    pub options: G::Options,
    pub terms: Terms<G>,
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
    pub directory: Arc<Directory<G>>,
    /// Who plays games again for those who ask what has happened.
    pub replays: Replays,
    pub door: Arc<Door>,
}

impl<G: Playable> HostedGame<G> {
    /// A protocol by the name of its port; the usual one if there is none of this name.
    fn dialect(&self, name: Option<&str>) -> &'static Dialect<G> {
        let known = G::dialects();
        known.iter().find(|dialect| Some(dialect.name) == name).unwrap_or(&known[0])
    }
}

type Future<'a, T> = std::pin::Pin<Box<dyn std::future::Future<Output = T> + Send + 'a>>;

/// A hosted game of whatever type: what HTTP needs of it.
pub trait AnyHostedGame: ReadGame + OrganiseGame + VisitGame + Send + Sync {}

impl<G: Playable> AnyHostedGame for HostedGame<G> {}
