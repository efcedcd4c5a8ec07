//! One bot of one lane: a house strategy, a command behind a relay, or a bot that runs already.

use std::net::SocketAddr;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use futures_util::future::select_all;
use rules::Seed;
use tokio::io::copy_bidirectional;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use wire::AnyDialect;
use wire::Signs;

use super::house::{House, NewTable};
use super::reasons::Reason;
use crate::bots::{
    ANYWHERE, Cell, Conduct, Destination, Errand, Link, MessageObserver, News, Pacing, Program,
    Relay, ServerRoute, Side, Verdict,
};

/// A bot as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    House(String),
    Command(String),
    Running(RunningBot),
}

/// A bot that is running already. It joins under a name that it knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningBot {
    pub name: String,
    pub way: Way,
    pub host: String,
    pub port: u16,
}

/// How a bot that runs already and its games come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The bot connects to this address.
    Listen,
    /// The bot waits at this address, and is called for each game.
    Connect,
}

impl RunningBot {
    /// The bot for one more seat, counted from 0: at the next port, under another name.
    pub fn copy(&self, number: u16) -> Option<RunningBot> {
        let name = match number {
            0 => self.name.clone(),
            number => format!("{}-{}", self.name, number + 1),
        };
        let port = self.port.checked_add(number)?;
        Some(RunningBot { name, port, ..self.clone() })
    }

    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// What a bot needs to come to its games.
pub struct Credentials<'a> {
    pub name: String,
    /// The key that the server requires for the name.
    pub key: Option<String>,
    /// Where the server's HTTP is.
    pub http: &'a str,
    pub cell: Cell,
}

/// A bot at work.
pub struct Worker {
    pub name: String,
    pub refusals: Arc<Refusals>,
    pub runner: BotRunner,
    /// The key of its name, and the last line of its wire that was read.
    key: Option<String>,
    read_to: u64,
}

pub enum BotRunner {
    House(String),
    Command {
        program: Box<Program>,
        relay: Relay,
    },
    /// It was started by someone else.
    Running {
        bot: RunningBot,
        /// Ends with the bot. None: it is not let in yet.
        errands: Option<RunningErrands>,
    },
}

/// What brings a bot that runs already to its games.
pub struct RunningErrands {
    /// Where its connections go through.
    _relay: Relay,
    /// Calls the bot, if that waits to be called.
    caller: Option<JoinHandle<()>>,
}

impl Drop for RunningErrands {
    fn drop(&mut self) {
        self.caller.iter().for_each(JoinHandle::abort);
    }
}

/// A bot that does not answer or has hung up is called again after this time.
const CALL_AGAIN: Duration = Duration::from_millis(200);

impl Worker {
    /// `credentials`: its name and how it comes to the server. `observer`: receives the messages of a command,
    /// besides.
    pub async fn new(
        kind: &Kind,
        credentials: Credentials<'_>,
        wire: &AnyDialect,
        observer: Option<Arc<dyn MessageObserver>>,
    ) -> Result<Worker> {
        let Credentials { name, key, http, cell } = credentials;
        let own_key = key.clone();
        let refusals = Arc::new(Refusals {
            signs: wire.signs,
            heard: Mutex::default(),
            is_done: AtomicBool::new(false),
            observer,
        });
        let runner = match kind {
            Kind::House(strategy) => BotRunner::House(strategy.clone()),
            Kind::Command(command) => {
                let link = link(wire, &name, ServerRoute::new(wire, http, key)?, refusals.clone());
                let relay = match cell.has_room() {
                    true => Relay::inside(wire.default_port, link),
                    false => Relay::start(link).await?,
                };
                let program = Box::new(Program::new(command.clone(), cell, None));
                BotRunner::Command { program, relay }
            }
            Kind::Running(bot) => BotRunner::Running { bot: bot.clone(), errands: None },
        };
        let name = match &runner {
            BotRunner::Running { bot, .. } => bot.name.clone(),
            _ => name,
        };
        Ok(Worker { name, refusals, runner, key: own_key, read_to: 0 })
    }

    /// Lets a running bot connect. Before there is a table for it, it would open another one and
    /// wait there forever.
    pub async fn let_in(&mut self, wire: &AnyDialect, http: &str) -> Result<()> {
        let BotRunner::Running { bot, errands: errands @ None } = &mut self.runner else {
            return Ok(());
        };
        let at = match bot.way {
            Way::Listen => bot.address(),
            Way::Connect => ANYWHERE.to_owned(),
        };
        let route = ServerRoute::new(wire, http, None)?;
        let link = link(wire, &self.name, route, self.refusals.clone());
        let relay = Relay::start_at(&at, link).await?;
        let calls = (bot.way == Way::Connect).then(|| call(bot.address(), relay.address));
        *errands = Some(RunningErrands { _relay: relay, caller: calls.map(tokio::spawn) });
        Ok(())
    }

    /// The program, if the bot is a command.
    pub fn program(&mut self) -> Option<&mut Program> {
        match &mut self.runner {
            BotRunner::House(_) | BotRunner::Running { .. } => None,
            BotRunner::Command { program, .. } => Some(program),
        }
    }

    pub fn is_command(&self) -> bool {
        matches!(self.runner, BotRunner::Command { .. })
    }

    /// Whether it can come to a table by itself: a house strategy always can, and a bot that was
    /// running already has to.
    pub fn is_working(&self) -> bool {
        match &self.runner {
            BotRunner::House(_) | BotRunner::Running { .. } => true,
            BotRunner::Command { program, .. } => program.is_running(),
        }
    }

