//! A server on its way up: its games get their halls, and everything that was restored its port.

mod listening;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{Hall, Input, OpenRecords};
use rules::Dice;
use store::memory::Memory;
use store::{Archive, Loaded};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use wire::AnyGame;

use crate::fleet::Membership;
use crate::gate::Gate;
use crate::hosting::{Door, HallHandle, HallMessage, HostedGame, Hosting, Owners, Thinkers};
use crate::house::{Metrics, RegisterHandle, Settings, Tickets, clock};
use crate::journal::{JournalWriter, PendingBatches, restore};
use crate::reading::{Directory, Replays};
use crate::transcript::Wires;
use crate::transport::Tls;

use listening::Listener;

/// A server on its way up.
pub(crate) struct Opening {
    pub settings: Settings,
    /// Which start of which server this is.
    pub node: u32,
    /// The fleet's membership; `None` if all halls are here.
    pub membership: Option<Membership>,
    pub thinkers: Thinkers,
    pub dice: Dice,
    pub metrics: Arc<Metrics>,
    /// The streams of the journal.
    pub loaded: BTreeMap<&'static str, Loaded>,
    pub register: RegisterHandle,
    pub tickets: Arc<Tickets>,
    pub wires: Arc<Wires>,
    pub archive: Arc<dyn Archive>,
    /// The pool for readers' long work.
    pub replays: Replays,
    pub writer: JournalWriter,
    pub memory: Option<Memory>,
    pub gate: Arc<Gate>,
    pub tls: Option<Tls>,
    pub stop: CancellationToken,
    pub closing: CancellationToken,
    pub owners: Owners,
    pub hosted: BTreeMap<&'static str, Arc<HostedGame>>,
    pub halls: Vec<HallHandle>,
    pub doors: Vec<Arc<Door>>,
    /// Each hall says when it can be read.
    pub up: Vec<oneshot::Receiver<()>>,
    pub listeners: Vec<Listener>,
}

impl Opening {
    pub fn host(&mut self, game: &'static dyn AnyGame) -> Result<()> {
        let changes = self.settings.changes(game);
        let options = game.options(&changes).map_err(anyhow::Error::msg)?;
        let terms =
            game.terms(&options).map_err(|why| anyhow::anyhow!("{}: {why}", game.name()))?;
        let dialects = game.own_wires();
        let metrics = self.metrics.of_game(game.name());
        let (handle, messages) = HallHandle::new();
        let door = Arc::new(Door::new(metrics.playing.clone()));
        self.doors.push(door.clone());
        let hosted = Arc::new(HostedGame {
            handle: handle.clone(),
            game,
            dialects,
            options: Arc::new(options),
            terms,
            node: self.node,
            limits: self.settings.limits.clone(),
            requires_key: self.settings.names.require_key,
            metrics,
            closing: self.closing.clone(),
            trace_folder: self.settings.trace.clone(),
            wires: self.wires.clone(),
            troubles: Arc::default(),
            directory: Arc::new(Directory::new(game.name(), OpenRecords::default())),
            replays: self.replays.clone(),
            door,
        });
        let started = match self.membership.is_some() {
            true => self.host_in_fleet(hosted.clone(), messages),
            false => self.host_here(hosted.clone(), messages)?,
        };
        started.with_context(|| format!("cannot start the hall of {}", game.name()))?;
        self.owners.tasks.spawn(hosted.directory.clone().keep(self.closing.clone()));
        self.halls.push(handle);
        self.hosted.insert(game.name(), hosted.clone());
        for dialect in &hosted.dialects {
            self.listeners.push(self.listener(hosted.clone(), dialect));
        }
        Ok(())
    }

    /// The hall is here, and nowhere else.
    fn host_here(
        &mut self,
        hosted: Arc<HostedGame>,
        messages: mpsc::Receiver<HallMessage>,
    ) -> Result<std::io::Result<()>> {
        let tables = self.settings.limits.tables;
        let mut hall =
            Hall::new(hosted.terms.clone(), hosted.game.hooks(), tables, self.dice.seed());
        hall.think_elsewhere();
        if hosted.requires_key {
            hall.require_key();
        }
        hall.pace_open_play(self.settings.limits.open_games_per_min);
        let loaded = self.loaded.remove(hosted.name()).context("a game is loaded once")?;
        let epoch = loaded.epoch;
        let (records, mut outputs) =
            restore(hosted.game.rules(), &*self.archive, &mut hall, loaded, None)?;
        hosted.directory.take_up(records);
        hall.handle(clock::now(), Input::Registered(self.register.read()), &mut outputs);
        let pending =
            PendingBatches::new(self.writer.clone(), self.memory.clone(), hosted.name(), epoch);
        let (is_up, up) = oneshot::channel();
        self.up.push(up);
        let (thinkers, is_up) = (self.thinkers.clone(), Some(is_up));
        let hosting =
            Hosting { hall, outputs, hosted, messages, pending, thinkers, tenure: None, is_up };
        Ok(hosting.start(self.owners.clone()))
    }
}
