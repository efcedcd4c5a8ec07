//! One bot of one lane: a house strategy, or a command behind a relay.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use futures_util::future::select_all;
use rules::Seed;
use wire::AnyDialect;
use wire::Signs;

use super::house::NewTable;
use super::program::{Destination, Program};
use crate::errand::{Errand, News};
use crate::relay::{Ear, Pacing, Relay, Side, Verdict};

/// A bot as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    House(String),
    Command(String),
}

/// A bot at work.
pub struct Worker {
    pub name: String,
    pub refusals: Arc<Refusals>,
    pub hands: Hands,
}

pub enum Hands {
    House(String),
    Command { program: Box<Program>, relay: Relay },
}

impl Worker {
    /// `ear`: who listens to a command's connections, besides.
    pub async fn new(
        kind: &Kind,
        name: String,
        wire: &AnyDialect,
        server: &str,
        ear: Option<Arc<dyn Ear>>,
    ) -> Result<Worker> {
        let refusals = Arc::new(Refusals { signs: wire.signs, heard: Mutex::default(), ear });
        let hands = match kind {
            Kind::House(strategy) => Hands::House(strategy.clone()),
            Kind::Command(command) => Hands::Command {
                program: Box::new(Program::new(command.clone(), None)),
                relay: Relay::start(server.to_owned(), wire.framing, refusals.clone()).await?,
            },
        };
        Ok(Worker { name, refusals, hands })
    }

    /// The program, if the bot is a command.
    pub fn program(&mut self) -> Option<&mut Program> {
        match &mut self.hands {
            Hands::House(_) => None,
            Hands::Command { program, .. } => Some(program),
        }
    }

    pub fn is_command(&self) -> bool {
        matches!(self.hands, Hands::Command { .. })
    }

    /// Whether it can come to a table by itself: a house strategy always can.
    pub fn is_working(&self) -> bool {
        match &self.hands {
            Hands::House(_) => true,
            Hands::Command { program, .. } => program.is_running(),
        }
    }

    /// Whether its command has run and ended.
    pub fn has_ended(&self) -> bool {
        match &self.hands {
            Hands::House(_) => false,
            Hands::Command { program, .. } => program.has_run() && !program.is_running(),
        }
    }

    /// Starts its command, anew if it runs.
    pub fn start(&mut self, game: &'static str, table: &NewTable) -> Result<()> {
        let Hands::Command { program, relay } = &mut self.hands else { return Ok(()) };
        program.start(&Destination {
            host: relay.address.ip().to_string(),
            port: relay.address.port(),
            game,
            name: self.name.clone(),
            table: table.id.clone(),
            tournament: String::new(),
        })
    }

    /// A house strategy's game, to be awaited by whoever wants it played.
    pub fn errand(
        &self,
        wire: &AnyDialect,
        server: &str,
        table: &NewTable,
        seed: Seed,
    ) -> Result<Option<impl Future<Output = Result<()>> + Send + use<>>> {
        let Hands::House(strategy) = &self.hands else { return Ok(None) };
        let client = wire.client(strategy, &self.name, seed).map_err(anyhow::Error::msg)?;
        let errand = Errand {
            address: server.to_owned(),
            framing: wire.framing,
            games: 1,
            table: Some(table.id.clone()),
            comes_back: true,
        };
        let refusals = self.refusals.clone();
        Ok(Some(async move {
            let report = |news: News<'_>| {
                if let News::Refused(text) = news {
                    refusals.push(text);
                }
                Ok(())
            };
            errand.run(client, report).await
        }))
    }
}

/// The next command that ends; for ever, if none runs.
pub async fn ended(workers: &mut [Worker]) -> (usize, Result<ExitStatus>) {
    let mut programs = Vec::new();
    for (index, worker) in workers.iter_mut().enumerate() {
        if let Some(program) = worker.program().filter(|program| program.is_running()) {
            programs.push(Box::pin(async move { (index, program.ended().await) }));
        }
    }
    if programs.is_empty() {
        return std::future::pending().await;
    }
    select_all(programs).await.0
}

/// Hears what a server refuses.
pub struct Refusals {
    signs: Signs,
    heard: Mutex<Vec<String>>,
    ear: Option<Arc<dyn Ear>>,
}

impl Refusals {
    fn push(&self, text: &str) {
        self.heard.lock().expect("nobody panics with it").push(text.to_owned());
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().expect("nobody panics with it"))
    }
}

impl Ear for Refusals {
    fn connected(&self) {
        if let Some(ear) = &self.ear {
            ear.connected();
        }
    }

    fn heard(&self, side: Side, text: &str) -> Verdict {
        if side == Side::Server && (self.signs.is_refusal)(text) {
            self.push(text);
        }
        self.ear.as_ref().map_or(Verdict::Pass, |ear| ear.heard(side, text))
    }

    fn intervenes(&self) -> bool {
        self.ear.as_ref().is_some_and(|ear| ear.intervenes())
    }

    fn pacing(&self) -> Pacing {
        self.ear.as_ref().map_or(Pacing::Plain, |ear| ear.pacing())
    }
}