    /// Whether its command has run and ended.
    pub fn has_ended(&self) -> bool {
        match &self.runner {
            BotRunner::House(_) | BotRunner::Running { .. } => false,
            BotRunner::Command { program, .. } => program.has_run() && !program.is_running(),
        }
    }

    /// Starts its command, again if it runs.
    pub fn start(&mut self, game: &'static str, table: &NewTable) -> Result<()> {
        let BotRunner::Command { program, relay } = &mut self.runner else { return Ok(()) };
        let place = Destination {
            host: relay.address.ip().to_string(),
            port: relay.address.port(),
            game,
            name: self.name.clone(),
            table: table.id.clone(),
            tournament: String::new(),
        };
        program.start(&place, relay)
    }

    /// Gives it another name, with the key of that.
    pub fn rename(&mut self, name: String, key: Option<String>) {
        (self.key, self.read_to) = (key.clone(), 0);
        if let BotRunner::Command { relay, .. } = &self.runner {
            relay.rename(&name, key);
        }
        self.name = name;
    }

    /// Why the server rejected what it sent since it was last asked; nothing where names have no keys.
    pub async fn reasons(&mut self, house: &House) -> Result<Vec<Reason>> {
        match &self.key {
            Some(key) => house.reasons(key, &mut self.read_to).await,
            None => Ok(Vec::new()),
        }
    }

    /// A house strategy's game, to be awaited.
    pub fn errand(
        &self,
        wire: &AnyDialect,
        server: &str,
        table: &NewTable,
        seed: Seed,
    ) -> Result<Option<impl Future<Output = Result<()>> + Send + use<>>> {
        let BotRunner::House(strategy) = &self.runner else { return Ok(None) };
        let client = wire.client(strategy, &self.name, seed).map_err(anyhow::Error::msg)?;
        let errand = Errand {
            addresses: vec![server.to_owned()],
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

fn link(wire: &AnyDialect, name: &str, route: ServerRoute, observer: Arc<Refusals>) -> Link {
    let conduct = Arc::new(Conduct::new(&wire.signs, name));
    Link { route, framing: wire.framing, observer, conduct }
}

/// Calls a bot, and carries what it and the server say to each other; whenever it has hung up, it is
/// called again. A bot that cannot be reached misses its games, which is what the match counts.
async fn call(bot: String, relay: SocketAddr) {
    loop {
        if let Ok(mut bot) = TcpStream::connect(&bot).await
            && bot.set_nodelay(true).is_ok()
            && let Ok(mut server) = TcpStream::connect(relay).await
        {
            // Either side may go at any time: the other sees it.
            let _ = copy_bidirectional(&mut bot, &mut server).await;
        }
        tokio::time::sleep(CALL_AGAIN).await;
    }
}

/// The next command that ends; forever, if none runs.
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

/// Notices what a server refuses, and when it says that a game is over.
pub struct Refusals {
    signs: Signs,
    heard: Mutex<Vec<String>>,
    is_done: AtomicBool,
    observer: Option<Arc<dyn MessageObserver>>,
}

impl Refusals {
    fn push(&self, text: &str) {
        self.heard.lock().expect("nobody panics with it").push(text.to_owned());
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().expect("nobody panics with it"))
    }

    /// A game begins: no message has ended it yet.
    pub fn begin(&self) {
        self.is_done.store(false, Ordering::Relaxed);
    }

    /// Whether the server has said that the game is over for the bot. At larger tables the others may
    /// play on.
    pub fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
            || self.observer.as_ref().is_some_and(|observer| observer.ended_game())
    }
}

impl MessageObserver for Refusals {
    fn connected(&self) {
        self.begin();
        if let Some(observer) = &self.observer {
            observer.connected();
        }
    }

    fn heard(&self, side: Side, text: &str) -> Verdict {
        let refuses = (self.signs.is_refusal)(text) && !(self.signs.is_forgiven)(text);
        if side == Side::Server && refuses {
            self.push(text);
        }
        if side == Side::Server && (self.signs.is_end)(text) {
            self.is_done.store(true, Ordering::Relaxed);
        }
        self.observer.as_ref().map_or(Verdict::Pass, |observer| observer.heard(side, text))
    }

    fn objected(&self, why: &str) {
        self.push(&format!("(its connection was cut: {why})"));
    }

    fn unfinished(&self, text: &str) {
        if let Some(observer) = &self.observer {
            observer.unfinished(text);
        }
    }

    fn intervenes(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.intervenes())
    }

    fn pacing(&self) -> Pacing {
        self.observer.as_ref().map_or(Pacing::Plain, |observer| observer.pacing())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot that was quicker than the first table opened another one, and missed all games.
    #[tokio::test]
    async fn a_bot_that_runs_is_not_let_in_before_there_is_a_table() {
        let wire = games::list().wire("gamba", None).expect("a game");
        let bot = RunningBot {
            name: "mine".to_owned(),
            way: Way::Listen,
            host: "127.0.0.1".to_owned(),
            port: trials::ports::quiet(1),
        };
        let (kind, at, server) = (Kind::Running(bot.clone()), bot.address(), "127.0.0.1:9");
        let (name, cell) = ("bot1".to_owned(), Cell::default());
        let credentials = Credentials { name, key: None, http: server, cell };
        let worker = Worker::new(&kind, credentials, &wire, None).await;
        let mut worker = worker.expect("nothing is needed for it");
        assert_eq!(worker.name, "mine");
        assert!(TcpStream::connect(&at).await.is_err(), "nobody listens yet");
        worker.let_in(&wire, server).await.expect("the port is free");
        worker.let_in(&wire, server).await.expect("once is enough");
        TcpStream::connect(&at).await.expect("now somebody does");
    }
}
