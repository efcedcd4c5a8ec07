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

use super::house::NewTable;
use crate::bots::{
    ANYWHERE, Confinement, Destination, Ear, Errand, News, Pacing, Program, Relay, Side, Verdict,
};

/// A bot as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    House(String),
    Command(String),
    Running(RunningBot),
}

/// A bot that somebody else has started. It joins under a name that it knows already.
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
    /// The bot for one more seat, counted from 0: at the next port, under a name of its own.
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

/// A bot at work.
pub struct Worker {
    pub name: String,
    pub refusals: Arc<Refusals>,
    pub hands: Hands,
}

pub enum Hands {
    House(String),
    Command {
        program: Box<Program>,
        relay: Relay,
    },
    /// Somebody else has started it.
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
    /// `ear`: who listens to a command's connections, besides.
    pub async fn new(
        kind: &Kind,
        name: String,
        wire: &AnyDialect,
        server: &str,
        ear: Option<Arc<dyn Ear>>,
    ) -> Result<Worker> {
        let refusals = Arc::new(Refusals {
            signs: wire.signs,
            heard: Mutex::default(),
            is_done: AtomicBool::new(false),
            ear,
        });
        let hands = match kind {
            Kind::House(strategy) => Hands::House(strategy.clone()),
            Kind::Command(command) => Hands::Command {
                program: Box::new(Program::new(command.clone(), Confinement::default(), None)),
                relay: Relay::start(server.to_owned(), wire.framing, refusals.clone()).await?,
            },
            Kind::Running(bot) => Hands::Running { bot: bot.clone(), errands: None },
        };
        let name = match &hands {
            Hands::Running { bot, .. } => bot.name.clone(),
            _ => name,
        };
        Ok(Worker { name, refusals, hands })
    }

    /// Lets a bot come that runs already. Before there is a table for it, it would open one of its own and
    /// wait there for ever.
    pub async fn let_in(&mut self, wire: &AnyDialect, server: &str) -> Result<()> {
        let Hands::Running { bot, errands: errands @ None } = &mut self.hands else {
            return Ok(());
        };
        let at = match bot.way {
            Way::Listen => bot.address(),
            Way::Connect => ANYWHERE.to_owned(),
        };
        let (server, ear) = (server.to_owned(), self.refusals.clone());
        let relay = Relay::start_at(&at, server, wire.framing, ear).await?;
        let calls = (bot.way == Way::Connect).then(|| call(bot.address(), relay.address));
        *errands = Some(RunningErrands { _relay: relay, caller: calls.map(tokio::spawn) });
        Ok(())
    }

    /// The program, if the bot is a command.
    pub fn program(&mut self) -> Option<&mut Program> {
        match &mut self.hands {
            Hands::House(_) | Hands::Running { .. } => None,
            Hands::Command { program, .. } => Some(program),
        }
    }

    pub fn is_command(&self) -> bool {
        matches!(self.hands, Hands::Command { .. })
    }

    /// Whether it can come to a table by itself: a house strategy always can, and of a bot that
    /// somebody else has started nothing else is known.
    pub fn is_working(&self) -> bool {
        match &self.hands {
            Hands::House(_) | Hands::Running { .. } => true,
            Hands::Command { program, .. } => program.is_running(),
        }
    }

    /// Whether its command has run and ended.
    pub fn has_ended(&self) -> bool {
        match &self.hands {
            Hands::House(_) | Hands::Running { .. } => false,
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

/// Hears what a server refuses, and when it says that a game is over.
pub struct Refusals {
    signs: Signs,
    heard: Mutex<Vec<String>>,
    is_done: AtomicBool,
    ear: Option<Arc<dyn Ear>>,
}

impl Refusals {
    fn push(&self, text: &str) {
        self.heard.lock().expect("nobody panics with it").push(text.to_owned());
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().expect("nobody panics with it"))
    }

    /// Whether the server has said on the last connection that the game is over for the bot. At
    /// larger tables the others may play on.
    pub fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }
}

impl Ear for Refusals {
    fn connected(&self) {
        self.is_done.store(false, Ordering::Relaxed);
        if let Some(ear) = &self.ear {
            ear.connected();
        }
    }

    fn heard(&self, side: Side, text: &str) -> Verdict {
        if side == Side::Server && (self.signs.is_refusal)(text) {
            self.push(text);
        }
        if side == Side::Server && (self.signs.is_end)(text) {
            self.is_done.store(true, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot that was quicker than the first table sat down at one of its own, and missed all games.
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
        let worker = Worker::new(&kind, "bot1".to_owned(), &wire, server, None).await;
        let mut worker = worker.expect("nothing is needed for it");
        assert_eq!(worker.name, "mine");
        assert!(TcpStream::connect(&at).await.is_err(), "nobody listens yet");
        worker.let_in(&wire, server).await.expect("the port is free");
        worker.let_in(&wire, server).await.expect("once is enough");
        TcpStream::connect(&at).await.expect("now somebody does");
    }
}
